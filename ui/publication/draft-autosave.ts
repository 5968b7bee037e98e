import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import { type CourseDraft, draftVersion, mostSent, requestIdFor } from "@colloquy/schemas/publication/draft.ts";
import { uuidv7 } from "../api/uuid.ts";
import { type DraftMessage, openDraftChannel } from "./draft-channel.ts";
import { type Copy, DraftStorageError, type Drafts, type StorageProblem, type UnloadSave } from "./drafts.ts";
import { courseDigest } from "./publishing/course-digest.ts";
import type { Base, EditingSession, EditingState } from "./session.ts";

/** Whether and where the draft is saved. */
export interface DraftStatus {
  /**
   * `none`: nothing to save. `refused`: browser storage failed, so the text is on this page only. `behind`: another tab saved a newer draft and
   * nothing was typed here since. `forked`: both tabs changed it; the text of this one is saved as a copy.
   */
  state: "none" | "unsaved" | "saving" | "kept" | "refused" | "behind" | "forked";
  /** When it was last saved, RFC 3339. */
  savedAt: string | null;
  refusal: StorageProblem | null;
}

interface Options {
  session: EditingSession;
  drafts: Drafts;
  courseId: string;
  accountId: string;
  /** The stored draft that the session began from, or a receipt. */
  draft: CourseDraft | null;
  idleMs?: number;
  now?: () => Date;
}

/** Pause before a failed save is tried again. */
const retryMs = 10_000;

/**
 * Saves the draft of a session in this browser: after a pause in typing, and at once when a field or the page is left. It only reads the session,
 * so a save can never change what is being typed. Dispatches "change" when the status changes.
 */
export class DraftAutosave extends EventTarget {
  readonly #session: EditingSession;
  readonly #drafts: Drafts;
  readonly #courseId: string;
  readonly #accountId: string;
  readonly #idleMs: number;
  readonly #now: () => Date;
  readonly #channel = openDraftChannel();
  readonly #closed = new AbortController();
  /** The draft as it was last stored here. */
  #stored: CourseDraft | null;
  /** The session state of the last save. */
  #savedState: EditingState;
  /** The request id, the sent digests or the receipt changed since the last save began. */
  #metadataUnsaved = false;
  #request: { id: string; course: AuthoredCourse } | null = null;
  /** Digests of sent courses without an answer: one of them may be live now. Kept across reloads. */
  #sent: readonly string[] = [];
  #receipt: CourseDraft["receipt"] = null;
  #copy: Copy | null = null;
  /** The draft of the save in progress. */
  #writing: CourseDraft | null = null;
  /** The last save made while the page was unloading, until a normal save replaces it. */
  #unloadSave: UnloadSave | null = null;
  #behind = false;
  #refusal: StorageProblem | null = null;
  #saving: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ session, drafts, courseId, accountId, draft, idleMs = bounds.courseDraft.idleMs, now = () => new Date() }: Options) {
    super();
    this.#session = session;
    this.#drafts = drafts;
    this.#courseId = courseId;
    this.#accountId = accountId;
    this.#idleMs = idleMs;
    this.#now = now;
    this.#stored = draft;
    this.#savedState = session.state;
    if (draft) this.#rememberSent(draft);
    const { signal } = this.#closed;
    session.addEventListener("change", () => this.#onEdit(), { signal });
    this.#channel.addEventListener("message", ({ data }: MessageEvent<DraftMessage>) => this.#onMessage(data), { signal });
    addEventListener("pagehide", () => this.#saveOnUnload(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && void this.flush(), { signal });
  }

  get status(): DraftStatus {
    const savedAt = this.#stored?.savedAt ?? null;
    return { state: this.#state, savedAt, refusal: this.#refusal };
  }

  get #state(): DraftStatus["state"] {
    if (this.#refusal) return "refused";
    if (this.#copy) return "forked";
    if (this.#behind) return "behind";
    if (this.#saving) return "saving";
    if (this.#isUnsaved) return "unsaved";
    return this.#stored && this.#session.changed ? "kept" : "none";
  }

  get #isUnsaved(): boolean {
    return this.#metadataUnsaved || this.#session.state !== this.#savedState;
  }

  /** The draft as last stored; null if there is none. */
  get draft(): CourseDraft | null {
    return this.#stored;
  }

  /** The text of this tab, saved apart because another tab saved the draft meanwhile. */
  get copy(): Copy | null {
    return this.#copy;
  }

  /** Whether leaving the page now would lose unsaved changes. */
  get wouldLose(): boolean {
    return this.#isUnsaved && this.#session.changed;
  }

  /** The draft as it would be stored now. */
  snapshot(known: CourseDraft | null = this.#stored): CourseDraft {
    const { base, course, renamedIds } = this.#session.state;
    const requestId = this.#request && sameCourse(this.#request.course, course) ? this.#request.id : null;
    return {
      draftVersion,
      courseId: this.#courseId,
      accountId: this.#accountId,
      base: { ...base },
      course,
      renamedIds,
      requestId,
      savedAt: this.#now().toISOString(),
      // A first version starts from the clock, so that a tab never mistakes another tab's new draft for one it knows.
      version: known ? known.version + 1 : this.#now().getTime(),
      receipt: this.#receipt,
      ...(this.#sent.length > 0 && { sent: [...this.#sent] }),
    };
  }

  /** Saves pending changes; resolves when they are stored or storage failed. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#closed.signal.aborted) return;
    // One save at a time; later changes go into the next one.
    while (this.#saving) await this.#saving;
    if (!this.#isUnsaved || this.#closed.signal.aborted) return;
    this.#saving = this.#save().finally(() => {
      this.#saving = null;
      this.#emitChange();
    });
    this.#emitChange();
    await this.#saving;
  }

  /** Saves, then returns what to send. The same content keeps its request id, also after a reload. */
  async prepareRequest(): Promise<{ requestId: string; state: EditingState }> {
    const { state } = this.#session;
    const digest = await courseDigest(state.course);
    if (!this.#sent.includes(digest)) {
      this.#sent = [...this.#sent, digest].slice(-mostSent);
      this.#metadataUnsaved = true;
    }
    const { id, course } = this.#request ?? { id: null, course: state.course };
    const requestId = requestIdFor({ requestId: id, course }, state.course, uuidv7);
    if (requestId !== id) {
      this.#request = { id: requestId, course: state.course };
      // The id has to be stored before it is used.
      this.#metadataUnsaved = true;
    }
    await this.flush();
    return { requestId, state };
  }

  /** Forgets the request id, so that the same content is sent under a new one. */
  dropRequest(): void {
    this.#request = null;
  }

  /** Whether this content was sent without an answer, possibly before a reload. */
  async wasSent(course: AuthoredCourse): Promise<boolean> {
    return this.#sent.length > 0 && this.#sent.includes(await courseDigest(course));
  }

  /**
   * Records that the sent content was published. The draft becomes a receipt until a page shows that revision; it stays a draft if the author
   * typed meanwhile.
   */
  async markPublished(receipt: Base): Promise<void> {
    this.#request = null;
    this.#sent = [];
    this.#receipt = this.#session.changed ? null : { ...receipt };
    this.#metadataUnsaved = true;
    await this.flush();
  }

  /** A page shows this sequence: a receipt for it or for an earlier one is removed. */
  async confirmReceipt(sequence: number): Promise<void> {
    if (!this.#stored?.receipt || this.#stored.receipt.sequence > sequence) return;
    this.#receipt = null;
    // Later changes are not on that page: they stay, wherever they are stored.
    if (this.#session.changed || this.#copy || this.#refusal) return;
    await this.discard();
  }

  /** Deletes the draft. The caller has confirmed it. */
  async discard(): Promise<void> {
    while (this.#saving) await this.#saving;
    clearTimeout(this.#timer);
    // Changes typed from here on are not discarded.
    const { state } = this.#session;
    try {
      if (this.#unloadSave) await this.#drafts.removeCopy(this.#unloadSave.key);
      if (this.#copy) await this.#drafts.removeCopy(this.#copy.key);
      // Other tabs do not know about copies.
      else if (this.#stored && (await this.#drafts.remove(this.#courseId, this.#stored.version))) this.#broadcast(null);
      this.#copy = this.#unloadSave = this.#stored = null;
      this.#sent = [];
      this.#refusal = null;
      this.#savedState = state;
      this.#metadataUnsaved = false;
    } catch (error) {
      this.#onStorageError(error);
    }
    this.#emitChange();
  }

  /**
   * Reads the other tab's draft to continue with it; the text of this tab stays as a copy.
   * @returns null if it has another base revision, or was published or discarded: the page has to be reloaded
   */
  async adoptOtherTab(): Promise<CourseDraft | null> {
    const theirs = await this.#drafts.read(this.#courseId);
    const { base } = this.#session.state;
    if (!theirs || theirs.receipt || theirs.accountId !== this.#accountId || theirs.base.revisionId !== base.revisionId) return null;
    this.#copy = null;
    this.#behind = false;
    this.#stored = theirs;
    this.#rememberSent(theirs);
    return theirs;
  }

  /** Makes this tab's text the draft; the other tab's becomes the copy. */
  async promoteCopy(): Promise<void> {
    await this.flush();
    while (this.#saving) await this.#saving;
    if (!this.#copy) return;
    try {
      this.#stored = await this.#drafts.promote(this.#copy);
      this.#copy = null;
      this.#behind = false;
      this.#broadcast(this.#stored.version);
    } catch (error) {
      this.#onStorageError(error);
    }
    this.#emitChange();
  }

  /** Stops saving and drops pending saves: after a sign-out nothing may be stored again. */
  dispose(): void {
    this.#closed.abort();
    clearTimeout(this.#timer);
    this.#channel.close();
  }

  /** An unloading page has time for a single write; if it stays after all, it also saves normally. */
  #saveOnUnload(): void {
    if (this.#isUnsaved && this.#session.changed) {
      if (this.#copy) this.#drafts.saveCopyOnUnload({ ...this.#copy, draft: this.snapshot() });
      else {
        // The save in progress may or may not complete before this write.
        const after = [this.#stored, this.#writing, this.#unloadSave?.draft].filter((draft) => draft != null);
        this.#unloadSave = this.#drafts.saveOnUnload(this.snapshot(after.at(-1) ?? null), after, this.#unloadSave);
      }
    }
    void this.flush();
  }

  #onEdit(): void {
    if (!this.#isUnsaved) return;
    if (this.#session.changed) this.#receipt = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), this.#idleMs);
    this.#emitChange();
  }

  async #save(): Promise<void> {
    const { state, changed } = this.#session;
    const draft = this.snapshot();
    // An unload save made from now on is newer than this save and must stay.
    const unloadSave = this.#unloadSave;
    this.#writing = draft;
    this.#metadataUnsaved = false;
    try {
      if (this.#copy) {
        this.#copy = { ...this.#copy, draft };
        await this.#drafts.saveCopy(this.#copy);
      } else if (!changed && !this.#receipt) {
        await this.#removeUnchanged(unloadSave);
      } else {
        const saved = await this.#drafts.save(draft, this.#stored?.version ?? null, unloadSave);
        if (saved.saved) {
          this.#stored = draft;
          // The compare-and-set succeeded, so no other tab has saved.
          this.#behind = false;
          this.#broadcast(draft.version);
        } else {
          this.#copy = saved.copy;
          this.#behind = false;
        }
      }
      this.#savedState = state;
      this.#refusal = null;
      if (this.#unloadSave === unloadSave) this.#unloadSave = null;
    } catch (error) {
      this.#metadataUnsaved = true;
      this.#onStorageError(error);
    } finally {
      this.#writing = null;
    }
  }

  /** The course equals its base again: removes the draft. */
  async #removeUnchanged(unloadSave: UnloadSave | null): Promise<void> {
    if (!this.#stored) return unloadSave ? this.#drafts.removeCopy(unloadSave.key) : undefined;
    if (await this.#drafts.remove(this.#courseId, this.#stored.version, unloadSave)) {
      this.#stored = null;
      this.#broadcast(null);
    } else this.#behind = true;
  }

  /** Takes over the unanswered requests of a draft, whichever tab sent them. */
  #rememberSent({ requestId, course, sent = [] }: CourseDraft): void {
    this.#sent = [...new Set([...this.#sent, ...sent])].slice(-mostSent);
    if (requestId) this.#request = { id: requestId, course };
  }

  #onStorageError(error: unknown): void {
    if (!(error instanceof DraftStorageError)) throw error;
    this.#refusal = error.problem;
    clearTimeout(this.#timer);
    if (!this.#closed.signal.aborted) this.#timer = setTimeout(() => void this.flush(), retryMs);
  }

  /** Informs the other tabs of this browser. */
  #broadcast(version: number | null): void {
    if (!this.#closed.signal.aborted) this.#channel.postMessage({ courseId: this.#courseId, version } satisfies DraftMessage);
  }

  #onMessage({ courseId, version }: DraftMessage): void {
    if (courseId !== this.#courseId || (version !== null && version === this.#stored?.version)) return;
    // A save in progress notices the conflict itself and stores a copy.
    this.#behind = this.#copy === null;
    this.#emitChange();
  }

  #emitChange(): void {
    this.dispatchEvent(new Event("change"));
  }
}
