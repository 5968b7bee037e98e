import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import { draftsDatabase } from "@colloquy/schemas/publication/drafts-database.ts";
import { uuidv7 } from "../api/uuid.ts";
import { openCourseDrafts } from "../store/course-drafts.ts";

/** Why storage failed: the quota is used up, or storage is blocked (a private window, a setting). */
export type StorageProblem = "full" | "blocked";

export class DraftStorageError extends Error {
  readonly problem: StorageProblem;
  constructor(cause: unknown) {
    super("The browser cannot store drafts.", { cause });
    this.problem = cause instanceof DOMException && cause.name === "QuotaExceededError" ? "full" : "blocked";
  }
}

/** A draft stored apart because two tabs wrote at the same time. No text is ever dropped. */
export interface Copy {
  key: string;
  draft: CourseDraft;
}

/** The stored drafts of a course and account. */
export interface StoredDrafts {
  draft: CourseDraft | null;
  copies: Copy[];
  /** Entries that this version of the editor cannot read; they stay until their owner deletes them. */
  unreadable: { key: string; resultOf: unknown }[];
}

export type Saved = { saved: true } | { saved: false; present: CourseDraft | null; copy: Copy };

/** Drafts in the browser's database. Each write is a compare-and-set within one transaction. */
export class Drafts {
  #database: Promise<IDBDatabase> | null = null;
  /** The open database: an unloading page has no time to await it. */
  #open: IDBDatabase | null = null;

  /**
   * Loads the drafts of a course. A draft of another account (a session that expired on a shared machine) is set aside until that account
   * returns; the account's own draft that was set aside is restored.
   * @throws {DraftStorageError}
   */
  async open(courseId: string, accountId: string): Promise<StoredDrafts> {
    const { readStoredDraft } = await import("@colloquy/schemas/publication/stored-draft.ts");
    await this.#transaction("readwrite", async (store) => {
      const present = (await value(store.get(courseId))) as unknown;
      if (present === undefined || (ownerOf(present) === accountId && readStoredDraft(present))) return;
      store.put(present, asideKey(courseId));
      store.delete(courseId);
    });
    await this.#mergeUnloadSaves(courseId, accountId);
    const rows = await this.#rows(courseId);
    const kept: StoredDrafts = { draft: null, copies: [], unreadable: [] };
    for (const { key, value: row } of rows) {
      if ((ownerOf(row) !== null && ownerOf(row) !== accountId) || isUnloadKey(key, courseId)) continue;
      const draft = readStoredDraft(row);
      if (!draft) kept.unreadable.push({ key, resultOf: row });
      else if (key === courseId) kept.draft = draft;
      else kept.copies.push({ key, draft });
    }
    kept.copies.sort((one, other) => other.draft.savedAt.localeCompare(one.draft.savedAt));
    const [latest] = kept.copies;
    // A copy of another tab stays a copy: its author chooses whether to use it.
    if (!kept.draft && latest && !isCopyKey(latest.key, courseId) && (await this.#promoteIfEmpty(courseId, latest))) {
      kept.draft = latest.draft;
      kept.copies.shift();
    }
    return kept;
  }

  /** Makes a copy the draft of a course without one. @returns false if another tab has saved one meanwhile */
  #promoteIfEmpty(courseId: string, { key, draft }: Copy): Promise<boolean> {
    return this.#transaction("readwrite", async (store) => {
      if ((await value(store.count(IDBKeyRange.only(courseId)))) > 0) return false;
      store.put(draft, courseId);
      store.delete(key);
      return true;
    });
  }

  /** The stored draft of a course. @throws {DraftStorageError} */
  async read(courseId: string): Promise<CourseDraft | null> {
    const { readStoredDraft } = await import("@colloquy/schemas/publication/stored-draft.ts");
    return readStoredDraft(await this.#transaction("readonly", (store) => value(store.get(courseId))));
  }

  /**
   * Compare-and-set: replaces the draft if its version is still `known`, otherwise stores a copy.
   * @param known the version that this draft was made from; null if there was none
   * @param left an earlier unload save of the same page, which this replaces
   * @throws {DraftStorageError}
   */
  save(draft: CourseDraft, known: number | null, left: UnloadSave | null = null): Promise<Saved> {
    return this.#transaction<Saved>("readwrite", async (store) => {
      if (left) store.delete(left.key);
      const present = ((await value(store.get(draft.courseId))) as CourseDraft | undefined) ?? null;
      if ((present?.version ?? null) === known && (present?.accountId ?? draft.accountId) === draft.accountId) {
        store.put(draft, draft.courseId);
        return { saved: true };
      }
      const copy = { key: copyKey(draft.courseId), draft };
      store.put(draft, copy.key);
      return { saved: false, present, copy };
    });
  }

  /**
   * Writes a draft under a key of its own without reading first: an unloading page can only do one write. The next `open` moves it into place
   * unless another tab has saved meanwhile.
   * @param after the drafts that the page itself may have stored last; if one of them is in place, no other tab has saved
   * @param earlier the previous unload save, which this replaces
   */
  saveOnUnload(draft: CourseDraft, after: readonly CourseDraft[], earlier: UnloadSave | null): UnloadSave {
    const left: UnloadSave = { key: `${unloadKeyPrefix(draft.courseId)}${uuidv7()}`, draft };
    const follows = after.map(writeId);
    this.#writeNow((store) => {
      store.put({ ...draft, follows } satisfies UnloadRow, left.key);
      if (earlier) store.delete(earlier.key);
    });
    return left;
  }

  /** The same for a draft that is already a copy. */
  saveCopyOnUnload({ key, draft }: Copy): void {
    this.#writeNow((store) => store.put(draft, key));
  }

  #writeNow(write: (store: IDBObjectStore) => void): void {
    try {
      const transaction = this.#open?.transaction(draftsDatabase.store, "readwrite");
      if (!transaction) return;
      write(transaction.objectStore(draftsDatabase.store));
      transaction.commit();
    } catch {
      // Storage failed; the author was warned by an earlier save.
    }
  }

  /** Moves unload saves into place; if another tab has saved meanwhile, they become copies. */
  #mergeUnloadSaves(courseId: string, accountId: string): Promise<void> {
    return this.#transaction("readwrite", async (store) => {
      const range = IDBKeyRange.bound(unloadKeyPrefix(courseId), `${unloadKeyPrefix(courseId)}\uffff`);
      const [keys, values] = await Promise.all([value(store.getAllKeys(range)), value(store.getAll(range))]);
      let present = ((await value(store.get(courseId))) as CourseDraft | undefined) ?? null;
      // Keys are ordered by time.
      for (const [index, { follows = [], ...left }] of (values as UnloadRow[]).entries()) {
        const key = keys[index];
        if (left.accountId !== accountId || key === undefined) continue;
        if (!present || follows.includes(writeId(present))) {
          store.put(left, courseId);
          present = left;
        } else if (!sameCourse(left.course, present.course)) store.put(left, copyKey(courseId));
        store.delete(key);
      }
    });
  }

  /** Writes a copy again under its own key. @throws {DraftStorageError} */
  saveCopy({ key, draft }: Copy): Promise<void> {
    return this.#transaction("readwrite", async (store) => void store.put(draft, key));
  }

  /** Makes a copy the draft of its course and the former draft a copy. @throws {DraftStorageError} */
  promote({ key, draft }: Copy): Promise<CourseDraft> {
    return this.#transaction("readwrite", async (store) => {
      const present = (await value(store.get(draft.courseId))) as CourseDraft | undefined;
      const promoted = { ...draft, version: Math.max(present?.version ?? 0, draft.version) + 1 };
      if (present) store.put(present, copyKey(draft.courseId));
      store.put(promoted, draft.courseId);
      store.delete(key);
      return promoted;
    });
  }

  /** Deletes the draft unless another tab has saved a newer one. @returns whether it was deleted @throws {DraftStorageError} */
  remove(courseId: string, known: number, left: UnloadSave | null = null): Promise<boolean> {
    return this.#transaction("readwrite", async (store) => {
      if (left) store.delete(left.key);
      const present = (await value(store.get(courseId))) as CourseDraft | undefined;
      if (present && present.version !== known) return false;
      store.delete(courseId);
      return true;
    });
  }

  /** Deletes a copy. @throws {DraftStorageError} */
  removeCopy(key: string): Promise<void> {
    return this.#transaction("readwrite", async (store) => void store.delete(key));
  }

  close(): void {
    void this.#database?.then((database) => database.close()).catch(() => undefined);
    this.#database = this.#open = null;
  }

  #rows(courseId: string): Promise<{ key: string; value: unknown }[]> {
    return this.#transaction("readonly", async (store) => {
      // Ids have no blanks: the draft's key is the course id, all other keys begin with the id and a blank.
      const range = IDBKeyRange.bound(courseId, `${courseId} \uffff`);
      const [keys, values] = await Promise.all([value(store.getAllKeys(range)), value(store.getAll(range))]);
      return keys
        .map((key, index) => ({ key: String(key), value: values[index] as unknown }))
        .filter(({ key }) => key === courseId || key.startsWith(`${courseId} `));
    });
  }

  async #transaction<Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<Result>): Promise<Result> {
    try {
      const database = await this.#connected();
      const transaction = database.transaction(draftsDatabase.store, mode, { durability: "strict" });
      const ended = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        // Only the transaction reports why a write failed.
        transaction.onabort = () => reject(transaction.error ?? new DOMException("aborted", "AbortError"));
      });
      const [result] = await Promise.all([work(transaction.objectStore(draftsDatabase.store)), ended]);
      return result;
    } catch (error) {
      throw new DraftStorageError(error);
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

/** A draft that a page saved while it was unloading. */
export interface UnloadSave {
  key: string;
  draft: CourseDraft;
}

interface UnloadRow extends CourseDraft {
  /** Write ids of the drafts that its own page may have stored last. */
  follows?: string[];
}

const unloadKeyPrefix = (courseId: string): string => `${courseId} leaving `;

const isUnloadKey = (key: string, courseId: string): boolean => key.startsWith(unloadKeyPrefix(courseId));

/** Identifies one write of a draft. */
const writeId = ({ version, savedAt }: CourseDraft): string => `${version} ${savedAt}`;

/** Key of a draft that is set aside until its account returns. */
const asideKey = (courseId: string): string => `${courseId} ${uuidv7()}`;

/** Key of a draft that conflicted with another tab's. */
const copyKey = (courseId: string): string => `${courseId} copy ${uuidv7()}`;

const isCopyKey = (key: string, courseId: string): boolean => key.startsWith(`${courseId} copy `);

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
