import type { AuditRecord } from "@colloquy/schemas/audit/requests.ts";

export const hash = "0".repeat(64);

/** A session of so many answers; every third is wrong. */
export function recordOf(count: number, more: Partial<AuditRecord> = {}): AuditRecord {
  const at = "2026-11-20T10:00:00.000Z";
  const moments = Array.from({ length: count }, (_, index): AuditRecord["moments"][number] => ({
    event: index * 2,
    at,
    message: null,
    model: "p1/a-model",
    entry: {
      schemaVersion: 1,
      index,
      entryId: `entry-${index}-0000`,
      at,
      kind: "check",
      objectiveIds: ["objective-1"],
      itemId: "item-0001",
      correct: index % 3 !== 0,
      aided: false,
      gradedBy: "application",
      selection: "single",
      choices: 4,
      evidence: { kind: "recognition", guess: 0.4, slip: 0.08, counts: true },
      standings: { "objective-1": "none" },
      sourceIds: [],
      courseRevisionId: "revision-1",
      masteryBefore: { "objective-1": 0.71 },
      masteryAfter: { "objective-1": 0.89 },
      phase: "checking",
      previousHash: hash,
      hash,
    },
  }));
  return {
    session: {
      sessionId: "session-0001",
      learner: "amber-heron-7kq2xdm",
      courseId: "course-01",
      courseTitle: "The Unix Shell",
      courseRevisionId: "revision-1",
      phase: "checking",
      startedAt: at,
      updatedAt: at,
      entries: count,
      objectives: [{ objectiveId: "objective-1", title: "Sort and head", probability: 0.89 }],
    },
    moments,
    replay: { phase: "checking", paused: false, path: [] },
    verification: {
      unproven: [],
      entries: count,
      checkpoints: 1,
      keyIds: ["0123456789abcdef"],
      chain: "sound",
      tree: "sound",
      signatures: "sound",
      fault: null,
    },
    differences: [],
    ...more,
  };
}
