import { z } from "zod";
import { bounds } from "../bounds.ts";
import { id, payload, readQuery, time } from "../payload.ts";
import { evidenceEntry } from "../tutor/ledger.ts";
import { unprovenKinds } from "../tutor/recompute.ts";
import { step, tutorMessage, tutorPhase } from "../tutor/session.ts";

/** What an auditor reads: sessions by a pseudonym of their learner, never by name or account. */

/** Stands for a learner, the same in every session: `amber-heron-7kq2xdm`. */
export const pseudonym = z.string().regex(/^[a-z]{3,9}-[a-z]{3,9}-[a-z2-7]{7}$/, "expected a pseudonym such as amber-heron-7kq2xdm");

/** The query string of `GET /api/audit/sessions`. A session is found when its time overlaps the one asked for. */
export const auditQuery = readQuery.extend({
  /** A course's id, or part of its title. */
  course: z.string().trim().max(bounds.audit.queryLength).optional(),
  /** An objective's id, or part of its words. */
  objective: z.string().trim().max(bounds.audit.queryLength).optional(),
  learner: pseudonym.optional(),
  from: time.optional(),
  to: time.optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(bounds.audit.pageSize).default(bounds.audit.pageSize),
});

export const auditedSession = z.strictObject({
  sessionId: id,
  learner: pseudonym,
  courseId: id,
  courseTitle: z.string(),
  courseRevisionId: id,
  phase: tutorPhase,
  startedAt: time,
  updatedAt: time,
  /** Of its ledger. */
  entries: z.int().min(0),
  /** With the probability its last entry states; the order is the session's. */
  objectives: z.array(z.strictObject({ objectiveId: id, title: z.string(), probability: z.number().min(0).max(1) })),
});
export type AuditedSession = z.infer<typeof auditedSession>;

export const auditedSessionsResponse = payload({ sessions: z.array(auditedSession), cursor: z.string().nullable() });
export type AuditedSessionsResponse = z.infer<typeof auditedSessionsResponse>;

/** One thing that happened: what the learner saw or did, and the entry it left in the ledger. Either may be missing, not both. */
export const auditMoment = z.strictObject({
  /** Number of its event in the session's stream. */
  event: z.int().min(0),
  at: time,
  /** As it stood at the end of the session. A learner's own words are null: they may name somebody. */
  message: tutorMessage.nullable(),
  entry: evidenceEntry.nullable(),
  /** `provider/model` of whoever wrote what was shown. */
  model: z.string().nullable(),
});
export type AuditMoment = z.infer<typeof auditMoment>;

/** What is wrong with a ledger, at the first line of its export that is; `code` is one of `faultCodes` (docs/run/auditing.md). */
const ledgerFault = z.strictObject({ line: z.int().min(1), index: z.int().min(0).nullable(), code: z.string(), message: z.string() });

export const auditVerification = z.strictObject({
  entries: z.int().min(0),
  checkpoints: z.int().min(0),
  keyIds: z.array(z.string()),
  /** What was found of each: sound, at fault, or not reached because of an earlier fault. */
  chain: z.enum(["sound", "fault", "unknown"]),
  tree: z.enum(["sound", "fault", "unknown"]),
  signatures: z.enum(["sound", "fault", "unknown"]),
  /** What entries state and the ledger alone does not prove, by the index of the entry. */
  unproven: z.array(z.strictObject({ index: z.int().min(0), what: z.enum(unprovenKinds) })),
  fault: ledgerFault.nullable(),
});
export type AuditVerification = z.infer<typeof auditVerification>;

/** Something that was live and that the replay gives otherwise. */
export const auditDifference = z.strictObject({
  /** Of the entry it was found at; null where it is of the session as it stands. */
  index: z.int().min(0).nullable(),
  of: z.enum(["mastery", "phase", "pause", "path", "answer"]),
  subject: z.string(),
  live: z.string(),
  replay: z.string(),
});
export type AuditDifference = z.infer<typeof auditDifference>;

/** `GET /api/audit/sessions/:sessionId`: everything a replay needs. */
export const auditRecord = z.strictObject({
  session: auditedSession,
  moments: z.array(auditMoment),
  /** What the ledger comes to. */
  replay: z.strictObject({ phase: tutorPhase, paused: z.boolean(), path: z.array(step) }),
  verification: auditVerification,
  differences: z.array(auditDifference),
});
export type AuditRecord = z.infer<typeof auditRecord>;
export const auditRecordResponse = payload({ record: auditRecord });
export type AuditRecordResponse = z.infer<typeof auditRecordResponse>;
