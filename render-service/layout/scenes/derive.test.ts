import type { GlyphsItem, Placed } from "@colloquy/schemas/explainers/placed.ts";
import { expect } from "chai";
import { poseOf } from "../../frames/moves.ts";
import { placeScene } from "../place.ts";
import { aspects, sceneOf } from "../testing/scenes.ts";

const narration = "Here is an equation. Take the number to the other side, and see that both sides are equal after that.";
const steps = [
  { tex: "x + 3 = y", reason: "", cue: "" },
  { tex: "x = y - 3", reason: "minus three on both sides", cue: "Take the" },
];
const result = (more: object[], aspect: (typeof aspects)[number] = "16:9", heading = "A step") =>
  placeScene(sceneOf("derive", { heading, steps: more as typeof steps }, narration), { aspect, language: "en", seconds: 10 });
function place(more: object[], aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = result(more, aspect);
  return placed.kind === "placed" ? placed : expect.fail(placed.findings.join("; "));
}
const refusedBecause = (more: object[]): string => {
  const placed = result(more);
  return placed.kind === "refused" ? placed.findings.join(" ") : "";
};

describe("a derivation", () => {
  for (const aspect of aspects)
    it(`brings equal signs from line to line, each to the place where it stays (${aspect})`, () => {
      const { items } = place(steps, aspect);
      const travelling = items.filter((item): item is GlyphsItem => item.kind === "glyphs" && item.moves !== undefined);
      // x, 3, = and y; the minus sign is new.
      expect(travelling).to.have.length(4);
      for (const { moves = [], box, d } of travelling) {
        const [a, , , d2, e, f] = poseOf(moves, 1e9) ?? [1, 0, 0, 1, 0, 0];
        const [x = 0, y = 0] = (/^M(-?[\d.]+)[ ,](-?[\d.]+)/.exec(d) ?? []).slice(1).map(Number);
        expect(a * x + e).to.be.within(box.x - 1, box.x + box.width + 1);
        expect(d2 * y + f).to.be.within(box.y - 1, box.y + box.height + 1);
      }
    });

  it("leaves earlier lines to be read, fainter", () => {
    const { items, durationMs } = place(steps);
    const last = items.filter(({ from, until }) => from <= durationMs && (until === undefined || until > durationMs));
    expect(last.filter((item) => item.kind === "glyphs" && item.colour === "ink-faint")).to.have.length(5);
    expect(last.filter((item) => item.kind === "glyphs" && item.colour === "ink")).to.have.length(5);
  });

  it("shows a term that travels nowhere else until it is on its way", () => {
    const { items } = place(steps);
    const signs = items.filter((item): item is GlyphsItem => item.kind === "glyphs");
    for (const travelling of signs.filter(({ moves }) => moves !== undefined)) {
      const left = signs.filter(
        ({ d, moves, from, until = 1e9 }) => d === travelling.d && !moves && from <= travelling.from && until > travelling.from,
      );
      expect(left).to.deep.equal([]);
    }
  });

  it("sets formulas of a tall picture larger, over most of its height", () => {
    const signs = place(steps, "9:16").items.filter((item): item is GlyphsItem => item.kind === "glyphs");
    const ys = signs.map(({ box }) => box.y);
    expect(Math.max(...ys) - Math.min(...ys)).to.be.greaterThan(150);
    expect(Math.max(...signs.map(({ size }) => size))).to.be.greaterThan(80);
  });

  it("says why a step may be taken", () => {
    const { items } = place(steps);
    expect(items.flatMap((item) => (item.kind === "text" ? item.text : [])).join(" ")).to.include("minus three on both sides");
  });

  it("refuses formulas that cannot be set, cues that are not spoken, steps on one another and what is too large", () => {
    expect(refusedBecause([steps[0] ?? {}, { tex: "\\nosuch x", reason: "", cue: "Take the" }])).to.match(/cannot be set/u);
    expect(refusedBecause([steps[0] ?? {}, { ...steps[1], cue: "the moon" }])).to.match(/does not have the words/u);
    expect(refusedBecause([...steps, { tex: "x + 0 = y - 3", reason: "", cue: "number" }])).to.match(/Step 3 comes before/u);
    expect(refusedBecause([steps[0] ?? {}, { tex: Array(60).fill("x").join("+"), reason: "", cue: "Take the" }])).to.match(/too large/u);
  });
});
