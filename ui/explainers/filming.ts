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
import { type Ask, type Drawing, drawingAfter, editRequest } from "./drawing.ts";
import { type Edits, editsOf } from "./edits.ts";
import { Following } from "./following.ts";
import { editsFrom, keptEdits, type UncheckedScenes, uncheckedOf } from "./kept-edits.ts";
import { type Reached, readUpTo, readWhole } from "./read-up-to.ts";
import { Steady, waitAfter } from "./steady.ts";
import { turnWords } from "./words.ts";

type Events = {
  /** Something to be shown changed. */
  change: undefined;
  announce: { text: string };
  /** An answer became evidence of a tutoring session, which has moved on with it. */
  recorded: { sessionId: string };
  /** The eye and the keyboard belong to another part now. */
  reach: { part: "head" | "drawing" | "board" | "making" | "film" | "answer" };
};

/** What was asked is of something that is otherwise by now. */
const isElsewhere: ReadonlySet<string> = new Set(["wrong_phase", "stale_session", "unknown_reference"]);

/** So often a request whose connection broke is sent again by itself: together some half a minute. */
const resumes = 6;

/**
 * The films of one topic: what there is, what is being drawn up, changed and made. Knows nothing of elements.
 */
export class Filming {
  readonly events = new Emitter<Events>();
  presence: "loading" | "ready" = "loading";
  /** Why nothing can be shown. */
  trouble: ClientProblem | null = null;
  offer: ExplainerOffer | null = null;
  jobs: readonly ExplainerJobSummary[] = [];
  job: ExplainerJob | null = null;
  /** The job that was asked for is not there, or not this account's. */
  gone = false;
  drawing: Drawing | null = null;
  /** A storyboard that could not be drawn up, with what was found. */
  failed: { ask: Ask; problem: ClientProblem; findings: readonly Finding[]; storyboard: Storyboard | null } | null = null;
  edits: Edits | null = null;
  /** How far the film is, while it is made. */
  readonly following: Following;
  /** What is being asked of the service, and what could not be. */
  asking: "render" | "retry" | "cancel" | "answer" | "correct" | null = null;
  refused: { of: NonNullable<Filming["asking"]>; problem: ClientProblem } | null = null;
  readonly #api: ExplainerApi;
  readonly #of: { courseId: string; topicId: string };
  #asked = "";
  #abort: AbortController | null = null;
  #closed = new AbortController();
  /** What is being read to be shown. */
  #reading = new AbortController();
  readonly #steady = new Steady((away) => {
    this.#say(away ? problemTitle(away) : msg("explainer.theServiceAnswersAgain"));
    this.#changed();
  });
  /** A request that may be sent again keeps its id. */
  #requestIds = new Map<string, string>();

  readonly #store: Pick<AccountStore, "workspace"> | null;
  /** Where the changes to the film that is shown are kept. */
  #kept: AutosavedRow<UncheckedScenes> | null = null;

  /** `store`: keeps changes that are not checked; without it they last as long as the page. */
  constructor(api: ExplainerApi, of: { courseId: string; topicId: string }, store: Pick<AccountStore, "workspace"> | null = null) {
    this.#api = api;
    this.#of = of;
    this.#store = store;
    this.following = new Following(api, {
      shown: () => this.job,
      went: (event) => this.#went(event),
      over: (jobId, event) => this.#over(jobId, event),
      changed: () => this.#changed(),
      say: (text) => this.#say(text),
      lost: (error) => {
        this.trouble = problemOfThrown(error);
        this.#changed();
      },
    });
  }

  /** Nobody answers just now; what is shown stays, and reading goes on by itself. */
  get away(): ClientProblem | null {
    return this.#steady.away;
  }
  /** The films of the topic; of the one that is shown the list tells what its card tells, which hears sooner how it goes on. */
  get films(): readonly ExplainerJobSummary[] {
    const { job } = this;
    return job ? this.jobs.map((one) => (one.jobId === job.jobId ? { ...one, state: job.state } : one)) : this.jobs;
  }
  /** Asks again at once instead of a little later. */
  hurry(): void {
    this.#steady.hurry();
  }

  /** Reads what there is, and shows one film: the one that is named, else the newest that is under way. */
  async open(jobId: string | null): Promise<void> {
    this.presence = "loading";
    this.trouble = null;
    this.#changed();
    await this.#read(async (signal) => {
      const [offer, jobs] = await Promise.all([this.#api.offer(this.#of.courseId, signal), this.#api.jobs(this.#of, signal)]);
      this.offer = offer;
      this.jobs = jobs;
      const underWay = jobs.find(isInProgress);
      const shown = jobId ?? underWay?.jobId ?? null;
      if (shown) await this.#show(shown, signal);
      this.presence = "ready";
    });
  }

  /** Reads to show something, in the place of what was being read; what cannot be read says why. */
  async #read(read: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#reading.abort();
    this.#reading = new AbortController();
    const signal = AbortSignal.any([this.#closed.signal, this.#reading.signal]);
    try {
      await this.#steady.read(() => read(signal), signal);
    } catch (error) {
      if (isAbort(error)) return;
      this.trouble = problemOfThrown(error);
      this.#say(problemTitle(this.trouble));
    }
    this.#changed();
  }

  /** What the topic is called: as its films say, or as its course was asked; empty while nobody said. */
  get topicTitle(): string {
    return this.job?.topicTitle || this.jobs[0]?.topicTitle || this.#asked;
  }
  /** Asks the course what the topic is called. Nothing waits for it. */
  async nameTopic(): Promise<void> {
    const { signal } = this.#closed;
    this.#asked = (await this.#api.topicTitle(this.#of, signal).catch(() => null)) ?? "";
    if (this.#asked && !signal.aborted) this.#changed();
  }

  close(): void {
    void this.#kept?.flush();
    this.#closed.abort();
    this.#abort?.abort();
    this.following.leave();
  }

  /** Shows another film of the topic; null: begins a new one. */
  async choose(jobId: string | null): Promise<void> {
    if (this.drawing) return;
    this.following.leave();
    // What was heard of the film until now stays told of it.
    this.jobs = this.films;
    Object.assign(this, { failed: null, edits: null, refused: null, gone: false });
    await this.#read(async (signal) => {
      if (!jobId) this.job = null;
      // Of the others, those under way have gone on meanwhile.
      await Promise.all([jobId && this.#show(jobId, signal), this.#list()]);
    });
    this.events.emit("reach", { part: "head" });
  }

  async #show(jobId: string, signal: AbortSignal): Promise<void> {
    const job = await this.#api.job(jobId, {}, signal);
    // A film of another topic has nothing to do here.
    this.job = job && job.topicId === this.#of.topicId && job.courseId === this.#of.courseId ? job : null;
    this.gone = this.job === null;
    await this.#takeUp();
    this.following.follow(this.job);
  }

  /** Takes up what was changed in this browser and not checked; what was kept for a storyboard before this one goes. */
  async #takeUp(): Promise<void> {
    await this.#kept?.flush();
    this.edits = null;
    this.#kept = this.job && this.#store ? keptEdits(this.#store, this.job.jobId) : null;
    if (!this.job || !this.#kept) return;
    const kept = await this.#kept.read().catch(() => undefined);
    this.edits = editsFrom(kept, this.job.storyboard);
    if (kept && !this.edits) this.#kept.write(null);
  }

  #keep(): void {
    if (this.job) this.#kept?.write(uncheckedOf(this.edits, this.job.storyboard));
  }

  /** Draws up a storyboard. */
  draw(emphasis: Emphasis): Promise<void> {
    return this.#run({ kind: "draw", requestId: uuidv7(), emphasis });
  }
  /** Has the changed scenes checked. */
  checkAgain(): Promise<void> {
    const { job, edits } = this;
    if (!job || !edits) return Promise.resolve();
    return this.#run({ kind: "edit", requestId: uuidv7(), jobId: job.jobId, expectedVersion: job.version, edits });
  }
  /** Sends what failed again; scenes that were changed since, as they are now. */
  again(): Promise<void> {
    const { failed, edits } = this;
    if (!failed) return Promise.resolve();
    return failed.ask.kind === "edit" && failed.ask.edits !== edits ? this.checkAgain() : this.#run(failed.ask);
  }
  stop(): void {
    this.#abort?.abort();
  }
  /** Leaves what failed: for a new film, or to go on changing scenes. */
  leaveFailure(): void {
    const part = this.failed?.ask.kind === "edit" ? "board" : "head";
    this.failed = null;
    this.#changed();
    this.events.emit("reach", { part });
  }

  async #run(ask: Ask): Promise<void> {
    if (this.drawing) return;
    const now = performance.now();
    this.#abort = new AbortController();
    this.failed = this.refused = null;
    const begun = { ask, phase: null, done: [], repairing: false, sources: null, storyboard: null, startedAt: now, phaseAt: now };
    this.drawing = { ...begun, broke: false };
    this.#changed();
    this.events.emit("reach", { part: "drawing" });
    this.#say(ask.kind === "draw" ? msg("explainer.drawingUpAStoryboard") : msg("explainer.checkingTheScenesAgain"));
    for (let broken = 0; ; broken += 1) {
      const problem = await this.#attempt(ask, this.#abort.signal);
      if (!problem) break;
      if (broken === resumes) {
        await this.#fail(ask, problem, []);
        break;
      }
      if (broken === 0) this.#say(problemTitle(problem));
      this.drawing = { ...this.drawing, broke: true };
      this.#changed();
      await pause(waitAfter(broken), this.#abort.signal);
    }
    this.drawing = null;
    this.#changed();
  }

  /** Sends a request, which does nothing twice. @returns what broke the connection, else null */
  async #attempt(ask: Ask, signal: AbortSignal): Promise<ClientProblem | null> {
    try {
      signal.throwIfAborted();
      const steps = ask.kind === "draw" ? this.#api.draw(this.#request(ask), signal) : this.#api.edit(ask.jobId, editRequest(ask), signal);
      for await (const step of steps) {
        if (step.kind === "error" && step.problem.code === "unavailable") return step.problem;
        await this.#took(ask, step);
      }
    } catch (error) {
      if (!isAbort(error)) await this.#fail(ask, problemOfThrown(error), []);
      else this.#say(msg("common.stopped"));
    }
    return null;
  }

  #request({ requestId, emphasis }: Extract<Ask, { kind: "draw" }>) {
    return { requestId, ...this.#of, emphasis, model: { choice: "automatic" as const } };
  }

  async #took(ask: Ask, step: StoryboardStep): Promise<void> {
    if (step.kind === "error") return this.#fail(ask, step.problem, step.findings);
    if (step.kind === "complete") return this.#drawn(step);
    this.drawing = this.drawing && drawingAfter(this.drawing, step);
    this.#changed();
  }

  async #fail(ask: Ask, problem: ClientProblem, findings: readonly Finding[]): Promise<void> {
    this.failed = { ask, problem, findings, storyboard: this.drawing?.storyboard ?? null };
    this.#say(problemTitle(problem));
    // It moved on elsewhere: what was changed is checked against it as it is now.
    if (ask.kind === "edit" && problem.code === "stale_session") await this.#reread(ask.jobId);
  }

  async #drawn(drawn: Reached): Promise<void> {
    this.job = await this.#steady.read(() => readUpTo(this.#api, drawn, this.#closed.signal), this.#closed.signal);
    await this.#takeUp();
    this.#say(this.job?.review.approved ? msg("explainer.theStoryboardIsReady") : msg("explainer.storyboardReadySomethingLook"));
    await this.#list();
    // What the keyboard goes to is only there once nothing is being drawn up any more.
    this.drawing = null;
    this.events.emit("reach", { part: "board" });
  }

  /** Begins to change scenes, or goes on. */
  change(next: (edits: Edits) => Edits): void {
    if (!this.job) return;
    this.edits = next(this.edits ?? editsOf(this.job.storyboard.scenes));
    this.#keep();
    this.#changed();
  }
  leaveEdits(): void {
    this.edits = null;
    this.#keep();
    this.#changed();
  }

  /** The approval: the film is made with these settings. */
  approve(settings: RenderSettings): Promise<void> {
    return this.#ask("render", JSON.stringify([this.job?.version, settings]), async (jobId, requestId) => {
      const reached = await this.#api.render(jobId, { requestId, settings, expectedVersion: this.job?.version ?? 0 });
      await this.#moved(reached);
      this.events.emit("reach", { part: this.job?.state === "completed" ? "film" : "making" });
    });
  }
  retry(): Promise<void> {
    return this.#ask("retry", String(this.job?.version), async (jobId, requestId) => {
      await this.#moved(await this.#api.retry(jobId, requestId));
      this.events.emit("reach", { part: "making" });
    });
  }
  cancel(): Promise<void> {
    return this.#ask("cancel", String(this.job?.films.length), async (jobId, requestId) => {
      await this.#moved(await this.#api.cancel(jobId, requestId));
      this.events.emit("reach", { part: "head" });
    });
  }
  /** Answers the closing question, once; `sessionId`: of the tutoring that is open beside. */
  reply(choice: number, sessionId: string | null): Promise<void> {
    return this.#ask("answer", String(choice), async (jobId, requestId) => {
      const { correct, right, explanation, evidence, unrecorded } = await this.#api.answer(jobId, {
        requestId,
        choice,
        ...(sessionId && { sessionId }),
      });
      this.#say(correct ? msg("common.right") : msg("common.notRight"));
      if (this.job) this.job = { ...this.job, answered: { choice, right, explanation, evidence, unrecorded } };
      if (evidence) this.events.emit("recorded", { sessionId: evidence.sessionId });
      this.events.emit("reach", { part: "answer" });
    });
  }
  /** Tells the course's owner of a mistake in one of the job's films. */
  async correct({ renderId, sceneId, text }: { renderId: string; sceneId: string | null; text: string }): Promise<boolean> {
    await this.#ask("correct", `${renderId} ${sceneId} ${text}`, async (jobId, requestId) => {
      await this.#api.correct(jobId, { requestId, renderId, text, ...(sceneId && { sceneId }) });
      this.#say(msg("explainer.yourReportWasSent"));
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

  async #ask(of: NonNullable<Filming["asking"]>, what: string, act: (jobId: string, requestId: string) => Promise<void>): Promise<void> {
    const { job } = this;
    if (!job || this.asking) return;
    const key = `${job.jobId} ${of} ${what}`;
    const requestId = this.#requestIds.get(key) ?? uuidv7();
    this.#requestIds.set(key, requestId);
    this.asking = of;
    this.refused = null;
    this.#changed();
    try {
      await act(job.jobId, requestId);
    } catch (error) {
      const problem = problemOfThrown(error);
      this.refused = { of, problem };
      this.#say(problemTitle(problem));
      // Done elsewhere in the meantime: what is shown is brought up to it.
      if (isElsewhere.has(problem.code)) await this.#reread(job.jobId);
    }
    // What was refused for good begins anew; what may be sent again keeps its id.
    if (!this.refused?.problem.retryable) this.#requestIds.delete(key);
    this.asking = null;
    this.#changed();
  }

  async #moved(reached: Reached): Promise<void> {
    if (!this.job) return;
    this.job = (await readUpTo(this.#api, reached, this.#closed.signal)) ?? this.job;
    this.following.follow(this.job);
    await this.#list();
  }

  async #reread(jobId: string): Promise<void> {
    const job = await this.#api.job(jobId, {}, this.#closed.signal).catch(() => null);
    if (job) {
      const isOther = job.storyboard.storyboardId !== this.job?.storyboard.storyboardId;
      this.job = job;
      if (isOther) await this.#takeUp();
    }
    this.following.follow(this.job);
  }

  async #list(): Promise<void> {
    try {
      const { signal } = this.#closed;
      const [jobs, offer] = await Promise.all([this.#api.jobs(this.#of, signal), this.#api.offer(this.#of.courseId, signal)]);
      Object.assign(this, { jobs, offer });
    } catch {
      // The list as it was is good enough.
    }
  }

  /** What was told of the film that is shown. */
  #went(event: JobEvent): void {
    const { job } = this;
    if (!job) return;
    if (event.state !== job.state) this.#say(turnWords(event));
    const { state, attempt, failure, retryAt } = event;
    this.job = { ...job, state, attempt, failure, retryAt, version: Math.max(job.version, event.version) };
  }

  async #over(jobId: string, { version, state }: JobEvent): Promise<void> {
    this.following.leave();
    const { signal } = this.#closed;
    this.job = (await this.#steady.read(() => readWhole(this.#api, { jobId, version }, signal), signal)) ?? this.job;
    await this.#list();
    this.#changed();
    if (state === "completed") this.events.emit("reach", { part: "film" });
  }

  #say(text: string): void {
    this.events.emit("announce", { text });
  }
  #changed(): void {
    this.events.emit("change");
  }
}
