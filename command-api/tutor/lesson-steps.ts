import type { TutorEventData } from "@colloquy/schemas/tutor/events.ts";
import type { PlannedStep } from "@colloquy/schemas/tutor/ledger.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { askNextProbe, complete, decideAdapt } from "./adapting.ts";
import type { CommandOf } from "./commands.ts";
import { type Decision, type Draft, draftFrom, nameOf, reject } from "./draft.ts";
import { currentStep, nextTask } from "./policy.ts";

/** What a model, an assistant or the course adds to a lesson: first questions, a plan, a taught step, a question. Pure. */

/** The first questions of a session: what the learner knows of what no answer speaks of yet. */
export function prepareProbes(command: CommandOf<"prepare probes">, state: TutorState): Decision {
  if (nextTask(state) !== "probe") return reject("wrong_phase", "No diagnostic questions are wanted now.");
  const draft = draftFrom(state, command);
  draft.emit("ProbesPrepared", { items: command.probes });
  askNextProbe(draft);
  return draft.events;
}

/** A plan that is installed or refused, or the end of planning for now. */
export function planned(command: CommandOf<"refuse plan" | "give up planning" | "install plan">, state: TutorState): Decision {
  if (state.ledger.phase !== "planning") return reject("wrong_phase", "No plan is wanted now.");
  const draft = draftFrom(state, command);
  if (command.type === "give up planning") {
    decideAdapt(draft, { decision: "wait", reason: "plan_unverified", phase: "planning" });
    return draft.events;
  }
  const kept = state.ledger.path.filter((step) => step.state === "mastered" || step.state === "skipped");
  const steps: PlannedStep[] = [...kept.map(({ state: _, ...step }) => step), ...command.steps.map(withoutReason)];
  const objectiveIds = [...new Set(command.steps.flatMap((step) => step.objectiveIds))];
  const sourceIds = [...new Set(command.steps.flatMap((step) => step.sourceIds))];
  const shown = command.steps.map(({ stepId, title }) => ({ stepId, title }));
  const common = { kind: "plan" as const, objectiveIds, sourceIds, model: nameOf(command.by) };
  if (command.type === "refuse plan") {
    const { attempt, findings, by } = command;
    draft.emit("PlanRejected", { messageId: draft.id(`plan ${attempt}`), attempt, steps: shown, findings, by });
    draft.record({ ...common, phase: "planning", verified: false });
    return draft.events;
  }
  draft.emit("PlanVerified", { by: command.verifiedBy });
  const why = command.steps.map(({ stepId, title, reason }) => ({ stepId, title, reason }));
  draft.emit("PlanInstalled", { messageId: draft.id("plan"), steps: why, by: command.by });
  draft.record({ ...common, phase: "teaching", verified: true, steps });
  if (!currentStep(draft.state)) complete(draft);
  return draft.events;
}

const withoutReason = ({ stepId, title, objectiveIds, sourceIds, prerequisites }: PlannedStep): PlannedStep => ({
  stepId,
  title,
  objectiveIds,
  sourceIds,
  prerequisites,
});

/** A lesson on the current step. */
export function teach(command: CommandOf<"teach">, state: TutorState): Decision {
  const step = currentStep(state);
  if (!step || step.stepId !== command.stepId || state.current !== null) return reject("wrong_phase", "This step is not taught now.");
  const draft = draftFrom(state, command);
  const { stepId, text, citations, outcome, nothingElse, by } = command;
  const angle = (state.step.stepId === stepId ? state.step.taught : 0) + 1;
  draft.emit("StepTaught", {
    messageId: draft.id(`teach ${stepId} ${angle}`),
    stepId,
    objectiveIds: step.objectiveIds,
    title: step.title,
    text,
    citations,
    angle,
    outcome,
    ...(nothingElse && { nothingElse }),
    by,
  });
  decideTeaching(draft, { stepId, angle, citations, outcome, by });
  return draft.events;
}

/** Teaching is no decision of its own kind in the wire's list of entries: it is recorded as one to teach. */
function decideTeaching(
  draft: Draft,
  { stepId, angle, citations, outcome, by }: Pick<TutorEventData["StepTaught"], "stepId" | "angle" | "citations" | "outcome" | "by">,
): void {
  const step = draft.state.ledger.path.find((one) => one.stepId === stepId);
  draft.record({
    kind: "adapt",
    decision: "teach",
    reason: angle > 1 ? "another_angle" : "next_step",
    stepId,
    model: nameOf(by),
    objectiveIds: step?.objectiveIds ?? [],
    sourceIds: [...new Set(citations.map(({ sourceId }) => sourceId))],
    phase: outcome === "finished" ? "checking" : "teaching",
  });
}

/** The question that follows a lesson. */
export function ask(command: CommandOf<"ask">, state: TutorState): Decision {
  const { item } = command;
  if (state.current !== null || !state.step.awaitsItem) return reject("wrong_phase", "No question is wanted now.");
  const last = state.items[state.asked.at(-1) ?? ""];
  if (last?.sameness === item.sameness) return reject("ai_unavailable", "The same question came twice in a row.");
  const draft = draftFrom(state, command);
  draft.emit("CheckAsked", { item });
  return draft.events;
}

/** Nothing can be asked about the current step: it is left for later. */
export function leave(command: CommandOf<"leave step">, state: TutorState): Decision {
  const step = currentStep(state);
  if (!step || state.current !== null) return reject("wrong_phase", "No step is taught now.");
  const draft = draftFrom(state, command);
  const reason = state.practice && state.step.asked > 0 ? "practice_only" : "no_new_question";
  decideAdapt(draft, { decision: "advance", reason, stepId: step.stepId, phase: "teaching" });
  if (!currentStep(draft.state)) complete(draft);
  return draft.events;
}
