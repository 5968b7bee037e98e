import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { passagesFor, type TutorCourse } from "./course.ts";
import type { Occasion } from "./draft.ts";
import { nextTask } from "./policy.ts";
import { type ModelContext, proposeCheck, proposePlan, proposeProbes, teachStep } from "./proposals.ts";
import type { SessionTurn } from "./sessions.ts";
import { shownIn } from "./shown-texts.ts";
import { checkInput, lessonInput, planInput, probeInput } from "./task-inputs.ts";
import { idsOf } from "./turns.ts";

interface Lesson {
  occasion: Occasion;
  course: TutorCourse;
  models: ModelContext;
}

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
    const { objectives, passages } = await probeInput(library, course, turn.state);
    const elsewhere = () => passagesFor(library, course, objectives, { except: passages });
    const probes = await proposeProbes(
      models,
      { passages, elsewhere, course, newId, random, shown: shownIn(turn.state) },
      objectives,
      turn.state.askedBefore,
    );
    turn.decide({ type: "prepare probes", ...occasion, probes });
    return true;
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
    const elsewhere = () => passagesFor(library, course, [target.objective], { except: passages });
    const item = await proposeCheck(models, { passages, elsewhere, course, newId, random, shown: shownIn(turn.state) }, turn.state, target);
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
