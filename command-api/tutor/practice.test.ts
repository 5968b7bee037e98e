import { demonstrationModel } from "@colloquy/schemas/models.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { contradictsAnswers } from "@colloquy/schemas/tutor/recompute.ts";
import { emptyLedger, evolveLedger } from "@colloquy/schemas/tutor/replay.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { expect } from "chai";
import { type Story, story } from "./decider.fixture.ts";
import { wantedSelection } from "./policy.ts";
import { checkTarget } from "./task-inputs.ts";

const a = "objective-a";
const b = "objective-b";
const evidence = { kind: "recall" as const, guess: 0.42, slip: 0.08, counts: false };

const entries = ({ events }: Story) => events.flatMap((event) => (event.type === "EvidenceRecorded" ? event.data.entry : []));
const decisions = (tale: Story): string[] => entries(tale).flatMap(({ decision, reason }) => (decision ? `${decision}: ${reason}` : []));

/** A practice session whose path has one step on all objectives. */
function practising(objectiveIds: string[]): Story {
  const tale = story(objectiveIds, undefined, { practice: true });
  for (const _ of objectiveIds) tale.answer(false);
  tale.plan({ objectiveIds });
  tale.teach();
  return tale;
}
function next(tale: Story, name: string, more: Partial<TutorItem> = {}): void {
  if (!tale.state.step.awaitsItem) tale.teach();
  tale.ask(name, { evidence, ...more });
}

describe("practice in a tutoring session", () => {
  it("asks about each objective of a step", () => {
    const tale = practising([a, b]);
    next(tale, "first");
    tale.answer(true);
    expect(decisions(tale).at(-1)).to.equal("reinforce: practice_next");
    expect(checkTarget(tale.state)?.objective.objectiveId).to.equal(b);
    next(tale, "second", { objectiveId: b });
    tale.answer(true);
    expect(decisions(tale)).to.include("advance: practice_only");
  });

  it("asks one more question on an objective where the first was answered wrong", () => {
    const tale = practising([a, b]);
    next(tale, "first");
    tale.answer(false);
    expect(decisions(tale).at(-1)).to.equal("reinforce: wrong_answer");
    expect(checkTarget(tale.state)?.objective.objectiveId).to.equal(a);
    next(tale, "second");
    tale.answer(false);
    expect(decisions(tale).at(-1)).to.equal("reinforce: practice_next");
  });

  it("calls own words that no model can judge neither right nor wrong", () => {
    const tale = practising([a]);
    next(tale, "first", { selection: "text" });
    tale.answer(false, demonstrationModel);
    const answer = sessionView(tale.state, {}).messages.findLast(({ kind }) => kind === "answer");
    expect(answer).to.include({ compared: true, disputable: false });
  });

  it("takes an objective for practised whose own words were compared", () => {
    const tale = practising([a, b]);
    next(tale, "first", { selection: "text" });
    tale.answer(false, demonstrationModel);
    expect(decisions(tale).at(-1)).to.equal("reinforce: practice_next");
    expect(checkTarget(tale.state)?.objective.objectiveId).to.equal(b);
  });

  it("asks for own words, which the learner compares", () => {
    const tale = practising([a, b]);
    for (const name of ["first", "second"]) {
      expect(wantedSelection(tale.state)).to.equal("text");
      next(tale, name);
      tale.answer(false);
    }
  });

  it("goes on with the objective behind one that gives no question", () => {
    const tale = practising([a, b, "objective-c"]);
    next(tale, "first");
    tale.answer(true);
    expect(checkTarget(tale.state, [b])?.objective.objectiveId).to.equal("objective-c");
    expect(checkTarget(tale.state, [b, "objective-c"]), "what was practised does not come again").to.equal(null);
  });

  it("ends a step as practised where its next objective gives no question", () => {
    const tale = practising([a, b]);
    next(tale, "first");
    tale.answer(true);
    tale.do({ type: "leave step" });
    expect(decisions(tale)).to.include("advance: practice_only");
  });

  it("leaves a step of which nothing was asked for later", () => {
    const tale = practising([a]);
    tale.do({ type: "leave step" });
    expect(decisions(tale)).to.include("advance: no_new_question");
  });

  it("goes on with each objective where its questions count", () => {
    const tale = practising([a, b]);
    for (let count = 0; tale.state.ledger.phase !== "completed" && count < 20; count += 1) {
      const objectiveId = checkTarget(tale.state)?.objective.objectiveId ?? "";
      next(tale, `question-${count}`, {
        objectiveId,
        selection: count % 4 < 2 ? "text" : "single",
        evidence: { ...evidence, counts: true },
      });
      tale.answer(true);
    }
    expect(decisions(tale)).to.include("advance: mastered");
  });

  it("compares no own words that count", () => {
    const tale = practising([a]);
    next(tale, "first", { selection: "text", evidence: { ...evidence, counts: true } });
    tale.answer(false, demonstrationModel);
    expect(decisions(tale).at(-1)).to.equal("reinforce: wrong_answer");
    expect(sessionView(tale.state, {}).messages.findLast(({ kind }) => kind === "answer")).to.not.have.property("compared");
  });

  it("makes decisions that its ledger does not contradict", () => {
    const tale = practising([a, b]);
    next(tale, "first", { selection: "text" });
    tale.answer(false, demonstrationModel);
    next(tale, "second", { objectiveId: b });
    tale.answer(false);
    next(tale, "third", { objectiveId: b });
    tale.answer(true);
    const all = entries(tale);
    expect(decisions(tale)).to.include.members(["reinforce: practice_next", "reinforce: wrong_answer", "advance: practice_only"]);
    const contradicted = all.filter((entry, at) => {
      const earlier = all.slice(0, at);
      return contradictsAnswers(earlier.reduce(evolveLedger, emptyLedger), earlier, entry);
    });
    expect(contradicted).to.deep.equal([]);
  });
});
