import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { SessionObjective, TutorEvent } from "@colloquy/schemas/events/tutor.ts";
import type { Step } from "@colloquy/schemas/tutor/session.ts";
import { evolve, type TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import { passagesFor, type TutorCourse } from "./course.ts";
import { decide, type TutorCommand } from "./decider.ts";
import type { Occasion } from "./draft.ts";
import { currentStep, nextWork, remaining, wantedSelection, weakest } from "./policy.ts";
import { type Asking, proposeCheck, proposePlan, teachStep } from "./proposals.ts";

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
  const objectivesOf = (ids: readonly string[]): SessionObjective[] =>
    state.objectives.filter(({ objectiveId }) => ids.includes(objectiveId));

  async function plan(): Promise<boolean> {
    const objectives = objectivesOf(remaining(state));
    const passages = await passagesFor(library, course, objectives);
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
    const step = currentStep(state);
    if (!step) return false;
    const objectives = objectivesOf(step.objectiveIds);
    const angle = (state.step.stepId === step.stepId ? state.step.taught : 0) + 1;
    const passages = await passagesFor(library, course, objectives, step.sourceIds);
    const focus = focusOf(passages, step);
    const taught = await teachStep(asking, passages, objectives, step, { angle, missed: missedIn(state), focus });
    carryOut({ type: "teach", ...occasion, stepId: step.stepId, ...taught });
    return taught.outcome === "finished";
  }

  async function check(): Promise<boolean> {
    const step = currentStep(state);
    const [objective] = step ? objectivesOf([weakest(state, step) ?? step.objectiveIds[0] ?? ""]) : [];
    if (!step || !objective) return false;
    const passages = await passagesFor(library, course, [objective], step.sourceIds);
    const target = { objective, stepId: step.stepId, selection: wantedSelection(state), focus: focusOf(passages, step) };
    const item = await proposeCheck(asking, { passages, course, newId, random }, state, target);
    // A step that nothing can be asked about is not held on to.
    carryOut(item ? { type: "ask", ...occasion, item } : { type: "leave step", ...occasion });
    return true;
  }

  const works = { plan, teach, check };
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

/** The keys of the passages a step was planned on. */
const focusOf = (passages: readonly TurnPassage[], step: Step): string[] =>
  passages.flatMap(({ key, sourceId }) => (step.sourceIds.includes(sourceId) ? key : []));

/** What the learner answered wrongly last on this step, in the words of the question's own choices. */
function missedIn(state: TutorState): string | null {
  const last = state.messages.findLast((message) => message.kind === "answer");
  if (last?.kind !== "answer" || last.answer.correct) return null;
  const item = state.items[last.answer.itemId];
  const chosen = item?.choices.filter(({ choiceId }) => last.answer.choiceIds.includes(choiceId)).map(({ text }) => text) ?? [];
  return item && chosen.length > 0 ? `${item.prompt} — ${chosen.join("; ")}` : null;
}
