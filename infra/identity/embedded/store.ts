import type { Adapter, AdapterConstructor, AdapterPayload } from "oidc-provider";

/** More than this many records at once: the oldest go. Enough for a demonstration, little enough for one process. */
const most = 2_000;

interface Row {
  payload: AdapterPayload;
  expires: number;
}

/**
 * The provider's records in memory, each for its lifetime. Whoever is at its page when it restarts begins again.
 * Sessions of the provider itself are not kept: it remembers nobody, so that an account is chosen at every sign-in.
 */
export function memoryStore(now: () => number = Date.now): AdapterConstructor {
  const rows = new Map<string, Row>();

  function find(matches: (payload: AdapterPayload, key: string) => boolean): AdapterPayload | undefined {
    for (const [key, row] of rows) if (row.expires > now() && matches(row.payload, key)) return row.payload;
    return undefined;
  }

  return class MemoryStore implements Adapter {
    readonly #kind: string;
    constructor(kind: string) {
      this.#kind = `${kind}:`;
    }
    async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<undefined> {
      if (this.#kind === "Session:") return;
      const key = this.#kind + id;
      rows.delete(key);
      rows.set(key, { payload, expires: expiresIn ? now() + expiresIn * 1000 : Number.POSITIVE_INFINITY });
      for (const oldest of rows.keys()) {
        if (rows.size <= most) break;
        rows.delete(oldest);
      }
    }
    async find(id: string): Promise<AdapterPayload | undefined> {
      const row = rows.get(this.#kind + id);
      return row && row.expires > now() ? row.payload : undefined;
    }
    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return find((payload, key) => key.startsWith(this.#kind) && payload.uid === uid);
    }
    async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
      return find((payload, key) => key.startsWith(this.#kind) && payload.userCode === userCode);
    }
    async consume(id: string): Promise<undefined> {
      const row = rows.get(this.#kind + id);
      if (row) row.payload.consumed = Math.floor(now() / 1000);
    }
    async destroy(id: string): Promise<undefined> {
      rows.delete(this.#kind + id);
    }
    async revokeByGrantId(grantId: string): Promise<undefined> {
      for (const [key, { payload }] of rows) if (payload.grantId === grantId) rows.delete(key);
    }
  };
}
