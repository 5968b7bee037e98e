import type { CourseDraft } from "@colloquy/schemas/course-editor/draft.ts";
import { draftsDatabase } from "@colloquy/schemas/course-editor/drafts-database.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import { uuidv7 } from "../api/uuid.ts";
import { openCourseDrafts } from "../store/course-drafts.ts";

/** Why the browser keeps nothing: its room is used up, or it keeps nothing at all here (a private window, a setting). */
export type Refusal = "full" | "blocked";

export class DraftsRefused extends Error {
  readonly refusal: Refusal;
  constructor(cause: unknown) {
    super("the browser does not keep drafts", { cause });
    this.refusal = cause instanceof DOMException && cause.name === "QuotaExceededError" ? "full" : "blocked";
  }
}

/** A draft that stands beside the one of its course: what another tab wrote at the same time. Nothing written is ever dropped. */
export interface Copy {
  key: string;
  draft: CourseDraft;
}

/** What is kept of a course for an account. */
export interface KeptDrafts {
  draft: CourseDraft | null;
  copies: Copy[];
  /** What no version of the editor can read any more; it stays until its owner throws it away. */
  unreadable: { key: string; value: unknown }[];
}

export type Saved = { saved: true } | { saved: false; present: CourseDraft | null; copy: Copy };

/** Drafts in this browser's database. Every operation is one transaction. */
export class Drafts {
  #database: Promise<IDBDatabase> | null = null;
  /** The same once it is open: a page that is being left has no time to wait. */
  #open: IDBDatabase | null = null;

  /**
   * What is kept of a course. A draft of another account (a sign-in that ran out on a shared machine) is put beside, for when that one comes
   * back; an own one that was put beside comes back to its place.
   * @throws {DraftsRefused}
   */
  async open(courseId: string, accountId: string): Promise<KeptDrafts> {
    const { readStoredDraft } = await import("@colloquy/schemas/course-editor/stored-draft.ts");
    await this.#inTurn("readwrite", async (store) => {
      const present = (await value(store.get(courseId))) as unknown;
      if (present === undefined || (ownerOf(present) === accountId && readStoredDraft(present))) return;
      store.put(present, besideOf(courseId));
      store.delete(courseId);
    });
    await this.#takeLeft(courseId, accountId);
    const rows = await this.#rows(courseId);
    const kept: KeptDrafts = { draft: null, copies: [], unreadable: [] };
    for (const { key, value: row } of rows) {
      if (ownerOf(row) !== null && ownerOf(row) !== accountId) continue;
      const draft = readStoredDraft(row);
      if (!draft) kept.unreadable.push({ key, value: row });
      else if (key === courseId) kept.draft = draft;
      else kept.copies.push({ key, draft });
    }
    kept.copies.sort((one, other) => other.draft.savedAt.localeCompare(one.draft.savedAt));
    const [latest] = kept.copies;
    if (!kept.draft && latest && !rows.some(({ key }) => key === courseId)) {
      kept.draft = latest.draft;
      kept.copies.shift();
      await this.#inTurn("readwrite", async (store) => {
        store.put(latest.draft, courseId);
        store.delete(latest.key);
      });
    }
    return kept;
  }

  /** The draft of a course as it stands now. @throws {DraftsRefused} */
  async read(courseId: string): Promise<CourseDraft | null> {
    const { readStoredDraft } = await import("@colloquy/schemas/course-editor/stored-draft.ts");
    return readStoredDraft(await this.#inTurn("readonly", (store) => value(store.get(courseId))));
  }

  /**
   * Writes a draft where the one before is still what its writer knows; otherwise puts it beside.
   * @param known the version of the draft it was made from; null where there was none
   * @throws {DraftsRefused}
   */
  save(draft: CourseDraft, known: number | null): Promise<Saved> {
    return this.#inTurn<Saved>("readwrite", async (store) => {
      const present = ((await value(store.get(draft.courseId))) as CourseDraft | undefined) ?? null;
      if ((present?.version ?? null) === known && (present?.accountId ?? draft.accountId) === draft.accountId) {
        store.put(draft, draft.courseId);
        return { saved: true };
      }
      const copy = { key: besideOf(draft.courseId), draft };
      store.put(draft, copy.key);
      return { saved: false, present, copy };
    });
  }

  /**
   * Writes a draft beside its place without asking what stands there, in one stroke: all that a page can do while it is being left. The next
   * `open` puts it in its place, where nobody wrote in between.
   */
  saveLeaving(draft: CourseDraft): void {
    try {
      const transaction = this.#open?.transaction(draftsDatabase.store, "readwrite");
      transaction?.objectStore(draftsDatabase.store).put(draft, leavingOf(draft));
      transaction?.commit();
    } catch {
      // The browser refuses; that was said before.
    }
  }

  /** Takes away what was written while the page seemed to be left, because it is in its place now. */
  async removeLeaving(draft: CourseDraft): Promise<void> {
    await this.removeCopy(leavingOf(draft));
  }

  /** What was written while a page was left goes where it belongs; where somebody else went on, it stays beside. */
  #takeLeft(courseId: string, accountId: string): Promise<void> {
    return this.#inTurn("readwrite", async (store) => {
      const range = IDBKeyRange.bound(`${courseId} leaving `, `${courseId} leaving \uffff`);
      const [keys, values] = await Promise.all([value(store.getAllKeys(range)), value(store.getAll(range))]);
      const present = ((await value(store.get(courseId))) as CourseDraft | undefined) ?? null;
      for (const [index, left] of (values as CourseDraft[]).entries()) {
        const key = keys[index];
        if (left.accountId !== accountId || key === undefined) continue;
        if (left.version === (present?.version ?? left.version - 1) + 1) store.put(left, courseId);
        else if (!present || !sameCourse(left.course, present.course)) store.put(left, besideOf(courseId));
        store.delete(key);
      }
    });
  }

  /** Writes a copy again under its own key. @throws {DraftsRefused} */
  saveCopy({ key, draft }: Copy): Promise<void> {
    return this.#inTurn("readwrite", async (store) => void store.put(draft, key));
  }

  /** The copy becomes the draft of its course; what stood there is kept beside. @throws {DraftsRefused} */
  promote({ key, draft }: Copy): Promise<CourseDraft> {
    return this.#inTurn("readwrite", async (store) => {
      const present = (await value(store.get(draft.courseId))) as CourseDraft | undefined;
      const promoted = { ...draft, version: Math.max(present?.version ?? 0, draft.version) + 1 };
      if (present) store.put(present, besideOf(draft.courseId));
      store.put(promoted, draft.courseId);
      store.delete(key);
      return promoted;
    });
  }

  /** Takes the draft away, unless another tab has written it anew. @returns whether it is gone @throws {DraftsRefused} */
  remove(courseId: string, known: number): Promise<boolean> {
    return this.#inTurn("readwrite", async (store) => {
      const present = (await value(store.get(courseId))) as CourseDraft | undefined;
      if (present && present.version !== known) return false;
      store.delete(courseId);
      return true;
    });
  }

  /** Takes away what stands beside. @throws {DraftsRefused} */
  removeCopy(key: string): Promise<void> {
    return this.#inTurn("readwrite", async (store) => void store.delete(key));
  }

  close(): void {
    void this.#database?.then((database) => database.close()).catch(() => undefined);
    this.#database = this.#open = null;
  }

  #rows(courseId: string): Promise<{ key: string; value: unknown }[]> {
    return this.#inTurn("readonly", async (store) => {
      // An id has no blanks: the draft's key is the id, those beside it begin with the id and a blank.
      const range = IDBKeyRange.bound(courseId, `${courseId} \uffff`);
      const [keys, values] = await Promise.all([value(store.getAllKeys(range)), value(store.getAll(range))]);
      return keys
        .map((key, index) => ({ key: String(key), value: values[index] as unknown }))
        .filter(({ key }) => key === courseId || key.startsWith(`${courseId} `));
    });
  }

  async #inTurn<Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<Result>): Promise<Result> {
    try {
      const database = await this.#connected();
      const transaction = database.transaction(draftsDatabase.store, mode, { durability: "strict" });
      const ended = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        // What was wrong with a write is told by the transaction alone.
        transaction.onabort = () => reject(transaction.error ?? new DOMException("aborted", "AbortError"));
      });
      const [result] = await Promise.all([work(transaction.objectStore(draftsDatabase.store)), ended]);
      return result;
    } catch (error) {
      throw new DraftsRefused(error);
    }
  }

  async #connected(): Promise<IDBDatabase> {
    this.#database ??= openCourseDrafts();
    try {
      const database = await this.#database;
      this.#open = database;
      database.onclose = () => {
        this.#database = this.#open = null;
      };
      database.onversionchange = () => {
        database.close();
        this.#database = this.#open = null;
      };
      return database;
    } catch (error) {
      this.#database = null;
      throw error;
    }
  }
}

const leavingOf = ({ courseId, version }: CourseDraft): string => `${courseId} leaving ${version}`;

const besideOf = (courseId: string): string => `${courseId} ${uuidv7()}`;

const ownerOf = (row: unknown): string | null => {
  const { accountId } = (row ?? {}) as { accountId?: unknown };
  return typeof accountId === "string" ? accountId : null;
};

function value<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
