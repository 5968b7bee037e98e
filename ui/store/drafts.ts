import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { uuidv7 } from "../api/uuid.ts";
import type { AccountStore } from "./account-store.ts";
import { holdLock, isLockHeld, tabLock } from "./locks.ts";
import { stashForNextPage, takeStash } from "./page-stash.ts";
import type { DraftRow } from "./rows.ts";
import { tabStorage } from "./tab-storage.ts";

/** Longest delay before typed text is stored, also while somebody keeps typing. */
const waitMs = 250;
/** Name of the stash for drafts that were not stored when the page was left. */
const leftName = "drafts";
/** How long a draft of a new conversation that a closed tab left is offered again. Drafts of existing conversations do not expire. */
const orphanMs = 7 * 24 * 3_600_000;

export type Draft = Omit<DraftRow, "key" | "savedAt">;

/** Stores drafts while the learner types, and at once when the page is hidden or left. */
export class Drafts {
  readonly #store: AccountStore;
  readonly #waiting = new Map<string, Draft>();
  /** Drafts that are being written to the database. */
  #writing: [string, Draft][] = [];
  /** Identifies this browser tab, also after a reload. */
  readonly tabId: string;
  readonly #newKey: string;
  readonly #release: () => void;
  readonly #flush = () => void this.flush();
  readonly #leave = () => {
    const unwritten = [...this.#writing, ...this.#waiting];
    if (unwritten.length === 0) return;
    stashForNextPage(this.#store.accountId, leftName, unwritten);
    // The page may stay, or be restored from the back/forward cache.
    void this.flush().then(() => takeStash(this.#store.accountId, leftName));
  };
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(store: AccountStore, tabId: string) {
    this.#store = store;
    this.tabId = tabId;
    this.#newKey = `new-${tabId}`;
    this.#release = holdLock(tabLock(tabId));
    addEventListener("pagehide", this.#leave);
    document.addEventListener("visibilitychange", this.#flush);
  }

  /**
   * Each tab has its own draft for each conversation and for the next new one, so that two tabs never overwrite each other. A tab that is
   * opened later adopts the drafts of a closed tab.
   */
  static async open(store: AccountStore): Promise<Drafts> {
    const left = (takeStash(store.accountId, leftName) ?? []) as [string, Draft][];
    const before = tabStorage.get("colloquy-tab");
    // A duplicated tab has a copy of the original's session storage.
    const tabId = before && !(await isLockHeld(tabLock(before))) ? before : uuidv7();
    tabStorage.set("colloquy-tab", tabId);
    const drafts = new Drafts(store, tabId);
    for (const [key, draft] of left) drafts.#waiting.set(key.replace(before ?? "", tabId), draft);
    await drafts.flush();
    if (!(await store.drafts.get(drafts.#newKey))) await drafts.#adoptOrphan();
    return drafts;
  }

  async #adoptOrphan(): Promise<void> {
    const rows = (await this.#store.drafts.getAll())
      .filter((row) => row.key.startsWith("new-"))
      .sort((one, other) => other.savedAt - one.savedAt);
    for (const row of rows) {
      if (await isLockHeld(tabLock(row.key.slice("new-".length)))) continue;
      await this.#store.drafts.delete(row.key);
      if (Date.now() - row.savedAt > orphanMs) continue;
      await this.#store.drafts.put({ ...row, key: this.#newKey });
      return;
    }
  }

  /** The draft of a conversation, or of the next new one (`null`): this tab's, else the newest of a closed tab. */
  async read(conversationId: string | null): Promise<Draft | null> {
    const key = this.#keyOf(conversationId);
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const row = (await this.#store.drafts.get(key)) ?? (conversationId === null ? undefined : await this.#adopt(conversationId, key));
    // The learner typed while the draft was read.
    if (!row || this.#waiting.has(key)) return this.#waiting.get(key) ?? null;
    const { key: _, savedAt: __, ...draft } = row;
    return draft;
  }

  /** Adopts the draft that a closed tab left in a conversation. Drafts of open tabs stay theirs. */
  async #adopt(conversationId: string, key: string): Promise<DraftRow | undefined> {
    const rows = (await this.#store.drafts.getAll())
      .filter((row) => isDraftIn(row.key, conversationId))
      .sort((one, other) => other.savedAt - one.savedAt);
    for (const row of rows) {
      const tabId = row.key.slice(conversationId.length + 1);
      if (tabId && (await isLockHeld(tabLock(tabId)))) continue;
      // Two tabs may open the conversation at once: only one adopts the draft.
      const adopted = await this.#store.atomically(async ({ drafts }) => {
        const left = await drafts.get(row.key);
        if (!left) return undefined;
        await drafts.delete(row.key);
        await drafts.put({ ...left, key });
        return left;
      });
      if (adopted) return adopted;
    }
    return undefined;
  }

  #keyOf(conversationId: string | null): string {
    return conversationId === null ? this.#newKey : `${conversationId} ${this.tabId}`;
  }

  /** Stores a draft after a short delay; an empty draft is deleted. */
  write(conversationId: string | null, draft: Draft): void {
    this.#waiting.set(this.#keyOf(conversationId), draft);
    this.#timer ??= setTimeout(this.#flush, waitMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const writing = [...this.#waiting];
    this.#waiting.clear();
    this.#writing.push(...writing);
    await Promise.all(
      writing.map(([key, draft]) =>
        isEmpty(draft) ? this.#store.drafts.delete(key) : this.#store.drafts.put({ key, ...draft, savedAt: Date.now() }),
      ),
    );
    this.#writing = this.#writing.filter((one) => !writing.includes(one));
  }

  close(): void {
    removeEventListener("pagehide", this.#leave);
    document.removeEventListener("visibilitychange", this.#flush);
    clearTimeout(this.#timer);
    this.#release();
  }
}

/** Whether a key belongs to a conversation's draft in any tab. Before drafts were per tab, the key was the conversation's id. */
const isDraftIn = (key: string, conversationId: string): boolean => key === conversationId || key.startsWith(`${conversationId} `);

const isEmpty = (draft: Draft): boolean => !draft.text && !draft.references.length && !draft.model && !draft.mode;

/** What a visitor typed and attached before signing in; kept in session storage. */
export const visitorDraft = {
  write(draft: { text: string; reference: AttachedReference | null }): void {
    tabStorage.set("colloquy-visitor-draft", JSON.stringify(draft));
  },
  read(): { text: string; reference: AttachedReference | null } | null {
    try {
      return JSON.parse(tabStorage.get("colloquy-visitor-draft") ?? "null") as { text: string; reference: AttachedReference | null };
    } catch {
      return null;
    }
  },
  take(): { text: string; reference: AttachedReference | null } | null {
    const draft = visitorDraft.read();
    tabStorage.set("colloquy-visitor-draft", null);
    return draft;
  },
};
