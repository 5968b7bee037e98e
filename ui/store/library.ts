import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations.ts";
import { cursorField } from "@colloquy/schemas/errors.ts";
import type { Change, ConversationChangeData, ConversationChangeType } from "@colloquy/schemas/sync/changes.ts";
import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import type { Api } from "../api/client.ts";
import type { StreamState } from "../api/event-stream.ts";
import { type ClientProblem, isAbort, problemOfThrown, RequestFailed } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import type { AccountStore } from "./account-store.ts";
import { Emitter } from "./emitter.ts";
import { type ConversationChange, recordAfter, summaryAfter } from "./fold.ts";
import { Outbox } from "./outbox.ts";

type Events = {
  /** The history changed. */
  summaries: undefined;
  /** A record changed or went away. */
  record: { conversationId: string; record: Conversation | null };
  connection: StreamState;
  /** The account has to sign in again. */
  "signed-out": undefined;
};

const isCursorRefused = (error: unknown): boolean =>
  error instanceof RequestFailed &&
  error.problem.code === "invalid_request" &&
  error.problem.fields?.some(({ path }) => path === cursorField) === true;

/** How long a hidden page keeps its stream: browsers allow six connections to a site, and a person may have more tabs. */
const hiddenMs = 30_000;
const pageSize = bounds.conversations.pageSize;
/** Three heartbeats missed: nobody is there any more. */
const silenceMs = bounds.sync.heartbeatMs * 3;
/** Records kept for quick opening. */
const keptRecords = 60;

export type OwnChange = {
  [Type in ConversationChangeType]: { conversationId: string; type: Type; data: ConversationChangeData[Type]; at?: string };
}[ConversationChangeType];

/**
 * The account's conversations as this page knows them: what was kept in the browser at once, the server's word as soon as it comes,
 * this page's own changes before they are sent, and every other device's as they are made.
 */
export class Library {
  readonly events = new Emitter<Events>();
  readonly outbox: Outbox;
  readonly #api: Api;
  readonly #store: AccountStore;
  readonly #summaries = new Map<string, ConversationSummary>();
  readonly #records = new Map<string, Conversation>();
  /** Ids of the changes made by this page: their echo has nothing new. */
  readonly #own = new Set<string>();
  readonly #stopped = new AbortController();
  #stream: AbortController | null = null;
  #hideTimer: ReturnType<typeof setTimeout> | undefined;
  #cursor: string | null = null;
  #older: string | null = null;
  #connection: StreamState = "connecting";
  /** Counts the changes this page has taken in, its own and others'. */
  #applied = 0;
  #loaded = false;

  constructor(api: Api, store: AccountStore, outbox: Outbox = new Outbox(api, store)) {
    this.#api = api;
    this.#store = store;
    this.outbox = outbox;
  }

  /** The history, newest first, without what is archived. */
  get summaries(): ConversationSummary[] {
    const active = [...this.#summaries.values()].filter((summary) => summary.state === "active");
    return active.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
  }
  get connection(): StreamState {
    return this.#connection;
  }
  /** Whether the history is the server's, not only what was kept. */
  get loaded(): boolean {
    return this.#loaded;
  }
  get hasOlder(): boolean {
    return this.#older !== null;
  }

  /** Shows what was kept, then asks the server and follows its stream. */
  async start(): Promise<void> {
    for (const { summary } of await this.#store.summaries.all()) this.#summaries.set(summary.conversationId, summary);
    this.#cursor = (await this.#store.meta.get("cursor"))?.value ?? null;
    this.events.emit("summaries");
    void this.outbox.send();
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#connect();
  }

  stop(): void {
    this.#stopped.abort();
    this.#stream?.abort();
    this.outbox.stop();
    clearTimeout(this.#hideTimer);
    document.removeEventListener("visibilitychange", this.#onVisibility);
  }

  /** What is known of a conversation right now. */
  known(conversationId: string): Conversation | null {
    return this.#records.get(conversationId) ?? null;
  }

  /** What was kept of a conversation, with this page's unsent changes. For showing at once. */
  async kept(conversationId: string): Promise<Conversation | null> {
    const known = this.known(conversationId);
    if (known) return known;
    const row = await this.#store.records.get(conversationId);
    const record = await this.#withPending(conversationId, row?.record ?? null);
    if (record) this.#records.set(conversationId, record);
    return record;
  }

  /**
   * The server's record of a conversation with this page's unsent changes; null when there is none.
   * @throws {RequestFailed} when the server cannot be asked
   */
  async open(conversationId: string): Promise<Conversation | null> {
    const fromServer = await this.#unchanged(() => this.#api.conversation(conversationId, this.#after, this.#stopped.signal));
    const record = await this.#withPending(conversationId, fromServer);
    await this.#setRecord(conversationId, record, true);
    return record;
  }

  /** Reads until nothing was changed here meanwhile: an answer on its way must not undo what has happened since it was asked for. */
  async #unchanged<Value>(read: () => Promise<Value>): Promise<Value> {
    for (;;) {
      const before = this.#applied;
      const value = await read();
      if (before === this.#applied) return value;
    }
  }

  get #after(): { after?: string } {
    const after = this.outbox.position;
    return after === undefined ? {} : { after };
  }

  /** Makes changes: shown at once, kept, sent. */
  async commit(changes: OwnChange[]): Promise<void> {
    const made = changes.map<Change>(({ conversationId, type, data, at }) => ({
      changeId: uuidv7(),
      domain: "conversation",
      entityId: conversationId,
      type,
      at: at ?? new Date().toISOString(),
      data: data as Record<string, unknown>,
    }));
    for (const change of made) this.#own.add(change.changeId);
    await this.outbox.keep(made);
    // Shown before it is sent: a change that is refused must not be applied after the server's word was read again.
    for (const change of made) await this.#apply(change);
    void this.outbox.send();
  }

  /** The next page of the history. */
  async loadOlder(): Promise<void> {
    if (!this.#older) return;
    const page = await this.#api.conversations({ cursor: this.#older, limit: pageSize }, this.#stopped.signal);
    for (const summary of page.conversations) this.#summaries.set(summary.conversationId, summary);
    this.#older = page.cursor;
    this.events.emit("summaries");
  }

  /** Asks for the history anew, so that what changed while nobody listened shows. */
  async refresh(): Promise<ClientProblem | null> {
    try {
      const page = await this.#unchanged(() => this.#api.conversations({ limit: pageSize, ...this.#after }, this.#stopped.signal));
      const pending = await this.outbox.pending();
      const fresh = new Map(page.conversations.map((summary) => [summary.conversationId, summary]));
      for (const id of new Set(pending.map((change) => change.entityId))) {
        const summary = pending.filter((change) => change.entityId === id).reduce(summaryAfter, fresh.get(id) ?? null);
        if (summary) fresh.set(id, summary);
        else fresh.delete(id);
      }
      const gone = [...this.#summaries.keys()].filter((id) => !fresh.has(id));
      this.#summaries.clear();
      for (const [id, summary] of fresh) this.#summaries.set(id, summary);
      this.#older = page.cursor;
      this.#loaded = true;
      this.events.emit("summaries");
      await Promise.all(gone.map((id) => this.#store.summaries.delete(id)));
      await Promise.all([...fresh].map(([key, summary]) => this.#store.summaries.put({ key, summary })));
      return null;
    } catch (error) {
      return isAbort(error) ? null : problemOfThrown(error);
    }
  }

  readonly #onVisibility = () => {
    clearTimeout(this.#hideTimer);
    if (document.hidden) this.#hideTimer = setTimeout(() => this.#stream?.abort(), hiddenMs);
    else if (!this.#stream || this.#stream.signal.aborted) this.#connect();
  };

  #connect(): void {
    const stream = new AbortController();
    this.#stream = stream;
    void this.#follow(stream);
  }

  async #follow(stream: AbortController): Promise<void> {
    const onState = (state: StreamState) => {
      if (state === "live") void this.#catchUp();
      this.#tellConnection(state);
    };
    try {
      this.#cursor ??= await this.#beginning().catch((error) => {
        if (error instanceof RequestFailed && error.problem.code === "sign_in_required") throw error;
        return null;
      });
      const options = { from: this.#cursor, signal: stream.signal, onState, silenceMs };
      for await (const change of this.#api.changes(options)) await this.#receive(change);
    } catch (error) {
      if (this.#cursor !== null && isCursorRefused(error)) {
        await this.#beginAnew();
        if (!stream.signal.aborted) return this.#follow(stream);
      }
      if (error instanceof RequestFailed && error.problem.code === "sign_in_required") this.events.emit("signed-out");
      this.#tellConnection("waiting");
    }
  }

  /** The service was restored from a backup: what is kept here may be of changes it does not know. Unsent changes stay. */
  async #beginAnew(): Promise<void> {
    this.#cursor = null;
    this.outbox.forgetPosition();
    this.#records.clear();
    await this.#store.meta.delete("cursor");
    for (const { key } of await this.#store.records.all()) await this.#store.records.delete(key);
  }

  /**
   * Where a browser without a cursor begins to listen: after the last change of the newest conversation. What happens until the
   * stream stands is read with the list once it does, so nothing is missed and no history is sent twice.
   */
  async #beginning(): Promise<string> {
    const { conversations } = await this.#api.conversations({ limit: pageSize }, this.#stopped.signal);
    const newest = conversations.reduce<ConversationSummary | null>(
      (best, summary) => (best && best.updatedAt >= summary.updatedAt ? best : summary),
      null,
    );
    return (newest && (await this.#api.conversation(newest.conversationId, {}, this.#stopped.signal))?.position) ?? "0";
  }

  /** With the stream open nothing new is missed; what was missed before is read now. */
  async #catchUp(): Promise<void> {
    void this.outbox.send();
    await this.refresh();
  }

  async #receive(change: RemoteChange): Promise<void> {
    if (change.domain === "conversation" && !this.#own.has(change.changeId)) await this.#apply(change);
    this.#cursor = change.cursor;
    await this.#store.meta.put({ key: "cursor", value: change.cursor });
  }

  async #apply(change: ConversationChange): Promise<void> {
    this.#applied += 1;
    const id = change.entityId;
    const summary = summaryAfter(this.#summaries.get(id) ?? null, change);
    if (summary) this.#summaries.set(id, summary);
    else this.#summaries.delete(id);
    this.events.emit("summaries");
    await (summary ? this.#store.summaries.put({ key: id, summary }) : this.#store.summaries.delete(id));

    const before = this.known(id) ?? (await this.#store.records.get(id))?.record ?? null;
    const after = recordAfter(before, change);
    if (after !== before || change.type === "deleted") await this.#setRecord(id, after, false);
    if (change.type === "deleted") await this.#forget(id);
  }

  async #setRecord(conversationId: string, record: Conversation | null, opened: boolean): Promise<void> {
    if (record) this.#records.set(conversationId, record);
    else this.#records.delete(conversationId);
    this.events.emit("record", { conversationId, record });
    if (!record) return this.#store.records.delete(conversationId);
    const openedAt = opened ? Date.now() : ((await this.#store.records.get(conversationId))?.openedAt ?? Date.now());
    await this.#store.records.put({ key: conversationId, record, openedAt });
    if (opened) await this.#dropOldRecords();
  }

  async #dropOldRecords(): Promise<void> {
    const rows = (await this.#store.records.all()).sort((one, other) => other.openedAt - one.openedAt);
    for (const row of rows.slice(keptRecords)) await this.#forget(row.key);
  }

  /** Takes away every text this browser keeps of a conversation. */
  async #forget(conversationId: string): Promise<void> {
    await this.#store.records.delete(conversationId);
    for (const trace of await this.#store.traces.all())
      if (trace.conversationId === conversationId) await this.#store.traces.delete(trace.key);
  }

  async #withPending(conversationId: string, record: Conversation | null): Promise<Conversation | null> {
    const pending = await this.outbox.pending();
    return pending.filter((change) => change.entityId === conversationId).reduce(recordAfter, record);
  }

  #tellConnection(state: StreamState): void {
    if (state === this.#connection) return;
    this.#connection = state;
    this.events.emit("connection", state);
  }
}
