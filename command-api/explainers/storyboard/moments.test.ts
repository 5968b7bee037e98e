import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { momentsOf } from "./moments.ts";

const scene = (made: object): Scene =>
  ({ sceneId: "scene-1", seconds: 5, sourceIds: ["s"], quotes: [{ sourceId: "s", quote: "words" }], ...made }) as never;

describe("a scene as a viewer meets it", () => {
  const points = scene({
    layout: "points",
    narration: "First comes listing the files, and only then comes sorting them.",
    content: { heading: "Steps", points: ["Listing files", "Sorting them"] },
  });

  it("has each label with the words that it comes with", () => {
    const moments = momentsOf(points);
    const withSorting = moments.find(({ appears }) => appears.includes("Sorting them"));
    expect(withSorting?.said).to.match(/sorting them\.$/);
    expect(moments.find(({ appears }) => appears.includes("Listing files"))?.at).to.be.below(withSorting?.at ?? 0);
  });

  it("leaves no word of the narration out", () => {
    expect(
      momentsOf(points)
        .map(({ said }) => said)
        .filter(Boolean)
        .join(" "),
    ).to.equal(points.narration);
  });

  it("has cued things when their words are said", () => {
    const moments = momentsOf(
      scene({
        layout: "derive",
        narration: "Start with the product. Then divide by two.",
        content: {
          heading: "Solve",
          steps: [
            { tex: "2x = 4", reason: "given", cue: "" },
            { tex: "x = 2", reason: "divide by 2", cue: "divide by" },
          ],
        },
      }),
    );
    expect(moments.map(({ appears }) => appears)).to.deep.equal([
      ['steps: {"tex":"2x = 4","reason":"given"}'],
      ['steps: {"tex":"x = 2","reason":"divide by 2"}'],
    ]);
    expect(moments[1]?.said).to.match(/^divide by two/);
  });

  /** What appears, with the words it appears at. */
  const appearing = (layout: string, narration: string, content: object): string[] =>
    momentsOf(scene({ layout, narration, content })).flatMap(({ said, appears }) => appears.map((thing) => `${thing} @ ${said}`));
  const line = { heading: "Line", from: 0, to: 5, intervals: [], jumps: [], sequences: [], zoom: null };

  it("has each step of a sum when its words are said", () => {
    const jumps = [{ sum: "3 + 1 - 2", cues: ["three", "one more", "two less"] }];
    expect(appearing("number-line", "We begin at three, go on one more, and then two less.", { ...line, jumps })).to.deep.equal([
      'jumps: {"sum":"3 + 1 - 2","from":3} @ three, go on',
      'jumps: {"step":"+1","to":4} @ one more, and then',
      'jumps: {"step":"-2","to":2} @ two less.',
    ]);
  });

  it("has the ends of an interval and the limit of a sequence when their words are said", () => {
    const content = {
      ...line,
      intervals: [{ inequality: "x < 3", cue: "", endsCue: "its end" }],
      sequences: [{ expression: "1/n", terms: 5, cue: "the terms", limit: "0", limitCue: "come to" }],
    };
    const narration = "Look at the numbers, and at its end. Then look at the terms: they come to zero.";
    expect(appearing("number-line", narration, content)).to.deep.equal([
      'intervals: {"inequality":"x < 3"} @ Look at the numbers, and at',
      'ends: {"inequality":"x < 3","ends":"shown"} @ its end. Then look at',
      'sequences: {"expression":"1/n","terms":5} @ the terms: they',
      'limit: {"expression":"1/n","terms":5,"limit":"0"} @ come to zero.',
    ]);
  });

  it("has residuals, and what a curve becomes, when their words are said", () => {
    const empty = { maps: [], vectors: [], lines: [], points: [], polygons: [], focus: [] };
    const plane = { heading: "Plane", centre: { x: 0, y: 0 }, extent: 4, ...empty };
    const curves = [
      {
        expression: "x",
        cue: "",
        residuals: "lines",
        residualsCue: "how far",
        becomes: { expression: "2*x", cue: "better line" },
      },
    ];
    expect(appearing("plane", "Here is a line, and how far it is off. This is the better line.", { ...plane, curves })).to.deep.equal([
      'curves: {"expression":"x"} @ Here is a line, and',
      'residuals: {"expression":"x","residuals":"lines"} @ how far it is off. This is the',
      'becomes: {"expression":"2*x"} @ better line.',
    ]);
  });

  it("has the rows of a table as they are spoken of, and their comparison at its cue", () => {
    const rows = [
      ["Aller", "260"],
      ["Oder", "840"],
    ];
    const compared = { of: "rows", first: 0, second: 1, cue: "side by" };
    const content = { heading: "Rivers", columns: ["River", "Kilometres"], rows, sortBy: -1, descending: false, bars: -1, compared };
    expect(appearing("table", "Here is the Aller, there is the Oder. Now see them side by side.", content).at(-1)).to.equal(
      'compared: {"of":"rows","first":0,"second":1} @ side by side.',
    );
    expect(appearing("table", "Here is the Aller, there is the Oder. Now see them side by side.", content)).to.have.length(3);
  });

  it("has a tangent and a parameter with their numbers when they are said", () => {
    const empty = { maps: [], vectors: [], lines: [], points: [], polygons: [], focus: [] };
    const content = {
      heading: "Plane",
      centre: { x: 0, y: 0 },
      extent: 4,
      ...empty,
      curves: [{ expression: "a x^2", cue: "", residuals: "none", residualsCue: "", becomes: null }],
      tangents: [{ curve: 0, at: 1, cue: "tangent", to: { at: 2, cue: "travels" } }],
      parameter: { name: "a", from: 1, to: 2, cue: "grows" },
    };
    expect(appearing("plane", "A curve and its tangent, which travels while the number a grows.", content)).to.deep.equal([
      'curves: {"expression":"a x^2"} @ A curve and its',
      'parameter: {"shown":"a = 1"} @ A curve and its',
      'tangents: {"curve":0,"at":1,"slope":"2"} @ tangent, which',
      'to: {"at":2,"slope":"4"} @ travels while the number',
      'parameter: {"moves":"a = 2","slopes":["8"]} @ a grows.',
    ]);
  });

  it("has what is computed beside a plane, matrices when their maps are named and what follows at the cue", () => {
    const content = {
      heading: "Plane",
      centre: { x: 0, y: 0 },
      extent: 4,
      maps: [{ name: "A", a: 2, b: 1, c: 1, d: 2, cue: "See it" }],
      vectors: [{ name: "v", to: { x: 1, y: 1 }, cue: "arrow" }],
      polygons: [{ corners: [0, 1, 2].map((x) => ({ x, y: x % 2 })), measured: true, cue: "" }],
      lines: [],
      points: [],
      curves: [],
      focus: [],
    };
    const met = appearing("plane", "The map A and its arrow. See it move now.", content).filter((thing) => thing.startsWith("beside: "));
    const [start, named, moved] = ["The map", "arrow.", "See it move now."];
    expect(met).to.deep.equal([
      `beside: area = 1 @ ${start}`,
      `beside: A = \\begin{pmatrix} 2 & 1 \\\\ 1 & 2 \\end{pmatrix} @ A and its`,
      `beside: v = (1,\\, 1) @ ${named}`,
      `beside: \\det A = 2\\cdot 2 - 1\\cdot 1 = 3 @ ${moved}`,
      `beside: A\\,v = 3\\,v @ ${moved}`,
      `beside: area = 3 @ ${moved}`,
    ]);
  });

  it("has the solution of an inequality at its cue", () => {
    const intervals = [{ inequality: "|x - 2| < 3", cue: "near", endsCue: "" }];
    expect(appearing("number-line", "All numbers that are near to two.", { ...line, from: -4, to: 8, intervals })).to.include(
      "named: -1 < x < 5 @ near to two.",
    );
  });

  it("has the stability, the gaps and the chances of forgetting with what they belong to", () => {
    const content = { heading: "Curve", unit: "days", until: 14, stability: 2, growth: 2.5, target: 0.5, cue: "" };
    const narration = "The chance falls. After two days look at it.";
    expect(appearing("forgetting", narration, { ...content, recalls: [], marks: [{ at: 2, cue: "two days" }] })).to.include.members([
      "beside: S = 2 @ The chance falls. After",
      "chance at 2: 37 % @ two days look at it.",
    ]);
    expect(appearing("forgetting", narration, { ...content, recalls: [{ cue: "two days" }], marks: [] })).to.include.members([
      "beside: S = 2, R(1.39) = 0.5 @ The chance falls. After",
      "beside: S = 5, R(3.47) = 0.5 @ two days look at it.",
      "recall at: 1.39 @ two days look at it.",
    ]);
  });
});
