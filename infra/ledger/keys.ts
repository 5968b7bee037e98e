import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type LedgerCheckpoint, type LedgerKey, ledgerKey } from "@colloquy/schemas/tutor/ledger.ts";
import { noHash, notBefore } from "@colloquy/schemas/tutor/replay.ts";
import { z } from "zod";
import type { Config } from "../config.ts";
import { loadOrCreateSecret } from "../secrets.ts";
import { canonicalText, sha256 } from "./chain.ts";
import { rootHash, type Tree } from "./tree.ts";

/** The file of the signing keys, the present one first. */
const keyFile = z.strictObject({
  schemaVersion: z.literal(1),
  keys: z.array(ledgerKey.extend({ privateKey: z.string() })).min(1),
});
type KeyFile = z.infer<typeof keyFile>;
type SigningKey = KeyFile["keys"][number];

const fileName = "ledger-keys";

/** The first 16 hex digits of the SHA-256 of a raw public key. */
const keyIdOf = (publicKey: string): string => createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex").slice(0, 16);

function newKey(at: string, before?: SigningKey): SigningKey {
  const pair = generateKeyPairSync("ed25519");
  const publicKey = String(pair.publicKey.export({ format: "jwk" }).x);
  const privateKey = pair.privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  const endorsedBy = before ? { keyId: before.keyId, signature: signed(endorsement(publicKey, at), privateKeyOf(before)) } : null;
  return { keyId: keyIdOf(publicKey), publicKey, createdAt: at, retiredAt: null, endorsedBy, privateKey };
}

const endorsement = (publicKey: string, createdAt: string): string => canonicalText({ publicKey, createdAt });
const privateKeyOf = (key: SigningKey): KeyObject =>
  createPrivateKey({ key: Buffer.from(key.privateKey, "base64"), format: "der", type: "pkcs8" });
let lastRead: { publicKey: string; key: KeyObject } | undefined;
/** One after the other is mostly the same key. */
function publicKeyOf(publicKey: string): KeyObject {
  if (lastRead?.publicKey !== publicKey)
    lastRead = { publicKey, key: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" }) };
  return lastRead.key;
}
const signed = (text: string, key: KeyObject): string => sign(null, Buffer.from(text, "utf8"), key).toString("base64url");

function isSigned(text: string, publicKey: string, signature: string): boolean {
  try {
    return verify(null, Buffer.from(text, "utf8"), publicKeyOf(publicKey), Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
}

/** Whether a key says the truth of itself: its id is its own, and the key that vouches for it did. */
export function isEndorsed(key: LedgerKey, by: LedgerKey): boolean {
  return key.endorsedBy?.keyId === by.keyId && isSigned(endorsement(key.publicKey, key.createdAt), by.publicKey, key.endorsedBy.signature);
}

/** What a checkpoint vouches for. */
export interface LedgerHead {
  sessionId: string;
  /** The checkpoint signed before this one. */
  before: LedgerCheckpoint | null;
  tree: Tree;
  at: string;
  final: boolean;
}

export interface LedgerSigner {
  /** Signs a session's ledger as it stands, dated not before the checkpoint before it and the key. */
  checkpoint(of: Omit<LedgerHead, "final"> & { final?: boolean }): LedgerCheckpoint;
  keys(): LedgerKey[];
}

/** Where the keys lie: in a file that is there, or in one of this installation's own, made at the first use. */
export type LedgerKeyPlace = Pick<Config, "DATA_DIR"> & Partial<Pick<Config, "LEDGER_KEYS_FILE">>;
const fileOf = ({ DATA_DIR, LEDGER_KEYS_FILE }: LedgerKeyPlace): string => LEDGER_KEYS_FILE ?? join(DATA_DIR, "secrets", fileName);

/** Signs with the keys of a file; a rotation is noticed when it happens. */
export function openLedgerSigner(place: LedgerKeyPlace, now: () => string = () => new Date().toISOString()): LedgerSigner {
  const file = fileOf(place);
  let read: { at: number; keys: KeyFile["keys"]; key: KeyObject } | undefined;

  function current() {
    keptOnce();
    const at = statSync(file).mtimeMs;
    if (read?.at !== at) {
      const { keys } = keyFile.parse(JSON.parse(readFileSync(file, "utf8")));
      read = { at, keys, key: privateKeyOf(keys[0] as SigningKey) };
    }
    return read;
  }
  let made = false;
  function keptOnce(): void {
    if (made || place.LEDGER_KEYS_FILE !== undefined) return;
    loadOrCreateSecret(place.DATA_DIR, fileName, () => JSON.stringify({ schemaVersion: 1, keys: [newKey(now())] } satisfies KeyFile));
    made = true;
  }

  return {
    checkpoint({ sessionId, before, tree, at, final = false }) {
      const { keys, key } = current();
      const { keyId, publicKey, createdAt } = keys[0] as SigningKey;
      const bare = {
        origin: "colloquy/tutor-ledger/1" as const,
        sessionId,
        previous: checkpointHash(before),
        size: tree.size,
        rootHash: rootHash(tree),
        at: notBefore(notBefore(at, before?.at), createdAt),
        final,
        keyId,
        publicKey,
      };
      return { ...bare, signature: signed(canonicalText(bare), key) };
    },
    keys: () => current().keys.map(({ privateKey: _, ...key }) => key),
  };
}

/** What the checkpoint behind this one says of it. */
export const checkpointHash = (checkpoint: LedgerCheckpoint | null): string => (checkpoint ? sha256(canonicalText(checkpoint)) : noHash);

/** Whether a checkpoint is signed by the key it names. */
export function isCheckpointSigned({ signature, ...bare }: LedgerCheckpoint): boolean {
  return bare.keyId === keyIdOf(bare.publicKey) && isSigned(canonicalText(bare), bare.publicKey, signature);
}

/** Puts a new key in front; the one before it vouches for it and stays for verifying. Returns the new key's id. */
export function rotateLedgerKey(place: LedgerKeyPlace, at: string): string {
  openLedgerSigner(place).keys();
  const file = fileOf(place);
  const { keys } = keyFile.parse(JSON.parse(readFileSync(file, "utf8")));
  const [present, ...older] = keys as [SigningKey, ...SigningKey[]];
  const next = newKey(at, present);
  const draft = join(dirname(file), `.${fileName}.${process.pid}.${randomBytes(6).toString("hex")}`);
  writeFileSync(draft, `${JSON.stringify({ schemaVersion: 1, keys: [next, { ...present, retiredAt: at }, ...older] })}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
  renameSync(draft, file);
  return next.keyId;
}
