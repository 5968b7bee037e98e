import type { Item, LineItem, Placed } from "@colloquy/schemas/explainers/placed.ts";
import type { SceneContent } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { poseOfItem } from "../../frames/moves.ts";
import { placeScene } from "../place.ts";
import { stillnessOf } from "../stillness.ts";
import { aspects, sceneOf } from "../testing/scenes.ts";

type NumberLine = SceneContent<"number-line">;
const empty: NumberLine = { heading: "A line", from: -4, to: 8, intervals: [], jumps: [], sequences: [], zoom: null };
const narration =
  "The numbers nearer to two than three make an interval here, without its two ends, as the marks say; all the rest stays outside of it.";

function result(content: Partial<NumberLine>, aspect: (typeof aspects)[number] = "16:9", seconds = 12) {
  return placeScene(sceneOf("number-line", { ...empty, ...content }, narration), { aspect, language: "en", seconds });
}
function place(content: Partial<NumberLine>, aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = result(content, aspect);
  return placed.kind === "placed" ? placed : expect.fail(placed.findings.join("; "));
}
const interval = (inequality: string, cue = "numbers", endsCue = "") => ({ inequality, cue, endsCue });
const sequence = (more: object = {}) => ({
  expression: "1 + 2/n",
  terms: 8,
  cue: "numbers",
  limit: "1",
  limitCue: "its two ends",
  ...more,
});
const textsOf = ({ items }: Placed): string[] => items.flatMap((item) => (item.kind === "text" ? item.text : []));
const isLine = (item: Item): item is LineItem => item.kind === "line";
const middleOf = ({ box }: Item): number => box.x + box.width / 2;
const dotsOf = (placed: Placed): LineItem[] => placed.items.filter(isLine).filter(({ d, part }) => part === "line" && /^M.*A.*Z$/.test(d));
const tickOf = ({ items }: Placed, text: string): number => {
  const item = items.find((one) => one.kind === "text" && one.text === text);
  return item ? middleOf(item) : Number.NaN;
};
const endOf = (item: Item, timeMs: number): number => middleOf(item) + (poseOfItem(item, timeMs)?.[4] ?? 0);

describe("a line of numbers", () => {
  for (const aspect of aspects) {
    it(`lets the end of an interval travel to where it is computed to be (${aspect})`, () => {
      const placed = place({ intervals: [interval("|x - 2| < 3")] }, aspect);
      const [end, start] = dotsOf(placed);
      if (!start || !end) return expect.fail("no ends");
      expect(middleOf(start)).to.be.closeTo(tickOf(placed, "−1"), 1);
      expect(endOf(end, 0)).to.be.closeTo(middleOf(start), 1);
      expect(endOf(end, placed.durationMs)).to.be.closeTo(tickOf(placed, "5"), 1);
      expect([start.fill, end.fill], "open ends are hollow").to.deep.equal(["paper", "paper"]);
    });

    it(`shows an interval without end as an arrow beyond the numbers, and a closed end filled (${aspect})`, () => {
      const placed = place({ intervals: [interval("x >= 2", "")] }, aspect);
      const [end] = dotsOf(placed);
      expect(end?.fill).to.equal("accent");
      const band = placed.items.find((item) => isLine(item) && item.width === 0 && item.fill === "accent");
      expect((band?.box.x ?? 0) + (band?.box.width ?? 0)).to.be.greaterThan(tickOf(placed, "8"));
    });

    it(`comes nearer to a limit, which stays in the middle with the terms that are near (${aspect})`, () => {
      const placed = place({ from: 0, to: 4, sequences: [sequence()], zoom: { radius: 0.5, cue: "as the marks" } }, aspect);
      const dots = dotsOf(placed).filter(({ moves }) => moves?.length === 1);
      const end = placed.durationMs;
      const limit = placed.width / 2;
      const seen = dots.map((dot) => endOf(dot, end)).filter((x) => x < tickOf(placed, "4") + 1);
      expect(seen, "of 2/n below 0.5 there are n = 4 to 8").to.have.length(5);
      expect(seen.every((x) => x > limit)).to.equal(true);
      // 2/4 is the radius, and 2/8 half of it.
      const [fourth = 0, , , , eighth = 0] = seen;
      expect((eighth - limit) / (fourth - limit)).to.be.closeTo(0.5, 0.01);
    });
  }

  it("leads a sum to its result, with the equation so far", () => {
    const placed = place({ jumps: [{ sum: "2 + 3 - 6", cues: ["numbers", "nearer", "interval"] }] });
    const dots = dotsOf(placed);
    expect(dots.map((dot) => Math.round(middleOf(dot)))).to.deep.equal(["2", "5", "−1"].map((text) => Math.round(tickOf(placed, text))));
    expect(dots.map(({ from }) => from)).to.deep.equal(dots.map(({ from }) => from).toSorted((one, other) => one - other));
    const facts = placed.items.filter(({ part }) => part === "facts");
    expect(facts).to.have.length(3);
    for (const [index, { until }] of facts.entries()) expect(until).to.equal(facts[index + 1]?.from);
  });

  it("shows the number of an end between the ticks as near, below them", () => {
    const texts = textsOf(place({ intervals: [interval("x^2 < 2")] }));
    expect(texts).to.include("≈ 1.41").and.to.include("≈ −1.41");
  });

  it("draws attention to the ends when they are spoken of", () => {
    const placed = place({ intervals: [interval("|x - 2| < 3", "numbers", "as the marks")] });
    const rings = placed.items.filter((item) => isLine(item) && item.motion === "draw" && item.colour === "warn");
    expect(rings).to.have.length(2);
    expect(stillnessOf(placed).longest.to).to.be.at.most(placed.durationMs);
  });

  it("places several things above one another, with their numbers led down to the line", () => {
    const placed = place({ intervals: [interval("-2 <= x < 1"), interval("x >= 2", "interval")] });
    const [low, high] = dotsOf(placed).map(({ box }) => box.y);
    expect(new Set(dotsOf(placed).map(({ box }) => box.y)).size).to.equal(2);
    expect(low).to.equal(high);
  });

  const refused: [what: string, content: Partial<NumberLine>, finding: RegExp][] = [
    ["nothing", {}, /one to 3 things, not 0/u],
    ["a line from right to left", { from: 8, to: -4, intervals: [interval("x < 3")] }, /from a smaller number/u],
    ["an inequality that ends beside the line", { intervals: [interval("x < 12")] }, /beside the line/u],
    ["a cue that is not spoken", { intervals: [interval("x < 3", "the sea")] }, /does not have the words/u],
    ["an interval at the very end", { intervals: [interval("|x| > 2", "of it")] }, /no time to see “\|x\| > 2”/u],
    ["a sum beyond the line", { jumps: [{ sum: "2 + 9", cues: ["", "numbers"] }] }, /leads beyond/u],
    ["a sum with too few cues", { jumps: [{ sum: "2 + 3 - 1", cues: ["", "numbers"] }] }, /a cue for each/u],
    ["what is no sum", { jumps: [{ sum: "2 * 3", cues: ["", "numbers"] }] }, /is no sum/u],
    ["terms that have no value", { sequences: [sequence({ expression: "1/(n - 3)" })] }, /cannot be computed/u],
    ["terms beside the line", { sequences: [sequence({ expression: "3 n" })] }, /lies beside the line/u],
    ["a limit that cannot be read", { sequences: [sequence({ limit: "x" })] }, /limit “x” cannot be read/u],
    ["terms without time", { sequences: [sequence({ terms: 16, cue: "rest stays", limitCue: "" })] }, /no time for 16 terms/u],
    ["a zoom without a limit", { sequences: [sequence({ limit: "" })], zoom: { radius: 1, cue: "as the" } }, /limit of a single/u],
    ["a zoom at the very end", { sequences: [sequence()], zoom: { radius: 1, cue: "of it" } }, /too late/u],
    ["ends on one another", { intervals: [interval("|x - 2.3| < 0.01", "")] }, /would lie on one another/u],
  ];
  for (const [what, content, finding] of refused)
    it(`refuses ${what}`, () => {
      const placed = result(content, "16:9", 6);
      expect(placed.kind === "refused" ? placed.findings.join(" ") : "placed").to.match(finding);
    });
});
