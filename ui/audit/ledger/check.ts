import type { CheckpointLine, EvidenceEntry, LedgerCheckpoint, LedgerKey } from "@colloquy/schemas/tutor/ledger.ts";
import { policies } from "@colloquy/schemas/tutor/mastery.ts";
import { answersFault, committedItem, keyFault } from "@colloquy/schemas/tutor/recompute.ts";
import { emptyLedger, evolveLedger, type LedgerState, noHash } from "@colloquy/schemas/tutor/replay.ts";

/** The faults of a ledger, named as in `npm run audit -- verify` (docs/run/auditing.md). */
export type FaultCode =
  | "unreadable"
  | "order"
  | "chain"
  | "hash"
  | "opening"
  | "time"
  | "policy"
  | "item"
  | "grade"
  | "help"
  | "evidence"
  | "mastery"
  | "decision"
  | "session"
  | "checkpoints"
  | "size"
  | "root"
  | "signature"
  | "untrusted"
  | "early"
  | "retired"
  | "truncated"
  | "trailing";

export interface Fault {
  /** Line of the export, from 1. */
  line: number;
  /** Index of the entry, if the line has one. */
  index: number | null;
  code: FaultCode;
}

export interface CheckResult {
  entries: EvidenceEntry[];
  checkpoints: number;
  /** Ids of the keys that signed. */
  keyIds: string[];
  /** The last signature was checked; a browser may not support Ed25519. */
  signed: boolean;
  fault: Fault | null;
}

/** The readable entries of an export, shown while the check runs. */
export function entriesIn(text: string): EvidenceEntry[] {
  return text.split("\n").flatMap((line) => {
    const read = readLine(line);
    return read && "entry" in read ? read.entry : [];
  });
}

/**
 * Checks an export up to its first fault, with the browser's cryptography: form, order, chain, hashes, times, policy, grades, help,
 * weights, mastery, decisions, tree, signatures, end.
 * Independent of the service's verifier (infra/ledger/verify.ts): it needs only the text and the public keys.
 * @throws {TypeError} where the browser offers no cryptography, as on an insecure connection
 */
export async function checkLedger(text: string, known: readonly LedgerKey[]): Promise<CheckResult> {
  const trusted = new Map(known.map((key) => [key.publicKey, key]));
  const found: CheckResult = { entries: [], checkpoints: 0, keyIds: [], signed: true, fault: null };
  const peaks: Uint8Array[] = [];
  let state: LedgerState = emptyLedger;
  let last: { checkpoint: LedgerCheckpoint; text: string; line: number } | null = null;
  let closed = false;
  const lines = text.split("\n");
  const whole = lines.pop() === "";

  const faultOf = async (line: string, number: number): Promise<Fault | null> => {
    const read = readLine(line);
    if (!read) return faultAt(number, "unreadable");
    if (closed) return faultAt(number, "trailing");
    if ("entry" in read) {
      const { entry } = read;
      const code = await entryFault(found.entries.length, state, entry, line);
      if (code) return faultAt(number, code, entry.index);
      const after = evolveLedger(state, entry);
      const wrong = await contentFault(state, after, found.entries, entry);
      found.entries.push(entry);
      state = after;
      await addLeaf(peaks, found.entries.length - 1, entry.hash);
      return wrong ? faultAt(number, wrong, entry.index) : null;
    }
    const { checkpoint } = read;
    if (found.entries.length === 0) return faultAt(number, "opening");
    if (checkpoint.previous !== (last ? await sha256(last.text) : noHash))
      // Either this entry is out of order or the previous one was altered, which the previous hash tells.
      return last && (await isSigned(last.checkpoint, last.text)) === false
        ? faultAt(last.line, "signature")
        : faultAt(number, "checkpoints");
    if (checkpoint.sessionId !== found.entries[0]?.opening?.sessionId) return faultAt(number, "session");
    if (checkpoint.size !== found.entries.length) return faultAt(number, "size");
    if (checkpoint.rootHash !== (await rootOf(peaks))) return faultAt(number, "root");
    const text = line.slice('{"checkpoint":'.length, line.lastIndexOf(',"schemaVersion":1}'));
    const at = Date.parse(checkpoint.at);
    if ([found.entries.at(-1), last?.checkpoint].some((earlier) => earlier && at < Date.parse(earlier.at))) return faultAt(number, "time");
    const key = trusted.get(checkpoint.publicKey);
    if (checkpoint.final || key) {
      const signed = await isSigned(checkpoint, text);
      if (signed === false) return faultAt(number, "signature");
      found.signed = signed !== null;
    }
    if (checkpoint.final && !key) return faultAt(number, "untrusted");
    const unused = key && keyFault(key, checkpoint.at);
    if (unused) return faultAt(number, unused);
    last = { checkpoint, text, line: number };
    found.checkpoints += 1;
    if (!found.keyIds.includes(checkpoint.keyId)) found.keyIds.push(checkpoint.keyId);
    closed = checkpoint.final;
    return null;
  };

  for (const [place, line] of lines.entries()) {
    const fault = await faultOf(line, place + 1);
    if (fault) return { ...found, fault };
  }
  return whole && closed ? found : { ...found, fault: faultAt(lines.length + (whole ? 0 : 1), "truncated") };
}

const faultAt = (line: number, code: FaultCode, index: number | null = null): Fault => ({ line, index, code });

/** A line in its canonical form (RFC 8785), or null. */
function readLine(line: string): { entry: EvidenceEntry } | { checkpoint: LedgerCheckpoint } | null {
  try {
    const value = JSON.parse(line) as EvidenceEntry | CheckpointLine | null;
    if (typeof value !== "object" || value === null || value.schemaVersion !== 1 || canonicalText(value) !== line) return null;
    if ("checkpoint" in value) return isCheckpoint(value) ? { checkpoint: value.checkpoint } : null;
    return isEntry(value) ? { entry: value } : null;
  } catch {
    return null;
  }
}

/** Only the fields that are read here are checked; hash and signature protect the others. */
const isEntry = ({ index, kind, hash, previousHash, objectiveIds, masteryAfter, masteryBefore }: EvidenceEntry): boolean =>
  Number.isSafeInteger(index) &&
  [kind, hash, previousHash].every((text) => typeof text === "string") &&
  /^[0-9a-f]{64}$/.test(hash) &&
  Array.isArray(objectiveIds) &&
  [masteryAfter, masteryBefore].every((each) => typeof each === "object" && each !== null);
const isCheckpoint = ({ checkpoint }: CheckpointLine): boolean =>
  typeof checkpoint === "object" &&
  checkpoint !== null &&
  [checkpoint.previous, checkpoint.rootHash, checkpoint.keyId].every((text) => typeof text === "string") &&
  /^[A-Za-z0-9_-]{43}$/.test(checkpoint.publicKey) &&
  /^[A-Za-z0-9_-]{86}$/.test(checkpoint.signature) &&
  typeof checkpoint.final === "boolean";

function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name as keyof typeof value])}`).join(",")}}`;
}

async function entryFault(count: number, { lastHash }: LedgerState, entry: EvidenceEntry, line: string): Promise<FaultCode | null> {
  if (count === 0 && entry.index !== 0) return "opening";
  if (entry.index !== count) return "order";
  if ((entry.index === 0) !== (entry.kind === "opened" && entry.opening !== undefined)) return "opening";
  if (entry.previousHash !== lastHash) return "chain";
  // The line is canonical, so without both hashes it is the hashed text.
  const bare = without(without(line, `"hash":"${entry.hash}",`), `"previousHash":"${entry.previousHash}",`);
  return (await sha256(entry.previousHash + bare)) === entry.hash ? null : "hash";
}

function without(line: string, part: string): string {
  const at = line.indexOf(part);
  return at < 0 ? line : line.slice(0, at) + line.slice(at + part.length);
}

/** What an entry says against the answers up to it, against the clock or against its own question. */
async function contentFault(
  before: LedgerState,
  after: LedgerState,
  earlier: readonly EvidenceEntry[],
  entry: EvidenceEntry,
): Promise<FaultCode | null> {
  const previous = earlier.at(-1);
  if (previous && Date.parse(entry.at) < Date.parse(previous.at)) return "time";
  const { opening } = entry;
  if (opening && canonicalText(opening.parameters) !== canonicalText(policies[opening.parameters.version])) return "policy";
  const committed = committedItem(entry);
  if (committed && (await sha256(canonicalText(committed))) !== entry.itemDigest) return "item";
  return answersFault(before, after, earlier, entry);
}

/** Null if this browser does not support Ed25519. */
async function isSigned({ publicKey, signature }: LedgerCheckpoint, text: string): Promise<boolean | null> {
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey("raw", bytesOf(publicKey), "Ed25519", false, ["verify"]);
  } catch (error) {
    return error instanceof DOMException && error.name === "NotSupportedError" ? null : false;
  }
  const bare = new TextEncoder().encode(without(text, `"signature":"${signature}",`));
  return crypto.subtle.verify("Ed25519", key, bytesOf(signature), bare);
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

const digest = async (data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", data));
const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text: string): Promise<string> => hexOf(await digest(new TextEncoder().encode(text)));

/** Adds an entry to the Merkle tree of RFC 6962, kept as the roots of its complete subtrees from left to right. */
async function addLeaf(peaks: Uint8Array[], size: number, entryHash: string): Promise<void> {
  const bytes = Uint8Array.from(entryHash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  let carried: Uint8Array = await digest(hashed(0, bytes));
  for (let bits = size; bits % 2 === 1; bits = Math.floor(bits / 2)) carried = await digest(hashed(1, peaks.pop() ?? bytes, carried));
  peaks.push(carried);
}

async function rootOf(peaks: readonly Uint8Array[]): Promise<string> {
  const [last, ...others] = [...peaks].reverse();
  if (!last) return sha256("");
  let root = last;
  for (const left of others) root = await digest(hashed(1, left, root));
  return hexOf(root);
}

const hashed = (tag: number, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([tag, ...parts.flatMap((part) => [...part])]);
