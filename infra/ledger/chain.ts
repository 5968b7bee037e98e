import { hash } from "node:crypto";
import type { EvidenceEntry, UnchainedEntry } from "@colloquy/schemas/tutor/ledger.ts";
import canonicalize from "canonicalize";

/** The RFC 8785 text of a value: the one way it can be written. */
export function canonicalText(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("a ledger holds JSON only");
  return text;
}

export const sha256 = (text: string): string => hash("sha256", text);

/** SHA-256, in lower-case hex, over `previousHash` and the canonical text of the entry without both hashes. */
export function hashOf(entry: UnchainedEntry | EvidenceEntry, previousHash: string): string {
  const { previousHash: _previous, hash: _hash, ...bare } = entry as EvidenceEntry;
  return sha256(previousHash + canonicalText(bare));
}

/** The entry in its place behind the one with `previousHash`. */
export const chained = (entry: UnchainedEntry, previousHash: string): EvidenceEntry => ({
  ...entry,
  previousHash,
  hash: hashOf(entry, previousHash),
});

/** What stands in the ledger for a learner's own text: it says nothing without the salt, which is deleted with the text. */
export const commitmentOf = (salt: string, text: string): string => sha256(`${salt}\n${text}`);
