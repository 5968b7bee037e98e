import {
  checkpointLine,
  type EvidenceEntry,
  evidenceEntry,
  type LedgerCheckpoint,
  type LedgerKey,
} from "@colloquy/schemas/tutor/ledger.ts";
import { emptyLedger, evolveLedger, type LedgerState, probabilitiesIn } from "@colloquy/schemas/tutor/replay.ts";
import { canonicalText, sha256 } from "./chain.ts";
import { checkpointHash, isCheckpointSigned, trustedAmong } from "./keys.ts";
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
  opening: "The order of the lines is wrong: the first, and no other, is the entry that opens the session.",
  mastery: "The mastery stated is not the one its answers come to.",
  session: "The checkpoint is another session's.",
  checkpoints: "A checkpoint is missing, doubled or out of its place.",
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
  let last: { checkpoint: LedgerCheckpoint; line: number } | null = null;
  const lines = text.split("\n");
  const whole = lines.pop() === "";

  const faultOf = (line: string, number: number): LedgerFault | null => {
    const read = readLine(line);
    if (!read) return told(number, "unreadable", null);
    if (closed) return told(number, "trailing", null);
    if ("entry" in read) {
      const { entry } = read;
      const code = entryFault(found, entry, line);
      if (code) return told(number, code, entry.index);
      found.sessionId ??= entry.opening?.sessionId ?? null;
      found.entries.push(entry);
      found.state = evolveLedger(found.state, entry);
      tree = withLeaf(tree, entry.hash);
      return statesMastery(found.state, entry) ? null : told(number, "mastery", entry.index);
    }
    const { checkpoint } = read;
    if (found.entries.length === 0) return told(number, "opening", null);
    if (checkpoint.previous !== checkpointHash(last?.checkpoint ?? null))
      // Either this one is not the next, or the one before it was altered, which its own signature shows.
      return last && !isCheckpointSigned(last.checkpoint) ? told(last.line, "signature", null) : told(number, "checkpoints", null);
    const code = checkpointFault(found, tree, checkpoint, trusted);
    if (code) return told(number, code, null);
    last = { checkpoint, line: number };
    found.checkpoints += 1;
    if (!found.keyIds.includes(checkpoint.keyId)) found.keyIds.push(checkpoint.keyId);
    closed = checkpoint.final;
    return null;
  };

  for (const [place, line] of lines.entries()) {
    const fault = faultOf(line, place + 1);
    if (fault) return { ...found, fault };
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
  if (typeof value !== "object" || value === null || !isCanonical(value, line)) return null;
  if ("checkpoint" in value) {
    const { data } = checkpointLine.safeParse(value);
    return data ? { checkpoint: data.checkpoint } : null;
  }
  const { data: entry } = evidenceEntry.safeParse(value);
  return entry ? { entry } : null;
}

/** RFC 8785 writes numbers and texts as JavaScript does, without spaces and with keys in order; only where keys are numbers does it differ. */
const isCanonical = (value: object, line: string): boolean =>
  (JSON.stringify(value) === line && hasOrder(value)) || canonicalText(value) === line;

function hasOrder(value: object): boolean {
  if (!Array.isArray(value)) {
    const keys = Object.keys(value);
    for (let place = 1; place < keys.length; place += 1) if ((keys[place - 1] as string) >= (keys[place] as string)) return false;
  }
  for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null && !hasOrder(inner)) return false;
  return true;
}

function entryFault({ entries, state }: Verified, entry: EvidenceEntry, line: string): FaultCode | null {
  if (entries.length === 0 && entry.index !== 0) return "opening";
  if (entry.index !== entries.length) return "order";
  if ((entry.index === 0) !== (entry.kind === "opened" && entry.opening !== undefined)) return "opening";
  if (entry.previousHash !== state.lastHash) return "chain";
  // The line is canonical: without both hashes it is the text that was hashed.
  const bare = without(without(line, `"hash":"${entry.hash}",`), `"previousHash":"${entry.previousHash}",`);
  return sha256(entry.previousHash + bare) === entry.hash ? null : "hash";
}

/** Twice as fast as `replace`, whose pattern and replacement may be more than texts. */
function without(line: string, part: string): string {
  const at = line.indexOf(part);
  return at < 0 ? line : line.slice(0, at) + line.slice(at + part.length);
}

/** Whether an entry states the mastery that the answers up to it come to. */
function statesMastery(after: LedgerState, { objectiveIds, masteryAfter }: EvidenceEntry): boolean {
  const reckoned = probabilitiesIn(after, objectiveIds);
  const ids = Object.keys(reckoned);
  return ids.length === Object.keys(masteryAfter).length && ids.every((id) => reckoned[id] === masteryAfter[id]);
}

/** Only the final signature is looked at here: it vouches for the checkpoints before it, and they for the entries. */
function checkpointFault(
  { sessionId, entries }: Verified,
  tree: Tree,
  checkpoint: LedgerCheckpoint,
  trusted: ReadonlySet<string> | undefined,
): FaultCode | null {
  if (checkpoint.sessionId !== sessionId) return "session";
  if (checkpoint.size !== entries.length) return "size";
  if (checkpoint.rootHash !== rootHash(tree)) return "root";
  if (!checkpoint.final) return null;
  if (!isCheckpointSigned(checkpoint)) return "signature";
  return trusted && !trusted.has(checkpoint.publicKey) ? "untrusted" : null;
}
