import type { GeneratedPlan } from "@colloquy/schemas/generation/tutor.ts";
import type { SessionObjective } from "@colloquy/schemas/tutor/events.ts";
import type { PlannedStep } from "@colloquy/schemas/tutor/ledger.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";

export type ProposedStep = PlannedStep & { reason: string };

/**
 * A model's plan in our ids, and what the application itself finds wrong with it: sources that were not given, objectives left out,
 * taught twice or not the session's, prerequisites that do not come before. Pure.
 */
export function checkedPlan(
  plan: GeneratedPlan,
  passages: readonly TurnPassage[],
  objectives: readonly SessionObjective[],
  newId: () => string,
): { steps: ProposedStep[]; findings: string[] } {
  const findings: string[] = [];
  const known = new Set(objectives.map(({ objectiveId }) => objectiveId));
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const taught = new Set<string>();
  const ids = new Map<string, string>();
  const steps: ProposedStep[] = [];
  for (const { key, title, objectiveIds, passages: named, prerequisites, reason } of plan.steps) {
    const grounds = named.flatMap((one) => byKey.get(one) ?? []);
    if (grounds.length < named.length) findings.push(`“${title}” names a passage that was not given.`);
    const own = objectiveIds.filter((objectiveId) => known.has(objectiveId));
    if (own.length < objectiveIds.length) findings.push(`“${title}” has an objective that is not the session's.`);
    const fresh = own.filter((objectiveId) => !taught.has(objectiveId));
    if (fresh.length < own.length) findings.push(`“${title}” teaches an objective of an earlier step again.`);
    if (fresh.length === 0) findings.push(`“${title}” leads to no objective.`);
    for (const before of prerequisites) if (!ids.has(before)) findings.push(`“${title}” needs ${before}, which does not come before it.`);
    for (const objectiveId of fresh) taught.add(objectiveId);
    ids.set(key, newId());
    steps.push({
      stepId: ids.get(key) ?? "",
      title,
      objectiveIds: fresh,
      reason,
      sourceIds: [...new Set(grounds.map(({ sourceId }) => sourceId))],
      prerequisites: prerequisites.flatMap((before) => ids.get(before) ?? []),
    });
  }
  for (const { objectiveId, title } of objectives) if (!taught.has(objectiveId)) findings.push(`No step leads to “${title}”.`);
  return { steps, findings };
}
