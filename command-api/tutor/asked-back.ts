import { commitmentOf } from "@colloquy/infra/ledger/chain.ts";
import type { CommandOf } from "./commands.ts";
import { type Decision, type Draft, nameOf, reject } from "./draft.ts";
import { currentStep } from "./policy.ts";

/**
 * A learner who asks back is answered, and the session goes on where it was: for the question that waits it was help, unless the course
 * says nothing about it. Pure.
 */
export function askedBack({ text, reply }: CommandOf<"act">, draft: Draft): Decision {
  if (!text || !reply) return reject("invalid_request", "A question has words.");
  const { current, items, ledger } = draft.state;
  const item = current === null ? undefined : items[current];
  const step = currentStep(draft.state);
  const { foundNothing } = reply;
  draft.emit("LearnerAsked", {
    messageId: draft.id("asked"),
    textId: text.textId,
    replyTextId: reply.text.textId,
    itemId: item?.itemId ?? null,
    citations: reply.citations,
    outcome: reply.outcome,
    ...(foundNothing && { foundNothing }),
    ...(reply.by && { by: reply.by }),
  });
  draft.record({
    kind: "asked",
    phase: ledger.phase,
    objectiveIds: item ? [item.objectiveId] : (step?.objectiveIds ?? []),
    // By the item a verifier knows what had help.
    ...(item && !foundNothing && { itemId: item.itemId }),
    ...(step && { stepId: step.stepId }),
    aided: !foundNothing,
    response: { commitment: commitmentOf(text.salt, text.text) },
    sourceIds: [...new Set(reply.citations.map(({ sourceId }) => sourceId))],
    ...(reply.by && { model: nameOf(reply.by) }),
  });
  return draft.events;
}
