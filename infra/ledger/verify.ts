import {
  checkpointLine,
  type EvidenceEntry,
  evidenceEntry,
  type LedgerCheckpoint,
  type LedgerKey,
} from "@colloquy/schemas/tutor/ledger.ts";
import { emptyLedger, evolveLedger, type LedgerState, probabilitiesIn } from "@colloquy/schemas/tutor/replay.ts";
import { canonicalText, hashOf } from "./chain.ts";
import { isCheckpointSigned, trustedAmong } from "./keys.ts";
import { emptyTree, rootHash, type Tree, withLeaf } from "./tree.ts";

/** What is wrong with an export, at the first line that is. */
export interface LedgerFault {
  /** From 1. */
  line: number;
  /** Of the entry, where the line has one. */
  index: number | null;
  code: FaultCode;
  message: string;
}

export const faultCodes = {
  unreadable: "The line is not one entry or checkpoint in its canonical form.",
  order: "An entry is missing, doubled or out of its place.",
  chain: "The entry does not follow from the one before it.",
  hash: "The entry was altered: its hash is another.",
  opening: "The ledger does not begin with one opening entry.",
  mastery: "The mastery stated is not the one its answers come to.",
  session: "The checkpoint is another session's.",
  sequence: "A checkpoint is missing, doubled or out of its place.",
  size: "The checkpoint is of another number of entries.",
  root: "The checkpoint is of other entries.",
  signature: "The checkpoint's signature does not fit.",
  untrusted: "The checkpoint is signed by a key that is not known.",
  truncated: "The export does not end with its final checkpoint: something was cut off.",
  trailing: "Something stands behind the final checkpoint.",
} as const;
export type FaultCode = keyof typeof faultCodes;

export interface Verified {
  sessionId: string | null;
  entries: EvidenceEntry[];
  checkpoints: number;
  /** Ids of the keys that signed. */
  keyIds: string[];
  /** Whether the signing keys were held against known ones. */
  keysKnown: boolean;
  /** What the entries come to. */
  state: LedgerState;
  fault: LedgerFault | null;
}

/**
 * Looks through an NDJSON export from its first line to its first fault: form, order, chain, hashes, mastery, tree, signatures, end.
 * Pure: needs nothing but the text, and, to know who signed, the service's public keys.
 * @param known keys that are trusted; without them a signature says only that its signer has the key it names
 */
export function verifyLedger(text: string, known?: readonly LedgerKey[]): Verified {
  const trusted = known && trustedAmong(known, new Set(known.map(({ publicKey }) => publicKey)));
  const found: Verified = {
    sessionId: null,
    entries: [],
    checkpoints: 0,
    keyIds: [],
    keysKnown: trusted !== undefined,
    state: emptyLedger,
    fault: null,
  };
  let tree: Tree = emptyTree;
  let closed = false;
  const lines = text.split("\n");
  const whole = lines.pop() === "";

  const faultOf = (line: string): [FaultCode, number | null] | null => {
    const read = readLine(line);
    if (!read) return ["unreadable", null];
    if (closed) return ["trailing", null];
    if ("entry" in read) {
      const code = entryFault(found, read.entry);
      if (code) return [code, read.entry.index];
      found.sessionId ??= read.entry.opening?.sessionId ?? null;
      found.entries.push(read.entry);
      found.state = evolveLedger(found.state, read.entry);
      tree = withLeaf(tree, read.entry.hash);
      return masteryFault(found.state, read.entry) ? ["mastery", read.entry.index] : null;
    }
    const code = checkpointFault(found, tree, read.checkpoint, trusted);
    if (code) return [code, null];
    found.checkpoints += 1;
    if (!found.keyIds.includes(read.checkpoint.keyId)) found.keyIds.push(read.checkpoint.keyId);
    closed = read.checkpoint.final;
    return null;
  };

  for (const [place, line] of lines.entries()) {
    const fault = faultOf(line);
    if (fault) return { ...found, fault: told(place + 1, ...fault) };
  }
  if (!whole || !closed) return { ...found, fault: told(lines.length + (whole ? 0 : 1), "truncated", null) };
  return found;
}

const told = (line: number, code: FaultCode, index: number | null): LedgerFault => ({ line, index, code, message: faultCodes[code] });

function readLine(line: string): { entry: EvidenceEntry } | { checkpoint: LedgerCheckpoint } | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || canonicalText(value) !== line) return null;
  if ("checkpoint" in value) {
    const read = checkpointLine.safeParse(value);
    return read.success ? { checkpoint: read.data.checkpoint } : null;
  }
  const read = evidenceEntry.safeParse(value);
  return read.success ? { entry: read.data } : null;
}

function entryFault({ entries, state }: Verified, entry: EvidenceEntry): FaultCode | null {
  if (entry.index !== entries.length) return "order";
  if ((entry.index === 0) !== (entry.kind === "opened" && entry.opening !== undefined)) return "opening";
  if (entry.previousHash !== state.lastHash) return "chain";
  return hashOf(entry, entry.previousHash) === entry.hash ? null : "hash";
}

/** Whether an entry states another mastery than its own answers come to; before it, it is what the entry before left. */
function masteryFault(after: LedgerState, entry: EvidenceEntry): boolean {
  return canonicalText(probabilitiesIn(after, entry.objectiveIds)) !== canonicalText(entry.masteryAfter);
}

function checkpointFault(
  { sessionId, entries, checkpoints }: Verified,
  tree: Tree,
  checkpoint: LedgerCheckpoint,
  trusted: ReadonlySet<string> | undefined,
): FaultCode | null {
  if (checkpoint.sessionId !== sessionId) return "session";
  if (checkpoint.sequence !== checkpoints) return "sequence";
  if (checkpoint.size !== entries.length) return "size";
  if (checkpoint.rootHash !== rootHash(tree)) return "root";
  if (!isCheckpointSigned(checkpoint)) return "signature";
  return trusted && !trusted.has(checkpoint.publicKey) ? "untrusted" : null;
}
