import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { SessionObjective, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { authoredProbes, canJudge, nextAuthored } from "./authored.ts";
import { passagesFor, type TutorCourse } from "./course.ts";
import type { Occasion } from "./draft.ts";
import { nextTask, objectivesToProbe } from "./policy.ts";
import { type ModelContext, proposeCheck, proposePlan, proposeProbes, teachStep } from "./proposals.ts";
import type { SessionTurn } from "./sessions.ts";
import { shownIn, statementsIn } from "./shown-texts.ts";
import { checkInput, lessonInput, planInput } from "./task-inputs.ts";
import { idsOf } from "./turns.ts";

interface Lesson {
  occasion: Occasion;
  course: TutorCourse;
  models: ModelContext;
}

/** Questions of the course's own that are prepared to find out what is known of one objective. */
const probesOfOne = { least: 2, most: 4 };

/** Keeps a session that no model can continue from asking models without end. */
const mostTasks = 6;

/**
 * Decides what models have to add before it is the learner's turn again: diagnostic questions, a verified plan, a taught step, a question.
 * When a model fails, the turn fails and the session stays as it was.
 * @throws {ProblemError} whatever the model gateway throws; the signal's reason
 */
export async function continueLesson(
  { library, random }: { library: PassageLibrary; random(): number },
  turn: Pick<SessionTurn, "state" | "events" | "decide">,
  { occasion, course, models }: Lesson,
): Promise<{ unverified: boolean }> {
  const newId = idsOf(turn.state.sessionId, occasion.requestId)("made");

  async function probe(): Promise<boolean> {
    const all = objectivesToProbe(turn.state);
    const most = Math.min(probesOfOne.most, Math.max(probesOfOne.least, Math.ceil(bounds.tutor.probes / all.length)));
    const own = authoredProbes(turn.state, all, most, newId, { course, shown: shownIn(turn.state) });
    const without = all.filter(({ objectiveId }) => !own.some((item) => item.objectiveId === objectiveId));
    const generated = without.length > 0 && mayGenerate() ? await generatedProbes(without, own) : [];
    turn.decide({ type: "prepare probes", ...occasion, probes: [...own, ...generated] });
    return true;
  }

  /** Without a model that can check questions, what one writes is practice. */
  const mayGenerate = (): boolean => canJudge(models.gateway, models.model) || turn.state.practice === true;

  async function generatedProbes(objectives: readonly SessionObjective[], own: readonly TutorItem[]): Promise<TutorItem[]> {
    const passages = await passagesFor(library, course, objectives);
    const elsewhere = () => passagesFor(library, course, objectives, { except: passages });
    const shown = shownIn(turn.state);
    const statements = [...shown.statements, ...own.flatMap(statementsIn)];
    try {
      const maker = { passages, elsewhere, course, newId, random, shown: { ...shown, statements } };
      return await proposeProbes(models, maker, objectives, turn.state.askedBefore);
    } catch (error) {
      if (own.length > 0 && error instanceof ProblemError && error.code === "nothing_to_ask") return [];
      throw error;
    }
  }

  async function plan(): Promise<boolean> {
    const { objectives, passages } = await planInput(library, course, turn.state);
    for (let attempt = 1; attempt <= bounds.tutor.planTries; attempt += 1) {
      const { steps, findings, by, verifiedBy } = await proposePlan(models, turn.state, passages, objectives, newId);
      if (findings.length === 0) {
        turn.decide({ type: "install plan", ...occasion, steps, by, verifiedBy });
        return true;
      }
      turn.decide({ type: "refuse plan", ...occasion, attempt, steps, findings, by });
    }
    turn.decide({ type: "give up planning", ...occasion });
    return false;
  }

  async function teach(): Promise<boolean> {
    const wanted = await lessonInput(library, course, turn.state);
    if (!wanted) return false;
    const { step, objectives, passages, ...how } = wanted;
    const taught = await teachStep(models, passages, objectives, step, how);
    turn.decide({ type: "teach", ...occasion, stepId: step.stepId, ...taught });
    return taught.outcome === "finished";
  }

  async function check(): Promise<boolean> {
    const wanted = await checkInput(library, course, turn.state);
    if (!wanted) return false;
    const { passages, ...target } = wanted;
    const shown = shownIn(turn.state);
    const judged = canJudge(models.gateway, models.model);
    const own = nextAuthored(turn.state, target.objective, target.stepId, newId, { course, shown, judged });
    if (own || !mayGenerate()) {
      turn.decide(own ? { type: "ask", ...occasion, item: own } : { type: "leave step", ...occasion });
      return true;
    }
    const elsewhere = () => passagesFor(library, course, [target.objective], { except: passages });
    const item = await proposeCheck(models, { passages, elsewhere, course, newId, random, shown }, turn.state, target);
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
      // A learner who stops after a step was taught has read it: its question comes when they resume.
      const hasRead = models.signal.aborted && models.streamed && work === "check" && turn.events.some(({ type }) => type === "StepTaught");
      if (!hasRead) throw error;
      return { unverified: false };
    }
    return { unverified: work === "plan" };
  }
  return { unverified: false };
}
