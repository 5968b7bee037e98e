import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { TutorEvent } from "@colloquy/schemas/events/tutor.ts";
import { evolve, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { TutorCommand } from "./commands.ts";
import { passagesFor, type TutorCourse } from "./course.ts";
import { decide } from "./decider.ts";
import type { Occasion } from "./draft.ts";
import { nextWork } from "./policy.ts";
import { type Asking, proposeCheck, proposePlan, proposeProbes, teachStep } from "./proposals.ts";
import { beginningsToAsk, lessonToTeach, pathToPlan, questionToAsk } from "./work.ts";

interface Begun {
  /** Before the turn. */
  state: TutorState;
  /** What the learner's own action has led to. */
  events: readonly TutorEvent[];
  occasion: Occasion;
  course: TutorCourse;
  asking: Asking;
}

/** More would be a session that goes round in circles without its learner. */
const mostWorks = 6;

/**
 * Does what models have to add before the learner can go on: a verified plan, a step taught, a question. Nothing is appended here: what
 * a model fails at leaves the session as it was.
 * @throws {ProblemError} whatever the model gateway throws; the signal's reason
 */
export async function goOn(
  { library, random }: { library: PassageLibrary; random(): number },
  { state: before, events: first, occasion, course, asking }: Begun,
): Promise<{ events: readonly TutorEvent[]; unverified: boolean }> {
  const events = [...first];
  let state = first.reduce(evolve, before);
  let made = 0;
  const newId = (): string => {
    made += 1;
    return eventIdFrom("tutor id", state.sessionId, occasion.requestId, "made", String(made));
  };
  const carryOut = (command: TutorCommand): void => {
    const decision = decide(command, state);
    if (!decision.ok) throw new ProblemError(decision.code, { detail: decision.detail });
    events.push(...decision.events);
    state = decision.events.reduce(evolve, state);
  };
  async function probe(): Promise<boolean> {
    const { objectives, passages } = await beginningsToAsk(library, course, state);
    const elsewhere = () => passagesFor(library, course, objectives, { except: passages });
    const probes = await proposeProbes(asking, { passages, elsewhere, course, newId, random }, objectives, state.askedBefore);
    carryOut({ type: "prepare probes", ...occasion, probes });
    return true;
  }

  async function plan(): Promise<boolean> {
    const { objectives, passages } = await pathToPlan(library, course, state);
    for (let attempt = 1; attempt <= bounds.tutor.planTries; attempt += 1) {
      const { steps, findings, by, verifiedBy } = await proposePlan(asking, state, passages, objectives, newId);
      if (findings.length === 0) {
        carryOut({ type: "install plan", ...occasion, steps, by, verifiedBy });
        return true;
      }
      carryOut({ type: "refuse plan", ...occasion, attempt, steps, findings, by });
    }
    carryOut({ type: "give up planning", ...occasion });
    return false;
  }

  async function teach(): Promise<boolean> {
    const wanted = await lessonToTeach(library, course, state);
    if (!wanted) return false;
    const { step, objectives, passages, ...how } = wanted;
    const taught = await teachStep(asking, passages, objectives, step, how);
    carryOut({ type: "teach", ...occasion, stepId: step.stepId, ...taught });
    return taught.outcome === "finished";
  }

  async function check(): Promise<boolean> {
    const wanted = await questionToAsk(library, course, state);
    if (!wanted) return false;
    const { passages, ...target } = wanted;
    const elsewhere = () => passagesFor(library, course, [target.objective], { except: passages });
    const item = await proposeCheck(asking, { passages, elsewhere, course, newId, random }, state, target);
    // A step that nothing can be asked about is not held on to.
    carryOut(item ? { type: "ask", ...occasion, item } : { type: "leave step", ...occasion });
    return true;
  }

  const works = { probe, plan, teach, check };
  for (let count = 0; count < mostWorks; count += 1) {
    const work = nextWork(state);
    if (!work) break;
    try {
      if (await works[work]()) continue;
    } catch (error) {
      // Who stops after a step was taught has read it: its question comes when they go on.
      const hasRead = asking.signal.aborted && asking.streamed && work === "check" && events.some(({ type }) => type === "StepTaught");
      if (!hasRead) throw error;
      return { events, unverified: false };
    }
    return { events, unverified: work === "plan" };
  }
  return { events, unverified: false };
}
