import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { isInProgress } from "@colloquy/schemas/explainers/in-progress.ts";
import type { ExplainerJob, ExplainerJobSummary, ExplainerOffer, JobEvent } from "@colloquy/schemas/explainers/job.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Emphasis, Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { pause } from "../api/backoff.ts";
import type { ExplainerApi, StoryboardStep } from "../api/explainer.ts";
import { type ClientProblem, isAbort, problemOfThrown, problemTitle } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { msg } from "../messages/page.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { AutosavedRow } from "../store/autosaved-row.ts";
import { Emitter } from "../store/emitter.ts";
import type { PreparedFilm } from "./begin-view.ts";
import { type Drafting, draftingAfter, editRequest, type StoryboardRequest } from "./drafting.ts";
import { type Edits, editsOf } from "./edits.ts";
import { Following } from "./following.ts";
import { type JobPosition, readJobAt, readJobNear } from "./read-job.ts";
import { RetryWhileUnreachable, retryDelayMs } from "./retry-while-unreachable.ts";
import { restoredEdits, savedEditsRow, type UncheckedScenes, uncheckedOf } from "./saved-edits.ts";
import { suits } from "./viewer-settings.ts";
import { stateChangeText } from "./words.ts";

type Events = {
  /** Displayed state changed. */
  change: undefined;
  announce: { text: string };
  /** An answer became evidence in a tutoring session. */
  recorded: { sessionId: string };
  /** Scroll and focus should move to this part. */
  reach: { part: "head" | "drawing" | "board" | "making" | "film" | "answer" };
};

/** Problem codes saying that the job changed elsewhere. */
const outdatedCodes: ReadonlySet<string> = new Set(["wrong_phase", "stale_session", "unknown_reference"]);

/** Automatic resends after a broken connection, about half a minute in total. */
const maxResends = 6;

/** The videos of a job's current storyboard. */
export const filmsNow = ({ films, storyboard }: ExplainerJob): ExplainerJob["films"] =>
  films.filter(({ storyboardId }) => storyboardId === storyboard.storyboardId);

/** The videos of one topic: listing, drafting, editing, rendering. Independent of elements. */
export class Filming {
  readonly events = new Emitter<Events>();
  presence: "loading" | "ready" = "loading";
  /** Why nothing can be shown. */
  loadProblem: ClientProblem | null = null;
  offer: ExplainerOffer | null = null;
  jobs: readonly ExplainerJobSummary[] = [];
  job: ExplainerJob | null = null;
  /** The requested job does not exist or belongs to another account. */
  isNotFound = false;
  drafting: Drafting | null = null;
  /** The failed storyboard request, with its findings. */
  failed: { ask: StoryboardRequest; problem: ClientProblem; findings: readonly Finding[]; storyboard: Storyboard | null } | null = null;
  edits: Edits | null = null;
  /** The running render's progress. */
  readonly following: Following;
  /** The running request, and the last refused one. */
  pending: "render" | "retry" | "offer" | "cancel" | "answer" | "correct" | null = null;
  refused: { of: NonNullable<Filming["pending"]>; problem: ClientProblem } | null = null;
  readonly #api: ExplainerApi;
  readonly #topic: { courseId: string; topicId: string };
  #courseTopicTitle = "";
  #abort: AbortController | null = null;
  #closed = new AbortController();
  /** Cancels the running read. */
  #reading = new AbortController();
  readonly #retrying = new RetryWhileUnreachable((problem) => {
    this.#announce(problem ? problemTitle(problem) : msg("explainer.theServiceAnswersAgain"));
    this.#changed();
  });
  /** A retry keeps its request id. */
  #requestIds = new Map<string, string>();

  readonly #store: Pick<AccountStore, "workspace"> | null;
  /** Stores the unchecked edits of the shown job. */
  #savedEdits: AutosavedRow<UncheckedScenes> | null = null;

  /** `store`: keeps unchecked edits; without it they are lost with the page. */
  constructor(api: ExplainerApi, of: { courseId: string; topicId: string }, store: Pick<AccountStore, "workspace"> | null = null) {
    this.#api = api;
    this.#topic = of;
    this.#store = store;
    this.following = new Following(api, {
      shown: () => this.job,
      progressed: (event) => this.#onProgress(event),
      ended: (jobId, event) => this.#onEnd(jobId, event),
      changed: () => this.#changed(),
      announce: (text) => this.#announce(text),
      failed: (error) => {
        this.loadProblem = problemOfThrown(error);
        this.#changed();
      },
    });
  }

  /** Set while the service is unreachable; the display stays and reading is retried. */
  get connectionProblem(): ClientProblem | null {
    return this.#retrying.problem;
  }
  /** The topic's videos; the shown job's state comes from its event stream, which is newer than the list. */
  get films(): readonly ExplainerJobSummary[] {
    const { job } = this;
    return job ? this.jobs.map((one) => (one.jobId === job.jobId ? { ...one, state: job.state } : one)) : this.jobs;
  }
  /** Retries now instead of waiting. */
  retryNow(): void {
    this.#retrying.retryNow();
  }

  /** Loads the list and shows one job: the named one, else the newest under way. */
  async open(jobId: string | null): Promise<void> {
    this.presence = "loading";
    this.loadProblem = null;
    this.#changed();
    await this.#read(async (signal) => {
      const [offer, jobs] = await Promise.all([this.#api.offer(this.#topic.courseId, signal), this.#api.jobs(this.#topic, signal)]);
      this.offer = offer;
      this.jobs = jobs;
      const underWay = jobs.find(isInProgress);
      const shown = jobId ?? underWay?.jobId ?? null;
      if (shown) await this.#show(shown, signal);
      this.presence = "ready";
    });
  }

  /** Replaces the running read; a failure becomes `loadProblem`. */
  async #read(read: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, this.#reading.signal]);
    try {
      await this.#retrying.read(() => read(signal), signal);
    } catch (error) {
      if (isAbort(error)) return;
      this.loadProblem = problemOfThrown(error);
      this.#announce(problemTitle(this.loadProblem));
    }
    this.#changed();
  }

  /** The topic's title from its jobs or its course; empty while unknown. */
  get topicTitle(): string {
    return this.job?.topicTitle || this.jobs[0]?.topicTitle || this.#courseTopicTitle;
  }
  /** Loads the topic's title from its course. */
  async loadTopicTitle(): Promise<void> {
    const { signal } = this.#closed;
    this.#courseTopicTitle = (await this.#api.topicTitle(this.#topic, signal).catch(() => null)) ?? "";
    if (this.#courseTopicTitle && !signal.aborted) this.#changed();
  }

  close(): void {
    void this.#savedEdits?.flush();
    this.#closed.abort();
    this.#abort?.abort();
    this.following.stop();
  }

  /** Shows another job of the topic; null starts a new one. */
  async choose(jobId: string | null): Promise<void> {
    if (this.drafting) return;
    this.following.stop();
    // The list keeps the state from the event stream.
    this.jobs = this.films;
    Object.assign(this, { failed: null, edits: null, refused: null, isNotFound: false });
    await this.#read(async (signal) => {
      if (!jobId) this.job = null;
      // Other jobs may have progressed meanwhile.
      await Promise.all([jobId && this.#show(jobId, signal), this.#loadJobs()]);
    });
    this.events.emit("reach", { part: "head" });
  }

  async #show(jobId: string, signal: AbortSignal): Promise<void> {
    const job = await this.#api.job(jobId, {}, signal);
    // A job of another topic is not shown.
    this.job = job && job.topicId === this.#topic.topicId && job.courseId === this.#topic.courseId ? job : null;
    this.isNotFound = this.job === null;
    await this.#restoreEdits();
    this.following.follow(this.job);
  }

  /** Restores stored edits; deletes those of an older storyboard. */
  async #restoreEdits(): Promise<void> {
    await this.#savedEdits?.flush();
    this.edits = null;
    this.#savedEdits = this.job && this.#store ? savedEditsRow(this.#store, this.job.jobId) : null;
    if (!this.job || !this.#savedEdits) return;
    const kept = await this.#savedEdits.read().catch(() => undefined);
    this.edits = restoredEdits(kept, this.job.storyboard);
    if (kept && !this.edits) this.#savedEdits.write(null);
  }

  #saveEdits(): void {
    if (this.job) this.#savedEdits?.write(uncheckedOf(this.edits, this.job.storyboard));
  }

  /** Drafts a storyboard. */
  draft(emphasis: Emphasis, filmId?: string): Promise<void> {
    return this.#run({ kind: "draw", requestId: uuidv7(), emphasis, ...(filmId !== undefined && { filmId }) });
  }
  /**
   * Shows a film of the course's authors: the account's own copy, finished or under way, or a new one. It is made at once where there is none
   * for where it is watched, because nothing is left to decide.
   */
  async watch({ emphasis, title, filmId }: PreparedFilm, settings: RenderSettings): Promise<void> {
    const isReady = (one: ExplainerJobSummary): boolean => one.state === "completed" || isInProgress(one);
    const own = this.jobs.find((one) => one.emphasis === emphasis && one.title === title && isReady(one) && !one.marked);
    const before = this.job;
    await (own ? this.choose(own.jobId) : this.draft(emphasis, filmId));
    const { job } = this;
    if (!job || this.failed || this.loadProblem || (own ? job.jobId !== own.jobId : job === before)) return;
    if (!isInProgress(job) && !filmsNow(job).some((film) => suits(film.settings, settings))) await this.approve(settings);
  }
  /** Sends the edited scenes to be checked. */
  checkEdits(): Promise<void> {
    const { job, edits } = this;
    if (!job || !edits) return Promise.resolve();
    return this.#run({ kind: "edit", requestId: uuidv7(), jobId: job.jobId, expectedVersion: job.version, edits });
  }
  /** Repeats the failed request; scenes edited since then are sent as they are now. */
  resend(): Promise<void> {
    const { failed, edits } = this;
    if (!failed) return Promise.resolve();
    return failed.ask.kind === "edit" && failed.ask.edits !== edits ? this.checkEdits() : this.#run(failed.ask);
  }
  stop(): void {
    this.#abort?.abort();
  }
  /** Dismisses the failure and returns to the start or to the edits. */
  leaveFailure(): void {
    const part = this.failed?.ask.kind === "edit" ? "board" : "head";
    this.failed = null;
    this.#changed();
    this.events.emit("reach", { part });
  }

  async #run(ask: StoryboardRequest): Promise<void> {
    if (this.drafting) return;
    const now = performance.now();
    this.#abort = new AbortController();
    this.failed = this.refused = null;
    const begun = { request: ask, phase: null, done: [], repairing: false, sources: null, storyboard: null, startedAt: now, phaseAt: now };
    this.drafting = { ...begun, isReconnecting: false };
    this.#changed();
    this.events.emit("reach", { part: "drawing" });
    this.#announce(ask.kind === "draw" ? msg("explainer.drawingUpAStoryboard") : msg("explainer.checkingTheScenesAgain"));
    for (let broken = 0; ; broken += 1) {
      const problem = await this.#attempt(ask, this.#abort.signal);
      if (!problem) break;
      if (broken === maxResends) {
        await this.#fail(ask, problem, []);
        break;
      }
      if (broken === 0) this.#announce(problemTitle(problem));
      this.drafting = { ...this.drafting, isReconnecting: true };
      this.#changed();
      await pause(retryDelayMs(broken), this.#abort.signal);
    }
    this.drafting = null;
    this.#changed();
  }

  /** Sends the idempotent request. @returns the problem if the connection broke, else null */
  async #attempt(ask: StoryboardRequest, signal: AbortSignal): Promise<ClientProblem | null> {
    try {
      signal.throwIfAborted();
      const steps = ask.kind === "draw" ? this.#api.draw(this.#request(ask), signal) : this.#api.edit(ask.jobId, editRequest(ask), signal);
      for await (const step of steps) {
        if (step.kind === "error" && step.problem.code === "unavailable") return step.problem;
        await this.#applyStep(ask, step);
      }
    } catch (error) {
      if (!isAbort(error)) await this.#fail(ask, problemOfThrown(error), []);
      else this.#announce(msg("common.stopped"));
    }
    return null;
  }

  #request({ requestId, emphasis, filmId }: Extract<StoryboardRequest, { kind: "draw" }>) {
    return { requestId, ...this.#topic, emphasis, ...(filmId !== undefined && { filmId }), model: { choice: "automatic" as const } };
  }

  async #applyStep(ask: StoryboardRequest, step: StoryboardStep): Promise<void> {
    if (step.kind === "error") return this.#fail(ask, step.problem, step.findings);
    if (step.kind === "complete") return this.#showDraft(step);
    this.drafting = this.drafting && draftingAfter(this.drafting, step);
    this.#changed();
  }

  async #fail(ask: StoryboardRequest, problem: ClientProblem, findings: readonly Finding[]): Promise<void> {
    this.failed = { ask, problem, findings, storyboard: this.drafting?.storyboard ?? null };
    this.#announce(problemTitle(problem));
    // The job changed elsewhere; the edits are checked against its current state.
    if (ask.kind === "edit" && problem.code === "stale_session") await this.#reread(ask.jobId);
  }

  async #showDraft(drawn: JobPosition): Promise<void> {
    this.job = await this.#retrying.read(() => readJobNear(this.#api, drawn, this.#closed.signal), this.#closed.signal);
    await this.#restoreEdits();
    this.#announce(this.job?.review.approved ? msg("explainer.theStoryboardIsReady") : msg("explainer.storyboardReadySomethingLook"));
    await this.#loadJobs();
    // The focus target renders only when no draft is running.
    this.drafting = null;
    this.events.emit("reach", { part: "board" });
  }

  /** Applies an edit to the scenes. */
  change(next: (edits: Edits) => Edits): void {
    if (!this.job) return;
    this.edits = next(this.edits ?? editsOf(this.job.storyboard.scenes));
    this.#saveEdits();
    this.#changed();
  }
  leaveEdits(): void {
    this.edits = null;
    this.#saveEdits();
    this.#changed();
  }

  /** Approves the storyboard and starts a render with these settings. */
  approve(settings: RenderSettings): Promise<void> {
    return this.#send("render", JSON.stringify([this.job?.version, settings]), async (jobId, requestId) => {
      const reached = await this.#api.render(jobId, { requestId, settings, expectedVersion: this.job?.version ?? 0 });
      await this.#showProgress(reached);
      this.events.emit("reach", { part: this.job?.state === "completed" ? "film" : "making" });
    });
  }
  retry(): Promise<void> {
    return this.#send("retry", String(this.job?.version), async (jobId, requestId) => {
      await this.#showProgress(await this.#api.retry(jobId, requestId));
      this.events.emit("reach", { part: "making" });
    });
  }
  cancel(): Promise<void> {
    return this.#send("cancel", String(this.job?.films.length), async (jobId, requestId) => {
      await this.#showProgress(await this.#api.cancel(jobId, requestId));
      this.events.emit("reach", { part: "head" });
    });
  }
  /** Offers the video to everyone who reads the page, or withdraws it. */
  offerToAll(isOffered: boolean): Promise<void> {
    return this.#send("offer", `${isOffered} ${this.job?.version}`, async (jobId, requestId) => {
      await this.#showProgress(await this.#api.offerToAll(jobId, requestId, isOffered));
      this.#announce(isOffered ? msg("explainer.offeredToAll") : msg("explainer.notOffered"));
    });
  }
  /** Answers the closing question, once; `sessionId`: of the tutoring open in another pane. */
  reply(choice: number, sessionId: string | null): Promise<void> {
    return this.#send("answer", String(choice), async (jobId, requestId) => {
      const request = { requestId, choice, ...(sessionId && { sessionId }) };
      const { correct, right, explanation, evidence, unrecorded } = await this.#api.answer(jobId, request);
      this.#announce(correct ? msg("common.right") : msg("common.notRight"));
      if (this.job) this.job = { ...this.job, answered: { choice, right, explanation, evidence, unrecorded } };
      if (evidence) this.events.emit("recorded", { sessionId: evidence.sessionId });
      this.events.emit("reach", { part: "answer" });
    });
  }
  /** Reports a mistake in one of the job's videos to the course's owner. */
  async correct({ renderId, sceneId, text }: { renderId: string; sceneId: string | null; text: string }): Promise<boolean> {
    await this.#send("correct", `${renderId} ${sceneId} ${text}`, async (jobId, requestId) => {
      await this.#api.correct(jobId, { requestId, renderId, text, ...(sceneId && { sceneId }) });
      this.#announce(msg("explainer.yourReportWasSent"));
      if (!this.job) return;
      const corrections = [
        ...this.job.corrections,
        { correctionId: requestId, sceneId, text, at: new Date().toISOString(), settledAt: null },
      ];
      const of = this.job.films.find((film) => film.renderId === renderId)?.storyboardId;
      const films = this.job.films.map((film) => (film.storyboardId === of ? { ...film, marked: true } : film));
      this.job = { ...this.job, version: this.job.version + 1, corrections, films };
    });
    return this.refused === null;
  }

  async #send(of: NonNullable<Filming["pending"]>, what: string, act: (jobId: string, requestId: string) => Promise<void>): Promise<void> {
    const { job } = this;
    if (!job || this.pending) return;
    const key = `${job.jobId} ${of} ${what}`;
    const requestId = this.#requestIds.get(key) ?? uuidv7();
    this.#requestIds.set(key, requestId);
    this.pending = of;
    this.refused = null;
    this.#changed();
    try {
      await act(job.jobId, requestId);
    } catch (error) {
      const problem = problemOfThrown(error);
      this.refused = { of, problem };
      this.#announce(problemTitle(problem));
      // The job changed elsewhere meanwhile, so it is read again.
      if (outdatedCodes.has(problem.code)) await this.#reread(job.jobId);
    }
    // A final refusal gets a new id next time; a retryable one keeps its id.
    if (!this.refused?.problem.retryable) this.#requestIds.delete(key);
    this.pending = null;
    this.#changed();
  }

  async #showProgress(reached: JobPosition): Promise<void> {
    if (!this.job) return;
    this.job = (await readJobNear(this.#api, reached, this.#closed.signal)) ?? this.job;
    this.following.follow(this.job);
    await this.#loadJobs();
  }

  async #reread(jobId: string): Promise<void> {
    const job = await this.#api.job(jobId, {}, this.#closed.signal).catch(() => null);
    if (job) {
      const isOther = job.storyboard.storyboardId !== this.job?.storyboard.storyboardId;
      this.job = job;
      if (isOther) await this.#restoreEdits();
    }
    this.following.follow(this.job);
  }

  async #loadJobs(): Promise<void> {
    try {
      const { signal } = this.#closed;
      const [jobs, offer] = await Promise.all([this.#api.jobs(this.#topic, signal), this.#api.offer(this.#topic.courseId, signal)]);
      Object.assign(this, { jobs, offer });
    } catch {
      // The previous list stays.
    }
  }

  /** Applies an event of the shown job. */
  #onProgress(event: JobEvent): void {
    const { job } = this;
    if (!job) return;
    if (event.state !== job.state) this.#announce(stateChangeText(event));
    const { state, attempt, failure, retryAt } = event;
    this.job = { ...job, state, attempt, failure, retryAt, version: Math.max(job.version, event.version) };
  }

  async #onEnd(jobId: string, { version, state }: JobEvent): Promise<void> {
    this.following.stop();
    const { signal } = this.#closed;
    this.job = (await this.#retrying.read(() => readJobAt(this.#api, { jobId, version }, signal), signal)) ?? this.job;
    await this.#loadJobs();
    this.#changed();
    if (state === "completed") this.events.emit("reach", { part: "film" });
  }

  #announce(text: string): void {
    this.events.emit("announce", { text });
  }
  #changed(): void {
    this.events.emit("change");
  }
}
