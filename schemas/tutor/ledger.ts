import { z } from "zod";
import { bounds } from "../bounds.ts";
import { connectorBounds } from "../connector-bounds.ts";
import { id, payload, time } from "../payload.ts";
import { authoredKey } from "../questions/key.ts";
import { questionResponse } from "../questions/response.ts";
import { evidenceKinds } from "./evidence.ts";
import { standings } from "./mastery-standing.ts";
import { choiceId, decision, helps, reason, selections, step, tutorPhase } from "./session.ts";

/** The evidence of one session as it is kept and exported: see docs/build/tutor.md for how it is chained, signed and verified. */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "expected SHA-256 in lower-case hex");
const probabilities = z.record(id, z.number().min(0).max(1));

export const entryKinds = ["opened", "probe", "check", "hint", "explanation", "asked", "self_report", "plan", "adapt"] as const;
export type EntryKind = (typeof entryKinds)[number];

const parameters1 = z.strictObject({
  version: z.literal(1),
  learned: z.number(),
  transit: z.number(),
  slip: z.number(),
  guess: z.strictObject({ multiple: z.number(), text: z.number() }),
  slipText: z.number(),
  guessAided: z.number(),
  threshold: z.number(),
});
const guessAndSlip = z.strictObject({ guess: z.number(), slip: z.number() });
const parameters2 = z.strictObject({
  version: z.literal(2),
  learned: z.number(),
  transit: z.number(),
  floor: z.number(),
  threshold: z.number(),
  ruledOut: z.number(),
  guessMultiple: z.number(),
  recall: guessAndSlip,
  application: guessAndSlip,
  explanation: guessAndSlip,
  slip: z.number(),
  kinds: z.int(),
  confirmation: z.strictObject({ hours: z.number(), guess: z.number() }),
});
const guesses = z.strictObject({ recognition: z.number(), recall: z.number(), application: z.number(), explanation: z.number() });
const parameters3 = z.strictObject({
  version: z.literal(3),
  learned: z.number(),
  transit: z.number(),
  floor: z.number(),
  threshold: z.number(),
  ruledOut: z.number(),
  guess: guesses,
  slip: z.number(),
  kinds: z.int(),
  confirmation: z.strictObject({ hours: z.number(), guess: z.number() }),
});

/** What an answer to a question says: its kind, the chances to guess and to slip, and whether it counts at all. */
export const itemEvidence = z.strictObject({
  kind: z.enum(evidenceKinds),
  guess: z.number().min(0).max(1),
  slip: z.number().min(0).max(1),
  counts: z.boolean(),
});

/** What the opening entry fixes for the whole session. */
export const ledgerOpening = z.strictObject({
  sessionId: id,
  courseId: id,
  objectives: z.array(z.strictObject({ objectiveId: id, title: z.string() })).max(bounds.tutor.objectives),
  /** The parameters mastery is reckoned with (`schemas/tutor/mastery.ts`). */
  parameters: z.discriminatedUnion("version", [parameters1, parameters2, parameters3]),
  /** The goal, as a commitment. */
  goal: sha256,
  carriedFrom: id.optional(),
});

/** The steps a plan leads through: those kept of the plan before it, then the new ones. */
const plannedStep = step.omit({ state: true });
export type PlannedStep = z.infer<typeof plannedStep>;

/** The version of an authored question: the block, the revision it was read from, and SHA-256 of the block's source. */
export const authoredQuestion = z.strictObject({ blockId: id, courseRevisionId: id, digest: sha256 });
export type AuthoredQuestion = z.infer<typeof authoredQuestion>;

/** A question with its key, as the digest in an answer's entry commits to it. */
const committedQuestion = z.strictObject({
  prompt: z.string(),
  choices: z.array(z.strictObject({ choiceId, text: z.string() })),
  right: z.array(choiceId),
  rubric: z.array(z.string()),
  modelAnswer: z.string(),
  /** A question of the course's own, which is marked by this key. */
  key: authoredKey.optional(),
  authored: authoredQuestion.optional(),
});
export type CommittedQuestion = z.infer<typeof committedQuestion>;

const entryFields = {
  index: z.int().min(0),
  entryId: id,
  at: time,
  kind: z.enum(entryKinds),
  objectiveIds: z.array(id),
  itemId: id.optional(),
  /**
   * Choices by their ids; own words only as the salted commitment of them. What was written as a short answer, a number or into gaps
   * stands here where it is right; where it is wrong, as a commitment.
   */
  response: z
    .union([z.strictObject({ choiceIds: z.array(choiceId) }), questionResponse, z.strictObject({ commitment: sha256 })])
    .optional(),
  correct: z.boolean().optional(),
  aided: z.boolean(),
  gradedBy: z.enum(["application", "model"]),
  /** `provider/model` of whoever proposed the item, graded the text, planned or taught. */
  model: z.string().optional(),
  sourceIds: z.array(id),
  courseRevisionId: id,
  /** Of the objectives named. */
  masteryBefore: probabilities,
  masteryAfter: probabilities,
  /** Of the objectives named, after this entry; missing in older ledgers. */
  standings: z.record(id, z.enum(standings)).optional(),

  opening: ledgerOpening.optional(),
  /** Of an answer: the kind of question and how many choices it had, which decide its weight; and the question itself, as a digest. */
  selection: z.enum(selections).optional(),
  choices: z.int().min(0).optional(),
  itemDigest: sha256.optional(),
  /** What `itemDigest` is the digest of, with `itemId`, `selection` and the choices: it was shown with the answer. Missing in older ledgers. */
  question: committedQuestion.optional(),
  /** Of an answer that a model judged: whether each criterion of the rubric was met. */
  criteria: z.array(z.boolean()).max(bounds.tutor.criteria).optional(),
  /** Of an answer under policy 2 or later: what it says, the statements that its question shows, and what made it an answer with help. */
  evidence: itemEvidence.optional(),
  statements: z.array(z.string().max(bounds.tutor.statementIdLength)).max(bounds.tutor.statements).optional(),
  help: z.enum(helps).optional(),
  /** Of an answer to a written question that counts: `provider/model` of the second look at it; missing in older ledgers. */
  verifiedBy: z.string().optional(),
  /** Of a plan: installed, or refused by its verification. */
  verified: z.boolean().optional(),
  steps: z
    .array(plannedStep)
    .max(bounds.tutor.steps * (bounds.tutor.replans + 1))
    .optional(),
  decision: decision.optional(),
  reason: reason.optional(),
  stepId: id.optional(),
  /** Of a dispute: the entry whose grade is set aside. */
  disputes: id.optional(),
  /** Of an answer given in an earlier session. */
  carriedFrom: z.strictObject({ sessionId: id, entryId: id, at: time.optional() }).optional(),
  /** Of the answer to the closing question of a film: which one. It was given right after the film had shown what it asks, so it is aided. */
  film: id.optional(),
  /** Of an answer given in Review, beside the lesson. */
  review: z.literal(true).optional(),
  /** Of a hint: its rung. */
  level: z.int().min(1).optional(),
  /** Of a self-report. */
  knows: z.boolean().optional(),
  /** Of what came through an assistant that the learner connected: which one, by the id it is registered with. */
  via: z.strictObject({ kind: z.literal("connector"), clientId: z.string().max(connectorBounds.clientIdLength) }).optional(),
  /** The phase the session is in after this. */
  phase: tutorPhase,
  previousHash: sha256,
  hash: sha256,
} as const;

export const evidenceEntry = payload(entryFields);
export type EvidenceEntry = z.infer<typeof evidenceEntry>;
/** An entry before it takes its place in the chain. */
export type UnchainedEntry = Omit<EvidenceEntry, "previousHash" | "hash">;

/**
 * The service's word that a session's ledger had these `size` entries, with this RFC 6962 root, at this time. Signed (Ed25519) over the
 * RFC 8785 text of everything but `signature`. `final` stands on the last line of an export alone: whatever is cut off goes with it.
 */
export const ledgerCheckpoint = z.strictObject({
  origin: z.literal("colloquy/tutor-ledger/1"),
  sessionId: id,
  /** SHA-256 over the RFC 8785 text of the checkpoint before it, 64 zeros for the first: a signature vouches for all that came before. */
  previous: sha256,
  size: z.int().min(1),
  rootHash: sha256,
  at: time,
  final: z.boolean(),
  keyId: z.string().regex(/^[0-9a-f]{16}$/),
  /** Raw Ed25519 public key, base64url. */
  publicKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** base64url. */
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
});
export type LedgerCheckpoint = z.infer<typeof ledgerCheckpoint>;

/** A line of an NDJSON export that is no entry. */
export const checkpointLine = payload({ checkpoint: ledgerCheckpoint });
export type CheckpointLine = z.infer<typeof checkpointLine>;

/** `GET /api/tutor/ledger-keys`: the keys that sign checkpoints, the present one first. Each but the oldest is vouched for by the one before it. */
export const ledgerKey = z.strictObject({
  keyId: z.string().regex(/^[0-9a-f]{16}$/),
  publicKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  createdAt: time,
  /** Until when it signed; null for the present one. */
  retiredAt: time.nullable(),
  /** The key before it signed this one's `publicKey` and `createdAt`. */
  endorsedBy: z.strictObject({ keyId: z.string(), signature: z.string() }).nullable(),
});
export type LedgerKey = z.infer<typeof ledgerKey>;
export const ledgerKeysResponse = payload({ keys: z.array(ledgerKey).min(1) });
