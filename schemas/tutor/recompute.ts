import { markResponse } from "../questions/mark.ts";
import type { CommittedQuestion, EvidenceEntry, LedgerKey } from "./ledger.ts";
import { authoredEvidence, defaultEvidence, type MasteryParameters } from "./mastery.ts";
import { type LedgerState, masteredIn, probabilitiesIn, standingsIn, stillNeeded } from "./replay.ts";
import type { Help } from "./session.ts";

/**
 * What an entry can state and its ledger alone cannot show. A verifier names these instead of passing over them.
 * - `model_judgement`: a model judged own words; that the grade follows from its criteria is checked, the judgement is not
 * - `own_words`: words that the ledger holds as a commitment only
 * - `carried_answer`: taken over from the ledger of another session, which proves it
 * - `question_missing`: an entry of an older version, without its question
 * - `question_counts`: a decision that counts questions and lessons, which have no entries
 * - `second_look`: that a written question counts, and a guess rate above the policy's, as a second look at it found them
 */
export const unprovenKinds = [
  "model_judgement",
  "own_words",
  "carried_answer",
  "question_missing",
  "question_counts",
  "second_look",
] as const;
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
function recomputedGrade(entry: EvidenceEntry): { correct: boolean } | { unproven: Unproven } | null {
  if (!isAnswer(entry)) return null;
  const { carriedFrom, gradedBy, criteria, question, response } = entry;
  if (carriedFrom) return { unproven: "carried_answer" };
  // A question with choices or a key has its grade from them, whoever is said to have graded it.
  if (gradedBy === "model" && !question?.key && !question?.choices.length)
    return criteria ? { correct: meetsRubric(criteria) } : { unproven: "model_judgement" };
  if (!response) return { unproven: "own_words" };
  const key = question?.key;
  // What was written stands in the entry where it is right; what no model judges is no right answer either.
  if ("commitment" in response) return { correct: false };
  if (key) return { correct: markResponse(key, response).correct };
  if (!("choiceIds" in response)) return { unproven: "own_words" };
  return question ? { correct: choosesRight(response.choiceIds, question.right) } : { unproven: "question_missing" };
}

const isSameQuestion = (one: CommittedQuestion, other: CommittedQuestion): boolean => {
  if (one.authored || other.authored) return one.authored?.blockId === other.authored?.blockId;
  const textsOf = ({ choices }: CommittedQuestion): string => JSON.stringify(choices.map(({ text }) => text).toSorted());
  return one.prompt === other.prompt && textsOf(one) === textsOf(other);
};

/** The help with an answer that the entries before it show, the strongest first; null where they show none. */
function helpShown(earlier: readonly EvidenceEntry[], { itemId, film, question }: EvidenceEntry): Help | null {
  if (film !== undefined) return "film";
  const given = new Set(earlier.flatMap((one) => (one.itemId === itemId ? one.kind : [])));
  const help = (["explanation", "hint", "asked"] as const).find((kind) => given.has(kind));
  if (help || !question) return help ?? null;
  const isRepeated = earlier.some(
    (one) => isAnswer(one) && one.itemId !== itemId && one.question && isSameQuestion(one.question, question),
  );
  return isRepeated ? "repeated" : null;
}

/** Whether an answer states other help than the entries before it show. Of what a lesson, film or quiz showed there are no entries. */
function contradictsHelp(earlier: readonly EvidenceEntry[], entry: EvidenceEntry): boolean {
  if (!isAnswer(entry) || entry.carriedFrom) return false;
  const { aided, help } = entry;
  const shown = helpShown(earlier, entry);
  if (shown) return !aided || (help !== undefined && help !== shown);
  return help !== undefined && (!aided || !["repeated", "shown", "copied"].includes(help));
}

/** Whether an answer weighs otherwise than its question does by the policy; a guess rate that a second look found may be higher. */
function contradictsQuestion({ parameters }: LedgerState, entry: EvidenceEntry): boolean {
  const { question, selection, choices, carriedFrom } = entry;
  if (!isAnswer(entry) || !question || !selection || carriedFrom) return false;
  if (choices !== question.choices.length) return true;
  if (parameters.version === 1) return false;
  const usual = defaultEvidence({ selection, choices }, parameters);
  const { kind, guess, slip, counts } = entry.evidence ?? usual;
  const own = question.key ? authoredEvidence(question.key, parameters) : usual;
  if (kind !== own.kind || slip !== own.slip) return true;
  const isWritten = !question.authored && selection !== "text";
  return isWritten ? guess < own.guess : guess !== own.guess || (question.authored !== undefined && !counts);
}

/** Whether a session may end here: everything was mastered or left, or the path, on which all the rest stood, is done. */
function isAtEnd(before: LedgerState, earlier: readonly EvidenceEntry[]): boolean {
  const { objectives, path } = before;
  const isIn = (steps: typeof path, id: string): boolean => steps.some(({ objectiveIds }) => objectiveIds.includes(id));
  const left = path.filter(({ state }) => state === "skipped");
  const unlearned = objectives.flatMap(({ objectiveId: id }) => (masteredIn(before, id) || isIn(left, id) ? [] : id));
  if (unlearned.length === 0) return true;
  // What was mastered when the path was planned does not stand on it, and an answer in Review can have taken it away since.
  const wasMastered = (id: string): boolean => earlier.some(({ standings }) => (standings?.[id] ?? "none") !== "none");
  const isDone = path.length > 0 && path.every(({ state }) => state === "mastered" || state === "skipped");
  return isDone && unlearned.every((id) => isIn(path, id) || wasMastered(id));
}

/**
 * Whether an entry's decision, or that it ends the session, contradicts the answers before it.
 * @param before the ledger before the entry
 * @param earlier the entries before it
 */
export function contradictsAnswers(before: LedgerState, earlier: readonly EvidenceEntry[], entry: EvidenceEntry): boolean {
  const { decision, reason, stepId } = entry;
  const previous = earlier.at(-1);
  const isMastered = (id: string): boolean => masteredIn(before, id);
  if (decision === "complete")
    return !isAtEnd(before, earlier) || reason !== (before.path.some((step) => step.state === "skipped") ? "nothing_left" : "mastered");
  if (entry.phase === "completed" && before.phase !== "completed") return true;
  if (decision !== "advance" && decision !== "reinforce" && decision !== "replan") return false;
  const step = before.path.find((one) => one.stepId === stepId);
  if (!step) return true;
  const mastered = step.objectiveIds.every(isMastered);
  if (decision === "advance" && reason === "mastered") return !mastered;
  // Only a decision that follows an answer at once was made from it; a step can also be left because no question is found.
  if (previous?.kind !== "check" || previous.film !== undefined || previous.review) return false;
  if (mastered) return true;
  if (reason === "wrong_answer") return previous.correct !== false;
  // Only practice goes on with an objective of which nothing is mastered.
  if (reason === "practice_next") return previous.evidence?.counts !== false;
  if (reason === "aided_answer") return previous.correct !== true || !previous.aided;
  const isGain = previous.correct === true && !previous.aided;
  // Older ledgers say of every gain that more is needed.
  if (reason === "more_evidence") return !isGain;
  if (reason === "other_kind" || reason === "other_objective") return !isGain || reason !== stillNeeded(before, step);
  return false;
}

/** What an entry states against the answers up to it; `before` and `after` are the ledger without and with the entry. */
export function answersFault(
  before: LedgerState,
  after: LedgerState,
  earlier: readonly EvidenceEntry[],
  entry: EvidenceEntry,
): "grade" | "help" | "evidence" | "mastery" | "decision" | null {
  const grade = recomputedGrade(entry);
  if (grade && "correct" in grade && grade.correct !== entry.correct) return "grade";
  if (contradictsHelp(earlier, entry)) return "help";
  if (contradictsQuestion(before, entry)) return "evidence";
  if (entry.index > 0 && !statesProbabilities(before, entry.objectiveIds, entry.masteryBefore)) return "mastery";
  if (!statesProbabilities(after, entry.objectiveIds, entry.masteryAfter) || !statesStandings(after, entry)) return "mastery";
  return contradictsAnswers(before, earlier, entry) ? "decision" : null;
}

/** Whether probabilities are those that the answers of a ledger come to. */
function statesProbabilities(ledger: LedgerState, objectiveIds: readonly string[], stated: Readonly<Record<string, number>>): boolean {
  const computed = probabilitiesIn(ledger, objectiveIds);
  const ids = Object.keys(computed);
  return ids.length === Object.keys(stated).length && ids.every((id) => computed[id] === stated[id]);
}

/** Whether an entry states the standings that the answers up to it come to; older entries state none. */
function statesStandings(after: LedgerState, { objectiveIds, standings }: EvidenceEntry): boolean {
  if (!standings) return after.parameters.version === 1;
  const reckoned = Object.entries(standingsIn(after, objectiveIds));
  return reckoned.length === Object.keys(standings).length && reckoned.every(([id, standing]) => standings[id] === standing);
}

/** What an entry leaves unproven, though nothing in it is wrong. */
export function unprovenIn(parameters: MasteryParameters, entry: EvidenceEntry): Unproven[] {
  const grade = recomputedGrade(entry);
  if (grade) return [gradeUnproven(entry, grade), weightUnproven(parameters, entry)].filter((one) => one !== null);
  const counts = entry.decision === "replan" || (entry.decision === "advance" && entry.reason !== "mastered");
  return counts ? ["question_counts"] : [];
}

function gradeUnproven({ gradedBy, response }: EvidenceEntry, grade: { correct: boolean } | { unproven: Unproven }): Unproven | null {
  if ("unproven" in grade) return grade.unproven;
  if (gradedBy === "model") return "model_judgement";
  return response && "commitment" in response ? "own_words" : null;
}

/** The question of a film counts as what its help makes of it. */
function weightUnproven({ version }: MasteryParameters, { question, evidence, carriedFrom, film }: EvidenceEntry): Unproven | null {
  const isWritten = question !== undefined && question.authored === undefined;
  return version > 1 && isWritten && evidence?.counts !== false && !carriedFrom && film === undefined ? "second_look" : null;
}

/**
 * How long before a key's own time a checkpoint may be dated, in milliseconds: older versions took the time of an installation's first one
 * before they made the key, and machines that share a key differ.
 */
const keyLead = 10_000;

/** What is wrong with a time of signing by a key; null for a time at which it was in use. */
export function keyFault({ createdAt, retiredAt }: LedgerKey, at: string): "early" | "retired" | null {
  const time = Date.parse(at);
  if (time < Date.parse(createdAt) - keyLead) return "early";
  return retiredAt !== null && time > Date.parse(retiredAt) ? "retired" : null;
}
