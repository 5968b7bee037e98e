import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { SessionObjective } from "@colloquy/schemas/events/tutor.ts";
import type { Selection, Step } from "@colloquy/schemas/tutor/session.ts";
import { latestAnswer, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import { passagesFor, type TutorCourse } from "./course.ts";
import { currentStep, remaining, unshown, wantedSelection, weakest } from "./policy.ts";

/** What each work of a model is given, whoever's model it is. */

const objectivesOf = (state: TutorState, ids: readonly string[]): SessionObjective[] =>
  state.objectives.filter(({ objectiveId }) => ids.includes(objectiveId));

/** The objectives that no answer speaks of yet, with the passages to ask about them. */
export async function beginningsToAsk(
  library: PassageLibrary,
  course: TutorCourse,
  state: TutorState,
): Promise<{ objectives: SessionObjective[]; passages: TurnPassage[] }> {
  const objectives = unshown(state.objectives, state.ledger.answers);
  return { objectives, passages: await passagesFor(library, course, objectives) };
}

/** The objectives that a path has to lead to, with the passages to plan it on. */
export async function pathToPlan(
  library: PassageLibrary,
  course: TutorCourse,
  state: TutorState,
): Promise<{ objectives: SessionObjective[]; passages: TurnPassage[] }> {
  const objectives = objectivesOf(state, remaining(state));
  return { objectives, passages: await passagesFor(library, course, objectives) };
}

export interface LessonToTeach {
  step: Step;
  objectives: SessionObjective[];
  passages: TurnPassage[];
  /** 1 the first time. */
  angle: number;
  missed: string | null;
  focus: string[];
}

/** The step to teach now; null when there is none. */
export async function lessonToTeach(library: PassageLibrary, course: TutorCourse, state: TutorState): Promise<LessonToTeach | null> {
  const step = currentStep(state);
  if (!step) return null;
  const objectives = objectivesOf(state, step.objectiveIds);
  const angle = (state.step.stepId === step.stepId ? state.step.taught : 0) + 1;
  const passages = await passagesFor(library, course, objectives, { sourceIds: step.sourceIds });
  return { step, objectives, passages, angle, missed: missedIn(state), focus: focusOf(passages, step) };
}

export interface QuestionToAsk {
  objective: SessionObjective;
  stepId: string;
  selection: Selection;
  focus: string[];
  passages: TurnPassage[];
}

/** The objective of the current step to ask about now; null when there is none. */
export async function questionToAsk(library: PassageLibrary, course: TutorCourse, state: TutorState): Promise<QuestionToAsk | null> {
  const step = currentStep(state);
  const [objective] = step ? objectivesOf(state, [weakest(state, step) ?? step.objectiveIds[0] ?? ""]) : [];
  if (!step || !objective) return null;
  const passages = await passagesFor(library, course, [objective], { sourceIds: step.sourceIds });
  return { objective, stepId: step.stepId, selection: wantedSelection(state), focus: focusOf(passages, step), passages };
}

/** The keys of the passages a step was planned on. */
const focusOf = (passages: readonly TurnPassage[], step: Step): string[] =>
  passages.flatMap(({ key, sourceId }) => (step.sourceIds.includes(sourceId) ? key : []));

/** What the learner answered wrongly last on this step, in the words of the question's own choices. */
function missedIn(state: TutorState): string | null {
  const last = latestAnswer(state);
  if (!last || last.answer.correct) return null;
  const item = state.items[last.answer.itemId];
  const chosen = item?.choices.filter(({ choiceId }) => last.answer.choiceIds.includes(choiceId)).map(({ text }) => text) ?? [];
  return item && chosen.length > 0 ? `${item.prompt} — ${chosen.join("; ")}` : null;
}
