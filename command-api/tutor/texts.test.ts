import { expect } from "chai";
import { givenFor } from "../given.fixture.ts";
import { type SessionText, textsDecider } from "./texts.ts";

const given = givenFor(textsDecider);
const goal: SessionText = { textId: "text-1", kind: "goal", text: "Learn", salt: "salt-1" };
const answer: SessionText = { textId: "text-2", kind: "answer", text: "So.", salt: "salt-2" };
const keep = (...texts: SessionText[]) => ({ type: "keep" as const, texts });
const kept = (text: SessionText) => ({ type: "TutorTextKept" as const, data: { schemaVersion: 1 as const, ...text } });

describe("the decider of a session's texts", () => {
  it("keeps a text once", () => {
    given().when(keep(goal)).then(kept(goal)).when(keep(goal, answer)).then(kept(answer));
  });

  it("keeps a text again under another salt", () => {
    const changed = { ...goal, text: "Learn more", salt: "salt-3" };
    const { state } = given(kept(goal)).when(keep(changed)).then(kept(changed));
    expect(state.get(goal.textId)).to.deep.include({ text: "Learn more", salt: "salt-3" });
  });

  it("deletes all texts once", () => {
    const deleted = given(kept(goal), kept(answer)).when({ type: "delete" }).then("TutorTextsDeleted");
    expect(deleted.state.size).to.equal(0);
    deleted.when({ type: "delete" }).then();
  });

  it("deletes nothing where nothing was kept", () => {
    given().when({ type: "delete" }).then();
  });
});
