import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import type { Api } from "../api/client.ts";
import { pause } from "../api/event-stream.ts";
import { type ClientProblem, isAbort, problemOfThrown } from "../api/problems.ts";
import type { AccountStore } from "./account-store.ts";
import { Emitter } from "./emitter.ts";
import { outboxLock, withAbortableLock } from "./locks.ts";

/** Where the changes of this browser stand: with everyone's devices, on their way, or here only. */
export type OutboxStatus = { unsent: number; state: "saved" | "sending" | "waiting" | "signed-out" };

type Events = {
  state: OutboxStatus;
  /** The server has these, by a position. */
  acknowledged: { changeIds: string[]; position: string };
  refused: { change: Change; result: ChangeResult };
};

type OutboxStore = Pick<AccountStore, "accountId" | "deviceId" | "outbox">;

/** A push stays well under the server's body bound, whatever a hundred long answers weigh. */
const pushBytes = bounds.json.bodyBytes / 2;

/** What a change is of. The changes of one stand in their order; those of another may go before them. */
const entityOf = ({ domain, entityId }: Change): string => `${domain}/${entityId}`;

/**
 * Changes on their way to the server. They are kept in the browser before the first try, sent in the order they were made, tried again
 * with growing waits, and stay, once acknowledged, until the server has sent them back (`Replica`).
 */
export class Outbox {
  readonly events = new Emitter<Events>();
  readonly #api: Pick<Api, "push">;
  readonly #store: OutboxStore;
  readonly #stopped = new AbortController();
  readonly #firstWaitMs: number;
  #sending: Promise<void> | null = null;
  #again = false;
  /** Entities of which the service takes nothing for now, though it takes others': their changes stay, and hold up no others. */
  readonly #held = new Set<string>();
  #heldTries = 0;
  #heldTimer: ReturnType<typeof setTimeout> | undefined;
  #current: OutboxStatus = { unsent: 0, state: "saved" };
  #position: string | undefined;

  constructor(api: Pick<Api, "push">, store: OutboxStore, options: { firstWaitMs?: number } = {}) {
    this.#api = api;
    this.#store = store;
    this.#firstWaitMs = options.firstWaitMs ?? 1_000;
  }

  get status(): OutboxStatus {
    return this.#current;
  }

  /** The position of the last acknowledged change: asking for what is after it reads one's own writes. */
  get position(): string | undefined {
    return this.#position;
  }

  /** After the service was set back, waiting for that position would never end. */
  forgetPosition(): void {
    this.#position = undefined;
  }

  /** Keeps changes and begins to send. Resolves when they are kept, not when they are sent. */
  async add(changes: Change[]): Promise<void> {
    await this.store(changes);
    void this.send();
  }

  /** Keeps changes, to be sent with the next `send`. */
  async store(changes: Change[]): Promise<void> {
    await this.#store.outbox.putAll(changes.map((change) => ({ key: change.changeId, change })));
    this.#tell({ unsent: (await this.pending()).length, state: "sending" });
  }

  /** What is still unsent, in sending order. */
  async pending(): Promise<Change[]> {
    return (await this.#store.outbox.getAll()).flatMap(({ change, acknowledged }) => (acknowledged === undefined ? [change] : []));
  }

  /** Sends what is there; resolves when nothing is left that the service takes now, or when the account has to sign in again first. */
  send(): Promise<void> {
    this.#again = true;
    this.#sending ??= this.#loop().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#heldTimer);
  }

  async #loop(): Promise<void> {
    let failures = 0;
    while (this.#again && !this.#stopped.signal.aborted) {
      this.#again = false;
      this.#held.clear();
      const problem = await withAbortableLock(outboxLock(this.#store.accountId), this.#stopped.signal, () => this.#sendAll());
      if (!problem) {
        failures = 0;
        continue;
      }
      const unsent = (await this.pending()).length;
      if (problem.code === "sign_in_required") return this.#tell({ unsent, state: "signed-out" });
      this.#tell({ unsent, state: "waiting" });
      const wait = Math.min(30_000, this.#firstWaitMs * 2 ** failures);
      await pause(Math.max(wait, (problem.retryAfterSeconds ?? 0) * 1_000), this.#stopped.signal);
      failures += 1;
      this.#again = true;
    }
    this.#sendHeldLater();
  }

  /** What was held is tried again after growing waits, or sooner with whatever else is sent. */
  #sendHeldLater(): void {
    clearTimeout(this.#heldTimer);
    if (this.#held.size === 0) this.#heldTries = 0;
    if (this.#held.size === 0 || this.#stopped.signal.aborted) return;
    this.#heldTimer = setTimeout(() => void this.send(), Math.min(30_000, this.#firstWaitMs * 2 ** this.#heldTries));
    this.#heldTries += 1;
  }

  /** Sends batch after batch; gives back the problem that stopped it. */
  async #sendAll(): Promise<ClientProblem | null> {
    for (;;) {
      const pending = await this.pending();
      const batch = firstBatch(pending.filter((change) => !this.#held.has(entityOf(change))));
      if (!batch.length) {
        this.#tell({ unsent: pending.length, state: pending.length > 0 ? "waiting" : "saved" });
        return null;
      }
      this.#tell({ unsent: Math.max(this.#current.unsent, batch.length), state: "sending" });
      try {
        await this.#settle(batch, await this.#push(batch), this.#position);
      } catch (error) {
        if (isAbort(error)) return null;
        const problem = problemOfThrown(error);
        // A batch that is refused as a whole for good would block all that follow: send it one by one to find the culprit.
        if (problem.retryable || problem.status === 0 || problem.code === "sign_in_required") return problem;
        const stuck = await this.#sendSingly(batch, problem);
        if (stuck) return stuck;
      }
    }
  }

  async #sendSingly(batch: Change[], whole: ClientProblem): Promise<ClientProblem | null> {
    for (const change of batch) {
      if (this.#held.has(entityOf(change))) continue;
      if (batch.length === 1) {
        await this.#settle(batch, [{ changeId: change.changeId, outcome: "refused", code: whole.code }]);
        return null;
      }
      try {
        await this.#settle([change], await this.#push([change]), this.#position);
      } catch (error) {
        if (isAbort(error)) return null;
        const problem = problemOfThrown(error);
        if (problem.retryable || problem.status === 0 || problem.code === "sign_in_required") return problem;
        await this.#settle([change], [{ changeId: change.changeId, outcome: "refused", code: problem.code }]);
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
   * Marks what the server has, and lets go of what it refused for good. What it cannot take now stays and is held: another process, or
   * the next version, may take it. So does what it did not mention.
   */
  async #settle(batch: Change[], results: ChangeResult[], position = "0"): Promise<void> {
    const changes = new Map(batch.map((change) => [change.changeId, change]));
    const taken: Change[] = [];
    for (const result of results) {
      const change = changes.get(result.changeId);
      if (change && result.outcome !== "refused") taken.push(change);
      if (!change || result.outcome !== "refused") continue;
      if (result.code === "unavailable") {
        this.#held.add(entityOf(change));
        continue;
      }
      await this.#store.outbox.delete(change.changeId);
      this.events.emit("refused", { change, result });
    }
    await this.#store.outbox.putAll(taken.map((change) => ({ key: change.changeId, change, acknowledged: position })));
    if (taken.length > 0) this.events.emit("acknowledged", { changeIds: taken.map(({ changeId }) => changeId), position });
    this.#tell({ unsent: (await this.pending()).length, state: "sending" });
  }

  #tell(state: OutboxStatus): void {
    if (state.unsent === this.#current.unsent && state.state === this.#current.state) return;
    this.#current = state;
    this.events.emit("state", state);
  }
}

/** As many changes from the front as one push may hold. */
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
