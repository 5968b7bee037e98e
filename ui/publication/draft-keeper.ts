import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import { type CourseDraft, draftVersion, mostSent, requestIdFor } from "@colloquy/schemas/publication/draft.ts";
import { uuidv7 } from "../api/uuid.ts";
import { type Copy, type Drafts, DraftsRefused, type Left, type Refusal } from "./drafts.ts";
import { draftsTold, type Told } from "./drafts-told.ts";
import { courseDigest } from "./publishing/course-digest.ts";
import type { Base, EditingSession, EditingState } from "./session.ts";

/** How things stand with the draft, for whoever says it. */
export interface Standing {
  /**
   * `none`: nothing to keep. `refused`: the browser keeps nothing, so the text is on this page only. `behind`: another tab went on with the
   * draft, and nothing was written here since. `forked`: something was written here, too; it is kept as a copy.
   */
  state: "none" | "unsaved" | "saving" | "kept" | "refused" | "behind" | "forked";
  /** When it was last kept, RFC 3339. */
  savedAt: string | null;
  refusal: Refusal | null;
}

interface Options {
  session: EditingSession;
  drafts: Drafts;
  courseId: string;
  accountId: string;
  /** What is kept already: what the session began from, or a receipt. */
  draft: CourseDraft | null;
  idleMs?: number;
  now?: () => Date;
}

/** What was refused is tried again by itself after so long. */
const againMs = 10_000;

/**
 * Keeps the draft of a session in this browser: after a pause, and at once when a field or the page is left. It only ever takes from the
 * session and never writes into it, so that no save can touch what is being typed. Says "change" when its standing is another.
 */
export class DraftKeeper extends EventTarget {
  readonly #session: EditingSession;
  readonly #drafts: Drafts;
  readonly #courseId: string;
  readonly #accountId: string;
  readonly #idleMs: number;
  readonly #now: () => Date;
  readonly #channel = draftsTold();
  readonly #closed = new AbortController();
  /** The draft as it was last stored here. */
  #stored: CourseDraft | null;
  /** What of the session is stored. */
  #savedState: EditingState;
  /** Something beside the content is not stored yet: the request id, what was sent, the receipt. A save that runs already has it not. */
  #besideUnsaved = false;
  #request: { id: string; course: AuthoredCourse } | null = null;
  /** Digests of what went out and was not answered: it may be what is live now, also after a reload. */
  #sent: readonly string[] = [];
  #receipt: CourseDraft["receipt"] = null;
  #copy: Copy | null = null;
  /** What is being stored just now. */
  #writing: CourseDraft | null = null;
  /** What was written while the page was left, until it is in its place. */
  #left: Left | null = null;
  #behind = false;
  #refusal: Refusal | null = null;
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
    if (draft) this.#goOnWith(draft);
    const { signal } = this.#closed;
    session.addEventListener("change", () => this.#noticed(), { signal });
    this.#channel.addEventListener("message", ({ data }: MessageEvent<Told>) => this.#heard(data), { signal });
    addEventListener("pagehide", () => this.#leaving(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && void this.flush(), { signal });
  }

  get standing(): Standing {
    const savedAt = this.#stored?.savedAt ?? null;
    return { state: this.#state, savedAt, refusal: this.#refusal };
  }

  get #state(): Standing["state"] {
    if (this.#refusal) return "refused";
    if (this.#copy) return "forked";
    if (this.#behind) return "behind";
    if (this.#saving) return "saving";
    if (this.#isUnsaved) return "unsaved";
    return this.#stored && this.#session.changed ? "kept" : "none";
  }

  get #isUnsaved(): boolean {
    return this.#besideUnsaved || this.#session.state !== this.#savedState;
  }

  /** The draft as it was last stored; null where there is nothing to keep. */
  get draft(): CourseDraft | null {
    return this.#stored;
  }

  /** What was written here while another tab went on with the draft. */
  get copy(): Copy | null {
    return this.#copy;
  }

  /** Whether leaving the page now would lose something. */
  get wouldLose(): boolean {
    return this.#isUnsaved && this.#session.changed;
  }

  /** What would be stored now, for a download. */
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
      // The first is told by the clock: a tab that knew an earlier draft must not take another's for its own.
      version: known ? known.version + 1 : this.#now().getTime(),
      receipt: this.#receipt,
      ...(this.#sent.length > 0 && { sent: [...this.#sent] }),
    };
  }

  /** Saves what is not saved; resolves when it is, or when the browser has refused. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#closed.signal.aborted) return;
    // One save at a time; what came meanwhile goes together with the next.
    while (this.#saving) await this.#saving;
    if (!this.#isUnsaved || this.#closed.signal.aborted) return;
    this.#saving = this.#save().finally(() => {
      this.#saving = null;
      this.#say();
    });
    this.#say();
    await this.#saving;
  }

  /** Saves, and gives what to send: the request id stays the same for the same content, also after a reload. */
  async attempt(): Promise<{ requestId: string; state: EditingState }> {
    const { state } = this.#session;
    const digest = await courseDigest(state.course);
    if (!this.#sent.includes(digest)) {
      this.#sent = [...this.#sent, digest].slice(-mostSent);
      this.#besideUnsaved = true;
    }
    const { id, course } = this.#request ?? { id: null, course: state.course };
    const requestId = requestIdFor({ requestId: id, course }, state.course, uuidv7);
    if (requestId !== id) {
      this.#request = { id: requestId, course: state.course };
      // Written once more, with the id.
      this.#besideUnsaved = true;
    }
    await this.flush();
    return { requestId, state };
  }

  /** Whether this went out from here, before a reload too, and was not answered. */
  async wasSent(course: AuthoredCourse): Promise<boolean> {
    return this.#sent.length > 0 && this.#sent.includes(await courseDigest(course));
  }

  /**
   * What was sent is published, and the session stands on it. The draft stays as a receipt until a page shows it; where typing has gone on,
   * it stays a draft.
   */
  async settle(receipt: Base): Promise<void> {
    this.#request = null;
    this.#sent = [];
    this.#receipt = this.#session.changed ? null : { ...receipt };
    this.#besideUnsaved = true;
    await this.flush();
  }

  /** A page shows this sequence: a receipt for it, or for an earlier one, has done its work. */
  async seen(sequence: number): Promise<void> {
    if (!this.#stored?.receipt || this.#stored.receipt.sequence > sequence) return;
    this.#receipt = null;
    // What was written since is not what the page shows, wherever it is kept by now: it stays.
    if (this.#session.changed || this.#copy || this.#refusal) return;
    await this.discard();
  }

  /** Takes the draft away. Whoever calls has asked before. */
  async discard(): Promise<void> {
    while (this.#saving) await this.#saving;
    clearTimeout(this.#timer);
    // What is written from here on is not taken away with it.
    const { state } = this.#session;
    try {
      if (this.#left) await this.#drafts.removeCopy(this.#left.key);
      if (this.#copy) await this.#drafts.removeCopy(this.#copy.key);
      // Of a copy other tabs know nothing.
      else if (this.#stored && (await this.#drafts.remove(this.#courseId, this.#stored.version))) this.#tell(null);
      this.#copy = this.#left = this.#stored = null;
      this.#sent = [];
      this.#refusal = null;
      this.#savedState = state;
      this.#besideUnsaved = false;
    } catch (error) {
      this.#refused(error);
    }
    this.#say();
  }

  /**
   * Reads what the other tab wrote, to go on with it; what was written here stays as a copy.
   * @returns null where it stands on another revision, or was published or thrown away: the page has to be loaded anew
   */
  async takeOver(): Promise<CourseDraft | null> {
    const theirs = await this.#drafts.read(this.#courseId);
    const { base } = this.#session.state;
    if (!theirs || theirs.receipt || theirs.accountId !== this.#accountId || theirs.base.revisionId !== base.revisionId) return null;
    this.#copy = null;
    this.#behind = false;
    this.#stored = theirs;
    this.#goOnWith(theirs);
    return theirs;
  }

  /** What was written here becomes the draft; the other tab's is kept as a copy. */
  async keepMine(): Promise<void> {
    await this.flush();
    while (this.#saving) await this.#saving;
    if (!this.#copy) return;
    try {
      this.#stored = await this.#drafts.promote(this.#copy);
      this.#copy = null;
      this.#behind = false;
      this.#tell(this.#stored.version);
    } catch (error) {
      this.#refused(error);
    }
    this.#say();
  }

  /** Keeps nothing any more, and forgets what was to be kept: after a sign-out nothing may come back. */
  dispose(): void {
    this.#closed.abort();
    clearTimeout(this.#timer);
    this.#channel.close();
  }

  /** A page that is gone in a moment has time for one stroke; one that stays after all saves as ever. */
  #leaving(): void {
    if (this.#isUnsaved && this.#session.changed) {
      if (this.#copy) this.#drafts.saveCopyLeaving({ ...this.#copy, draft: this.snapshot() });
      else {
        // A save that runs may still come before this, or may not.
        const after = [this.#stored, this.#writing, this.#left?.draft].filter((draft) => draft != null);
        this.#left = this.#drafts.saveLeaving(this.snapshot(after.at(-1) ?? null), after, this.#left);
      }
    }
    void this.flush();
  }

  #noticed(): void {
    if (!this.#isUnsaved) return;
    if (this.#session.changed) this.#receipt = null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), this.#idleMs);
    this.#say();
  }

  async #save(): Promise<void> {
    const { state, changed } = this.#session;
    const draft = this.snapshot();
    // What is written while the page is left from now on is newer than this, and stays.
    const left = this.#left;
    this.#writing = draft;
    this.#besideUnsaved = false;
    try {
      if (this.#copy) {
        this.#copy = { ...this.#copy, draft };
        await this.#drafts.saveCopy(this.#copy);
      } else if (!changed && !this.#receipt) {
        await this.#saveNothing(left);
      } else {
        const saved = await this.#drafts.save(draft, this.#stored?.version ?? null, left);
        if (saved.saved) {
          this.#stored = draft;
          // Nobody else wrote, whatever was heard.
          this.#behind = false;
          this.#tell(draft.version);
        } else {
          this.#copy = saved.copy;
          this.#behind = false;
        }
      }
      this.#savedState = state;
      this.#refusal = null;
      if (this.#left === left) this.#left = null;
    } catch (error) {
      this.#besideUnsaved = true;
      this.#refused(error);
    } finally {
      this.#writing = null;
    }
  }

  /** The course is as it was: there is no draft any more. */
  async #saveNothing(left: Left | null): Promise<void> {
    if (!this.#stored) return left ? this.#drafts.removeCopy(left.key) : undefined;
    if (await this.#drafts.remove(this.#courseId, this.#stored.version, left)) {
      this.#stored = null;
      this.#tell(null);
    } else this.#behind = true;
  }

  /** What went out of a draft and was not answered is remembered, whichever tab sent it. */
  #goOnWith({ requestId, course, sent = [] }: CourseDraft): void {
    this.#sent = [...new Set([...this.#sent, ...sent])].slice(-mostSent);
    if (requestId) this.#request = { id: requestId, course };
  }

  #refused(error: unknown): void {
    if (!(error instanceof DraftsRefused)) throw error;
    this.#refusal = error.refusal;
    clearTimeout(this.#timer);
    if (!this.#closed.signal.aborted) this.#timer = setTimeout(() => void this.flush(), againMs);
  }

  /** Tells other tabs of this browser. */
  #tell(version: number | null): void {
    if (!this.#closed.signal.aborted) this.#channel.postMessage({ courseId: this.#courseId, version } satisfies Told);
  }

  #heard({ courseId, version }: Told): void {
    if (courseId !== this.#courseId || (version !== null && version === this.#stored?.version)) return;
    // What is being written here finds out by itself, and is kept beside.
    this.#behind = this.#copy === null;
    this.#say();
  }

  #say(): void {
    this.dispatchEvent(new Event("change"));
  }
}
