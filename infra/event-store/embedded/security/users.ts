import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { loadOrCreateSecret } from "../../../secrets.ts";
import { groups } from "./access.ts";

/** Somebody who signed in. */
export interface Caller {
  name: string;
  groups: readonly string[];
}

export interface Users {
  /** Who sends these credentials (an `authorization` header of the kind Basic); null when they are wrong. */
  signIn(authorization: string): Promise<Caller | null>;
}

/** The users there are, as EventStoreDB makes them at its first start. */
const builtIn = [
  { name: "admin", groups: [groups.admins] },
  { name: "ops", groups: [groups.operators] },
] as const;
export type UserName = (typeof builtIn)[number]["name"];

/** Password of a user, made once and kept in `<dataDir>/secrets`, where only the program's own processes read it. */
export const passwordOf = (dataDir: string, user: UserName): string => loadOrCreateSecret(dataDir, `event-store-${user}`);

interface KeptUser {
  name: string;
  groups: string[];
  salt: string;
  hash: string;
}

// RFC 7914's interactive cost, 16 MiB for each try: the passwords are 48 random bytes, so no dictionary holds them.
const cost: ScryptOptions = { N: 2 ** 14, r: 8, p: 1 };
const hashBytes = 32;
/** Credentials that were verified, so that each call need not pay for scrypt again. */
const remembered = 64;

const hashOf = (password: string, salt: string): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password, Buffer.from(salt, "base64"), hashBytes, cost, (error, hash) => (error ? reject(error) : resolve(hash))),
  );

const matches = async (user: KeptUser, password: string): Promise<boolean> =>
  timingSafeEqual(await hashOf(password, user.salt), Buffer.from(user.hash, "base64"));

/**
 * The users of a folder. The server keeps hashes (scrypt) in `<folder>/users.json`; a password file that was replaced counts from the
 * next start on. Only whoever holds the folder's lock may call it.
 */
export async function openUsers(folder: string, dataDir: string): Promise<Users> {
  const users = await keptUsers(folder, dataDir);
  const signedInCallers = new LRUCache<string, Caller>({ max: remembered });
  const nobody: KeptUser = { name: "", groups: [], salt: "", hash: Buffer.alloc(hashBytes).toString("base64") };

  return {
    async signIn(authorization) {
      // A fingerprint, so that no password stays in memory for it.
      const fingerprint = createHash("sha256").update(authorization).digest("base64");
      const caller = signedInCallers.get(fingerprint);
      if (caller) return caller;
      const given = credentialsIn(authorization);
      if (!given) return null;
      const user = users.find(({ name }) => name === given.name);
      // Hashed for a name nobody has, too, so that the time taken tells nothing.
      if (!(await matches(user ?? nobody, given.password)) || !user) return null;
      const signedIn: Caller = { name: user.name, groups: user.groups };
      signedInCallers.set(fingerprint, signedIn);
      return signedIn;
    },
  };
}

async function keptUsers(folder: string, dataDir: string): Promise<KeptUser[]> {
  const file = join(folder, "users.json");
  const kept = readUsers(file);
  const users = await Promise.all(
    builtIn.map(async ({ name, groups }) => {
      const password = passwordOf(dataDir, name);
      const user = kept.find((each) => each.name === name);
      if (user && (await matches(user, password))) return user;
      const salt = randomBytes(16).toString("base64");
      return { name, groups: [...groups], salt, hash: (await hashOf(password, salt)).toString("base64") };
    }),
  );
  if (users.some((user) => !kept.includes(user))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify({ schemaVersion: 1, users }, null, 2), { mode: 0o600, flush: true });
    renameSync(draft, file);
  }
  return users;
}

function readUsers(file: string): KeptUser[] {
  try {
    const { users } = JSON.parse(readFileSync(file, "utf8")) as { users: KeptUser[] };
    return users.filter(({ salt, hash }) => typeof salt === "string" && Buffer.from(hash, "base64").length === hashBytes);
  } catch {
    return [];
  }
}

/** Name and password out of `Basic base64(name:password)`. */
function credentialsIn(authorization: string): { name: string; password: string } | null {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  if (!encoded) return null;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? null : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
