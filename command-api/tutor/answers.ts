import { commitmentOf } from "@colloquy/infra/ledger/chain.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { markResponse } from "@colloquy/schemas/questions/mark.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { helpOf } from "@colloquy/schemas/tutor/help.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import { authoredEvidence, defaultEvidence } from "@colloquy/schemas/tutor/mastery.ts";
import { rises } from "@colloquy/schemas/tutor/probabilities.ts";
import { choosesRight } from "@colloquy/schemas/tutor/recompute.ts";
import { probabilityIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import type { Help } from "@colloquy/schemas/tutor/session.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { adapt, askNextProbe, decideAdapt } from "./adapting.ts";
import type { CommandOf, SaltedText } from "./commands.ts";
import { type Decision, type Draft, draftFrom, type EntryFields, nameOf, reject } from "./draft.ts";
import { committedQuestion } from "./items.ts";
import { nextProbe, unrecordedBecause } from "./policy.ts";
import { responseTo, returnedForSpelling } from "./responses.ts";

/** What answers to questions come to: in a lesson, at the end of a video, and in Review. Pure. */

/** An answer to the question that waits. */
export function answer(command: CommandOf<"act">, action: Extract<TutorAction, { type: "answer" }>, draft: Draft): Decision {
  const item = waiting(action.itemId, draft);
  if (!item) return notWaiting;
  const { grade, text, found, revealed } = command;
  const choiceIds = [...new Set(action.choiceIds ?? [])];
  if (item.key) return answerAuthored(item, action, command, draft);
  if (item.selection === "text") {
    if (!text || (!grade && !found)) return reject("invalid_request", "This question is answered in words.");
    if (found === "copied" && !grade) return returnAnswer(item, text, draft);
  } else {
    const known = new Set(item.choices.map(({ choiceId }) => choiceId));
    if (choiceIds.length === 0 || choiceIds.some((choiceId) => !known.has(choiceId)) || action.text !== undefined)
      return reject("invalid_request", "Choose among the choices of this question.");
    if (item.selection === "single" && choiceIds.length !== 1) return reject("invalid_request", "This question has one answer.");
  }
  const { ledger } = draft.state;
  const before = probabilityIn(ledger, item.objectiveId);
  const help = helpOf(draft.state, item) ?? (found === "copied" ? "copied" : revealed ? "shown" : null);
  const aided = help !== null;
  const repeated = help === "repeated";
  const correct = grade ? grade.correct : found !== "not_knowing" && choosesRight(choiceIds, item.right);
  draft.emit(item.kind === "probe" ? "ProbeAnswered" : "CheckAnswered", {
    messageId: draft.id("answer"),
    itemId: item.itemId,
    choiceIds,
    textId: text?.textId ?? null,
    correct,
    aided,
    ...(help && { help }),
    gradedBy: grade ? "model" : "application",
    criteria: grade?.criteria ?? [],
    reasonsTextId: grade?.reasonsTextId ?? null,
    ...(grade && { by: grade.by }),
  });
  draft.record({
    kind: item.kind,
    objectiveIds: [item.objectiveId],
    itemId: item.itemId,
    correct,
    aided,
    sourceIds: item.sourceIds,
    selection: item.selection,
    choices: item.choices.length,
    itemDigest: item.digest,
    ...weightOf(draft.state, item),
    ...(help && { help }),
    question: committedQuestion(item),
    ...(grade && { criteria: grade.criteria.map(({ met }) => met) }),
    gradedBy: grade ? "model" : "application",
    response: text ? { commitment: commitmentOf(text.salt, text.text) } : { choiceIds },
    model: nameOf(grade?.by ?? item.by),
    phase: (after) => (item.kind === "check" ? "adapting" : nextProbe(after) ? "probing" : "planning"),
  });
  if (item.kind === "probe") askNextProbe(draft);
  else
    adapt(draft, {
      correct,
      aided,
      repeated,
      counts: item.evidence?.counts !== false,
      unchecked: item.unchecked === true,
      rose: rises(before, probabilityIn(draft.state.ledger, item.objectiveId)),
    });
  return draft.events;
}

/** The answer to a question of the course's own, marked by its key. */
function answerAuthored(
  item: TutorItem,
  action: Extract<TutorAction, { type: "answer" }>,
  { text, revealed, courseWords }: Pick<CommandOf<"act">, "text" | "revealed" | "courseWords">,
  draft: Draft,
): Decision {
  const response = responseTo(item, action);
  if (!response) return reject("invalid_request", "Answer every part of this question, in its own form.");
  const returned = returnedForSpelling(item, response, { confirmed: action.confirmed, words: courseWords });
  if (returned) return returned;
  const { ledger } = draft.state;
  const before = probabilityIn(ledger, item.objectiveId);
  const help = helpOf(draft.state, item) ?? (revealed ? "shown" : null);
  const correct = recordMarked(
    item,
    response,
    { text, help, event: item.kind === "probe" ? "ProbeAnswered" : "CheckAnswered" },
    draft,
    (after) => (item.kind === "check" ? "adapting" : nextProbe(after) ? "probing" : "planning"),
  );
  if (item.kind === "probe") askNextProbe(draft);
  else
    adapt(draft, {
      correct,
      aided: help !== null,
      repeated: help === "repeated",
      counts: item.evidence?.counts !== false,
      unchecked: item.unchecked === true,
      rose: rises(before, probabilityIn(draft.state.ledger, item.objectiveId)),
    });
  return draft.events;
}

/** Marks a response, and records it with its entry. */
function recordMarked(
  item: TutorItem,
  response: QuestionResponse,
  {
    text,
    help,
    event,
  }: { text: SaltedText | undefined; help: Help | null; event: "ProbeAnswered" | "CheckAnswered" | "ReviewQuestionAnswered" },
  draft: Draft,
  phase: EntryFields["phase"],
): boolean {
  const correct = item.key !== undefined && markResponse(item.key, response).correct;
  const aided = help !== null;
  draft.emit(event, {
    messageId: draft.id(event === "ReviewQuestionAnswered" ? "review answer" : "answer"),
    itemId: item.itemId,
    choiceIds: "choiceIds" in response ? response.choiceIds : [],
    ...(!text && { response }),
    textId: text?.textId ?? null,
    correct,
    aided,
    ...(help && { help }),
    gradedBy: "application",
    criteria: [],
    reasonsTextId: null,
  });
  draft.record({
    kind: item.kind,
    objectiveIds: [item.objectiveId],
    itemId: item.itemId,
    correct,
    aided,
    sourceIds: item.sourceIds,
    selection: item.selection,
    choices: item.choices.length,
    itemDigest: item.digest,
    ...weightOf(draft.state, item),
    ...(help && { help }),
    question: committedQuestion(item),
    gradedBy: "application",
    // What is right stands in the course; what is wrong may be anything that somebody wrote.
    response: text && !correct ? { commitment: commitmentOf(text.salt, text.text) } : response,
    model: nameOf(item.by),
    ...(item.review && { review: item.review }),
    phase,
  });
  return correct;
}

/** An answer given at the end of a film: evidence with help, beside the lesson, which goes on as if nothing had been asked. */
export function answerFilm(command: CommandOf<"answer film">, state: TutorState): Decision {
  const { item, choiceId, digest, at, requestId, courseRevisionId } = command;
  const why = unrecordedBecause(state, item.objectiveId);
  if (why) return reject("wrong_phase", `The answer does not count in this session: ${why}.`);
  if (!item.choices.some((choice) => choice.choiceId === choiceId)) return reject("invalid_request", "The question has no such choice.");
  const draft = draftFrom(state, command);
  const { itemId, objectiveId, sourceIds, film } = item;
  const correct = item.right.includes(choiceId);
  draft.emit("TurnTaken", { requestId, digest, action: "film", at, ...(courseRevisionId && { courseRevisionId }) });
  draft.emit("FilmQuestionAsked", { item });
  draft.emit("FilmQuestionAnswered", {
    messageId: draft.id("answer"),
    itemId,
    choiceIds: [choiceId],
    textId: null,
    correct,
    aided: true,
    gradedBy: "application",
    criteria: [],
    reasonsTextId: null,
  });
  draft.record({
    kind: "check",
    phase: state.ledger.phase,
    objectiveIds: [objectiveId],
    itemId,
    correct,
    aided: true,
    sourceIds,
    selection: item.selection,
    choices: item.choices.length,
    itemDigest: item.digest,
    ...weightOf(state, item),
    help: "film",
    question: committedQuestion(item),
    gradedBy: "application",
    response: { choiceIds: [choiceId] },
    model: nameOf(item.by),
    ...(film !== undefined && { film }),
  });
  return draft.events;
}

/** An answer given in Review: evidence beside the lesson, which goes on, or stays completed, as it was. */
export function answerReview(command: CommandOf<"answer review">, state: TutorState): Decision {
  const { item, response, text, digest, at, requestId, courseRevisionId } = command;
  if (!state.objectives.some(({ objectiveId }) => objectiveId === item.objectiveId))
    return reject("wrong_phase", "This objective is not one of the session's.");
  if (Object.keys(state.requests).length >= bounds.tutor.turns)
    return reject("too_many", "This session has as many turns as one may have.");
  if (!responseTo(item, { response })) return reject("invalid_request", "Answer every part of this question, in its own form.");
  const draft = draftFrom(state, command);
  draft.emit("TurnTaken", { requestId, digest, action: "review", at, ...(courseRevisionId && { courseRevisionId }) });
  draft.emit("ReviewQuestionAsked", { item });
  recordMarked(item, response, { text, help: helpOf(draft.state, item), event: "ReviewQuestionAnswered" }, draft, state.ledger.phase);
  return draft.events;
}

/** An answer that repeats a shown text shows reading: it is not graded, and an example of the learner's own is asked for. */
function returnAnswer(item: TutorItem, text: SaltedText, draft: Draft): Decision {
  const { itemId, objectiveId } = item;
  if (draft.state.returned?.includes(itemId)) return reject("invalid_request", "This answer was returned once and is graded now.");
  draft.emit("AnswerReturned", { itemId, textId: text.textId });
  decideAdapt(draft, {
    decision: "return",
    reason: "copied_text",
    phase: draft.state.ledger.phase,
    itemId,
    objectiveIds: [objectiveId],
    response: { commitment: commitmentOf(text.salt, text.text) },
  });
  return draft.events;
}

/** The waiting item, when it is this one. */
export function waiting(itemId: string, { state }: Draft): TutorItem | null {
  return state.current === itemId ? (state.items[itemId] ?? null) : null;
}
export const notWaiting = reject("wrong_phase", "This question does not wait for an answer any more.");

/** What an answer to a question says by the session's policy; what a second look found of a written one may be guessed more often. */
function weightOf({ ledger: { parameters } }: TutorState, item: TutorItem): Pick<EvidenceEntry, "evidence" | "statements" | "verifiedBy"> {
  if (parameters.version === 1) return {};
  const { key, selection, choices, evidence: stated } = item;
  const usual = key ? authoredEvidence(key, parameters) : defaultEvidence({ selection, choices: choices.length }, parameters);
  const isWritten = !item.authored && selection !== "text";
  const guess = Math.max(usual.guess, isWritten && stated ? stated.guess : 0);
  const evidence = { ...usual, guess, counts: stated?.counts ?? usual.counts };
  const { statements, verifiedBy } = item;
  return { evidence, ...(statements && { statements }), ...(verifiedBy && { verifiedBy: nameOf(verifiedBy) }) };
}
