import type { LineItem, Placed } from "@colloquy/schemas/explainers/placed.ts";
import { expect } from "chai";
import { placeScene } from "../place.ts";
import { aspects, sceneOf } from "../testing/scenes.ts";

const narration = "The memory fades. Recall it once, and it fades more slowly; recall it twice, and it fades more slowly still.";
const content = {
  heading: "Forgetting",
  unit: "days",
  until: 14,
  stability: 2,
  growth: 2.5,
  target: 0.5,
  cue: "",
  recalls: [{ cue: "Recall it" }, { cue: "recall it twice" }],
  marks: [] as { at: number; cue: string }[],
};
const result = (more: object, aspect: (typeof aspects)[number] = "16:9") =>
  placeScene(sceneOf("forgetting", { ...content, ...more }, narration), { aspect, language: "en", seconds: 11 });
function place(more: object = {}, aspect: (typeof aspects)[number] = "16:9"): Placed {
  const placed = result(more, aspect);
  return placed.kind === "placed" ? placed : expect.fail(placed.findings.join("; "));
}
const refusedBecause = (more: object): string => {
  const placed = result(more);
  return placed.kind === "refused" ? placed.findings.join(" ") : "";
};
const textsOf = ({ items }: Placed): string[] => items.flatMap((item) => (item.kind === "text" ? item.text : []));
const curvesOf = ({ items }: Placed): LineItem[] =>
  items.filter((item): item is LineItem => item.kind === "line" && item.colour === "accent");
const ends = ({ d }: LineItem): number[] => (/L([-\d.]+) ([-\d.]+)$/.exec(d) ?? []).slice(1).map(Number);

describe("a forgetting curve", () => {
  for (const aspect of aspects)
    it(`falls to the target between recalls, each time after a longer gap (${aspect})`, () => {
      const [, first, second] = curvesOf(place({}, aspect));
      if (!first || !second) return expect.fail("no curves");
      const [x1 = 0, y1 = 0] = ends(first);
      const [x2 = 0, y2 = 0] = ends(second);
      expect(y1).to.be.closeTo(y2, 0.1);
      const start = Number(/^M([-\d.]+)/.exec(first.d)?.[1]);
      expect((x2 - x1) / (x1 - start)).to.be.closeTo(2.5, 0.01);
    });

  it("computes the chance at a marked time", () => {
    expect(textsOf(place({ recalls: [], marks: [{ at: 2, cue: "fades" }] }))).to.include("37 %");
  });

  it("shows recalls from near: the chances begin below the target and end at 100 %", () => {
    const texts = textsOf(place({ target: 0.9, stability: 6 }));
    expect(texts.filter((text) => text.endsWith("%"))).to.deep.equal(["80 %", "90 %", "100 %"]);
  });

  it("draws the memory without recalls as a dashed line from the first recall on", () => {
    const dashed = place().items.find((item) => item.kind === "line" && item.colour === "ink-faint");
    expect(dashed?.from).to.be.greaterThan(0);
  });

  it("refuses recalls behind the end, on one another and at words that are not spoken", () => {
    expect(refusedBecause({ until: 2 })).to.match(/behind the end/u);
    expect(refusedBecause({ recalls: [{ cue: "Recall it" }, { cue: "Recall it" }] })).to.match(/before the one before it/u);
    expect(refusedBecause({ cue: "the moon" })).to.match(/does not have the words/u);
  });
});
