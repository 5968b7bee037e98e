import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Adapter, AdapterConstructor, AdapterPayload } from "oidc-provider";
import { makeFolder } from "../../private-files.ts";

/** More than this many records of a kind at once: the oldest go. Enough for a demonstration, little enough for one process. */
const most = 2_000;

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS records (
    kind TEXT NOT NULL, key TEXT NOT NULL, payload TEXT NOT NULL, client TEXT, grant_id TEXT, expires INTEGER, consumed INTEGER,
    PRIMARY KEY (kind, key)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_of_grant ON records (grant_id);
  CREATE INDEX IF NOT EXISTS records_of_client ON records (kind, client);
`;

/** The provider's records in the data folder, so that assistants stay registered and connected over a restart. */
export function storeIn(dataDir: string, now?: () => number): AdapterConstructor {
  makeFolder(dataDir);
  return recordStore(join(dataDir, "identity.db"), now);
}

/**
 * The provider's records, each for its lifetime. Codes and tokens are kept by their digests: nobody who reads the file can use one.
 * Sessions of the provider itself are not kept: it remembers nobody, so that an account is chosen at every sign-in.
 */
export function recordStore(file = ":memory:", now: () => number = Date.now): AdapterConstructor {
  const database = new DatabaseSync(file);
  database.exec(schema);
  const insert = database.prepare(
    "INSERT OR REPLACE INTO records (kind, key, payload, client, grant_id, expires) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const select = database.prepare("SELECT payload, consumed FROM records WHERE kind = ? AND key = ? AND (expires IS NULL OR expires > ?)");
  const expire = database.prepare("DELETE FROM records WHERE expires <= ?");
  const count = database.prepare("SELECT count(*) AS count FROM records WHERE kind = ?");
  // Whoever registers again and again pushes out nobody that somebody has agreed to.
  const prune = database.prepare(`DELETE FROM records WHERE rowid IN (SELECT rowid FROM records AS old WHERE kind = ?
    ORDER BY kind = 'Client' AND EXISTS (SELECT 1 FROM records WHERE kind = 'Grant' AND client = old.client), rowid LIMIT ?)`);
  const consume = database.prepare("UPDATE records SET consumed = ? WHERE kind = ? AND key = ?");
  const remove = database.prepare("DELETE FROM records WHERE kind = ? AND key = ?");
  const revoke = database.prepare("DELETE FROM records WHERE grant_id = ?");
  const keyOf = (id: string): string => createHash("sha256").update(id).digest("base64url");
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

  return class RecordStore implements Adapter {
    readonly #kind: string;
    constructor(kind: string) {
      this.#kind = kind;
    }
    async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<undefined> {
      if (this.#kind === "Session") return;
      const { jti: _, ...kept } = payload;
      const expires = expiresIn ? now() + expiresIn * 1000 : null;
      const client = text(this.#kind === "Client" ? payload.client_id : payload.clientId);
      insert.run(this.#kind, keyOf(id), JSON.stringify(kept), client, text(payload.grantId), expires);
      const { count: there } = count.get(this.#kind) as { count: number };
      if (there <= most) return;
      expire.run(now());
      const { count: left } = count.get(this.#kind) as { count: number };
      if (left > most) prune.run(this.#kind, left - most);
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      const row = select.get(this.#kind, keyOf(id), now()) as { payload: string; consumed: number | null } | undefined;
      if (!row) return undefined;
      const payload: AdapterPayload = JSON.parse(row.payload);
      return { ...payload, ...(this.#kind !== "Client" && { jti: id }), ...(row.consumed !== null && { consumed: row.consumed }) };
    }
    // Sessions and device codes alone are looked up so, and neither is kept.
    async findByUid(): Promise<undefined> {}
    async findByUserCode(): Promise<undefined> {}
    async consume(id: string): Promise<undefined> {
      consume.run(Math.floor(now() / 1000), this.#kind, keyOf(id));
    }
    async destroy(id: string): Promise<undefined> {
      remove.run(this.#kind, keyOf(id));
    }
    async revokeByGrantId(grantId: string): Promise<undefined> {
      revoke.run(grantId);
    }
  };
}
