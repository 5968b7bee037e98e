import { bounds } from "@colloquy/schemas/bounds.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { ItemEvidence } from "@colloquy/schemas/tutor/evidence.ts";
import { masteryParameters, policies } from "@colloquy/schemas/tutor/mastery.ts";
import type { Step } from "@colloquy/schemas/tutor/session.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { expect } from "chai";
import { Rejection } from "../decider.ts";
import { itemFor, type Story, story } from "./decider.fixture.ts";
import { tutorDecider } from "./decider.ts";
import { decideAfterAnswer } from "./policy.ts";
import { promptsAsked } from "./proposals.ts";
import { questioned } from "./questioned.ts";

const a = "objective-a";
const b = "objective-b";
const types = ({ events }: Story): string[] => events.map(({ type }) => type);
const entries = ({ events }: Story) => events.flatMap((event) => (event.type === "EvidenceRecorded" ? event.data.entry : []));
const mastery = ({ state }: Story) => Object.fromEntries(sessionView(state, {}).mastery.map((one) => [one.objectiveId, one]));
const decisions = (tale: Story): string[] => entries(tale).flatMap(({ decision, reason }) => (decision ? `${decision}: ${reason}` : []));
/** A session in the check of its first step. */
function checking(objectives = [a, b], more: Parameters<Story["ask"]>[1] = {}): Story {
  const tale = story(objectives);
  for (const _ of objectives) tale.answer(false);
  tale.plan(...objectives.map((id) => ({ objectiveIds: [id] })));
  tale.teach();
  tale.ask("first", more);
  return tale;
}
const next = (tale: Story, name: string, more: Parameters<Story["ask"]>[1] = {}): void => {
  if (!tale.state.step.awaitsItem) tale.teach();
  tale.ask(name, more);
};

describe("a tutoring session's decider", () => {
  /** The closing question of a film, as a question on an objective. */
  const ofFilm = (objectiveId: string) => itemFor(objectiveId, "film", { film: "job-00000001" });
  const whenFilmAnswered = (tale: Story, correct: boolean, item = ofFilm(a)) =>
    tale.when({ type: "answer film", digest: "digest", item, choiceId: item.choices[correct ? 0 : 1]?.choiceId ?? "" });
  const answerFilm = (tale: Story, correct: boolean, item = ofFilm(a)) =>
    tale.do({ type: "answer film", digest: "digest", item, choiceId: item.choices[correct ? 0 : 1]?.choiceId ?? "" });

  /** What a right answer to a question with four choices says in a session of a policy. */
  function evidenceOf(version: 2 | 3, more: Partial<TutorItem> = {}): ItemEvidence | undefined {
    const { state } = checking([a], more);
    const itemId = state.current ?? "";
    const action = { type: "answer" as const, itemId, choiceIds: [...(state.items[itemId]?.right ?? [])] };
    const occasion = { at: "2026-01-02T09:00:00.000Z", requestId: "request-right" };
    const ledger = { ...state.ledger, parameters: policies[version] };
    const decided = tutorDecider.decide({ type: "act", ...occasion, digest: "digest", action }, { ...state, ledger });
    if (decided instanceof Rejection) throw new Error(decided.code);
    return decided.flatMap((event) => (event.type === "EvidenceRecorded" ? (event.data.entry.evidence ?? []) : []))[0];
  }

  it("weighs a question by the policy that the session was opened under", () => {
    const evidence: ItemEvidence = { kind: "recognition", guess: 0.4, slip: 0.08, counts: true };
    expect([evidenceOf(2, { evidence })?.guess, evidenceOf(3, { evidence })?.guess]).to.deep.equal([0.4, 0.44]);
  });

  it("counts the guess rate that a second look found where it is higher", () => {
    const evidence: ItemEvidence = { kind: "recognition", guess: 0.61, slip: 0.08, counts: true };
    expect(evidenceOf(3, { evidence })).to.deep.equal(evidence);
  });

  it("weighs an authored question by its key and the session's policy", () => {
    const common = { level: "recall" as const, about: [], place: "bank" as const, markdown: "So?", hints: [] };
    const choices = [1, 2, 3, 4, 5].map((one) => ({ markdown: `${one}`, correct: one === 1 }));
    const key = { ...common, kind: "single" as const, choices };
    const authored = { blockId: "block-0001", courseRevisionId: "revision-01", digest: "0".repeat(64) };
    const more = { key, authored, ...questioned(key, "seed") };
    expect([evidenceOf(2, more)?.guess, evidenceOf(3, more)?.guess]).to.deep.equal([0.285714, 0.44]);
  });

  it("records a video's closing answer as aided evidence beside the lesson", () => {
    const tale = checking();
    const before = tale.state;
    whenFilmAnswered(tale, true).then("TurnTaken", "FilmQuestionAsked", "FilmQuestionAnswered", "EvidenceRecorded");
    answerFilm(tale, true);
    const entry = entries(tale).at(-1);
    expect(entry).to.deep.include({
      kind: "check",
      aided: true,
      correct: true,
      film: "job-00000001",
      phase: "checking",
      objectiveIds: [a],
    });
    const { current, asked, step, ledger } = tale.state;
    expect({ current, asked, step, path: ledger.path }).to.deep.equal({
      current: before.current,
      asked: before.asked,
      step: before.step,
      path: before.ledger.path,
    });
    const [was, is] = [before, tale.state].map((state) => sessionView(state, {}).mastery[0]?.probability ?? 0) as [number, number];
    expect(is, "a right answer with help moves nothing").to.equal(was);
    expect(mastery(tale)[a]?.evidence.at(-1)).to.deep.include({ receipt: entry?.index, aided: true, correct: true });
    const shown = sessionView(tale.state, {}).messages.slice(-2);
    expect(shown.map(({ kind, receipt }) => [kind, receipt])).to.deep.equal([
      ["question", null],
      ["answer", entry?.index],
    ]);
    expect(shown[0]).to.deep.include({ film: "job-00000001" });
    const [objective] = tale.state.objectives;
    const prompts = objective ? promptsAsked(tale.state, objective) : [];
    expect(prompts[0], "it is not asked about again where there is something new").to.equal("What of film? film 1 film 2 film 3 film 4");
  });

  it("never declares mastery from answers at the end of videos", () => {
    const tale = checking([a, b], { selection: "text" });
    const grade = {
      correct: false,
      criteria: [],
      reasonsTextId: "reasons-0001",
      by: { provider: "p1", model: "m", fallbackDepth: 0 } as const,
    };
    const itemId = tale.state.current ?? "";
    tale.act({ type: "answer", itemId, text: "No." }, { text: { textId: "text-0001", text: "No.", salt: "salt" }, grade });
    for (let count = 0; count < 30; count += 1) answerFilm(tale, true, itemFor(a, `film-${count}`, { film: `job-${count}` }));
    expect(mastery(tale)[a]?.mastered).to.equal(false);
    tale.whenActing({ type: "dispute", itemId }).then("TurnTaken", "GradeDisputed", "AdaptDecided", "EvidenceRecorded");
  });

  it("rejects a video's answer on what is mastered or not taught, or while paused", () => {
    const tale = checking();
    whenFilmAnswered(tale, true, ofFilm("objective-c")).thenRejected("wrong_phase");
    tale.when({ type: "answer film", digest: "", item: ofFilm(a), choiceId: "no-such-choice" }).thenRejected("invalid_request");
    tale.act({ type: "pause" });
    whenFilmAnswered(tale, true).thenRejected("wrong_phase");
    tale.act({ type: "resume" });
    for (const [index, name] of ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"].entries()) {
      tale.answer(true);
      if (mastery(tale)[a]?.mastered) break;
      next(tale, name, { selection: index % 2 === 0 ? "text" : "multiple" });
    }
    whenFilmAnswered(tale, false).thenRejected("wrong_phase");
    expect(mastery(tale)[a]).to.deep.include({ mastered: true });
    answerFilm(tale, false, ofFilm(b));
  });

  it("opens with a ledger, probes and the first question", () => {
    const tale = story([a, b]);
    expect(types(tale)).to.deep.equal(["TurnTaken", "TutorSessionOpened", "EvidenceRecorded", "ProbesPrepared", "ProbeAsked"]);
    expect(entries(tale)[0]).to.deep.include({ index: 0, kind: "opened", previousHash: "0".repeat(64), phase: "probing" });
  });

  it("probes each objective once, broad first, then the least certain one", () => {
    const probe = (id: string, name: string, breadth: "broad" | "narrow") => itemFor(id, name, { kind: "probe", breadth });
    const tale = story(
      [a, b],
      [probe(a, "a-narrow", "narrow"), probe(b, "b-narrow", "narrow"), probe(a, "a-broad", "broad"), probe(b, "b-broad", "broad")],
    );
    expect(tale.state.current).to.equal("a-broad-item-0001");
    tale.answer(false);
    expect(tale.state.current).to.equal("b-broad-item-0001");
    tale.answer(true);
    // What was answered wrongly is certain enough; what was answered rightly may have been luck.
    expect(tale.state.current).to.equal("b-narrow-item-0001");
    tale.answer(true);
    expect(tale.state.current).to.equal(null);
    expect(tale.state.ledger.phase).to.equal("planning");
  });

  it("advances to the next step when the first one is mastered", () => {
    const tale = checking();
    expect(tale.state.ledger.phase).to.equal("checking");
    expect(tale.state.ledger.path.map(({ state }) => state)).to.deep.equal(["current", "ahead"]);
    for (const [index, name] of ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"].entries()) {
      tale.answer(true);
      if (mastery(tale)[a]?.mastered) break;
      next(tale, name, { selection: index % 2 === 0 ? "text" : "multiple" });
    }
    expect(mastery(tale)[a]).to.deep.include({ mastered: true });
    expect(tale.state.ledger.path.map(({ state }) => state)).to.deep.equal(["mastered", "current"]);
    expect(decisions(tale).at(-1)).to.equal("advance: mastered");
    expect(tale.state.ledger.phase).to.equal("teaching");
  });

  it("completes when nothing is left", () => {
    const tale = checking([a]);
    const completed = (): boolean => tale.state.ledger.phase === "completed";
    for (let count = 0; !completed() && count < 9; count += 1) {
      tale.answer(true);
      if (!completed()) next(tale, `more-${count}`, { selection: count % 2 === 0 ? "text" : "single" });
    }
    expect(decisions(tale).slice(-2)).to.deep.equal(["advance: mastered", "complete: mastered"]);
    expect(sessionView(tale.state, {}).completedAt).to.be.a("string");
    tale.rejects({ type: "resume" }, "wrong_phase");
  });

  it("says after a right answer what mastery still needs", () => {
    const tale = checking([a]);
    tale.answer(true);
    expect(decisions(tale).at(-1)).to.equal("reinforce: more_evidence");
    for (let count = 0; (mastery(tale)[a]?.probability ?? 1) < masteryParameters.threshold; count += 1) {
      next(tale, `choices-${count}`);
      tale.answer(true);
    }
    expect(decisions(tale).at(-1)).to.equal("reinforce: other_kind");
    next(tale, "words", { selection: "text" });
    tale.answer(true);
    expect(decisions(tale)).to.include("advance: mastered");
  });

  it("says that another objective of the step comes next", () => {
    const tale = story([a, b]);
    for (const _ of [a, b]) tale.answer(false);
    tale.plan({ objectiveIds: [a, b] });
    for (let count = 0; mastery(tale)[a]?.mastered !== true && count < 9; count += 1) {
      next(tale, `more-${count}`, { objectiveId: a, selection: count % 2 === 0 ? "text" : "single" });
      tale.answer(true);
    }
    expect(decisions(tale).at(-1)).to.equal("reinforce: other_objective");
  });

  it("asks on while the learner gains, beyond what a step is given without", () => {
    const step = { stepId: "step-0-1-00", objectiveIds: [a], prerequisites: [], state: "current" } as unknown as Step;
    const { state } = checking([a]);
    const asked = (count: number): TutorState => ({ ...state, step: { ...state.step, asked: count } });
    const right = { correct: true, aided: false, counts: true, rose: true, repeated: false };
    const most = bounds.tutor.itemsPerStep;
    expect(decideAfterAnswer(asked(most), step, right).decision).to.equal("reinforce");
    expect(decideAfterAnswer(asked(most), step, { ...right, rose: false }).decision).to.equal("replan");
    expect(decideAfterAnswer(asked(2 * most), step, right).decision).to.equal("replan");
  });

  it("reinforces after a wrong answer, then replans, then leaves the step", () => {
    const tale = checking([a]);
    tale.answer(false);
    expect(decisions(tale).at(-1)).to.equal("reinforce: wrong_answer");
    for (const name of ["second", "third"]) {
      next(tale, name);
      tale.answer(false);
    }
    expect(decisions(tale).at(-1)).to.equal("replan: no_gain");
    expect(tale.state.ledger.phase).to.equal("planning");
    tale.plan({ objectiveIds: [a] });
    for (const name of ["fourth", "fifth", "sixth"]) {
      next(tale, name);
      tale.answer(false);
    }
    expect(decisions(tale).slice(-2)).to.deep.equal(["advance: left_for_later", "complete: nothing_left"]);
    expect(mastery(tale)[a]?.mastered).to.equal(false);
  });

  it("replans at once when a step fails that depends on one left for later", () => {
    const tale = story([a, b]);
    tale.answer(false);
    tale.answer(false);
    tale.plan({ objectiveIds: [a] }, { objectiveIds: [b], prerequisites: ["step-0-1-00"] });
    for (let count = 0; tale.state.ledger.path[0]?.state !== "skipped"; count += 1) {
      if (tale.state.ledger.phase === "planning")
        tale.plan({ objectiveIds: [a] }, { objectiveIds: [b], prerequisites: [`step-${tale.state.replans}-1-00`] });
      next(tale, `a-${count}`);
      tale.answer(false);
    }
    next(tale, "b-1", { objectiveId: b });
    tale.answer(false);
    expect(decisions(tale).at(-1)).to.equal("replan: prerequisite_failed");
  });

  it("does not replan for want of a prerequisite in practice, where nothing is mastered", () => {
    const practice = { kind: "recall" as const, guess: 0.42, slip: 0.08, counts: false };
    const tale = story([a, b]);
    tale.answer(false);
    tale.answer(false);
    tale.plan({ objectiveIds: [a] }, { objectiveIds: [b], prerequisites: ["step-0-1-00"] });
    for (let count = 0; tale.state.ledger.path[0]?.state !== "skipped"; count += 1) {
      next(tale, `a-${count}`, { evidence: practice });
      tale.answer(false);
    }
    next(tale, "b-1", { objectiveId: b, evidence: practice });
    tale.answer(false);
    expect(decisions(tale).at(-1)).to.equal("reinforce: wrong_answer");
  });

  it("changes mastery by graded answers only", () => {
    const tale = checking();
    const before = mastery(tale)[a]?.probability;
    tale.act({ type: "self_report", objectiveId: a, knows: true });
    tale.act({ type: "hint", itemId: "first-item-0001" });
    tale.act({ type: "explanation", itemId: "first-item-0001" });
    tale.act({ type: "pause" });
    tale.act({ type: "resume" });
    tale.act({ type: "replace", itemId: "first-item-0001" });
    expect(mastery(tale)[a]?.probability).to.equal(before);
    expect(
      entries(tale)
        .slice(-6)
        .map(({ kind }) => kind),
    ).to.deep.equal(["self_report", "hint", "explanation", "adapt", "adapt", "adapt"]);
  });

  it("gives an aided answer less weight and never counts it for mastery", () => {
    const helped = checking([a]);
    helped.act({ type: "hint", itemId: "first-item-0001" });
    helped.answer(true);
    const alone = checking([a]);
    alone.answer(true);
    expect(mastery(helped)[a]?.probability).to.be.lessThan(mastery(alone)[a]?.probability ?? 0);
    for (let count = 0; count < 7 && helped.state.ledger.phase !== "completed" && helped.state.ledger.phase !== "planning"; count += 1) {
      next(helped, `more-${count}`);
      helped.act({ type: "explanation", itemId: helped.state.current ?? "" });
      helped.answer(true);
    }
    expect(mastery(helped)[a]?.mastered).to.equal(false);
  });

  it("counts a repeated question as aided because its key was shown", () => {
    const tale = checking([a]);
    tale.answer(true);
    next(tale, "second");
    tale.answer(true);
    next(tale, "again", { sameness: "first" });
    expect(sessionView(tale.state, {}).current?.aided).to.equal(true);
  });

  it("leaves a step for later when only repeated questions are left", () => {
    const tale = checking([a]);
    tale.answer(false);
    next(tale, "second");
    tale.answer(true);
    for (const sameness of ["first", "second"]) {
      next(tale, `${sameness} again`, { sameness });
      tale.answer(true);
    }
    expect(decisions(tale).slice(-2)).to.deep.equal(["advance: no_new_question", "complete: nothing_left"]);
    expect(mastery(tale)[a]?.mastered).to.equal(false);
  });

  it("rejects the same question twice in a row", () => {
    const tale = checking([a]);
    tale.answer(true);
    tale.when({ type: "ask", item: itemFor(a, "again", { sameness: "first" }) }).thenRejected("ai_unavailable");
  });

  it("hides the key until the question is answered or explained", () => {
    const tale = checking();
    const seen = JSON.stringify(sessionView(tale.state, {}));
    expect(seen).to.not.include('"right":["first-choice');
    expect(sessionView(tale.state, {}).messages.at(-1)).to.not.have.property("right");
    tale.answer(false);
    const told = sessionView(tale.state, {}).messages.find((message) => message.kind === "answer" && message.itemId === "first-item-0001");
    expect(told).to.deep.include({ right: ["first-choice-1"], correct: false });
  });

  it("rejects actions that do not fit the state", () => {
    const tale = checking();
    const itemId = "first-item-0001";
    tale.rejects({ type: "answer", itemId: "another-item-01", choiceIds: ["first-choice-1"] }, "wrong_phase");
    tale.rejects({ type: "answer", itemId, choiceIds: [] }, "invalid_request");
    tale.rejects({ type: "answer", itemId, choiceIds: ["second-choice-1"] }, "invalid_request");
    tale.rejects({ type: "answer", itemId, choiceIds: ["first-choice-1", "first-choice-2"] }, "invalid_request");
    tale.rejects({ type: "answer", itemId, text: "The first." }, "invalid_request");
    tale.rejects({ type: "resume" }, "wrong_phase");
    tale.rejects({ type: "dispute", itemId }, "wrong_phase");
    tale.rejects({ type: "self_report", objectiveId: "objective-z", knows: true }, "invalid_request");
    tale.act({ type: "pause" });
    tale.rejects({ type: "answer", itemId, choiceIds: ["first-choice-1"] }, "wrong_phase");
    tale.rejects({ type: "pause" }, "wrong_phase");
    tale.act({ type: "resume" });
    expect(tale.state.current).to.equal(itemId);
  });

  it("gives the hints in their order and rejects one more", () => {
    const tale = checking();
    const itemId = "first-item-0001";
    tale.act({ type: "hint", itemId });
    tale.act({ type: "hint", itemId });
    tale.rejects({ type: "hint", itemId }, "wrong_phase");
    expect(sessionView(tale.state, {}).messages.flatMap((message) => (message.kind === "hint" ? message.text : []))).to.deep.equal([
      "Look.",
      "Think.",
    ]);
  });

  it("sets aside a disputed grade of a model once", () => {
    const tale = checking([a], { selection: "text" });
    const before = mastery(tale)[a]?.probability;
    tale.answer(false);
    expect(mastery(tale)[a]?.probability).to.be.lessThan(before ?? 0);
    next(tale, "second");
    tale.act({ type: "dispute", itemId: "first-item-0001" }, { text: { textId: "dispute-1", text: "I said so.", salt: "salt" } });
    expect(mastery(tale)[a]?.probability).to.equal(before);
    expect(mastery(tale)[a]?.evidence.at(-1)).to.deep.include({ disputed: true });
    expect(tale.state.current).to.equal("second-item-0001");
    tale.rejects({ type: "dispute", itemId: "first-item-0001" }, "wrong_phase");
    expect(entries(tale).at(-1)).to.deep.include({ kind: "adapt", decision: "dispute" });
  });

  it("waits when no plan is verified and plans again when resumed", () => {
    const tale = story([a]);
    tale.answer(false);
    const by = { provider: "p1" as const, model: "m", fallbackDepth: 0 };
    for (const attempt of [1, 2]) tale.do({ type: "refuse plan", attempt, steps: [], findings: ["“Step 1”: nobody says so"], by });
    tale.do({ type: "give up planning" });
    expect(tale.state.ledger.phase).to.equal("planning");
    expect(tale.state.ledger.path).to.deep.equal([]);
    tale.act({ type: "resume" });
    tale.plan({ objectiveIds: [a] });
    expect(tale.state.ledger.phase).to.equal("teaching");
  });

  it("rejects a turn beyond the bound with too_many", () => {
    const tale = checking();
    for (let count = Object.keys(tale.state.requests).length; count < bounds.tutor.turns; count += 1)
      tale.act({ type: "self_report", objectiveId: a, knows: true });
    tale.rejects({ type: "pause" }, "too_many");
  });
});
