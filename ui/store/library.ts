import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { cursorField } from "@colloquy/schemas/errors.ts";
import type { Change, ChangeDataOf, ConversationChangeData, ConversationChangeType } from "@colloquy/schemas/sync/changes.ts";
import { backoffMs, pause } from "../api/backoff.ts";
import type { Api } from "../api/client.ts";
import type { StreamState } from "../api/event-stream.ts";
import { problemOfThrown, RequestFailed } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import type { AccountStore } from "./account-store.ts";
import { Emitter } from "./emitter.ts";
import { outboxLock } from "./locks.ts";
import { Outbox } from "./outbox.ts";
import type { PersonalDomain } from "./personal-fold.ts";
import { Replica } from "./replica.ts";

type Events = {
  /** The history changed. */
  summaries: undefined;
  /** A record changed or was deleted. */
  record: { conversationId: string; record: Conversation | null };
  /** Something in these domains changed. */
  personal: { domains: ReadonlySet<PersonalDomain> };
  /** Everything of the account was deleted, here or elsewhere, and later changes were received. */
  erased: undefined;
  connection: StreamState;
  /** The account has to sign in again. */
  "signed-out": undefined;
};

const isCursorRefused = (error: unknown): boolean =>
  error instanceof RequestFailed &&
  error.problem.code === "invalid_request" &&
  error.problem.fields?.some(({ path }) => path === cursorField) === true;

/** How long a hidden page keeps its stream: browsers allow six connections per site, and there may be many tabs. */
const hiddenMs = 30_000;
/** Three missed heartbeats mean a dead connection. */
const silenceMs = bounds.sync.heartbeatMs * 3;
/** Backoff of the stream and of catching up. */
const backoff = { firstMs: 1_000, mostMs: 30_000 };

export type LocalChange = {
  [Type in ConversationChangeType]: { conversationId: string; type: Type; data: ConversationChangeData[Type]; at?: string };
}[ConversationChangeType];

/** A local change of another personal domain. */
export type LocalPersonalChange = {
  [Of in PersonalDomain]: {
    [Type in keyof ChangeDataOf<Of>]: { domain: Of; entityId: string; type: Type; data: ChangeDataOf<Of>[Type] };
  }[keyof ChangeDataOf<Of>];
}[PersonalDomain];

/**
 * The account's data on this page: stored data at once, then the server's changes, with local changes on top until the server confirms
 * them.
 */
export class Library {
  readonly events = new Emitter<Events>();
  readonly outbox: Outbox;
  readonly replica: Replica;
  readonly #api: Api;
  readonly #stopped = new AbortController();
  /** Notifies the account's other tabs that the outbox changed. */
  readonly #tabs: BroadcastChannel;
  #stream: AbortController | null = null;
  #hideTimer: ReturnType<typeof setTimeout> | undefined;
  #connection: StreamState = "connecting";
  #loaded = false;
  /** An erasure was received and not yet announced. */
  #erased = false;
  /** The newest page of the server's history, shown until everything was received. */
  #firstPage: ConversationSummary[] = [];
  #sortedHistory: { all: ConversationSummary[]; active: ConversationSummary[] } | null = null;

  private constructor(api: Api, replica: Replica, outbox: Outbox, accountId: string) {
    this.#api = api;
    this.replica = replica;
    this.outbox = outbox;
    this.#tabs = new BroadcastChannel(outboxLock(accountId));
    this.#tabs.addEventListener("message", () => void replica.reloadLocalChanges());
    replica.events.on("summaries", () => this.#summariesChanged());
    replica.events.on("record", (detail) => this.events.emit("record", detail));
    replica.events.on("personal", (detail) => this.events.emit("personal", detail));
    replica.events.on("erased", () => (this.#erased = true));
    outbox.events.on("acknowledged", ({ changeIds, position }) => void replica.acknowledge(changeIds, position).then(this.#notifyTabs));
    outbox.events.on("refused", ({ change }) => void replica.reject(change).then(this.#notifyTabs));
  }

  static async open(api: Api, store: AccountStore, outbox: Outbox = new Outbox(api, store)): Promise<Library> {
    return new Library(api, await Replica.open(store), outbox, store.accountId);
  }

  /** Active conversations, newest first; the same array until something changes. */
  get summaries(): readonly ConversationSummary[] {
    return this.#history.active;
  }
  /** All conversations, newest first. */
  get all(): readonly ConversationSummary[] {
    return this.#history.all;
  }
  get #history(): { all: ConversationSummary[]; active: ConversationSummary[] } {
    if (!this.#sortedHistory) {
      const all = this.replica.summaries(this.#firstPage).sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1));
      this.#sortedHistory = { all, active: all.filter(({ state }) => state === "active") };
    }
    return this.#sortedHistory;
  }
  #summariesChanged(): void {
    this.#sortedHistory = null;
    this.events.emit("summaries");
  }
  get connection(): StreamState {
    return this.#connection;
  }
  /** Whether everything was received from the server. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Begins to send changes and to follow the account's feed from the stored cursor. */
  async start(): Promise<void> {
    this.events.emit("summaries");
    void this.outbox.send();
    document.addEventListener("visibilitychange", this.#onVisibility, { signal: this.#stopped.signal });
    this.#connect();
  }

  stop(): void {
    this.#stopped.abort();
    this.#stream?.abort();
    this.outbox.stop();
    this.#tabs.close();
    clearTimeout(this.#hideTimer);
  }

  /** A conversation's record if it is in memory. */
  cached(conversationId: string): Conversation | null {
    return this.replica.cached(conversationId);
  }

  /** A conversation's stored record with local changes, without asking the server. */
  stored(conversationId: string): Promise<Conversation | null> {
    return this.replica.record(conversationId);
  }

  /**
   * The server's record of a conversation with local changes; null if there is none.
   * @throws {RequestFailed} if the server cannot be reached
   */
  async open(conversationId: string): Promise<Conversation | null> {
    const { position } = this.outbox;
    const after = position === undefined ? {} : { after: position };
    // A response must not undo changes that arrived after its request: read again.
    for (;;) {
      const { received } = this.replica;
      const record = await this.#api.conversation(conversationId, after, this.#stopped.signal);
      if (received !== this.replica.received) continue;
      if (record) await this.replica.putRecord(record);
      // A conversation that was started here may still be in the outbox, so the server does not know it yet.
      else if (!this.replica.hasLocalChanges(conversationId)) await this.replica.removeConversation(conversationId);
      return this.replica.record(conversationId);
    }
  }

  /** Commits changes of conversations: shown at once, stored, then sent. */
  async commit(changes: LocalChange[]): Promise<void> {
    await this.#commit(
      changes.map(({ conversationId, type, data, at }) => ({
        domain: "conversation",
        entityId: conversationId,
        type,
        data,
        ...(at && { at }),
      })),
    );
  }

  /** Commits changes of other personal domains. Returns the change ids. */
  commitPersonal(changes: LocalPersonalChange[]): Promise<string[]> {
    return this.#commit(changes);
  }

  async #commit(changes: (Pick<Change, "domain" | "entityId" | "type"> & { data: object; at?: string })[]): Promise<string[]> {
    const made = changes.map<Change>(({ domain, entityId, type, data, at }) => ({
      changeId: uuidv7(),
      domain,
      entityId,
      type,
      at: at ?? new Date().toISOString(),
      data: data as Record<string, unknown>,
    }));
    await this.outbox.store(made);
    await this.replica.addLocalChanges(made);
    this.#notifyTabs();
    void this.outbox.send();
    return made.map(({ changeId }) => changeId);
  }

  readonly #notifyTabs = () => {
    if (!this.#stopped.signal.aborted) this.#tabs.postMessage("changed");
  };

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

  /** Follows the feed until it is stopped or the account has to sign in; retries all other failures with backoff. */
  async #follow(stream: AbortController): Promise<void> {
    const { signal } = stream;
    let failures = 0;
    const onState = (state: StreamState) => {
      if (state === "live") {
        failures = 0;
        void this.outbox.send();
      }
      this.#setConnection(state);
    };
    while (!signal.aborted)
      try {
        await this.#catchUp(signal);
        const options = { from: this.replica.cursor, signal, onState, silenceMs };
        for await (const change of this.#api.changes(options)) {
          await this.replica.receive([change], change.cursor);
          this.#announceErasure();
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof RequestFailed && error.problem.code === "sign_in_required") {
          this.#setConnection("waiting");
          this.events.emit("signed-out");
          // Once the person has signed in again and returns to the page, `#onVisibility` reconnects.
          return stream.abort();
        }
        if (isCursorRefused(error)) await this.#reset();
        this.#setConnection("waiting");
        await pause(backoffMs(failures, backoff), signal);
        failures += 1;
      }
  }

  /** The service was restored from a backup, so the local copy may hold changes that it lost. Unsent changes stay. */
  async #reset(): Promise<void> {
    this.outbox.forgetPosition();
    await this.replica.reset();
  }

  /** Reads all changes after the cursor, page by page. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    if (this.replica.cursor === "0") void this.#list(signal);
    for (let failures = 0, more = true; more && !signal.aborted; )
      try {
        const page = await this.#api.pull(this.replica.cursor, bounds.sync.changesPerPull, signal);
        await this.replica.receive(page.changes, page.cursor);
        more = page.more;
        failures = 0;
      } catch (error) {
        const problem = problemOfThrown(error);
        if (problem.status >= 400 && problem.status < 500 && !problem.retryable) throw error;
        this.#setConnection("waiting");
        await pause(Math.max(backoffMs(failures, backoff), (problem.retryAfterSeconds ?? 0) * 1_000), signal);
        failures += 1;
      }
    if (signal.aborted) return;
    this.#loaded = true;
    this.#firstPage = [];
    this.#summariesChanged();
    this.#announceErasure();
  }

  #announceErasure(): void {
    if (!this.#erased) return;
    this.#erased = false;
    this.events.emit("erased");
  }

  /** Shows the newest conversations while a new browser reads the whole feed. */
  async #list(signal: AbortSignal): Promise<void> {
    const page = await this.#api.conversations({ limit: bounds.conversations.pageSize }, signal).catch(() => null);
    if (!page || this.#loaded) return;
    this.#firstPage = page.conversations;
    this.#summariesChanged();
  }

  #setConnection(state: StreamState): void {
    if (state === this.#connection) return;
    this.#connection = state;
    this.events.emit("connection", state);
  }
}
