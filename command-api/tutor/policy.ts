import { bounds } from "@colloquy/schemas/bounds.ts";
import type { UnrecordedReason } from "@colloquy/schemas/explainers/evidence.ts";
import type { SessionObjective, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { dueAt } from "@colloquy/schemas/tutor/mastery.ts";
import { uncertainty } from "@colloquy/schemas/tutor/probabilities.ts";
import { masteredIn, masteryIn, probabilityIn, stillNeeded } from "@colloquy/schemas/tutor/replay.ts";
import type { GeneratedSelection, Reason, Step } from "@colloquy/schemas/tutor/session.ts";
import { latestAnswer, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { isCompared } from "@colloquy/schemas/tutor/view.ts";

/** Rules for what is asked and taught next. Pure. */

/** Bits of uncertainty below which an objective needs no further probe. */
const certain = 0.6;

/**
 * The probe to ask next: first each objective once, broad before narrow, in the course's order; then of the objective that the answers
 * so far left most uncertain. What an earlier session's answers speak of counts as asked. Null when nothing worth asking is left.
 */
export function nextProbe(state: TutorState): TutorItem | null {
  if (state.asked.filter((itemId) => !state.replaced.includes(itemId)).length >= bounds.tutor.probes) return null;
  const last = state.items[state.asked.at(-1) ?? ""];
  const order = state.objectives.map(({ objectiveId }) => objectiveId);
  const unprobed = new Set(objectivesToProbe(state).map(({ objectiveId }) => objectiveId));
  const asked = new Set(order.filter((objectiveId) => !unprobed.has(objectiveId)));
  const open = Object.values(state.items).filter(
    (item) => item.kind === "probe" && !state.asked.includes(item.itemId) && item.sameness !== last?.sameness,
  );
  const uncertaintyOf = (item: TutorItem): number => uncertainty(probabilityIn(state.ledger, item.objectiveId));
  const isInformative = (item: TutorItem): boolean => item.evidence?.counts !== false && uncertaintyOf(item) > certain;
  const candidates = open.filter((item) => !asked.has(item.objectiveId) || isInformative(item));
  const [best] = candidates.toSorted(
    (a, b) =>
      Number(asked.has(a.objectiveId)) - Number(asked.has(b.objectiveId)) ||
      (asked.has(a.objectiveId) ? uncertaintyOf(b) - uncertaintyOf(a) : 0) ||
      Number(a.breadth === "narrow") - Number(b.breadth === "narrow") ||
      order.indexOf(a.objectiveId) - order.indexOf(b.objectiveId),
  );
  return best ?? null;
}

/**
 * Objectives that a first question is to be asked about: those without an answer, and those whose mastery comes from an earlier session
 * and can be confirmed by now, until they are answered here.
 */
export function objectivesToProbe({ objectives, ledger, updatedAt }: TutorState): SessionObjective[] {
  return objectives.filter(({ objectiveId }) => {
    const answers = ledger.answers.filter((answer) => answer.objectiveId === objectiveId);
    if (answers.some(({ carried }) => !carried)) return false;
    const due = dueAt(masteryIn(ledger, objectiveId), ledger.parameters);
    return answers.length === 0 || (due !== null && Date.parse(due) <= Date.parse(updatedAt));
  });
}

/** Objectives that are still to be learned, in the course's order; those whose step was left for later are not taken up again. */
export function remainingObjectives(state: TutorState): string[] {
  const left = new Set(state.ledger.path.flatMap((step) => (step.state === "skipped" ? step.objectiveIds : [])));
  return state.objectives.flatMap(({ objectiveId }) => (masteredIn(state.ledger, objectiveId) || left.has(objectiveId) ? [] : objectiveId));
}

export const currentStep = (state: TutorState): Step | null => state.ledger.path.find((step) => step.state === "current") ?? null;

/** The objective of a step that most needs another question, of those besides `except`; in practice first the ones that are not practised yet. */
export function weakestObjective(state: TutorState, step: Step, except: readonly string[] = []): string | null {
  const left = step.objectiveIds.filter((objectiveId) => !except.includes(objectiveId));
  const unpractised = state.practice && left.find((id) => !isPractised(state, step, id));
  if (unpractised) return unpractised;
  // What was practised is not asked about again because another objective gives no question.
  if (state.practice && except.length > 0) return null;
  const open = left.filter((objectiveId) => !masteredIn(state.ledger, objectiveId));
  const [first] = open.toSorted((a, b) => probabilityIn(state.ledger, a) - probabilityIn(state.ledger, b));
  return first ?? null;
}

/** Whether a step has had its questions on an objective in practice: one answered right or compared with the course, or two. */
function isPractised(state: TutorState, step: Step, objectiveId: string): boolean {
  const answers = state.asked.flatMap((itemId) => {
    const item = state.items[itemId];
    return item?.stepId === step.stepId && item.objectiveId === objectiveId ? (state.answers[itemId] ?? []) : [];
  });
  return answers.length > 1 || answers.some((answer) => answer.correct || isCompared(state, answer));
}

/**
 * The kind of the next question of a step: own words and choices by turns, for own words tell more and mastery needs both; choices
 * after a dispute, and own words in practice, where the learner compares them with the course.
 */
export function wantedSelection(state: TutorState): GeneratedSelection {
  if (latestAnswer(state)?.disputed) return "single";
  if (state.practice) return "text";
  return (["text", "multiple", "text", "single"] as const)[state.step.asked % 4] ?? "single";
}

/**
 * What an answer to the current step's question leads to. `rose`: whether it made its objective's mastery more probable; `repeated`:
 * whether the question had been answered before.
 */
export function decideAfterAnswer(
  state: TutorState,
  step: Step,
  answer: { correct: boolean; aided: boolean; counts: boolean; rose: boolean; repeated: boolean; unchecked?: boolean },
): { decision: "advance" | "reinforce" | "replan"; reason: Reason } {
  if (step.objectiveIds.every((objectiveId) => masteredIn(state.ledger, objectiveId))) return { decision: "advance", reason: "mastered" };
  // The next second look may come in time.
  if (answer.unchecked && answer.correct && state.step.asked < bounds.tutor.itemTries)
    return { decision: "reinforce", reason: "unchecked" };
  if (!answer.counts && state.practice) return decideInPractice(state, step, answer.correct);
  // A practice question can show nothing, however often one is answered; a wrong answer is explained once more.
  if (!answer.counts && (answer.correct || state.step.reinforced >= 1)) return { decision: "advance", reason: "practice_only" };
  // Behind an answer without gain, a question that comes again can show nothing more here; else there may be a new one the next time.
  if (answer.repeated && state.step.reinforced >= 1) return { decision: "advance", reason: "no_new_question" };
  const needsLeftStep = step.prerequisites.some((stepId) =>
    state.ledger.path.some((other) => other.stepId === stepId && other.state === "skipped"),
  );
  // A practice question brings no mastery, so that every step left would count as what is missing.
  const failedPrerequisite = answer.counts && !answer.correct && needsLeftStep;
  // An answer with help brings no gain to speak of.
  const gained = answer.rose && !answer.aided;
  const most = bounds.tutor.itemsPerStep * step.objectiveIds.length;
  // Whoever goes on gaining is asked on, up to twice as many.
  const stuck = gained ? state.step.asked >= 2 * most : state.step.reinforced >= 2 || state.step.asked >= most;
  const again = step.objectiveIds.some((objectiveId) => state.replanned.includes(objectiveId));
  if ((failedPrerequisite || stuck) && !again && state.replans < bounds.tutor.replans)
    return { decision: "replan", reason: failedPrerequisite ? "prerequisite_failed" : "no_gain" };
  if (stuck) return { decision: "advance", reason: "left_for_later" };
  if (!answer.correct) return { decision: "reinforce", reason: "wrong_answer" };
  return { decision: "reinforce", reason: answer.aided ? "aided_answer" : stillNeeded(state.ledger, step) };
}

/** Each objective of a step is practised in turn; a first answer that was wrong brings one more question. */
function decideInPractice(state: TutorState, step: Step, isRight: boolean): { decision: "advance" | "reinforce"; reason: Reason } {
  const asked = latestAnswer(state)?.answer.itemId ?? "";
  const isOpen = !isPractised(state, step, state.items[asked]?.objectiveId ?? "");
  if (isOpen && !isRight) return { decision: "reinforce", reason: "wrong_answer" };
  return step.objectiveIds.every((id) => isPractised(state, step, id))
    ? { decision: "advance", reason: "practice_only" }
    : { decision: "reinforce", reason: "practice_next" };
}

/**
 * Why an answer given at the end of a film would not count here, or null. Under policy 1 mastery needs its latest answer to be unaided:
 * of what is mastered already, an answer with the film's help could only take it away.
 */
export function unrecordedBecause(state: TutorState, objectiveId: string | null): UnrecordedReason | null {
  if (state.ledger.phase === "completed") return "no_session";
  if (objectiveId === null || !state.objectives.some((one) => one.objectiveId === objectiveId)) return "no_objective";
  if (masteredIn(state.ledger, objectiveId)) return "mastered";
  if (state.ledger.paused) return "paused";
  return Object.keys(state.requests).length >= bounds.tutor.turns ? "full" : null;
}

export type ModelTask = "probe" | "plan" | "teach" | "check";

/** What a model has to do before it is the learner's turn; null when the session waits for the learner or is complete. */
export function nextTask(state: TutorState): ModelTask | null {
  const { phase, paused } = state.ledger;
  if (paused || state.current !== null || phase === "completed") return null;
  // Opened, and its first questions are not there yet.
  if (phase === "probing") return Object.values(state.items).some(({ kind }) => kind === "probe") ? null : "probe";
  if (phase === "planning") return "plan";
  return state.step.awaitsItem ? "check" : "teach";
}
