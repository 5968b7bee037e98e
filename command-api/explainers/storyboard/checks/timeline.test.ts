import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { timelineFindings } from "./timeline.ts";

const text = "Review after 3 days and after two weeks. Each review is a recall, and a rest comes between.";
const lane = (label: string, ...marks: [at: number, kind?: number][]) => ({
  label,
  marks: marks.map(([at, kind = 0]) => ({ at, kind, cue: "" })),
});
function found(content: object): string {
  const scene = { layout: "timeline", content: { until: 30, kinds: [], ...content }, narration: "Look at the gaps." };
  return timelineFindings(scene as unknown as SceneOf<"timeline">, [text], [{ sourceId: "s", text }])
    .map(({ detail }) => detail)
    .join(" ");
}

describe("the check of a timeline", () => {
  it("takes marks at the page's numbers, days of its weeks and mere order", () => {
    expect(found({ lanes: [lane("Review", [0], [3], [14])] })).to.equal("");
    expect(found({ lanes: [lane("Recall", [1], [2], [3], [4])] })).to.equal("");
  });
  it("refuses a mark at a number that the page does not have", () => {
    expect(found({ lanes: [lane("Review", [0], [5])] })).to.match(/do not have the number 5/);
  });
  it("refuses marks behind the end, out of order or of a kind without a name", () => {
    expect(found({ until: 10, lanes: [lane("Review", [3], [14])] })).to.match(/behind the end of the axis/);
    expect(found({ lanes: [lane("Review", [14], [3])] })).to.match(/not in order/);
    expect(found({ kinds: ["recall"], lanes: [lane("Review", [3, 1])] })).to.match(/a kind without a name/);
  });
  it("names lanes and kinds by words of the page or of the narration", () => {
    expect(found({ kinds: ["rests", "gaps"], lanes: [lane("Reviewing", [3])] })).to.equal("");
    expect(found({ lanes: [lane("Cheese", [3])] })).to.equal("No word of “Cheese” stands on the page.");
    expect(found({ kinds: ["recall", "moon"], lanes: [lane("Review", [3])] })).to.equal("No word of “moon” stands on the page.");
  });
});
