import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import fc from "fast-check";
import { emptyHistory, record, redo, type Step, type UndoHistory, undo } from "./undo-history.ts";

const stroke = (strokeId: string): Stroke => ({ strokeId, blockId: null, tool: "pen", colour: "ink", width: 4, points: [0, 0, 128] });
const after = (page: ReadonlySet<string>, { drawn, erased }: Step): Set<string> => {
  const next = new Set(page);
  for (const { strokeId } of erased) next.delete(strokeId);
  for (const { strokeId } of drawn) next.add(strokeId);
  return next;
};

describe("the undo history of a drawing", () => {
  it("restores the strokes on undo and redo of any steps", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (choices) => {
        let steps: UndoHistory = emptyHistory;
        let page = new Set<string>();
        const seen = [page];
        for (const [index, draws] of choices.entries()) {
          const [victim] = page;
          const step: Step =
            draws || victim === undefined ? { drawn: [stroke(`stroke-${index}`)], erased: [] } : { drawn: [], erased: [stroke(victim)] };
          steps = record(steps, step);
          page = after(page, step);
          seen.push(page);
        }
        for (const before of seen.slice(0, -1).reverse()) {
          const undone = undo(steps) ?? expect.fail("nothing to undo");
          steps = undone.steps;
          page = after(page, undone.step);
          expect(page).to.deep.equal(before);
        }
        expect(undo(steps)).to.equal(null);
        for (const later of seen.slice(1)) {
          const redone = redo(steps) ?? expect.fail("nothing to redo");
          steps = redone.steps;
          page = after(page, redone.step);
          expect(page).to.deep.equal(later);
        }
        expect(redo(steps)).to.equal(null);
      }),
    );
  });

  it("clears the redo steps after a new step", () => {
    const one = record(emptyHistory, { drawn: [stroke("one")], erased: [] });
    const undone = undo(one) ?? expect.fail("nothing to undo");
    expect(redo(record(undone.steps, { drawn: [stroke("two")], erased: [] }))).to.equal(null);
  });
});
