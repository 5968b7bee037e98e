import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { timelineFindings } from "./timeline.ts";

const text = "Review after 3 days and after two weeks. Each review is a recall, and a rest comes between.";
const lane = (label: string, ...marks: [at: number, kind?: number][]) => ({
  label,
  marks: marks.map(([at, kind = 0]) => ({ at, kind, cue: "" })),
});
function found(content: object, own = text): string {
  const scene = { layout: "timeline", content: { unit: "days", until: 30, kinds: [], ...content }, narration: "Look at the gaps." };
  return timelineFindings(scene as unknown as SceneOf<"timeline">, [own], [{ sourceId: "s", text: own }])
    .map(({ detail }) => detail)
    .join(" ");
}

describe("the check of a timeline", () => {
  it("takes marks at the page's numbers, days of its weeks and mere order", () => {
    expect(found({ lanes: [lane("Review", [0], [3], [14])] })).to.equal("");
    expect(found({ unit: "rounds", lanes: [lane("Recall", [1], [2], [3], [4])] })).to.equal("");
  });
  it("refuses a mark at a number that the page does not have", () => {
    expect(found({ lanes: [lane("Review", [0], [5])] })).to.match(/do not have the number 5/);
  });
  it("refuses marks behind the end, out of order or of a kind without a name", () => {
    expect(found({ until: 10, lanes: [lane("Review", [3], [14])] })).to.match(/behind the end of the axis/);
    expect(found({ lanes: [lane("Review", [14], [3])] })).to.match(/not in order/);
    expect(found({ kinds: ["recall"], lanes: [lane("Review", [3, 1])] })).to.match(/a kind without a name/);
  });
  it("takes a mere order for no time, unless the page counts so many", () => {
    const lanes = [lane("Review", [1], [2], [3])];
    expect(found({ lanes }, "Review after 1, 7 and 30 days.")).to.match(/do not have the number 2/);
    expect(found({ lanes }, "Review after 3 days and after a day.")).to.match(/do not have the number 2/);
    expect(found({ lanes }, "Review for an hour on each of three days.")).to.equal("");
    expect(found({ unit: "Tage", lanes }, "Review an drei Tagen.")).to.equal("");
  });
  it("counts what the page counts", () => {
    const lanes = [lane("Review", [1], [7])];
    for (const unit of ["years", "weeks", "Jahre"])
      expect(found({ unit, lanes }, "Review after 1 and 7 days.")).to.match(/give no time in/);
    expect(found({ unit: "cats", lanes }, "Review after 1 and 7 days.")).to.equal("No word of “cats” stands on the page.");
    expect(found({ lanes }, "Review after 1 day and after a week."), "days of a week").to.equal("");
    expect(found({ unit: "أيام", lanes }, "Review بعد 1 يوم و 7 أيام")).to.equal("");
  });
  it("names lanes and kinds by words of the page, and not of the narration alone", () => {
    expect(found({ kinds: ["recall", "gaps"], lanes: [lane("Reviewing", [3])] })).to.equal("No word of “gaps” stands on the page.");
    expect(found({ kinds: ["rests", "comes between"], lanes: [lane("Reviewing", [3])] })).to.equal("");
    expect(found({ lanes: [lane("Cheese", [3])] })).to.equal("No word of “Cheese” stands on the page.");
    expect(found({ kinds: ["recall", "moon"], lanes: [lane("Review", [3])] })).to.equal("No word of “moon” stands on the page.");
  });
});
