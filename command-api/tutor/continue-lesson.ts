import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { SessionObjective, TutorEvent, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { helpOf } from "@colloquy/schemas/tutor/help.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import { authoredCheck, authoredProbes, canJudge } from "./authored.ts";
import { nearnessTo, passagesFor, type TutorCourse } from "./course.ts";
import type { Occasion } from "./draft.ts";
import type { ItemPlace } from "./items.ts";
import type { LearnerWords } from "./learner-words.ts";
import type { ModelContext } from "./model-calls.ts";
import { nextTask } from "./policy.ts";
import { practiceItem } from "./practice-item.ts";
import { preparedCheck } from "./prepared-check.ts";
import { proposeCheck, proposePlan, proposeProbes, type QuestionMaker, teachStep } from "./proposals.ts";
import { type QuestionGate, questionGate, refusal } from "./question-gate.ts";
import type { Refused } from "./second-look.ts";
import type { SessionTurn } from "./sessions.ts";
import { isReadOff, type Statement, shownIn, statementsIn, statementsShown } from "./shown-texts.ts";
import { type CheckInput, checkInput, lessonInput, planInput } from "./task-inputs.ts";
import { idsOf } from "./turns.ts";

interface Lesson {
  occasion: Occasion;
  course: TutorCourse;
  models: ModelContext;
  learner: LearnerWords;
  /** What the learner was shown outside of the session. */
  revealed: readonly Statement[];
}

/** Keeps a session that no model can continue from asking models without end. */
const mostTasks = 6;

/** Whether an event is an answer of the learner's. */
export const isAnswer = ({ type }: Pick<TutorEvent, "type">): boolean => type === "ProbeAnswered" || type === "CheckAnswered";

/**
 * Decides what models have to add before it is the learner's turn again: diagnostic questions, a verified plan, a taught step, a question.
 * When a model fails, the turn fails and the session stays as it was.
 * @throws {ProblemError} whatever the model gateway throws; the signal's reason
 */
export async function continueLesson(
  { library, random }: { library: PassageLibrary; random(): number },
  turn: Pick<SessionTurn, "state" | "events" | "decide">,
  { occasion, course, models, learner, revealed }: Lesson,
): Promise<{ unverified: boolean }> {
  const newId = idsOf(turn.state.sessionId, occasion.requestId)("made");
  const shownNow = () => shownIn(turn.state, learner.replies, revealed);
  const refused: Refused[] = [];
  const gate = questionGate(models, {
    objectives: turn.state.objectives,
    revealed: () => statementsShown(shownNow()),
    refuse: (one) => refused.push(one),
  });
  /** Records what a second look refused; apart from it, for that may go on while a lesson is read. */
  function recordRefused(): void {
    for (const one of refused.splice(0)) turn.decide(refusal(occasion, one));
  }

  async function probe(): Promise<boolean> {
    const { own, without } = authoredProbes(turn.state, newId, { course, shown: shownNow() });
    // What no answer can show is not asked before the lesson on it, unless nothing else is to be asked.
    const isWanted = mayPractise() ? own.length === 0 : without.length > 0 && mayGenerate();
    const generated = isWanted ? await generatedProbes(without, own) : [];
    recordRefused();
    const probes = [...own, ...generated];
    // Without any, the session would wait for nothing.
    if (probes.length === 0) throw new ProblemError("questions_shown");
    turn.decide({ type: "prepare probes", ...occasion, probes });
    return true;
  }

  /** Without a model that can check questions, what one writes is practice. */
  const mayGenerate = (): boolean => canJudge(models.gateway, models.model) || turn.state.practice === true;

  const mayPractise = (): boolean => !canJudge(models.gateway, models.model) && turn.state.practice === true;

  /** A question of the page's own text, where nothing that is asked can count. */
  async function practice(
    objective: SessionObjective,
    place: Omit<ItemPlace, "objectiveId">,
    passages: readonly TurnPassage[],
  ): Promise<TutorItem | null> {
    if (!mayPractise()) return null;
    const sourceIds = passages.map(({ sourceId }) => sourceId);
    const nearness = await nearnessTo(library, course, objective);
    return practiceItem(turn.state, objective, place, newId, { course, shown: shownNow(), sourceIds, nearness });
  }

  const practiceCheck = ({ objective, stepId, passages }: CheckInput): Promise<TutorItem | null> =>
    practice(objective, { kind: "check", stepId, breadth: "narrow" }, passages);

  async function generatedProbes(objectives: readonly SessionObjective[], own: readonly TutorItem[]): Promise<TutorItem[]> {
    const passages = await passagesFor(library, course, objectives);
    const elsewhere = () => passagesFor(library, course, objectives, { except: passages });
    const shown = shownNow();
    const statements = [...shown.statements, ...own.flatMap(statementsIn)];
    try {
      const maker = { passages, elsewhere, gate, course, newId, random, shown: { ...shown, statements } };
      return await proposeProbes(models, maker, objectives, turn.state.askedBefore);
    } catch (error) {
      if (own.length > 0 && error instanceof ProblemError && error.code === "nothing_to_ask") return [];
      throw error;
    }
  }

  async function plan(): Promise<boolean> {
    const { objectives, passages } = await planInput(library, course, turn.state);
    for (let attempt = 1; attempt <= bounds.tutor.planTries; attempt += 1) {
      const { steps, findings, by, verifiedBy } = await proposePlan(models, turn.state, passages, objectives, newId, learner);
      if (findings.length === 0) {
        turn.decide({ type: "install plan", ...occasion, steps, by, verifiedBy });
        return true;
      }
      turn.decide({ type: "refuse plan", ...occasion, attempt, steps, findings, by });
    }
    turn.decide({ type: "give up planning", ...occasion });
    return false;
  }

  /** What the step is to be followed by, begun before it is taught. */
  let prepared: ReturnType<typeof preparedCheck> | null = null;

  async function teach(): Promise<boolean> {
    const asked = await checkInput(library, course, turn.state);
    const own = authored();
    let target = own ?? (asked && (await practiceCheck(asked)));
    if (asked && !target && mayGenerate()) {
      prepared = preparedCheck(gate, (before) => proposed(asked, before));
      target = await prepared.draft;
    }
    const wanted = await lessonInput(library, course, turn.state, { target, textOf: learner.textOf });
    if (!wanted) return false;
    const { step, objectives, passages, ...how } = wanted;
    const taught = await teachStep(models, passages, objectives, step, { ...how, learner });
    turn.decide({ type: "teach", ...occasion, stepId: step.stepId, ...taught });
    return taught.outcome === "finished";
  }

  /** The question of the course's own to ask next, where one is left. */
  const authored = (): TutorItem | null =>
    authoredCheck(turn.state, newId, { course, shown: shownNow(), judged: canJudge(models.gateway, models.model) });

  /** A question that a model writes, looked over a second time. */
  function proposed({ passages, ...target }: CheckInput, by: QuestionGate): Promise<TutorItem | null> {
    const elsewhere = () => passagesFor(library, course, [target.objective], { except: passages });
    const maker: QuestionMaker = { passages, elsewhere, gate: by, course, newId, random, shown: shownNow() };
    return proposeCheck(models, maker, turn.state, { ...target, learner });
  }

  /** What was prepared before the lesson; another question where that showed its answer. */
  async function written(wanted: CheckInput): Promise<TutorItem | null> {
    const before = prepared;
    prepared = null;
    if (!before) return proposed(wanted, gate);
    models.emit(versioned({ kind: "status" as const, phase: "checking" as const, elapsedMs: models.elapsedMs() }));
    models.signal.throwIfAborted();
    const item = await before.item;
    if (!item) return null;
    const asked = { ...item, ...(isReadOff(item, shownNow().texts) && { shown: true }) };
    return helpOf(turn.state, asked) === null ? asked : proposed(wanted, gate);
  }

  async function check(): Promise<boolean> {
    let wanted = await checkInput(library, course, turn.state);
    if (!wanted) return false;
    let item: TutorItem | null = authored();
    const tried: string[] = [];
    while (!item && wanted) {
      item = (await practiceCheck(wanted)) ?? (mayGenerate() ? await written(wanted) : null);
      tried.push(wanted.objective.objectiveId);
      // In practice another objective of the step takes the place of one on which there is nothing to ask.
      wanted = turn.state.practice ? await checkInput(library, course, turn.state, tried) : null;
    }
    recordRefused();
    // A step without a question is left for later.
    turn.decide(item ? { type: "ask", ...occasion, item } : { type: "leave step", ...occasion });
    return true;
  }

  const tasks = { probe, plan, teach, check };
  for (let count = 0; count < mostTasks; count += 1) {
    const work = nextTask(turn.state);
    if (!work) break;
    try {
      if (await tasks[work]()) continue;
    } catch (error) {
      // A learner who stops after a step was taught has read it: its question comes when they resume. An answer that was marked stands.
      const isKept = (work === "check" && turn.events.some(({ type }) => type === "StepTaught")) || turn.events.some(isAnswer);
      if (!models.signal.aborted || !models.streamed || !isKept) throw error;
      return { unverified: false };
    }
    return { unverified: work === "plan" };
  }
  return { unverified: false };
}
