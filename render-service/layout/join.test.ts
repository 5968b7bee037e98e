import type { Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { createCanvas } from "@napi-rs/canvas";
import { expect } from "chai";
import { drawFrame } from "../drawing/draw.ts";
import { plan } from "../film/plan.ts";
import { placesOf, timeline } from "../frames/timeline.ts";
import { placeScene } from "./place.ts";
import { stillMostMs, stillnessOf } from "./stillness.ts";
import { isShownAt, itemsOf } from "./testing/planes.ts";

const quotes = [{ sourceId: "source-maps-1", quote: "A map moves the grid." }];
function scene(layout: Scene["layout"], content: object, narration: string): Scene {
  const made = { sceneId: `scene-${layout}-01`, layout, content, narration, sourceIds: ["source-maps-1"], quotes, seconds: 0 } as Scene;
  return { ...made, seconds: sceneSeconds(made) };
}
const noPlane = { centre: { x: 0, y: 0 }, maps: [], vectors: [], lines: [], points: [], polygons: [], curves: [], focus: [] };
const plane = (more: object, narration: string) => scene("plane", { heading: "The map", extent: 3, ...noPlane, ...more }, narration);
const u = { name: "u", to: { x: 1, y: 0 }, cue: "" };
const moved = plane(
  { maps: [{ name: "A", a: 1, b: 1, c: 0, d: 1, cue: "moves the" }], vectors: [u] },
  "Look at it once: here the map moves the whole grid along.",
);
const again = plane(
  { heading: "Again", vectors: [u, { ...u, name: "v", to: { x: 0, y: 1 }, cue: "v stands" }] },
  "Beside it now v stands.",
);

const curve = { cue: "", residuals: "none", residualsCue: "", becomes: null };
const slid = plane(
  {
    curves: [{ ...curve, expression: "a x^2" }],
    parameter: { name: "a", from: 1, to: -1, cue: "moves the" },
    tangents: [{ curve: 0, at: 1, cue: "", to: null }],
  },
  "Look at it once: here the number moves the whole curve along.",
);
const stays = plane(
  { heading: "Again", curves: [{ ...curve, expression: "-x^2" }], tangents: [{ curve: 0, at: 1, cue: "", to: { at: -1, cue: "to the" } }] },
  "From there the tangent travels to the other side.",
);

const node = (key: string, label: string, cue = "") => ({ key, label, cue });
const edge = (from: string, to: string) => ({ from, to, label: "", cue: "", quote: "" });
const build = (nodes: object[], edges: object[], narration: string) =>
  scene("build", { heading: "What leads to what", kind: "flow", nodes, edges, focus: [] }, narration);
const two = build([node("a", "Rain"), node("b", "Rivers", "the rivers")], [edge("a", "b")], "Rain falls, and it fills the rivers.");
const three = build(
  [node("a", "Rain"), node("b", "Rivers"), node("c", "The sea", "the sea")],
  [edge("a", "b"), edge("b", "c")],
  "From there all of it runs into the sea.",
);

const step = (tex: string, reason = "", cue = "") => ({ tex, reason, cue });
const derive = (steps: object[], narration: string) => scene("derive", { heading: "Solve for x", steps }, narration);
const factored = derive([step("x^2 - 4x + 3 = 0"), step("(x - 3)(x - 1) = 0", "factor", "as a product")], "Write the sum as a product.");
const solved = derive(
  [step("(x - 3)(x - 1) = 0"), step("x = 3", "one factor is zero", "x is three")],
  "One of the factors is zero, so x is three.",
);

const line = (more: object, narration: string) =>
  scene("number-line", { heading: "On a line", from: -4, to: 6, intervals: [], jumps: [], sequences: [], zoom: null, ...more }, narration);
const near = { inequality: "|x - 2| < 3", cue: "nearer than", endsCue: "" };
const within = line({ intervals: [near] }, "All numbers nearer than three to two.");
const beside = line(
  {
    intervals: [
      { ...near, cue: "" },
      { inequality: "x < -2", cue: "below minus", endsCue: "" },
    ],
  },
  "And those below minus two.",
);

const lane = (label: string, ...marks: object[]) => ({ label, gaps: false, marks });
const days = (lanes: object[], narration: string) =>
  scene("timeline", { heading: "Days of review", unit: "day", until: 20, kinds: [], lanes }, narration);
const at = (day: number, cue = "") => ({ at: day, kind: 0, cue });
const spaced = days([lane("Spaced", at(1, "first"), at(4, "fourth"))], "Review on the first day, and on the fourth.");
const crammed = days(
  [lane("Spaced", at(1), at(4)), lane("Crammed", at(18, "day before"))],
  "Others review only on the day before the test, late.",
);

const table = (more: object, narration: string) => {
  const columns = ["River", "Ends in", "Kilometres"];
  const rows = [
    ["Aller", "Weser", "260"],
    ["Elbe", "North Sea", "1094"],
    ["Weser", "North Sea", "452"],
  ];
  return scene("table", { heading: "Rivers", columns, rows, sortBy: -1, descending: false, bars: -1, ...more }, narration);
};
const given = table({}, "The Aller, the Elbe and the Weser with their kilometres.");
const ordered = table(
  { compared: { of: "rows", first: 0, second: 2, cue: "beside the" } },
  "Once more all three: now the Aller comes beside the Weser, which is longer.",
);

const board = { language: "en", sources: [], aspect: "16:9" as const };
/** Scenes as a film places them. */
function placed(...scenes: Scene[]): Placed[] {
  const places = placesOf(timeline(scenes), board);
  return scenes.map((one, index) => {
    const made = placeScene(one, places[index] ?? expect.fail("no place"));
    return made.kind === "placed" ? made : expect.fail(made.findings.join(" "));
  });
}
/** The share of pixels that two pictures do not have alike. */
function difference(one: [Placed, number], other: [Placed, number]): number {
  const [first, second] = [one, other].map(([made, timeMs]) => {
    const canvas = createCanvas(made.width / 2, made.height / 2);
    drawFrame(canvas.getContext("2d"), made, timeMs, { theme: "light", scale: 0.5 });
    return canvas.data();
  });
  if (!first || !second) return 1;
  let differ = 0;
  for (let at = 0; at < first.length; at += 4) if (Math.abs((first[at] ?? 0) - (second[at] ?? 0)) > 40) differ += 1;
  return differ / (first.length / 4);
}

describe("neighbouring scenes of a film", () => {
  it("keep the colour of a vector, whatever its place in the list", () => {
    const w = { ...u, name: "w", to: { x: -1, y: 1 } };
    const coloursOf = (one: Placed | undefined) =>
      one?.items.flatMap((item) => (item.kind === "line" && item.tip ? item.colour : [])) ?? expect.fail("not placed");
    const [before, after] = placed(
      plane({ vectors: [w, u] }, "Here are two arrows."),
      plane({ extent: 2, vectors: [u, w], lines: [{ along: "u", cue: "" }] }, "Here they are again."),
    );
    expect(coloursOf(before)).to.deep.equal(["accent", "warn"]);
    expect(coloursOf(after)).to.deep.equal(["warn", "accent"]);
    const dashed = after?.items.find((item) => item.kind === "line" && item.dash);
    expect(dashed && "colour" in dashed && dashed.colour).to.equal("warn");
  });

  for (const [what, before, after] of [
    ["a plane that a map has moved", moved, again],
    ["a plane whose parameter has moved a curve and its tangent", slid, stays],
    ["a diagram that grows on", two, three],
    ["a derivation that begins with the last formula", factored, solved],
    ["a line of numbers with one interval more", within, beside],
    ["a table that is read, and then compared", given, ordered],
    ["a timeline with one lane more", spaced, crammed],
  ] as const) {
    it(`join where they share objects: the first picture is the last one of the scene before (${what})`, () => {
      const [one, other] = placed(before, after);
      if (!one || !other) return expect.fail("no scenes");
      const [alone] = placed(after);
      expect(difference([one, one.durationMs - 1], [other, 0])).to.be.below(0.001);
      expect(difference([one, one.durationMs - 1], [alone ?? other, 0])).to.be.above(0.002);
    });

    it(`end as they would without the one before (${what})`, () => {
      const [, other] = placed(before, after);
      const [alone] = placed(after);
      if (!alone || !other) return expect.fail("no scenes");
      expect(difference([alone, alone.durationMs - 1], [other, other.durationMs - 1])).to.be.below(0.001);
      expect(stillnessOf(other).longest.to - stillnessOf(other).longest.from).to.be.at.most(stillMostMs);
    });
  }

  it("say what a map has made of an arrow only once that is done again", () => {
    const w = { ...u, name: "w", to: { x: 0, y: 1 } };
    const [one, other] = [{ vectors: [w] }, { heading: "Again", vectors: [w] }].map((more) =>
      plane(
        { maps: [{ name: "A", a: 1, b: 1, c: 0, d: 1, cue: "moves the" }], ...more },
        "Look at it once: here the map moves the whole grid along.",
      ),
    );
    const scenes = [one, other].flatMap((made) => made ?? []);
    const [, place] = placesOf(timeline(scenes), { language: "en", sources: [], aspect: "16:9" });
    const placed = other && place && placeScene(other, place);
    if (placed?.kind !== "placed") return expect.fail("refused");
    for (const timeMs of [0, 1_000])
      expect(itemsOf(placed, "A\\,w", "plane").some((item) => isShownAt(item, timeMs) && !item.leaves)).to.equal(false);
    expect(itemsOf(placed, "A\\,w", "plane").some((item) => isShownAt(item, placed.durationMs))).to.equal(true);
  });

  it("move what stays to its new place, from where it was", () => {
    const [, other] = placed(two, three);
    const rain = other?.items.find((item) => item.kind === "text" && item.text === "Rain");
    expect(rain).to.include({ from: 0, motion: "still" });
    const [begin, arrive] = rain?.moves ?? [];
    expect([begin?.from, arrive?.from]).to.deep.equal([-2, 0]);
    expect(begin?.to).to.not.deep.equal(arrive?.to);
    expect(arrive?.to).to.deep.equal([1, 0, 0, 1, 0, 0]);
  });

  it("leave a camera where it is that the next scene sends there again", () => {
    const quarter = { x: 0.5, y: 0.5, width: 0.5, height: 0.5 };
    const picture = {
      sourceId: "source-0001",
      sha256: "a".repeat(64),
      type: "image/svg+xml",
      width: 480,
      height: 320,
      alt: "A line.",
      textSize: 16,
      signs: "",
    };
    const figure = (zooms: object[], narration: string) =>
      scene("figure", { heading: "A line", picture, parts: [], zooms, callouts: [] }, narration);
    const near = figure([{ region: quarter, cue: "go near" }], "First we go near and look at the line in its corner.");
    const back = [
      { region: quarter, cue: "it stays" },
      { region: { x: 0, y: 0, width: 1, height: 1 }, cue: "all of it" },
    ];
    const [, then] = placed(near, figure(back, "Now it stays there for a while, and then we look at all of it again, from far away."));
    const shown = then?.items.find((item) => item.kind === "picture");
    expect(shown?.moves?.map(({ to: [scale] }) => scale)).to.deep.equal([2, 1]);
  });

  it("are cut where they share nothing", () => {
    const [alone] = placed(again);
    const farther = plane({ heading: "Again", extent: 5, vectors: [u] }, "Look at it once more, from farther away.");
    expect(placed(farther, again)[1]).to.deep.equal(alone);
    expect(placed(two, again)[1]).to.deep.equal(alone);
    const other = build([node("a", "Wind"), node("b", "Waves", "waves")], [edge("a", "b")], "The wind makes the waves.");
    expect(placed(two, other)[1]).to.deep.equal(placed(other)[0]);
  });

  it("are drawn again where the scene changes that they go on with, and only then", () => {
    const settings = { aspect: "16:9", height: 720, theme: "light", voice: "none" } as never;
    const keys = (...scenes: Scene[]) =>
      plan({ storyboard: { ...board, scenes } as never, settings, spoken: null, encoder: "" }).map(({ key }) => key);
    const farther = { ...moved, content: { ...moved.content, maps: [] } } as Scene;
    const [, joined, after] = keys(moved, again, two);
    const [, changed, same] = keys(farther, again, two);
    expect(changed).to.not.equal(joined);
    expect(same).to.equal(after);
    expect(keys({ ...moved, sceneId: "scene-another" }, again)[1]).to.equal(joined);
  });
});
