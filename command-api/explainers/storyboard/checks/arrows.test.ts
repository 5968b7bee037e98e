import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { contentFindings } from "./content.ts";

const sourceId = "source-1";
interface Arrow {
  from: string;
  to: string;
  quote: string;
}
function foundIn(labels: readonly string[], arrows: readonly Arrow[], { text, diagram }: { text: string; diagram?: string }): string[] {
  const keyOf = (label: string): string => `n${labels.indexOf(label)}`;
  const content = {
    heading: "A diagram",
    kind: "state",
    nodes: labels.map((label) => ({ key: keyOf(label), label, cue: "" })),
    edges: arrows.map(({ from, to, quote }) => ({ from: keyOf(from), to: keyOf(to), label: "", cue: "", quote })),
    focus: [],
  };
  const passages = [{ sourceId, text, ...(diagram !== undefined && { diagram }) }];
  const scene = { layout: "build", content, sourceIds: [sourceId] } as unknown as SceneOf<"build">;
  return contentFindings(scene, [text], passages).map(({ problem }) => problem);
}
const found = (from: string, to: string, quote: string, { text = quote, diagram }: { text?: string; diagram?: string } = {}): string[] =>
  foundIn([from, to], [{ from, to, quote }], { text, ...(diagram !== undefined && { diagram }) });

describe("the check of arrows", () => {
  const told: [from: string, to: string, quote: string][] = [
    ["Attention", "Working memory", "Attention lets a little of what we meet into working memory"],
    ["Working memory", "Long-term memory", "into working memory; thinking about it moves it to long-term memory"],
    ["Rereading", "Retrieval strength", "Rereading raises retrieval strength for a moment"],
    ["Strings", "Sound", "The sound is made by the strings."],
    ["Der Kompilator", "Das Programm", "Das Programm wird vom Team durch den Kompilator erzeugt."],
    ["السحاب", "المطر", "يتكوّن المطر من السحاب."],
    ["Learning", "Forgetting", "Learning is followed by forgetting."],
    ["Learning", "Forgetting", "Forgetting comes after learning."],
    ["Learning", "Forgetting", "Forgetting follows learning."],
    ["Tank", "Tap", "The tank empties after a while into the tap."],
    ["Tank", "Tap", "It leaves the tank, and after that the tap drips."],
    ["Lernen", "Vergessen", "Das Vergessen kommt immer nach dem Lernen."],
    ["Lernen", "Vergessen", "Vergessen folgt auf Lernen."],
    ["Hamburg", "Berlin", "Der Zug fährt in Hamburg los und dann nach Berlin."],
    ["التعلم", "النسيان", "يأتي النسيان بعد التعلم."],
    ["Sleep", "Memory", "Sleep not only rests us but also strengthens memory."],
    ["Sleep", "Memory", "Stress does not help, but sleep strengthens memory."],
    ["Tank", "Tap", "Water runs from the tank to the tap without a pump."],
    ["Not ready", "Ready", "A door that is not ready becomes ready."],
  ];
  for (const [from, to, quote] of told) it(`takes “${quote}” for ${from} → ${to}`, () => expect(found(from, to, quote)).to.deep.equal([]));

  const others: [from: string, to: string, quote: string][] = [
    ["Working memory", "Attention", "Attention lets a little of what we meet into working memory"],
    ["Sound", "Strings", "The sound is made by the strings."],
    ["Rereading", "Storage strength", "Rereading raises retrieval strength for a moment"],
    ["Attention", "Long-term memory", "Attention lets a little of what we meet into working memory"],
    ["Long-term memory", "Working memory", "into working memory; thinking about it moves it to long-term memory"],
    ["Forgetting", "Learning", "Learning is followed by forgetting."],
    ["Forgetting", "Learning", "Forgetting comes after learning."],
    ["Vergessen", "Lernen", "Das Vergessen kommt immer nach dem Lernen."],
    ["النسيان", "التعلم", "يأتي النسيان بعد التعلم."],
    ["Stress", "Growth", "Stress does not lead to growth."],
    ["Stress", "Growth", "No amount of stress leads to growth."],
    ["Stress", "Wachstum", "Stress lässt Wachstum nicht zu."],
    ["التوتر", "النمو", "التوتر لا يؤدي إلى النمو."],
  ];
  for (const [from, to, quote] of others)
    it(`does not take “${quote}” for ${from} → ${to}`, () => expect(found(from, to, quote)).to.deep.equal(["unsupported"]));

  it("wants only the name of a box that leads to itself", () => {
    const text = "A read stays in the open state. To close leads from the open state to the closed state.";
    const self = (quote: string) =>
      foundIn(
        ["Open state", "Closed state"],
        [
          { from: "Open state", to: "Open state", quote },
          { from: "Open state", to: "Closed state", quote: "leads from the open state to the closed state" },
        ],
        { text },
      );
    expect(self("A read stays in the open state.")).to.deep.equal([]);
    expect(self("To close leads from")).to.deep.equal(["unsupported"]);
  });

  it("wants a quote that stands in the passages of the scene", () => {
    expect(found("Rain", "River", "Rain fills the river", { text: "Rain fills a lake." })).to.deep.equal(["misquoted"]);
    expect(found("Rain", "River", "")).to.deep.equal(["unsupported"]);
  });

  it("takes an arrow of a diagram of the course without a quote, in its direction", () => {
    const diagram =
      'flowchart LR\n  w["Working memory: about four things"] -->|thinking| ltm["Long-term memory"]\n  ltm --- other["Names"]';
    expect(found("Working memory", "Long-term memory", "", { diagram })).to.deep.equal([]);
    expect(found("Long-term memory", "Working memory", "", { diagram })).to.deep.equal(["unsupported"]);
    expect(found("Long-term memory", "Names", "", { diagram }), "a line without a head").to.deep.equal(["unsupported"]);
    expect(found("Working memory", "Names", "", { diagram: "sequenceDiagram\n  A->>B: hello" })).to.deep.equal(["unsupported"]);
  });
});

describe("the check of arrows of a diagram without quotes", () => {
  function drawn(
    labels: readonly string[],
    arrows: readonly [number, number][],
    text: string,
    { diagram = "", kind = "flow", label = "" } = {},
  ): string {
    const content = {
      heading: "A diagram",
      kind,
      nodes: labels.map((label, index) => ({ key: `n${index}`, label })),
      edges: arrows.map(([from, to]) => ({ from: `n${from}`, to: `n${to}`, label })),
    };
    const passages = [{ sourceId, text, ...(diagram !== "" && { diagram }) }];
    return contentFindings({ layout: "diagram", content, sourceIds: [sourceId] } as unknown as SceneOf<"diagram">, [text], passages)
      .map(({ detail }) => detail)
      .join(" ");
  }
  const text = "Rain fills the rivers. The moon is not made of cheese.";

  for (const kind of ["flow", "tree", "state", "sequence"]) {
    it(`takes what a sentence names in its direction (${kind})`, () =>
      expect(drawn(["Rain", "Rivers"], [[0, 1]], text, { kind })).to.equal(""));
    it(`refuses what the page leads the other way (${kind})`, () =>
      expect(drawn(["Rain", "Rivers"], [[1, 0]], text, { kind })).to.match(/lead from “Rain” to “Rivers”, and the arrow the other way/));
    it(`refuses what no sentence leads to (${kind})`, () =>
      expect(drawn(["Cheese", "Rivers"], [[0, 1]], text, { kind })).to.match(/leads from “Cheese” to “Rivers”/));
  }

  it("takes the messages of a sequence diagram of the page, in their direction", () => {
    const diagram = "sequenceDiagram\n  participant S as Shell\n  participant K as Kernel\n  S->>K: fork\n  K-->>S: done";
    const of = (arrows: [number, number][]) => drawn(["Shell", "Kernel", "Disk"], arrows, "They talk.", { diagram, kind: "sequence" });
    expect(
      of([
        [0, 1],
        [1, 0],
        [1, 2],
      ]),
    ).to.equal("No sentence and no diagram of the scene's passages leads from “Kernel” to “Disk”.");
  });

  it("takes at an arrow what its sentence, message or arrow of the page says, and nothing else", () => {
    const of = (label: string, diagram = "") => drawn(["Rain", "Rivers"], [[0, 1]], text, { diagram, label });
    expect(of("fills")).to.equal("");
    expect(of("empties")).to.match(/“empties” at the arrow from “Rain” to “Rivers” stands neither/);
    expect(of("made of cheese")).to.match(/stands neither/);
    expect(of("swells", "flowchart LR\n  a[Rain] -->|swells| b[Rivers]")).to.equal("");
    expect(of("swells", "sequenceDiagram\n  Rain->>Rivers: swells them")).to.equal("");
  });
  it("refuses an arrow that the page denies", () => {
    expect(drawn(["Moon", "Cheese"], [[1, 0]], text)).to.match(/leads from “Cheese” to “Moon”/);
  });

  it("takes a box that leads to itself where the page names it", () => {
    const of = (page: string) =>
      drawn(
        ["Open state", "Closed state"],
        [
          [0, 0],
          [0, 1],
        ],
        `${page} It goes from the open state to the closed state.`,
        { kind: "state" },
      );
    expect(of("")).to.equal("");
  });

  it("draws what depends on what only where the arrow says so, from what depends", () => {
    const quote = "The harvest depends on the weather.";
    expect(found("Harvest", "Weather", quote)).to.deep.equal(["unsupported"]);
    expect(found("Weather", "Harvest", quote)).to.deep.equal(["unsupported"]);
    const labelled = (from: string, to: string): string[] => {
      const content = {
        heading: "A diagram",
        kind: "flow",
        nodes: [from, to].map((label) => ({ key: label.toLowerCase(), label, cue: "" })),
        edges: [{ from: from.toLowerCase(), to: to.toLowerCase(), label: "depends on", cue: "", quote }],
        focus: [],
      };
      const scene = { layout: "build", content, sourceIds: [sourceId] } as unknown as SceneOf<"build">;
      return contentFindings(scene, [quote], [{ sourceId, text: quote }]).map(({ problem }) => problem);
    };
    expect(labelled("Harvest", "Weather")).to.deep.equal([]);
    expect(labelled("Weather", "Harvest")).to.deep.equal(["unsupported"]);
  });
});
