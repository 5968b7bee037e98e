import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import { draftsDatabase } from "@colloquy/schemas/publication/drafts-database.ts";
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

/** Drafts in this browser's database. Whatever is written depends only on what was read in the same transaction. */
export class Drafts {
  #database: Promise<IDBDatabase> | null = null;
  /** The same once it is open: a page that is being left has no time to wait. */
  #open: IDBDatabase | null = null;

  /**
   * What is kept of a course. A draft of another account (a sign-in that ran out on a shared machine) is put beside, for when that one comes
   * back; an own one that was put beside so comes back to its place.
   * @throws {DraftsRefused}
   */
  async open(courseId: string, accountId: string): Promise<KeptDrafts> {
    const { readStoredDraft } = await import("@colloquy/schemas/publication/stored-draft.ts");
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
      if ((ownerOf(row) !== null && ownerOf(row) !== accountId) || isLeaving(key, courseId)) continue;
      const draft = readStoredDraft(row);
      if (!draft) kept.unreadable.push({ key, value: row });
      else if (key === courseId) kept.draft = draft;
      else kept.copies.push({ key, draft });
    }
    kept.copies.sort((one, other) => other.draft.savedAt.localeCompare(one.draft.savedAt));
    const [latest] = kept.copies;
    // What another tab wrote stays what it is: its author chooses it, or does not.
    if (!kept.draft && latest && !isCopy(latest.key, courseId) && (await this.#intoPlace(courseId, latest))) {
      kept.draft = latest.draft;
      kept.copies.shift();
    }
    return kept;
  }

  /** A copy becomes the draft of a course that has none. @returns whether it did: another tab may have written since */
  #intoPlace(courseId: string, { key, draft }: Copy): Promise<boolean> {
    return this.#inTurn("readwrite", async (store) => {
      if ((await value(store.count(IDBKeyRange.only(courseId)))) > 0) return false;
      store.put(draft, courseId);
      store.delete(key);
      return true;
    });
  }

  /** The draft of a course as it stands now. @throws {DraftsRefused} */
  async read(courseId: string): Promise<CourseDraft | null> {
    const { readStoredDraft } = await import("@colloquy/schemas/publication/stored-draft.ts");
    return readStoredDraft(await this.#inTurn("readonly", (store) => value(store.get(courseId))));
  }

  /**
   * Writes a draft where the one before is still what its writer knows; otherwise puts it beside.
   * @param known the version of the draft it was made from; null where there was none
   * @param left what its page wrote before while it was left, which this takes the place of
   * @throws {DraftsRefused}
   */
  save(draft: CourseDraft, known: number | null, left: Left | null = null): Promise<Saved> {
    return this.#inTurn<Saved>("readwrite", async (store) => {
      if (left) store.delete(left.key);
      const present = ((await value(store.get(draft.courseId))) as CourseDraft | undefined) ?? null;
      if ((present?.version ?? null) === known && (present?.accountId ?? draft.accountId) === draft.accountId) {
        store.put(draft, draft.courseId);
        return { saved: true };
      }
      const copy = { key: copyOf(draft.courseId), draft };
      store.put(draft, copy.key);
      return { saved: false, present, copy };
    });
  }

  /**
   * Writes a draft beside its place without asking what stands there, in one stroke: all that a page can do while it is being left. The next
   * `open` puts it in its place, where nobody wrote in between. Each stroke has a key of its own, so that none is taken for another.
   * @param after what the page itself may have written last, one of which stands there where nobody else wrote
   * @param earlier the stroke before, whose place this one takes
   */
  saveLeaving(draft: CourseDraft, after: readonly CourseDraft[], earlier: Left | null): Left {
    const left: Left = { key: `${leavingOf(draft.courseId)}${uuidv7()}`, draft };
    const follows = after.map(nameOf);
    this.#inOneStroke((store) => {
      store.put({ ...draft, follows } satisfies LeftRow, left.key);
      if (earlier) store.delete(earlier.key);
    });
    return left;
  }

  /** The same for a draft that stands beside already. */
  saveCopyLeaving({ key, draft }: Copy): void {
    this.#inOneStroke((store) => store.put(draft, key));
  }

  #inOneStroke(write: (store: IDBObjectStore) => void): void {
    try {
      const transaction = this.#open?.transaction(draftsDatabase.store, "readwrite");
      if (!transaction) return;
      write(transaction.objectStore(draftsDatabase.store));
      transaction.commit();
    } catch {
      // The browser refuses; that was said before.
    }
  }

  /** What was written while a page was left goes where it belongs; where somebody else went on, it stays beside. */
  #takeLeft(courseId: string, accountId: string): Promise<void> {
    return this.#inTurn("readwrite", async (store) => {
      const range = IDBKeyRange.bound(leavingOf(courseId), `${leavingOf(courseId)}\uffff`);
      const [keys, values] = await Promise.all([value(store.getAllKeys(range)), value(store.getAll(range))]);
      let present = ((await value(store.get(courseId))) as CourseDraft | undefined) ?? null;
      // The keys tell the time: the first is looked at first.
      for (const [index, { follows = [], ...left }] of (values as LeftRow[]).entries()) {
        const key = keys[index];
        if (left.accountId !== accountId || key === undefined) continue;
        if (!present || follows.includes(nameOf(present))) {
          store.put(left, courseId);
          present = left;
        } else if (!sameCourse(left.course, present.course)) store.put(left, copyOf(courseId));
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
      if (present) store.put(present, copyOf(draft.courseId));
      store.put(promoted, draft.courseId);
      store.delete(key);
      return promoted;
    });
  }

  /** Takes the draft away, unless another tab has written it anew. @returns whether it is gone @throws {DraftsRefused} */
  remove(courseId: string, known: number, left: Left | null = null): Promise<boolean> {
    return this.#inTurn("readwrite", async (store) => {
      if (left) store.delete(left.key);
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

/** What a page wrote in one stroke while it was left. */
export interface Left {
  key: string;
  draft: CourseDraft;
}

interface LeftRow extends CourseDraft {
  /** What may stand in the draft's place where only its own page wrote. */
  follows?: string[];
}

const leavingOf = (courseId: string): string => `${courseId} leaving `;

const isLeaving = (key: string, courseId: string): boolean => key.startsWith(leavingOf(courseId));

/** Tells one write of a draft from another. */
const nameOf = ({ version, savedAt }: CourseDraft): string => `${version} ${savedAt}`;

/** For what waits until its account comes back. */
const besideOf = (courseId: string): string => `${courseId} ${uuidv7()}`;

/** For what was written in two tabs at once. */
const copyOf = (courseId: string): string => `${courseId} copy ${uuidv7()}`;

const isCopy = (key: string, courseId: string): boolean => key.startsWith(`${courseId} copy `);

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
