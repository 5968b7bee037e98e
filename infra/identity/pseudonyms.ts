import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Config } from "../config.ts";
import { deriveKey, loadOrCreateSecret } from "../secrets.ts";

const first = [
  "amber",
  "azure",
  "brave",
  "brisk",
  "calm",
  "clear",
  "coral",
  "crisp",
  "dapper",
  "dusky",
  "eager",
  "early",
  "fair",
  "fleet",
  "gentle",
  "glad",
  "golden",
  "hardy",
  "hazel",
  "ivory",
  "jade",
  "keen",
  "lively",
  "lunar",
  "mellow",
  "nimble",
  "olive",
  "plain",
  "quiet",
  "russet",
  "silver",
  "sunny",
];
const second = [
  "badger",
  "beaver",
  "bison",
  "crane",
  "curlew",
  "dipper",
  "eider",
  "falcon",
  "ferret",
  "finch",
  "gannet",
  "grebe",
  "hare",
  "heron",
  "ibis",
  "jackdaw",
  "kestrel",
  "lark",
  "linnet",
  "marten",
  "merlin",
  "newt",
  "otter",
  "plover",
  "puffin",
  "raven",
  "robin",
  "siskin",
  "stoat",
  "swift",
  "tern",
  "wren",
];
/** Pseudonyms of the learners that were asked for last. */
const cachedPseudonyms = 10_000;
const letters = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * Names a learner to an auditor by 45 bits of an HMAC-SHA256 under a key of its own: the same in every session, and nobody without
 * the key can tell which account it is. Two words are for people, seven letters keep learners apart.
 */
export function learnerPseudonyms(config: Pick<Config, "ACCOUNT_SECRET" | "DATA_DIR">): (accountId: string) => string {
  const key = deriveKey(config.ACCOUNT_SECRET ?? loadOrCreateSecret(config.DATA_DIR, "account"), "audit pseudonyms");
  const known = new LRUCache<string, string>({ max: cachedPseudonyms });
  return (accountId) => {
    const before = known.get(accountId);
    if (before !== undefined) return before;
    const digest = createHmac("sha256", key).update(accountId).digest();
    const [one = 0, two = 0, ...rest] = digest;
    const tail = rest.slice(0, 7).map((byte) => letters[byte % letters.length]);
    const made = `${first[one % first.length]}-${second[two % second.length]}-${tail.join("")}`;
    known.set(accountId, made);
    return made;
  };
}
