import type { ModelsResponse } from "@colloquy/schemas/ask/models.ts";
import type { ReferenceResult } from "@colloquy/schemas/ask/references.ts";
import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { ChangeResult } from "@colloquy/schemas/sync/protocol.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import type { Api } from "../api/client.ts";
import { isAbort } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { toAttachedReference } from "../conversations/attached.ts";
import { ConversationSession } from "../conversations/session.ts";
import { clearOfflineData } from "../offline/clear.ts";
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

/** Takes over what the prototype left. What does not load is tried by the next page. */
async function migratePrototypeLater({ store, library }: Pick<Sessions, "store" | "library">): Promise<void> {
  const [{ migrateWhenPossible: keepMigrating }, { announceMigration: tellMigrated }] = await Promise.all([
    import("../store/migrate-prototype.ts"),
    import("./migration-report.ts"),
  ]);
  keepMigrating({ store, library }, tellMigrated);
}

type Events = {
  change: undefined;
  /** A conversation took or gave up its address. */
  claimed: { session: ConversationSession };
  unclaimed: { session: ConversationSession };
};

/** How long the models are waited for before they are asked for again: doubled each time, up to the longest. */
const firstWaitMs = 500;
const longestWaitMs = 30_000;

/** What a signed-in learner has on this page: their library, and a session for each conversation that was opened. */
export class Sessions {
  readonly events = new Emitter<Events>();
  readonly store: AccountStore;
  readonly library: Library;
  readonly search: HistorySearch;
  readonly preferences: Preferences;
  models: ModelsResponse | null = null;
  recent: ReferenceResult[] = [];
  /** Why the last change that could not be saved was refused, in plain words. */
  refusal: string | null = null;
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
    // Another tab may have sent what waits here, or taken it back.
    addEventListener("focus", () => void this.#lookAgain(), { signal: this.#closed.signal });
    this.library.outbox.events.on("refused", ({ change, result }) => void this.#refused(change, result));
  }

  /**
   * Opens the drafts of an account, resumes the answers that an interrupted page was receiving, and begins to follow the account's changes.
   */
  static async open(api: Api, signedIn: SignedIn): Promise<Sessions> {
    const sessions = new Sessions(api, signedIn, await Drafts.open(signedIn.store));
    await sessions.#takeBack();
    signedIn.start();
    if (hasPrototypeRecord()) void migratePrototypeLater(sessions);
    void sessions.#loadModels();
    return sessions;
  }

  async #takeBack(): Promise<void> {
    const visitor = visitorDraft.take();
    if (visitor?.text || visitor?.reference) await this.#keepNew(visitor.text, visitor.reference ? [visitor.reference] : []);
    await this.#drafts.flush();
    for (const row of await orphanedTurns(this.store)) this.#resume(row);
  }

  /** The answer goes on in its conversation, whichever is shown. */
  #resume(row: RunningRow): void {
    const session = this.#create(row.conversationId, !row.recorded);
    if (row.recorded) void session.load();
    void session.resume(row);
  }

  async #keepNew(text: string, references: ConversationSession["references"]): Promise<void> {
    const before = await this.#drafts.read(null);
    if (!before?.text) this.#drafts.write(null, { text, references, model: before?.model ?? null });
  }

  /** A change the server will never take: what is shown becomes the server's word again, and the reason is told. */
  async #refused(change: Change, result: ChangeResult): Promise<void> {
    // The service recorded the turn itself, at its stop or while this browser was away: nothing that a person wrote is refused.
    if (change.type !== "turn_recorded" || result.code !== "request_id_reused") this.refusal = refusalWords(result.code, change.type);
    this.events.emit("change");
    if (change.domain === "conversation") await this.library.open(change.entityId).catch(() => undefined);
  }

  /** The reason was read. */
  dismissRefusal(): void {
    this.refusal = null;
    this.events.emit("change");
  }

  /** The account has to sign in again. */
  get expired(): boolean {
    return this.#signedIn.expired;
  }

  /** The history as it is shown: with the conversations that have just begun. */
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

  /** What a conversation is called; empty while nobody knows. */
  titleOf(conversationId: string): string {
    return this.#open.get(conversationId)?.title || this.library.all.find((row) => row.conversationId === conversationId)?.title || "";
  }

  /** Where answers are being written. */
  get running(): Set<string> {
    return new Set([...this.#open.values()].filter((session) => session.busy).map((session) => session.id));
  }

  /** How far a tutoring session has come, as far as it is known here. */
  tutorVersion(sessionId: string): number {
    return Math.max(
      0,
      ...[...this.#open.values()].map(({ tutoring }) => (tutoring?.session?.sessionId === sessionId ? tutoring.session.version : 0)),
    );
  }

  /** The tutoring session of a course that goes on in an open conversation, if there is one. */
  readonly tutoringOf = (courseId: string): string | null => {
    const sessions = [...this.#open.values()].map(({ tutoring }) => tutoring?.session);
    return sessions.find((session) => session?.courseId === courseId && session.phase !== "completed")?.sessionId ?? null;
  };

  /** A tutoring session was moved on from beside it. */
  readonly refreshTutoring = (sessionId: string): void => {
    for (const { tutoring } of this.#open.values()) if (tutoring?.session?.sessionId === sessionId) void tutoring.catchUp();
  };

  /** This tab of the browser; the same after a reload. */
  get tabId(): string {
    return this.#drafts.tabId;
  }

  /** A conversation, or one that has not begun: there is one of those at a time. What runs elsewhere goes on. */
  open(conversationId: string | null): ConversationSession {
    const known = conversationId ? this.#open.get(conversationId) : this.#openNew();
    if (known) return known;
    const session = this.#create(conversationId);
    void session.load();
    if (!conversationId && !this.recent.length) void this.#loadRecent();
    return session;
  }

  /** Carries a page into the next new conversation, once; a question sent meanwhile waits for it. */
  async attachCarriedPage(page: string): Promise<void> {
    const source = this.#api.source(page).catch(() => null);
    await this.open(null).attachCarriedPage(source.then((found) => found && toAttachedReference(found)));
  }

  /** Everything that was typed is kept from here on. */
  flush(): Promise<void> {
    return this.#drafts.flush();
  }

  async signOut(): Promise<string> {
    const next = await this.#api.signOut();
    this.#closed.abort();
    this.library.stop();
    this.#drafts.close();
    await this.store.remove();
    await clearOfflineData();
    return next;
  }

  async #lookAgain(): Promise<void> {
    await Promise.all([...this.#open.values()].map((session) => session.checkOtherTabs()));
  }

  close(): void {
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
    // What is beside a conversation depends on this of it; a word of an answer is none of it.
    const outside = () => [session.tutoring?.session?.version, session.mode, session.references.length].join();
    let told = outside();
    session.events.on("change", () => {
      const now = outside();
      if (now === told) return;
      told = now;
      this.events.emit("change");
    });
    session.events.on("outline", () => this.events.emit("change"));
    session.events.on("claimed", () => this.events.emit("claimed", { session }));
    session.events.on("unclaimed", () => this.events.emit("unclaimed", { session }));
    return session;
  }

  /** Asks until it is told: without the models there is no picker, and answers are signed with ids instead of names. */
  async #loadModels(): Promise<void> {
    const { signal } = this.#closed;
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        this.models = await this.#api.models(signal);
        return this.events.emit("change");
      } catch (error) {
        if (isAbort(error)) return;
        await untilOnlineAgain(waitMs, signal);
      }
    }
  }

  async #loadRecent(): Promise<void> {
    this.recent = await this.#api.references("").catch(() => []);
    this.events.emit("change");
  }
}

/** Waits so long, or until the browser comes online, or until it is not wanted any more. */
function untilOnlineAgain(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end, { signal: over.signal });
    signal.addEventListener("abort", end, { signal: over.signal });
  });
}
