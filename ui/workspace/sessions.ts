import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { ModelsResponse } from "@colloquy/schemas/models.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import { backoffMs, pause } from "../api/backoff.ts";
import type { Api } from "../api/client.ts";
import { isAbort } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { toAttachedReference } from "../conversations/attached.ts";
import { ConversationSession } from "../conversations/session.ts";
import type { AccountStore } from "../store/account-store.ts";
import { Drafts, visitorDraft } from "../store/drafts.ts";
import { Emitter } from "../store/emitter.ts";
import { HistorySearch } from "../store/history-search.ts";
import type { Library } from "../store/library.ts";
import type { Preferences } from "../store/preferences.ts";
import { hasPrototypeRecord } from "../store/prototype.ts";
import type { RunningRow } from "../store/rows.ts";
import { orphanedTurns } from "../store/running.ts";
import { conversationTitle } from "../store/title.ts";
import { refusalWords } from "./refusal-words.ts";

/** Migrates the prototype's data; if the code does not load, the next page tries again. */
async function migratePrototypeLater({ store, library }: Pick<Sessions, "store" | "library">): Promise<void> {
  const [{ migrateWhenPossible: keepMigrating }, { announceMigration: tellMigrated }] = await Promise.all([
    import("../store/migrate-prototype.ts"),
    import("./migration-report.ts"),
  ]);
  keepMigrating({ store, library }, tellMigrated);
}

type Events = {
  change: undefined;
  /** A conversation got its address, or lost it. */
  claimed: { session: ConversationSession };
  unclaimed: { session: ConversationSession };
};

/** Backoff for loading the models. */
const modelsBackoff = { firstMs: 500, mostMs: 30_000 };

/** The signed-in learner's page: the library, and a session for each opened conversation. */
export class Sessions {
  readonly events = new Emitter<Events>();
  readonly store: AccountStore;
  readonly library: Library;
  readonly search: HistorySearch;
  readonly preferences: Preferences;
  models: ModelsResponse | null = null;
  recent: ReferenceResult[] = [];
  /** Why the last rejected change could not be saved, in words. */
  refusal: string | null = null;
  /** The page that the address names could not be attached. */
  unattached: { page: string; reason: "missing" | "unreachable" } | null = null;
  readonly #api: Api;
  readonly #signedIn: SignedIn;
  readonly #drafts: Drafts;
  readonly #open = new Map<string, ConversationSession>();
  readonly #closed = new AbortController();

  private constructor(api: Api, signedIn: SignedIn, drafts: Drafts) {
    const { store, library, preferences } = signedIn;
    this.#api = api;
    this.#signedIn = signedIn;
    this.store = store;
    this.library = library;
    this.preferences = preferences;
    this.search = new HistorySearch(library, store, api);
    this.#drafts = drafts;
    this.preferences.events.on("change", () => this.events.emit("change"));
    for (const name of ["summaries", "connection"] as const) this.library.events.on(name, () => this.events.emit("change"));
    this.library.outbox.events.on("state", () => this.events.emit("change"));
    store.events.on("refused", () => this.events.emit("change"));
    signedIn.events.on("expired", () => this.events.emit("change"));
    signedIn.flushers.add(this.#flush);
    signedIn.events.on("leaving", () => {
      this.#closed.abort();
      this.#drafts.close();
    });
    // Another tab may have sent or withdrawn the unsent question.
    addEventListener("focus", () => void this.#checkOtherTabs(), { signal: this.#closed.signal });
    this.library.outbox.events.on("refused", ({ change, result }) => void this.#refused(change, result));
  }

  /** Opens the account's drafts, resumes interrupted answers, and starts following the feed. */
  static async open(api: Api, signedIn: SignedIn): Promise<Sessions> {
    const sessions = new Sessions(api, signedIn, await Drafts.open(signedIn.store));
    await sessions.#restoreWork();
    signedIn.start();
    if (hasPrototypeRecord()) void migratePrototypeLater(sessions);
    void sessions.loadModels();
    return sessions;
  }

  async #restoreWork(): Promise<void> {
    const visitor = visitorDraft.take();
    if (visitor?.text || visitor?.reference) await this.#draftNew(visitor.text, visitor.reference ? [visitor.reference] : []);
    await this.#drafts.flush();
    for (const row of await orphanedTurns(this.store)) this.#resume(row);
  }

  /** The answer continues in its conversation, shown or not. */
  #resume(row: RunningRow): void {
    const session = this.#create(row.conversationId, !row.recorded);
    if (row.recorded) void session.load();
    void session.resume(row);
  }

  async #draftNew(text: string, references: ConversationSession["references"]): Promise<void> {
    const before = await this.#drafts.read(null);
    if (!before?.text) this.#drafts.write(null, { text, references, model: before?.model ?? null });
  }

  /** Reverts a rejected change to the server's state, and stores the reason. */
  async #refused(change: Change, result: ChangeResult): Promise<void> {
    // The service recorded the turn itself (after a stop, or while this browser was away), so nothing is lost.
    if (change.type !== "turn_recorded" || result.code !== "request_id_reused") this.refusal = refusalWords(result.code, change.type);
    this.events.emit("change");
    if (change.domain === "conversation") await this.library.open(change.entityId).catch(() => undefined);
  }

  /** The reader dismissed the reason. */
  dismissRefusal(): void {
    this.refusal = null;
    this.events.emit("change");
  }

  /** The session has expired. */
  get expired(): boolean {
    return this.#signedIn.expired;
  }

  /** The history, including conversations that have just begun. */
  get history(): readonly ConversationSummary[] {
    const begun = [...this.#open.values()].flatMap(({ id, provisional }): ConversationSummary[] =>
      provisional
        ? [
            {
              conversationId: id,
              title: conversationTitle(provisional.question, provisional.references),
              mode: "ask",
              state: "active",
              pinned: false,
              updatedAt: provisional.at,
              turns: 0,
            },
          ]
        : [],
    );
    return begun.length > 0 ? [...begun, ...this.library.summaries] : this.library.summaries;
  }

  /** A conversation's title; empty if unknown. */
  titleOf(conversationId: string): string {
    return this.#open.get(conversationId)?.title || this.library.all.find((row) => row.conversationId === conversationId)?.title || "";
  }

  /** Conversations with a running answer. */
  get running(): Set<string> {
    return new Set([...this.#open.values()].filter((session) => session.busy).map((session) => session.id));
  }

  /** The latest known version of a tutoring session. */
  tutorVersion(sessionId: string): number {
    return Math.max(
      0,
      ...[...this.#open.values()].map(({ tutoring }) => (tutoring?.session?.sessionId === sessionId ? tutoring.session.version : 0)),
    );
  }

  /** The unfinished tutoring session of a course in an open conversation, if any. */
  readonly tutoringOf = (courseId: string): string | null => {
    const sessions = [...this.#open.values()].map(({ tutoring }) => tutoring?.session);
    return sessions.find((session) => session?.courseId === courseId && session.phase !== "completed")?.sessionId ?? null;
  };

  /** A tutoring session was continued elsewhere: loads its state. */
  readonly refreshTutoring = (sessionId: string): void => {
    for (const { tutoring } of this.#open.values()) if (tutoring?.session?.sessionId === sessionId) void tutoring.catchUp();
  };

  /** This browser tab's id; the same after a reload. */
  get tabId(): string {
    return this.#drafts.tabId;
  }

  /** Opens a conversation, or the new one, of which there is one at a time. Running answers continue. */
  open(conversationId: string | null): ConversationSession {
    const known = conversationId ? this.#open.get(conversationId) : this.#openNew();
    if (known) return known;
    const session = this.#create(conversationId);
    void session.load();
    if (!conversationId && !this.recent.length) void this.#loadRecent();
    return session;
  }

  /**
   * Attaches a page to the next new conversation; a question sent meanwhile waits for it. `begin`: what to start with it; a quiz that no
   * own link asked for is only written into the composer.
   */
  async attachCarriedPage(page: string, begin: { start: "tutor" | "quiz"; isOwnLink: boolean } | null = null): Promise<void> {
    const session = this.open(null);
    this.unattached = null;
    if (begin?.start === "tutor") session.chooseMode("tutor");
    const source = this.#api.source(page).then(
      (found) => found ?? this.#notAttached(page, "missing"),
      () => this.#notAttached(page, "unreachable"),
    );
    await session.attachCarriedPage(source.then((found) => found && toAttachedReference(found)));
    if (begin?.start !== "quiz" || !(await source)) return;
    if (begin.isOwnLink && !this.expired) await session.send("/quiz");
    else session.returnToComposer("/quiz ");
  }

  #notAttached(page: string, reason: "missing" | "unreachable"): null {
    this.unattached = { page, reason };
    this.events.emit("change");
    return null;
  }

  /** The reader dismissed that a page was not attached. */
  dismissUnattached(): void {
    this.unattached = null;
    this.events.emit("change");
  }

  /** Stores all unsaved drafts. */
  flush(): Promise<void> {
    return this.#drafts.flush();
  }

  readonly #flush = () => this.flush();

  async #checkOtherTabs(): Promise<void> {
    await Promise.all([...this.#open.values()].map((session) => session.checkOtherTabs()));
  }

  close(): void {
    this.#signedIn.flushers.delete(this.#flush);
    this.#closed.abort();
    this.#drafts.close();
    for (const session of this.#open.values()) session.dispose();
  }

  #openNew(): ConversationSession | undefined {
    return [...this.#open.values()].find((session) => session.presence === "new" && !session.busy && !session.hasUnsentQuestion);
  }

  #create(conversationId: string | null, isNew = conversationId === null): ConversationSession {
    const session = new ConversationSession(
      { api: this.#api, store: this.store, library: this.library, drafts: this.#drafts },
      { id: conversationId ?? uuidv7(), isNew },
    );
    this.#open.set(session.id, session);
    // Only these values affect other parts of the workspace, so growing answers do not emit.
    const outside = () => [session.tutoring?.session?.version, session.mode, session.references.length].join();
    let before = outside();
    session.events.on("change", () => {
      const now = outside();
      if (now === before) return;
      before = now;
      this.events.emit("change");
    });
    session.events.on("outline", () => this.events.emit("change"));
    session.events.on("claimed", () => this.events.emit("claimed", { session }));
    session.events.on("unclaimed", () => this.events.emit("unclaimed", { session }));
    return session;
  }

  /** Retries until it succeeds: without the models there is no picker, and answers show ids instead of names. */
  async loadModels(): Promise<void> {
    const { signal } = this.#closed;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        this.models = await this.#api.models(signal);
        return this.events.emit("change");
      } catch (error) {
        if (isAbort(error)) return;
        await pause(backoffMs(failures, modelsBackoff), signal);
      }
    }
  }

  async #loadRecent(): Promise<void> {
    this.recent = await this.#api.references("").catch(() => []);
    this.events.emit("change");
  }
}
