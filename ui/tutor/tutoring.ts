import type { ModelSelection } from "@colloquy/schemas/ai/models.ts";
import type { CoursesResponse } from "@colloquy/schemas/courses/revision.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import type { Api } from "../api/client.ts";
import { pause } from "../api/event-stream.ts";
import { type ClientProblem, isAbort, problemOfThrown } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import type { AccountStore } from "../store/account-store.ts";
import { Emitter } from "../store/emitter.ts";
import { Rails } from "./rails.ts";
import { movedWords, newsWords } from "./words.ts";
import { type TutorAsk, type Working, workAfter, workBegun } from "./working.ts";

type Events = {
  /** Something to be shown changed. */
  change: undefined;
  announce: { text: string };
};

/** What a session begins with, besides its course. */
export interface Beginning {
  conversationId: string;
  goal: string;
  references: AttachedReference[];
  model: ModelSelection;
  /** An earlier session whose evidence goes on counting. */
  carryFrom?: string;
}

/** What the learner has chosen or written for the question that waits, and not confirmed yet. */
export interface Chosen {
  itemId: string;
  choiceIds: readonly string[];
  text: string;
}

export type ListedCourse = CoursesResponse["courses"][number];

/** So often, and after so long, a session is read again that must have moved on. */
const tries = { count: 8, waitMs: 250 };

/**
 * The tutoring in one conversation: its newest session as the service has it, what is being done, what was chosen and not confirmed.
 * Knows nothing of elements.
 */
export class Tutoring {
  readonly events = new Emitter<Events>();
  presence: "unread" | "loading" | "none" | "present" | "unreachable" = "unread";
  session: TutorSession | null = null;
  /** The course's present revision: null when the course is gone, undefined while that is not known. */
  live: string | null | undefined;
  /** Null while they are not known. */
  courses: ListedCourse[] | null = null;
  coursesFailed = false;
  /** The course the learner has chosen for the next session. */
  courseId: string | null = null;
  chosen: Chosen | null = null;
  /** Another device went on with the session, and what is shown was brought up to it. */
  moved = false;
  working: Working | null = null;
  failed: { ask: TutorAsk; problem: ClientProblem } | null = null;
  readonly rails: Rails;
  readonly #api: Pick<Api, "tutor" | "courses">;
  readonly #conversationId: string;
  #position: string | undefined;
  #abort: AbortController | null = null;

  constructor({ api, store }: { api: Pick<Api, "tutor" | "courses">; store: Pick<AccountStore, "workspace"> }, conversationId: string) {
    this.#api = api;
    this.rails = new Rails(store, conversationId);
    this.#conversationId = conversationId;
  }

  get busy(): boolean {
    return this.working !== null;
  }
  /** The session stands on a revision of its course that is not live any more. */
  get stale(): boolean {
    const { session, live } = this;
    return session !== null && session.phase !== "completed" && live !== undefined && live !== session.courseRevisionId;
  }

  /** Reads the conversation's newest session; `isNew`: the conversation has not begun, so there is none. */
  async load(isNew: boolean): Promise<void> {
    if (this.presence === "loading" || this.presence === "present" || this.busy) return;
    if (isNew) return this.#become("none");
    this.#become("loading");
    await this.rails.load();
    try {
      const options = { conversationId: this.#conversationId, ...this.#after };
      const [newest] = (await this.#api.tutor.sessions(options)).toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
      if (!newest) return this.#become("none");
      await this.#read(newest.sessionId);
      this.#become("present");
    } catch (error) {
      problemOfThrown(error);
      this.#become("unreachable");
    }
  }

  async loadCourses(): Promise<void> {
    if (this.courses) return;
    this.coursesFailed = false;
    try {
      this.courses = await this.#api.courses();
    } catch (error) {
      problemOfThrown(error);
      this.coursesFailed = true;
    }
    this.#changed();
  }

  chooseCourse(courseId: string): void {
    this.courseId = courseId;
    this.#changed();
  }

  choose(choiceIds: readonly string[]): void {
    const itemId = this.session?.current?.itemId;
    if (itemId === undefined) return;
    this.chosen = { itemId, choiceIds, text: "" };
    this.#changed();
  }

  write(text: string): void {
    const itemId = this.session?.current?.itemId;
    if (itemId === undefined) return;
    this.chosen = { itemId, choiceIds: [], text };
    this.#changed();
  }

  /** Begins a session on the chosen course. True once it stands. */
  async start({ conversationId, goal, references, model, carryFrom }: Beginning): Promise<boolean> {
    const courseId = carryFrom ? this.session?.courseId : this.courseId;
    if (!courseId || this.busy) return false;
    const submitted = references.map(({ href, sourceId, revisionId }) => ({
      href,
      ...(sourceId && { sourceId }),
      ...(revisionId && { revisionId }),
    }));
    const body = { requestId: uuidv7(), conversationId, courseId, goal, references: submitted, model, ...(carryFrom && { carryFrom }) };
    return this.#carryOut({ kind: "start", body });
  }

  /** Carries out what the learner does; `model`: who is to tutor from now on. */
  async act(action: TutorAction, model?: ModelSelection): Promise<boolean> {
    const { session } = this;
    if (!session || this.busy) return false;
    const { sessionId, version: expectedVersion, courseRevisionId } = session;
    const body = { requestId: uuidv7(), sessionId, expectedVersion, courseRevisionId, action, ...this.#otherThan(model) };
    return this.#carryOut({ kind: "turn", body });
  }

  /** The model, where it is not the session's already. */
  #otherThan(model: ModelSelection | undefined): { model?: ModelSelection } {
    return model && JSON.stringify(model) !== JSON.stringify(this.session?.model) ? { model } : {};
  }

  /** The same once more, under the same request id; `model`: who is to do it now. */
  async retry(model: ModelSelection): Promise<boolean> {
    if (!this.failed || this.busy) return false;
    const { ask } = this.failed;
    if (ask.kind === "start") return this.#carryOut({ kind: "start", body: { ...ask.body, model } });
    return this.#carryOut({ kind: "turn", body: { ...ask.body, ...this.#otherThan(model) } });
  }

  /** Takes the failure away; what was chosen stays. */
  forgetFailure(): void {
    this.failed = null;
    this.#changed();
  }

  /** Stops what is being done. What was taught so far is kept by the service; before that nothing has happened. */
  stop(): void {
    this.#abort?.abort();
  }

  /** Brings the session up to where the service has it. */
  async refresh(): Promise<void> {
    const { session } = this;
    if (!session || this.busy) return;
    const before = session.version;
    try {
      await this.#read(session.sessionId);
    } catch (error) {
      if (isAbort(error)) return;
    }
    if ((this.session?.version ?? 0) > before) this.#tellMoved();
    this.#changed();
  }

  /** Leaves a session that is over or stale, to begin another. */
  leave(): void {
    const { session } = this;
    this.courseId = session?.courseId ?? null;
    this.session = null;
    this.failed = null;
    this.#become("none");
  }

  async #carryOut(ask: TutorAsk): Promise<boolean> {
    const abort = new AbortController();
    this.#abort = abort;
    this.failed = null;
    this.moved = false;
    this.working = workBegun(ask);
    if (ask.kind === "start") this.#announce("Preparing the first question");
    this.#changed();
    const before = this.session;
    try {
      const steps = ask.kind === "start" ? this.#api.tutor.start(ask.body, abort.signal) : this.#api.tutor.turn(ask.body, abort.signal);
      for await (const step of steps) {
        if (step.kind === "complete") return this.#arrived(before, step.session, step.position);
        if (step.kind === "error") return await this.#failedWith(ask, step.problem);
        this.working = workAfter(this.working ?? workBegun(ask), step);
        this.events.emit("change");
      }
    } catch (error) {
      if (!isAbort(error)) throw error;
      await this.#stopped(before);
    } finally {
      this.#abort = null;
      this.working = null;
      this.#changed();
    }
    return false;
  }

  #arrived(before: TutorSession | null, session: TutorSession, position: string): boolean {
    this.working = null;
    this.session = session;
    this.live = session.courseRevisionId;
    this.presence = "present";
    this.#position = position;
    if (this.chosen?.itemId !== session.current?.itemId) this.chosen = null;
    this.#announce(newsWords(before?.sessionId === session.sessionId ? before : null, session));
    return true;
  }

  /** Nothing had arrived: all is as it was. Of a text that had begun the service keeps what had come. */
  async #stopped(before: TutorSession | null): Promise<void> {
    const came = this.working?.text;
    if (came && before) await this.#readPast(before);
    this.#announce(came ? "Stopped. What had come is kept." : "Stopped. Nothing has changed.");
  }

  async #failedWith(ask: TutorAsk, problem: ClientProblem): Promise<boolean> {
    const { session } = this;
    if ((problem.code === "stale_session" || problem.code === "request_id_reused") && session) {
      await this.#readPast(session);
      this.#tellMoved();
      return false;
    }
    if (problem.code === "stale_course_revision" && session) {
      await this.#read(session.sessionId).catch(() => undefined);
      if (this.live === session.courseRevisionId) this.live = undefined;
    }
    // What led there is recorded, and so is that the session waits.
    if (problem.code === "plan_unverified" && session) await this.#readPast(session);
    this.failed = { ask, problem };
    this.#announce(problem.title);
    return false;
  }

  /** Reads a session until it is past what is known of it: what was just written may take a moment to be readable. */
  async #readPast({ sessionId, version }: TutorSession): Promise<void> {
    for (let count = 0; count < tries.count; count += 1) {
      await this.#read(sessionId).catch(() => undefined);
      if ((this.session?.version ?? 0) > version) return;
      await pause(tries.waitMs);
    }
  }

  /** @throws {RequestFailed} */
  async #read(sessionId: string): Promise<void> {
    const { session, position, live } = await this.#api.tutor.session(sessionId, this.#after);
    if (this.session?.sessionId === sessionId && this.session.version > session.version) return;
    this.session = session;
    this.live = live;
    this.#position = position;
    if (this.chosen?.itemId !== session.current?.itemId) this.chosen = null;
  }

  get #after(): { after?: string } {
    return this.#position === undefined ? {} : { after: this.#position };
  }

  #tellMoved(): void {
    this.moved = true;
    this.#announce(movedWords);
  }

  #announce(text: string): void {
    this.events.emit("announce", { text });
  }
  #become(presence: Tutoring["presence"]): void {
    this.presence = presence;
    this.#changed();
  }
  #changed(): void {
    this.events.emit("change");
  }
}
