import { expect } from "chai";
import { type PersonalStates, personalAfter } from "./personal-fold.ts";

let number = 0;
const at = "2026-11-20T10:00:00.000Z";
const change = (type: string, data: Record<string, unknown> = {}) => {
  number += 1;
  return { changeId: `change-${number}`, type, at, data };
};
const stroke = (strokeId: string) => ({ strokeId, blockId: null, tool: "pen", colour: "ink", width: 4, points: [0, 0, 128] });
const drawn = (...strokeIds: string[]) => change("drawn", { courseId: "course-1", topicId: "topic-1", strokes: strokeIds.map(stroke) });
const after = (...changes: ReturnType<typeof change>[]) =>
  changes.reduce<PersonalStates["annotation"] | null>((state, one) => personalAfter("annotation", state, one), null);
const strokesOf = (state: PersonalStates["annotation"] | null) =>
  state && "strokes" in state ? state.strokes.map(({ strokeId }) => strokeId) : null;

describe("the fold of a drawing", () => {
  it("holds the strokes that were not erased, in drawing order", () => {
    expect(strokesOf(after(drawn("one"), drawn("two", "three"), change("strokes_erased", { strokeIds: ["two"] })))).to.deep.equal([
      "one",
      "three",
    ]);
  });
  it("is null before the first stroke and after the deletion", () => {
    expect(after(drawn("one"), change("deleted"))).to.equal(null);
    expect(after(change("strokes_erased", { strokeIds: ["one"] }))).to.equal(null);
  });
  it("never changes a mark", () => {
    const marked = change("marked", {
      courseId: "course-1",
      topicId: "topic-1",
      colour: "yellow",
      note: "",
      quote: "q",
      before: "",
      after: "",
    });
    expect(after(marked, drawn("one"), change("strokes_erased", { strokeIds: ["one"] }))).to.deep.equal(after(marked));
  });
});
