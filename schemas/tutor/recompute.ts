import { markResponse } from "../questions/mark.ts";
import type { CommittedQuestion, EvidenceEntry } from "./ledger.ts";
import { type LedgerState, masteredIn, standingsIn } from "./replay.ts";

/**
 * What an entry can state and its ledger alone cannot show. A verifier names these instead of passing over them.
 * - `model_judgement`: a model judged own words; that the grade follows from its criteria is checked, the judgement is not
 * - `own_words`: words that the ledger holds as a commitment only
 * - `carried_answer`: taken over from the ledger of another session, which proves it
 * - `question_missing`: an entry of an older version, without its question
 * - `question_counts`: a decision that counts questions and lessons, which have no entries
 */
export const unprovenKinds = ["model_judgement", "own_words", "carried_answer", "question_missing", "question_counts"] as const;
export type Unproven = (typeof unprovenKinds)[number];

/** The share of a rubric's criteria that makes an answer in own words correct. */
const neededShare = 2 / 3;
export const meetsRubric = (criteria: readonly boolean[]): boolean =>
  criteria.filter((met) => met).length >= Math.ceil(criteria.length * neededShare);

/** Whether the chosen choices are the right ones, in any order. */
export const choosesRight = (choiceIds: readonly string[], right: readonly string[]): boolean =>
  choiceIds.length === right.length && right.every((one) => choiceIds.includes(one));

/** What the digest of an answer's question is made of; null for an entry without its question. */
export function committedItem({ itemId, selection, question }: EvidenceEntry): (CommittedQuestion & { itemId: string }) | null {
  if (!question || itemId === undefined || selection === undefined) return null;
  return { ...question, itemId, selection } as CommittedQuestion & { itemId: string };
}

const isAnswer = ({ kind }: EvidenceEntry): boolean => kind === "probe" || kind === "check";

/** The grade that an answer's entry has to state; what is unproven where the entry does not show it. Null for other entries. */
export function recomputedGrade(entry: EvidenceEntry): { correct: boolean } | { unproven: Unproven } | null {
  if (!isAnswer(entry)) return null;
  const { carriedFrom, gradedBy, criteria, question, response } = entry;
  if (carriedFrom) return { unproven: "carried_answer" };
  if (gradedBy === "model") return criteria ? { correct: meetsRubric(criteria) } : { unproven: "model_judgement" };
  if (!response) return { unproven: "own_words" };
  const key = question?.key;
  // What was written stands in the entry where it is right.
  if ("commitment" in response) return key ? { correct: false } : { unproven: "own_words" };
  if (key) return { correct: markResponse(key, response).correct };
  if (!("choiceIds" in response)) return { unproven: "own_words" };
  return question ? { correct: choosesRight(response.choiceIds, question.right) } : { unproven: "question_missing" };
}

/**
 * Whether an entry's decision contradicts the answers before it.
 * @param before the ledger before the entry
 * @param previous the entry before it
 */
export function contradictsAnswers(before: LedgerState, previous: EvidenceEntry | undefined, entry: EvidenceEntry): boolean {
  const { decision, reason, stepId } = entry;
  const isMastered = (id: string): boolean => masteredIn(before, id);
  if (decision === "complete") return reason !== (before.path.some((step) => step.state === "skipped") ? "nothing_left" : "mastered");
  if (decision !== "advance" && decision !== "reinforce" && decision !== "replan") return false;
  const step = before.path.find((one) => one.stepId === stepId);
  if (!step) return true;
  const mastered = step.objectiveIds.every(isMastered);
  if (decision === "advance" && reason === "mastered") return !mastered;
  // Only a decision that follows an answer at once was made from it; a step can also be left because no question is found.
  if (previous?.kind !== "check" || previous.film !== undefined || previous.review) return false;
  if (mastered) return true;
  if (reason === "wrong_answer") return previous.correct !== false;
  if (reason === "aided_answer") return previous.correct !== true || !previous.aided;
  if (reason === "more_evidence") return previous.correct !== true || previous.aided;
  return false;
}

/** Whether an entry states the standings that the answers up to it come to; older entries state none. */
export function statesStandings(after: LedgerState, { objectiveIds, standings }: EvidenceEntry): boolean {
  if (!standings) return after.parameters.version === 1;
  const reckoned = Object.entries(standingsIn(after, objectiveIds));
  return reckoned.length === Object.keys(standings).length && reckoned.every(([id, standing]) => standings[id] === standing);
}

/** What an entry leaves unproven, though nothing in it is wrong. */
export function unprovenIn(entry: EvidenceEntry): Unproven | null {
  const grade = recomputedGrade(entry);
  if (grade && "unproven" in grade) return grade.unproven;
  if (grade && entry.gradedBy === "model") return "model_judgement";
  if (grade) return entry.response && "commitment" in entry.response ? "own_words" : null;
  const counts = entry.decision === "replan" || (entry.decision === "advance" && entry.reason !== "mastered");
  return counts ? "question_counts" : null;
}
