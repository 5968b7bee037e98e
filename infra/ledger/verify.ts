import {
  checkpointLine,
  type EvidenceEntry,
  evidenceEntry,
  type LedgerCheckpoint,
  type LedgerKey,
} from "@colloquy/schemas/tutor/ledger.ts";
import { policies } from "@colloquy/schemas/tutor/mastery.ts";
import { answersFault, committedItem, keyFault, type Unproven, unprovenIn } from "@colloquy/schemas/tutor/recompute.ts";
import { emptyLedger, evolveLedger, type LedgerState } from "@colloquy/schemas/tutor/replay.ts";
import { canonicalText, sha256 } from "./chain.ts";
import { checkpointHash, isCheckpointSigned } from "./keys.ts";
import { emptyTree, rootHash, type Tree, treeOf, withLeaf } from "./tree.ts";

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
  time: "The time runs backwards.",
  policy: "The parameters of mastery are not those of the policy's version.",
  item: "The question is not the one that its digest commits to.",
  grade: "The grade stated is not the one that question and response come to.",
  help: "The help stated is not what the entries before come to.",
  evidence: "The answer weighs otherwise than its question does by the policy.",
  mastery: "The mastery stated is not the one its answers come to.",
  decision: "The decision contradicts the answers before it.",
  session: "The checkpoint is another session's.",
  checkpoints: "A checkpoint is missing, doubled or out of its place.",
  size: "The checkpoint is of another number of entries.",
  root: "The checkpoint is of other entries.",
  signature: "The checkpoint's signature does not fit.",
  untrusted: "The checkpoint is signed by a key that is not known.",
  early: "The checkpoint is dated before its key was made.",
  retired: "The checkpoint is signed by a key that was retired before.",
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
  /** What entries state and the ledger alone cannot show, by the index of the entry. */
  unproven: { index: number; what: Unproven }[];
  fault: LedgerFault | null;
}

/**
 * Looks through an NDJSON export from its first line to its first fault: form, order, chain, hashes, times, policy, grades, help, weights,
 * mastery, decisions, tree, signatures, end. Pure: needs nothing but the text, and, to know who signed, the service's public keys.
 * @param known keys that are trusted; without them the export is at most consistent: anybody could have written and signed it
 */
export function verifyLedger(text: string, known?: readonly LedgerKey[]): Verified {
  const trusted = known && new Map(known.map((key) => [key.publicKey, key]));
  const found: Verified = {
    sessionId: null,
    entries: [],
    checkpoints: 0,
    keyIds: [],
    keysKnown: trusted !== undefined,
    state: emptyLedger,
    unproven: [],
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
      const after = evolveLedger(found.state, entry);
      const wrong = contentFault(found.state, after, found.entries, entry);
      found.sessionId ??= entry.opening?.sessionId ?? null;
      found.entries.push(entry);
      found.state = after;
      tree = withLeaf(tree, entry.hash);
      if (wrong) return told(number, wrong, entry.index);
      for (const what of unprovenIn(after.parameters, entry)) found.unproven.push({ index: entry.index, what });
      return null;
    }
    const { checkpoint } = read;
    if (found.entries.length === 0) return told(number, "opening", null);
    if (checkpoint.previous !== checkpointHash(last?.checkpoint ?? null))
      // Either this one is not the next, or the one before it was altered, which its own signature shows.
      return last && !isCheckpointSigned(last.checkpoint) ? told(last.line, "signature", null) : told(number, "checkpoints", null);
    const code = checkpointFault(found, tree, checkpoint, last?.checkpoint ?? null, trusted);
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

/** What an entry says against the answers up to it, against the clock or against its own question. */
function contentFault(before: LedgerState, after: LedgerState, earlier: readonly EvidenceEntry[], entry: EvidenceEntry): FaultCode | null {
  const previous = earlier.at(-1);
  if (previous && Date.parse(entry.at) < Date.parse(previous.at)) return "time";
  const { opening } = entry;
  if (opening && canonicalText(opening.parameters) !== canonicalText(policies[opening.parameters.version])) return "policy";
  const committed = committedItem(entry);
  if (committed && sha256(canonicalText(committed)) !== entry.itemDigest) return "item";
  return answersFault(before, after, earlier, entry);
}

/**
 * Without keys only the final signature is looked at: it vouches for the checkpoints before it, and they for the entries. With keys each
 * checkpoint by a known key has to be signed while the key was in use.
 */
function checkpointFault(
  { sessionId, entries }: Verified,
  tree: Tree,
  checkpoint: LedgerCheckpoint,
  previous: LedgerCheckpoint | null,
  trusted: ReadonlyMap<string, LedgerKey> | undefined,
): FaultCode | null {
  if (checkpoint.sessionId !== sessionId) return "session";
  if (checkpoint.size !== entries.length) return "size";
  if (checkpoint.rootHash !== rootHash(tree)) return "root";
  const at = Date.parse(checkpoint.at);
  if ([entries.at(-1), previous].some((earlier) => earlier && at < Date.parse(earlier.at))) return "time";
  const key = trusted?.get(checkpoint.publicKey);
  if ((checkpoint.final || key) && !isCheckpointSigned(checkpoint)) return "signature";
  if (checkpoint.final && trusted && !key) return "untrusted";
  return key ? keyFault(key, checkpoint.at) : null;
}

/** How an export stands to a newer or older one of the same session. */
export type HeadComparison = "same" | "older" | "newer" | "other_session" | "forked";

/** A head known from elsewhere, with the hashes of its entries where the whole export is at hand. */
export interface KnownHead {
  checkpoint: LedgerCheckpoint;
  hashes: readonly string[];
}

/**
 * Compares a verified export with a known head: the last checkpoint of another export, or one that was noted. A shorter export is compared
 * with the beginning of the head's own entries; where only a checkpoint is at hand, it can be told to be shorter, not to belong to it.
 */
export function compareWithHead({ sessionId, entries }: Verified, { checkpoint: head, hashes }: KnownHead): HeadComparison {
  if (head.sessionId !== sessionId) return "other_session";
  const own = entries.map(({ hash }) => hash);
  if (head.size > own.length) {
    const isWhole = hashes.length === head.size && rootHash(treeOf(hashes)) === head.rootHash;
    return isWhole && own.some((hash, index) => hash !== hashes[index]) ? "forked" : "older";
  }
  if (rootHash(treeOf(own.slice(0, head.size))) !== head.rootHash) return "forked";
  return head.size < own.length ? "newer" : "same";
}

/** The last checkpoint of an export, or of a file of one checkpoint line. @throws {TypeError} for a text without one */
export function headIn(text: string): KnownHead {
  const lines = text.trimEnd().split("\n").map(readLine);
  const last = lines.at(-1);
  if (!last || !("checkpoint" in last)) throw new TypeError("The known head has to end with a checkpoint.");
  return { checkpoint: last.checkpoint, hashes: lines.flatMap((line) => (line && "entry" in line ? [line.entry.hash] : [])) };
}
