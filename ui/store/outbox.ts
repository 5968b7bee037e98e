import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import { type Backoff, backoffMs, pause } from "../api/backoff.ts";
import type { Api } from "../api/client.ts";
import { type ClientProblem, isAbort, problemOfThrown } from "../api/problems.ts";
import type { AccountStore } from "./account-store.ts";
import { Emitter } from "./emitter.ts";
import { outboxLock, withAbortableLock } from "./locks.ts";

/** Whether this browser's changes are on the server, being sent, or only here. */
export type OutboxStatus = { unsent: number; state: "saved" | "sending" | "waiting" | "signed-out" };

type Events = {
  state: OutboxStatus;
  /** The server has stored these changes, up to a position. */
  acknowledged: { changeIds: string[]; position: string };
  refused: { change: Change; result: ChangeResult };
};

type OutboxStore = Pick<AccountStore, "accountId" | "deviceId" | "outbox">;

/** Well below the server's body limit, even with a hundred long answers. */
const pushBytes = bounds.json.bodyBytes / 2;

/** Changes of one entity keep their order; entities are independent of each other. */
const entityOf = ({ domain, entityId }: Change): string => `${domain}/${entityId}`;

/**
 * Local changes on their way to the server: stored before the first attempt, sent in order, retried with backoff, and kept after the
 * acknowledgement until the feed returns them (`Replica`).
 */
export class Outbox {
  readonly events = new Emitter<Events>();
  readonly #api: Pick<Api, "push">;
  readonly #store: OutboxStore;
  readonly #stopped = new AbortController();
  readonly #backoff: Backoff;
  #sending: Promise<void> | null = null;
  #again = false;
  /** Entities whose changes the service cannot accept at the moment. Their changes wait; others are sent. */
  readonly #deferred = new Set<string>();
  #deferredTries = 0;
  #deferredTimer: ReturnType<typeof setTimeout> | undefined;
  #status: OutboxStatus = { unsent: 0, state: "saved" };
  #position: string | undefined;

  constructor(api: Pick<Api, "push">, store: OutboxStore, backoff: Backoff = { firstMs: 1_000, mostMs: 30_000 }) {
    this.#api = api;
    this.#store = store;
    this.#backoff = backoff;
  }

  get status(): OutboxStatus {
    return this.#status;
  }

  /** Position of the last acknowledged change; a query `after` it reads its own writes. */
  get position(): string | undefined {
    return this.#position;
  }

  /** After a restore from a backup the service may never reach that position again. */
  forgetPosition(): void {
    this.#position = undefined;
  }

  /** Stores changes and starts sending. Resolves once they are stored. */
  async add(changes: Change[]): Promise<void> {
    await this.store(changes);
    void this.send();
  }

  /** Stores changes; the next `send` sends them. */
  async store(changes: Change[]): Promise<void> {
    await this.#store.outbox.putAll(changes.map((change) => ({ key: change.changeId, change })));
    this.#setStatus({ unsent: (await this.pending()).length, state: "sending" });
  }

  /** Unsent changes, in sending order. */
  async pending(): Promise<Change[]> {
    return (await this.#store.outbox.getAll()).flatMap(({ change, acknowledged }) => (acknowledged === undefined ? [change] : []));
  }

  /** Sends all changes; resolves when nothing is left that the service accepts now, or when the account has to sign in first. */
  send(): Promise<void> {
    this.#again = true;
    this.#sending ??= this.#loop().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#deferredTimer);
  }

  async #loop(): Promise<void> {
    let failures = 0;
    while (this.#again && !this.#stopped.signal.aborted) {
      this.#again = false;
      this.#deferred.clear();
      const problem = await withAbortableLock(outboxLock(this.#store.accountId), this.#stopped.signal, () => this.#sendAll());
      if (!problem) {
        failures = 0;
        continue;
      }
      const unsent = (await this.pending()).length;
      if (problem.code === "sign_in_required") return this.#setStatus({ unsent, state: "signed-out" });
      this.#setStatus({ unsent, state: "waiting" });
      await pause(Math.max(backoffMs(failures, this.#backoff), (problem.retryAfterSeconds ?? 0) * 1_000), this.#stopped.signal);
      failures += 1;
      this.#again = true;
    }
    this.#sendDeferredLater();
  }

  /** Retries deferred entities with backoff, or earlier with the next change. */
  #sendDeferredLater(): void {
    clearTimeout(this.#deferredTimer);
    if (this.#deferred.size === 0) this.#deferredTries = 0;
    if (this.#deferred.size === 0 || this.#stopped.signal.aborted) return;
    this.#deferredTimer = setTimeout(() => void this.send(), backoffMs(this.#deferredTries, this.#backoff));
    this.#deferredTries += 1;
  }

  /** Sends batch after batch; returns the problem that stopped it. */
  async #sendAll(): Promise<ClientProblem | null> {
    for (;;) {
      const pending = await this.pending();
      const batch = firstBatch(pending.filter((change) => !this.#deferred.has(entityOf(change))));
      if (!batch.length) {
        this.#setStatus({ unsent: pending.length, state: pending.length > 0 ? "waiting" : "saved" });
        return null;
      }
      this.#setStatus({ unsent: Math.max(this.#status.unsent, batch.length), state: "sending" });
      try {
        await this.#applyResults(batch, await this.#push(batch), this.#position);
      } catch (error) {
        if (isAbort(error)) return null;
        const problem = problemOfThrown(error);
        // A batch that is rejected as a whole would block all later changes: send its changes one by one to find the culprit.
        if (problem.retryable || problem.status === 0 || problem.code === "sign_in_required") return problem;
        const stuck = await this.#sendOneByOne(batch, problem);
        if (stuck) return stuck;
      }
    }
  }

  async #sendOneByOne(batch: Change[], whole: ClientProblem): Promise<ClientProblem | null> {
    for (const change of batch) {
      if (this.#deferred.has(entityOf(change))) continue;
      if (batch.length === 1) {
        await this.#applyResults(batch, [{ changeId: change.changeId, outcome: "refused", code: whole.code }]);
        return null;
      }
      try {
        await this.#applyResults([change], await this.#push([change]), this.#position);
      } catch (error) {
        if (isAbort(error)) return null;
        const problem = problemOfThrown(error);
        if (problem.retryable || problem.status === 0 || problem.code === "sign_in_required") return problem;
        await this.#applyResults([change], [{ changeId: change.changeId, outcome: "refused", code: problem.code }]);
      }
    }
    return null;
  }

  async #push(batch: Change[]): Promise<ChangeResult[]> {
    const { results, position } = await this.#api.push(this.#store.deviceId, batch, this.#stopped.signal);
    this.#position = position;
    return results;
  }

  /**
   * Marks accepted changes and deletes rejected ones. Changes that the service could not accept now, or did not mention, stay: another
   * process or a later version may accept them.
   */
  async #applyResults(batch: Change[], results: ChangeResult[], position = "0"): Promise<void> {
    const changes = new Map(batch.map((change) => [change.changeId, change]));
    const taken: Change[] = [];
    for (const result of results) {
      const change = changes.get(result.changeId);
      if (change && result.outcome !== "refused") taken.push(change);
      if (!change || result.outcome !== "refused") continue;
      if (result.code === "unavailable") {
        this.#deferred.add(entityOf(change));
        continue;
      }
      await this.#store.outbox.delete(change.changeId);
      this.events.emit("refused", { change, result });
    }
    await this.#store.outbox.putAll(taken.map((change) => ({ key: change.changeId, change, acknowledged: position })));
    if (taken.length > 0) this.events.emit("acknowledged", { changeIds: taken.map(({ changeId }) => changeId), position });
    this.#setStatus({ unsent: (await this.pending()).length, state: "sending" });
  }

  #setStatus(state: OutboxStatus): void {
    if (state.unsent === this.#status.unsent && state.state === this.#status.state) return;
    this.#status = state;
    this.events.emit("state", state);
  }
}

/** As many of the first changes as fit into one push. */
function firstBatch(pending: Change[]): Change[] {
  let bytes = 0;
  let count = 0;
  for (const change of pending.slice(0, bounds.sync.changesPerPush)) {
    bytes += JSON.stringify(change).length * 2;
    if (count && bytes > pushBytes) break;
    count += 1;
  }
  return pending.slice(0, count);
}
