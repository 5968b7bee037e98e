import { expect } from "chai";
import { compareSequence } from "./compare.ts";
import type { Operation, RecordedSequence } from "./recording.ts";

const append: Operation = { k: "append", s: "a", ev: [{ i: 1 }], x: "any" };
const read: Operation = { k: "read", s: "a", dir: "f" };
const sequence: RecordedSequence = { name: "one", ops: [append, read], out: [{ ok: true, next: "0", p: "c=p" }, { ev: [] }] };

describe("comparison of a store with recorded answers", () => {
  it("finds no deviation in the same answers, whatever the wording of errors", () => {
    const recorded = { ...sequence, out: [{ err: "A", notes: "no" }, { ev: [] }] };
    expect(compareSequence(recorded, [{ notes: "nope", err: "A" }, { ev: [] }]).deviations).to.deep.equal([]);
  });

  it("names what differs and where", () => {
    const [deviation] = compareSequence(sequence, [{ ok: true, next: "0", p: "none" }, { ev: [] }]).deviations;
    expect(deviation?.class).to.equal("append: ok c=p <> ok none @ .p");
  });

  it("compares no further than the first write that went otherwise", () => {
    const { deviations } = compareSequence(sequence, [{ err: "WrongExpectedVersionError" }, { ev: ["other"] }]);
    expect(deviations).to.have.length(1);
  });
});
