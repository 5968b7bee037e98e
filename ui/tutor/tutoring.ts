import type { CoursesResponse } from "@colloquy/schemas/courses/revision.ts";
import type { ModelSelection } from "@colloquy/schemas/models.ts";
import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { TutorAction, TutorGoalResponse } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession, TutorSessionSummary } from "@colloquy/schemas/tutor/session.ts";
import { pause } from "../api/backoff.ts";
import type { Api } from "../api/client.ts";
import { type ClientProblem, isAbort, problemOfThrown, problemTitle, problemTitleOfCode } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { msg } from "../messages/page.ts";
import type { AccountStore } from "../store/account-store.ts";
import { AutosavedRow } from "../store/autosaved-row.ts";
import { Emitter } from "../store/emitter.ts";
import { tutorQuestionPrefix } from "../store/rows.ts";
import { Rails } from "./rails.ts";
import { applyStep, type RunningWork, startWork, type TutorAsk } from "./running-work.ts";
import { savedChoiceFor, savedChoiceRow, type UnconfirmedChoice, unsentWords } from "./saved-choice.ts";
import { movedText, newsText } from "./words.ts";

type Events = {
  /** Displayed state changed. */
  change: undefined;
  announce: { text: string };
};

/** What a new session starts with, besides its course. */
export interface SessionStart {
  conversationId: string;
  goal: string;
  references: AttachedReference[];
  model: ModelSelection;
  /** An earlier session whose evidence is carried over. */
  carryFrom?: string;
  /** The learner confirmed this course although the goal may be off-topic. */
  confirmedCourseId?: string;
}

/** A goal that the chosen course does not cover, and courses that do. */
export interface OffTopicGoal extends Pick<TutorGoalResponse, "elsewhere" | "language"> {
  goal: string;
  courseId: string;
}

export type ListedCourse = CoursesResponse["courses"][number];

/** Days until each objective is reviewed, read after tutoring up to a position; objectives without a review are left out. */
export type ReviewDays = (objectiveIds: readonly string[], after: string | undefined) => Promise<ReadonlyMap<string, number>>;

/** The course of a page's address; null for other addresses. */
/** The course of an address; null for an address of none. */
export const courseIdOf = (href: string): string | null => /^\/courses\/([^/?#]+)/.exec(href)?.[1] ?? null;

interface TutoringNeeds {
  api: Pick<Api, "tutor" | "courses">;
  store: Pick<AccountStore, "workspace">;
  /** Absent where there is no review, as on another site's page. */
  reviewDays?: ReviewDays;
}

/** How often, and at what interval, a session is read again until a new version is visible. */
const retries = { count: 8, countWhenStopped: 3, waitMs: 250 };

/**
 * The tutoring of one conversation: its session, the running request and the unconfirmed answer. Independent of elements.
 */
export class Tutoring {
  readonly events = new Emitter<Events>();
  presence: "unread" | "loading" | "none" | "present" | "unreachable" = "unread";
  session: TutorSession | null = null;
  /** Every session of the conversation, newest first. */
  sessions: readonly TutorSessionSummary[] = [];
  /** The course's live revision: null if the course is unpublished, undefined while unknown. */
  liveRevisionId: string | null | undefined;
  /** The live revision left everything that the session uses unchanged. */
  #liveRevisionIsCompatible = true;
  /** Null until loaded. */
  courses: ListedCourse[] | null = null;
  coursesFailed = false;
  /** The course that the learner chose for the next session. */
  #chosenCourseId: string | null = null;
  /** The course of the attached pages, if all belong to one. */
  #attachedCourseId: string | null = null;
  /** The session was not started because the goal is off-topic; the learner decides. */
  offTopicGoal: OffTopicGoal | null = null;
  /** The service is being asked whether the course covers the goal. */
  #isCheckingGoal = false;
  chosen: UnconfirmedChoice | null = null;
  /** The session continued on another device and was read again. */
  isMoved = false;
  /** What was typed here for a question that the session went past elsewhere. */
  unsent: string | null = null;
  /** The question whose answer was sent back for its spelling: what is sent next is marked as it stands. */
  misspelled: string | null = null;
  working: RunningWork | null = null;
  failed: { ask: TutorAsk; problem: ClientProblem } | null = null;
  /** Of a completed session: days until each objective is reviewed; empty while unknown. */
  daysToReview: ReadonlyMap<string, number> = new Map();
  readonly rails: Rails;
  /** The question to the tutor that was not sent. */
  readonly question: AutosavedRow<{ text: string }>;
  readonly #savedChoice: AutosavedRow<UnconfirmedChoice>;
  readonly #api: Pick<Api, "tutor" | "courses">;
  readonly #conversationId: string;
  readonly #reviewDays: ReviewDays | null;
  /** The completed session whose review days were requested. */
  #reviewDaysSessionId = "";
  #position: string | undefined;
  #abort: AbortController | null = null;

  constructor({ api, store, reviewDays }: TutoringNeeds, conversationId: string) {
    this.#reviewDays = reviewDays ?? null;
    this.#api = api;
    this.rails = new Rails(store, conversationId);
    this.#savedChoice = savedChoiceRow(store, conversationId);
    this.question = new AutosavedRow(store, `${tutorQuestionPrefix}${conversationId}`);
    this.#conversationId = conversationId;
  }

  /** The course of the next session: the chosen one, otherwise that of the attached pages. */
  get courseId(): string | null {
    return this.#chosenCourseId ?? this.#attachedCourseId;
  }

  get busy(): boolean {
    return this.working !== null;
  }
  /** The session uses course text that is no longer live. */
  get stale(): boolean {
    const { session, liveRevisionId: live } = this;
    if (session === null || session.phase === "completed" || live === undefined) return false;
    return live !== session.courseRevisionId && !this.#liveRevisionIsCompatible;
  }

  /** Reads the conversation's newest session; `isNew`: the conversation has none yet. */
  async load(isNew: boolean): Promise<void> {
    if (this.presence === "loading" || this.presence === "present" || this.busy) return;
    if (isNew) return this.#setPresence("none");
    this.#setPresence("loading");
    await this.rails.load();
    try {
      const newest = await this.#readSessions();
      if (!newest) return this.#setPresence("none");
      await this.#read(newest.sessionId);
      await this.#restoreChoice();
      this.#setPresence("present");
    } catch (error) {
      problemOfThrown(error);
      this.#setPresence("unreachable");
    }
  }

  /** Shows a session by id. If it cannot be read, the session already shown stays. */
  async open(sessionId: string): Promise<void> {
    const shown = this.session;
    if (this.presence === "loading" || this.busy || shown?.sessionId === sessionId) return;
    await this.#savedChoice.flush();
    if (!shown) this.#setPresence("loading");
    try {
      await this.#read(sessionId);
      await this.#restoreChoice();
      this.failed = null;
      this.isMoved = false;
      this.#setPresence("present");
    } catch (error) {
      const { code, title } = problemOfThrown(error);
      if (shown) this.#announce(title);
      else this.#setPresence(code === "not_found" ? "none" : "unreachable");
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

  /** Takes the course of the conversation's attached pages, until the learner chooses one. */
  followReferences(references: readonly AttachedReference[]): void {
    const courseIds = new Set(references.map(({ href }) => courseIdOf(href)));
    const [courseId = null] = courseIds;
    this.#attachedCourseId = courseIds.size === 1 ? courseId : null;
  }

  chooseCourse(courseId: string): void {
    this.#chosenCourseId = courseId;
    this.offTopicGoal = null;
    this.#changed();
  }

  choose(choiceIds: readonly string[]): void {
    const itemId = this.session?.current?.itemId;
    if (itemId === undefined) return;
    this.#setChosen({ itemId, choiceIds, text: "" });
    this.#changed();
  }

  write(text: string): void {
    const itemId = this.session?.current?.itemId;
    if (itemId === undefined) return;
    this.#setChosen({ itemId, choiceIds: [], text });
    this.#changed();
  }

  /** Dismisses the off-topic goal so that the learner can reword it. */
  forgetOffTopicGoal(): void {
    this.offTopicGoal = null;
    this.#changed();
  }

  /** Keeps what was given so far to a question of the course's own. */
  respond(response: QuestionResponse): void {
    const itemId = this.session?.current?.itemId;
    if (itemId === undefined) return;
    this.#setChosen({ itemId, choiceIds: [], text: "", response });
    this.#changed();
  }

  /** Starts a session on the chosen course, unless the goal is off-topic and unconfirmed. True once it has started. */
  async start({ conversationId, goal, references, model, carryFrom, confirmedCourseId }: SessionStart): Promise<boolean> {
    const courseId = carryFrom ? this.session?.courseId : this.courseId;
    if (!courseId || this.busy || this.#isCheckingGoal) return false;
    const attached = references.some(({ href }) => courseIdOf(href) === courseId);
    if (!carryFrom && !attached && confirmedCourseId !== courseId && (await this.#isOffTopic(courseId, goal))) return false;
    this.offTopicGoal = null;
    const submitted = references.map(({ href, sourceId, revisionId }) => ({
      href,
      ...(sourceId && { sourceId }),
      ...(revisionId && { revisionId }),
    }));
    const body = { requestId: uuidv7(), conversationId, courseId, goal, references: submitted, model, ...(carryFrom && { carryFrom }) };
    return this.#run({ kind: "start", body });
  }

  /** Whether the goal is off-topic; false if the check fails, so that the session starts. */
  async #isOffTopic(courseId: string, goal: string): Promise<boolean> {
    this.#isCheckingGoal = true;
    try {
      const { related, elsewhere, language } = await this.#api.tutor.goal({ courseId, goal });
      if (related || this.courseId !== courseId) return !related;
      this.offTopicGoal = { goal, courseId, elsewhere, language };
      this.#announce(msg("tutor.courseSaysNothingGoal"));
      this.#changed();
      return true;
    } catch (error) {
      problemOfThrown(error);
      return false;
    } finally {
      this.#isCheckingGoal = false;
    }
  }

  /** Sends the learner's action; `model`: the model for the next turns. */
  async act(action: TutorAction, model?: ModelSelection): Promise<boolean> {
    const { session } = this;
    if (!session || this.busy) return false;
    const { sessionId, version: expectedVersion } = session;
    const courseRevisionId = (this.#liveRevisionIsCompatible && this.liveRevisionId) || session.courseRevisionId;
    const isConfirmed = action.type === "answer" && action.itemId === this.misspelled;
    const sent = isConfirmed ? { ...action, confirmed: true as const } : action;
    const body = { requestId: uuidv7(), sessionId, expectedVersion, courseRevisionId, action: sent, ...this.#changedModel(model) };
    return this.#run({ kind: "turn", body });
  }

  /** The model, if it differs from the session's. */
  #changedModel(model: ModelSelection | undefined): { model?: ModelSelection } {
    return model && JSON.stringify(model) !== JSON.stringify(this.session?.model) ? { model } : {};
  }

  /** Repeats the failed request under the same request id; `model`: the model to use now; `practice`: a start is for practice. */
  async retry(model: ModelSelection, practice?: true): Promise<boolean> {
    if (!this.failed || this.busy) return false;
    const { ask } = this.failed;
    if (ask.kind === "start") return this.#run({ kind: "start", body: { ...ask.body, model, ...(practice && { practice }) } });
    return this.#run({ kind: "turn", body: { ...ask.body, ...this.#changedModel(model) } });
  }

  /** Dismisses the failure; the unconfirmed answer stays. */
  forgetFailure(): void {
    this.failed = null;
    this.#changed();
  }

  /** Cancels the running request. The service keeps a lesson's text so far. */
  stop(): void {
    this.#abort?.abort();
  }

  /** Reads the session again; announces if it continued elsewhere. */
  async refresh(): Promise<void> {
    const { session } = this;
    if (!session || this.busy) return;
    const before = session.version;
    try {
      await this.#read(session.sessionId);
    } catch (error) {
      if (isAbort(error)) return;
    }
    if ((this.session?.version ?? 0) > before) this.#announceMoved();
    this.#changed();
  }

  /** Reads a turn that this page caused elsewhere, such as an answer to a video's question, without an announcement. */
  async catchUp(): Promise<void> {
    if (!this.session || this.busy) return;
    await this.#readUntilNewer(this.session);
    this.#changed();
  }

  /** Leaves a completed or stale session to start another. */
  leave(): void {
    const { session } = this;
    this.#chosenCourseId = session?.courseId ?? null;
    this.session = null;
    this.failed = null;
    this.#setPresence("none");
  }

  async #run(ask: TutorAsk): Promise<boolean> {
    const abort = new AbortController();
    this.#abort = abort;
    this.failed = null;
    this.isMoved = false;
    this.unsent = null;
    this.working = startWork(ask);
    if (ask.kind === "start") this.#announce(ask.body.carryFrom ? msg("page.oneMoment") : msg("tutor.preparingTheFirstQuestion"));
    this.#changed();
    const before = this.session;
    try {
      const steps = ask.kind === "start" ? this.#api.tutor.start(ask.body, abort.signal) : this.#api.tutor.turn(ask.body, abort.signal);
      for await (const step of steps) {
        if (step.kind === "complete") return this.#applyResult(before, step.session, step.position);
        if (step.kind === "error") return await this.#handleProblem(ask, step.problem);
        this.working = applyStep(this.working ?? startWork(ask), step);
        this.events.emit("change");
      }
    } catch (error) {
      if (!isAbort(error)) throw error;
      return await this.#handleStop(ask, before);
    } finally {
      this.#abort = null;
      this.working = null;
      this.#changed();
    }
    return false;
  }

  #applyResult(before: TutorSession | null, session: TutorSession, position: string): boolean {
    this.working = null;
    this.session = session;
    this.liveRevisionId = session.courseRevisionId;
    this.#liveRevisionIsCompatible = true;
    this.presence = "present";
    this.#position = position;
    this.#dropAnswered(session);
    this.unsent = null;
    void this.#loadReviewDays(session);
    if (before?.sessionId !== session.sessionId) void this.#readSessions().then(() => this.#changed(), problemOfThrown);
    this.#announce(newsText(before?.sessionId === session.sessionId ? before : null, session));
    return true;
  }

  /**
   * Once text arrived, the service keeps the text so far, so the session is read again. Before, it records nothing, unless the turn was
   * finished when the stop arrived: then its result is shown. True if that was so.
   */
  async #handleStop({ kind }: TutorAsk, before: TutorSession | null): Promise<boolean> {
    const came = this.working?.text;
    const count = came ? retries.count : retries.countWhenStopped;
    const isRecorded =
      kind === "start" ? await this.#readStartedSession(before, count) : before !== null && (await this.#readUntilNewer(before, count));
    if (came) this.#announce(msg("tutor.stoppedComeKept"));
    else this.#announce(isRecorded ? msg("tutor.finishedBeforeStop") : msg("tutor.stoppedNothingHasChanged"));
    return isRecorded && !came;
  }

  async #handleProblem(ask: TutorAsk, problem: ClientProblem): Promise<boolean> {
    const { session } = this;
    if ((problem.code === "stale_session" || problem.code === "request_id_reused") && session) {
      await this.#readUntilNewer(session);
      this.#announceMoved();
      return false;
    }
    if (problem.code === "stale_course_revision" && session) {
      await this.#read(session.sessionId).catch(() => undefined);
      const { liveRevisionId: live } = this;
      // The new revision left the session's text unchanged, so the request is repeated with that revision.
      if (ask.kind === "turn" && this.#liveRevisionIsCompatible && live && live !== ask.body.courseRevisionId)
        return this.#run({ kind: "turn", body: { ...ask.body, courseRevisionId: live } });
      if (live === session.courseRevisionId) this.liveRevisionId = undefined;
      // The notice offers a button; the service's own advice is for programs.
      this.failed = { ask, problem };
      this.#announce(problemTitleOfCode(problem.code));
      return false;
    }
    if (problem.code === "check_spelling") {
      this.misspelled = session?.current?.itemId ?? null;
      this.#announce(problemTitleOfCode(problem.code));
      return false;
    }
    // The service recorded the failed plan and waits, so the session itself offers a retry as a new turn.
    if (problem.code === "plan_unverified" && session && (await this.#readUntilNewer(session))) {
      this.#announce(problemTitle(problem));
      return false;
    }
    this.failed = { ask, problem };
    this.#announce(problemTitle(problem));
    return false;
  }

  /** Reads a session until it has a newer version, because the projection may lag behind; false if it never has. */
  async #readUntilNewer({ sessionId, version }: TutorSession, most = retries.count): Promise<boolean> {
    for (let count = 0; count < most; count += 1) {
      await this.#read(sessionId).catch(() => undefined);
      if ((this.session?.version ?? 0) > version) return true;
      await pause(retries.waitMs);
    }
    return false;
  }

  /** Reads the session that was just started, with the text taught so far; false if there is none. */
  async #readStartedSession(before: TutorSession | null, most: number): Promise<boolean> {
    const known = new Set([...this.sessions.map(({ sessionId }) => sessionId), before?.sessionId]);
    for (let count = 0; count < most; count += 1) {
      const newest = await this.#readSessions().catch(() => undefined);
      if (newest && !known.has(newest.sessionId)) {
        const isRead = await this.#read(newest.sessionId).then(
          () => true,
          () => false,
        );
        if (isRead) {
          this.presence = "present";
          return true;
        }
      }
      await pause(retries.waitMs);
    }
    return false;
  }

  /** @throws {RequestFailed} */
  async #read(sessionId: string): Promise<void> {
    const { session, position, live, goesOn } = await this.#api.tutor.session(sessionId, this.#after);
    if (this.session?.sessionId === sessionId && this.session.version > session.version) return;
    // The other session's unconfirmed answer stays stored.
    if (this.session?.sessionId !== sessionId) this.chosen = null;
    this.session = session;
    this.liveRevisionId = live;
    this.#liveRevisionIsCompatible = goesOn;
    this.#position = position;
    this.#dropAnswered(session);
    void this.#loadReviewDays(session);
  }

  /** Returns the newest session. @throws {RequestFailed} */
  async #readSessions(): Promise<TutorSessionSummary | undefined> {
    const options = { conversationId: this.#conversationId, ...this.#after };
    this.sessions = (await this.#api.tutor.sessions(options)).toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
    return this.sessions[0];
  }

  async #loadReviewDays({ sessionId, phase, mastery }: TutorSession): Promise<void> {
    if (phase !== "completed" || !this.#reviewDays || this.#reviewDaysSessionId === sessionId) return;
    this.#reviewDaysSessionId = sessionId;
    const objectiveIds = mastery.map(({ objectiveId }) => objectiveId);
    this.daysToReview = await this.#reviewDays(objectiveIds, this.#position).catch(() => new Map<string, number>());
    this.#changed();
  }

  #setChosen(chosen: UnconfirmedChoice | null): void {
    this.chosen = chosen;
    this.#savedChoice.write(chosen);
  }

  #dropAnswered(session: TutorSession): void {
    if (!this.chosen || this.chosen.itemId === session.current?.itemId) return;
    this.unsent = unsentWords(this.chosen, session);
    this.#setChosen(null);
  }

  /** Restores the stored answer if its question is still open. */
  async #restoreChoice(): Promise<void> {
    const itemId = this.session?.current?.itemId;
    if (itemId === undefined) return;
    const before = await savedChoiceFor(itemId, this.#savedChoice).catch(() => null);
    // The learner may have chosen while the row was read.
    this.chosen ??= before;
  }

  get #after(): { after?: string } {
    return this.#position === undefined ? {} : { after: this.#position };
  }

  #announceMoved(): void {
    this.isMoved = true;
    this.#announce(movedText(this.unsent));
  }

  #announce(text: string): void {
    this.events.emit("announce", { text });
  }
  #setPresence(presence: Tutoring["presence"]): void {
    this.presence = presence;
    this.#changed();
  }
  #changed(): void {
    this.events.emit("change");
  }
}
