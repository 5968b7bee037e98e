import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { responseText } from "@colloquy/schemas/questions/key-text.ts";
import { responseErrors } from "@colloquy/schemas/questions/response-errors.ts";
import type { SessionObjective, TutorAnswer, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { GeneratedSelection, Step } from "@colloquy/schemas/tutor/session.ts";
import { latestAnswer, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import { givenIn } from "@colloquy/schemas/tutor/view.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import { passagesFor, rankFor, standsBehindWords, type TutorCourse } from "./course.ts";
import { currentStep, remainingObjectives, wantedSelection, weakestObjective } from "./policy.ts";

/** The objectives and passages for each task, whether our model or an assistant's does it. */

const objectivesOf = (state: TutorState, ids: readonly string[]): SessionObjective[] =>
  state.objectives.filter(({ objectiveId }) => ids.includes(objectiveId));

/** Objectives that the plan has to reach and passages to plan it on. */
export async function planInput(
  library: PassageLibrary,
  course: TutorCourse,
  state: TutorState,
): Promise<{ objectives: SessionObjective[]; passages: TurnPassage[] }> {
  const objectives = objectivesOf(state, remainingObjectives(state));
  return { objectives, passages: await passagesFor(library, course, objectives) };
}

export interface LessonInput {
  step: Step;
  objectives: SessionObjective[];
  passages: TurnPassage[];
  /** 1 the first time. */
  angle: number;
  missed: string | null;
  /** The question that follows the step, in its words. */
  next: string | null;
  focus: string[];
  /** Lessons on the step that the learner has read, the newest last. */
  shown: string[];
}

/** The step to teach now, or null; `target`: the question that follows it, which rests on the same passages. */
export async function lessonInput(
  library: PassageLibrary,
  course: TutorCourse,
  state: TutorState,
  { target = null, textOf }: { target?: Pick<TutorItem, "prompt" | "sourceIds"> | null; textOf?: TextOf } = {},
): Promise<LessonInput | null> {
  const step = currentStep(state);
  if (!step) return null;
  const objectives = objectivesOf(state, step.objectiveIds);
  const angle = (state.step.stepId === step.stepId ? state.step.taught : 0) + 1;
  const shown = lessonsShown(state, step);
  // Where a lesson did not suffice, another begins with what the wrong answer is about.
  const missed = shown.length > 0 ? lastMissed(state) : undefined;
  const asked = withWordsBefore(course, target?.sourceIds ?? []);
  const sourceIds = [...new Set([...(missed?.item.sourceIds ?? []), ...asked, ...step.sourceIds])];
  const passages = await passagesFor(library, course, objectives, { sourceIds, examples: shown.length > 0 });
  const focus = focusOf(passages, { sourceIds });
  return { step, objectives, passages, angle, missed: missedIn(state, textOf), next: target?.prompt ?? null, focus, shown };
}

/** Sources with the words before those of them that are code or tables: without these a lesson cannot lead to what is asked about them. */
export function withWordsBefore({ passages }: Pick<TutorCourse, "passages">, sourceIds: readonly string[]): string[] {
  return sourceIds.flatMap((sourceId) => {
    const at = passages.findIndex((passage) => passage.sourceId === sourceId);
    const own = passages[at];
    const words = own && standsBehindWords(own) ? passages.slice(0, at).findLast((passage) => !standsBehindWords(passage)) : undefined;
    return words && words.source.topicId === own?.source.topicId ? [words.sourceId, sourceId] : [sourceId];
  });
}

export type Message = TutorState["messages"][number];
/** Whether a message is a lesson that taught something. */
export const isLesson = (message: Message): message is Extract<Message, { kind: "teaching" }> =>
  message.kind === "teaching" && message.text !== "";

/** The lessons on a step's objectives: the step may be another since, for the path was planned anew. */
function lessonsShown({ messages }: TutorState, step: Step): string[] {
  return messages
    .flatMap((message) => {
      if (!isLesson(message)) return [];
      const isOnIt = message.stepId === step.stepId || message.objectiveIds?.some((id) => step.objectiveIds.includes(id));
      return isOnIt ? message.text : [];
    })
    .slice(-bounds.tutor.shownLessons);
}

export interface CheckInput {
  objective: SessionObjective;
  stepId: string;
  selection: GeneratedSelection;
  focus: string[];
  /** The keys of the passages that the search for the objective finds first, the best one first. */
  nearest: string[];
  passages: TurnPassage[];
}

/** The objective of the current step to ask about now, or null; `except`: those for which no question was found. */
export function checkTarget(
  state: TutorState,
  except: readonly string[] = [],
): (Pick<CheckInput, "objective" | "stepId"> & Pick<Step, "sourceIds">) | null {
  const step = currentStep(state);
  const other = except.length === 0 ? step?.objectiveIds[0] : undefined;
  const [objective] = step ? objectivesOf(state, [weakestObjective(state, step, except) ?? other ?? ""]) : [];
  return step && objective ? { objective, stepId: step.stepId, sourceIds: step.sourceIds } : null;
}

/** What to ask about now, with the passages to ask from, or null; `except`: as in `checkTarget`. */
export async function checkInput(
  library: PassageLibrary,
  course: TutorCourse,
  state: TutorState,
  except: readonly string[] = [],
): Promise<CheckInput | null> {
  const target = checkTarget(state, except);
  if (!target) return null;
  const { objective, stepId, sourceIds } = target;
  const passages = await passagesFor(library, course, [objective], { sourceIds });
  const nearest = await nearestOf(library, course, objective, passages);
  return { objective, stepId, selection: wantedSelection(state), focus: focusOf(passages, target), nearest, passages };
}

/** How many passages are named as the nearest ones to an objective. */
const nearestNamed = 6;

/** The keys of the passages that the search for an objective finds first. */
export async function nearestOf(
  library: PassageLibrary,
  course: TutorCourse,
  objective: SessionObjective,
  passages: readonly TurnPassage[],
): Promise<string[]> {
  const rank = await rankFor(library, course, objective);
  const place = ({ passageId }: TurnPassage): number => rank.get(passageId) ?? rank.size;
  const found = passages.filter(({ passageId }) => rank.has(passageId)).toSorted((a, b) => place(a) - place(b));
  return found.slice(0, nearestNamed).map(({ key }) => key);
}

/** The keys of the passages a step was planned on. */
const focusOf = (passages: readonly TurnPassage[], step: Pick<Step, "sourceIds">): string[] =>
  passages.flatMap(({ key, sourceId }) => (step.sourceIds.includes(sourceId) ? key : []));

/** The text under an id of the learner's texts; null where it was deleted. */
type TextOf = (textId: string | null) => string | null;

/** The last answer and its question, if it was wrong. */
function lastMissed(state: TutorState): { item: TutorItem; answer: TutorAnswer } | undefined {
  const answer = latestAnswer(state)?.answer;
  const item = answer && !answer.correct ? state.items[answer.itemId] : undefined;
  return answer && item && { item, answer };
}

/** What the learner answered wrongly last on this step: the choices that they took, what they put together or wrote, and what is wrong in it. */
export function missedIn(state: TutorState, textOf: TextOf = () => null): string | null {
  const missed = lastMissed(state);
  if (!missed) return null;
  const { item, answer } = missed;
  const given = answeredWith(item, answer, textOf);
  if (given === null) return null;
  const { response } = givenIn(item, answer, textOf(answer.textId) ?? undefined);
  const errors = item.key && response ? responseErrors(item.key, response) : [];
  return [item.key?.markdown ?? item.prompt, given, ...(errors.length > 0 ? [JSON.stringify(errors)] : [])].join(" — ");
}

/** What was answered, in words; null where the learner deleted them. */
export function answeredWith(item: TutorItem, answer: TutorAnswer, textOf: TextOf): string | null {
  const text = textOf(answer.textId);
  const { response } = givenIn(item, answer, text ?? undefined);
  if (item.key && response) return responseText(item.key, response);
  const chosen = item.choices.filter(({ choiceId }) => answer.choiceIds.includes(choiceId)).map((choice) => choice.text);
  return chosen.length > 0 ? chosen.join("; ") : text;
}
