import type { TutorEventData } from "@colloquy/schemas/tutor/events.ts";
import type { EvidenceEntry } from "@colloquy/schemas/tutor/ledger.ts";
import type { Reason } from "@colloquy/schemas/tutor/session.ts";
import type { Draft } from "./draft.ts";
import { currentStep, decideAfterAnswer, nextProbe, remainingObjectives } from "./policy.ts";

/** What follows from an answer, and that it is said and recorded. Pure. */

/** The next first question; after the last one all may be mastered. */
export function askNextProbe(draft: Draft): void {
  const next = nextProbe(draft.state);
  if (next) draft.emit("ProbeAsked", { itemId: next.itemId });
  else completeIfMastered(draft);
}

/** The end when everything is mastered already. Else what is next follows from the phase: first questions, or a plan. */
export function completeIfMastered(draft: Draft): void {
  if (remainingObjectives(draft.state).length === 0) complete(draft);
}

/** What an answer to a step's question leads to. */
export function adapt(draft: Draft, answered: Parameters<typeof decideAfterAnswer>[2]): void {
  const step = currentStep(draft.state);
  if (!step) {
    complete(draft);
    return;
  }
  const { decision, reason } = decideAfterAnswer(draft.state, step, answered);
  const { stepId } = step;
  if (decision === "reinforce") {
    decideAdapt(draft, { decision, reason, stepId, phase: reason === "wrong_answer" ? "teaching" : "checking" });
    return;
  }
  if (decision === "replan") {
    decideAdapt(draft, { decision, reason, stepId, phase: "planning" });
    return;
  }
  decideAdapt(draft, { decision, reason, stepId, phase: "teaching" });
  if (!currentStep(draft.state)) complete(draft);
}

/** Ends the session. */
export function complete(draft: Draft): void {
  const { path } = draft.state.ledger;
  draft.emit("SessionCompleted", {});
  decideAdapt(draft, {
    decision: "complete",
    reason: path.some((step) => step.state === "skipped") ? "nothing_left" : "mastered",
    phase: "completed",
  });
}

type Adapted = { decision: TutorEventData["AdaptDecided"]["decision"]; reason: Reason; stepId?: string } & Pick<EvidenceEntry, "phase"> &
  Partial<Pick<EvidenceEntry, "objectiveIds" | "itemId" | "sourceIds" | "model" | "disputes" | "response">>;

/** Says what is decided, and why, and records it. */
export function decideAdapt(draft: Draft, { decision, reason, stepId, ...entry }: Adapted): void {
  const name = `${decision} ${draft.state.ledger.count}`;
  draft.emit("AdaptDecided", { messageId: draft.id(name), decision, reason, stepId: stepId ?? null });
  const objectiveIds = draft.state.ledger.path.find((step) => step.stepId === stepId)?.objectiveIds ?? [];
  draft.record({ kind: "adapt", objectiveIds, decision, reason, ...(stepId !== undefined && { stepId }), ...entry });
}
