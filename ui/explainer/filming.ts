import type { RenderSettings } from "@colloquy/schemas/explainer/film.ts";
import type { ExplainerJob, ExplainerJobSummary, ExplainerOffer, Finding, JobEvent } from "@colloquy/schemas/explainer/job.ts";
import type { StoryboardPhase } from "@colloquy/schemas/explainer/requests.ts";
import type { Emphasis, Storyboard } from "@colloquy/schemas/explainer/storyboard.ts";
import { pause, type StreamState } from "../api/event-stream.ts";
import type { ExplainerApi, StoryboardStep } from "../api/explainer.ts";
import { type ClientProblem, isAbort, problemOfThrown, titleOf } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import type { AccountStore } from "../store/account-store.ts";
import { Emitter } from "../store/emitter.ts";
import type { KeptRow } from "../store/kept-row.ts";
import { msg } from "../words/page.ts";
import { type Edits, editsOf } from "./edits.ts";
import { editsFrom, keptEdits, type UncheckedScenes, uncheckedOf } from "./kept-edits.ts";

type Events = {
  /** Something to be shown changed. */
  change: undefined;
  announce: { text: string };
  /** An answer became evidence of a tutoring session, which has moved on with it. */
  recorded: { sessionId: string };
  /** The eye and the keyboard belong to another part now. */
  reach: { part: "head" | "drawing" | "board" | "making" | "film" | "answer" };
};

/** What draws up a storyboard: for a new film, or the scenes somebody changed. The same request, its id included, is sent again. */
type Ask =
  | { kind: "draw"; requestId: string; emphasis: Emphasis }
  | { kind: "edit"; requestId: string; jobId: string; expectedVersion: number; edits: Edits };

/** A storyboard that is being drawn up. */
export interface Drawing {
  readonly ask: Ask;
  readonly phase: StoryboardPhase | null;
  /** What is over, each once, with how long it took. */
  readonly done: readonly { phase: StoryboardPhase; ms: number }[];
  readonly repairing: boolean;
  /** How many sources were found; null while that is not known. */
  readonly sources: number | null;
  readonly storyboard: Storyboard | null;
  /** On the page's clock (`performance.now()`). */
  readonly startedAt: number;
  readonly phaseAt: number;
}

/** So often, and after so long, a job is read again that must have moved on. */
const tries = { count: 20, waitMs: 250 };
/** How far a job has come, as its service said; without a position it is looked for again. */
type Reached = { jobId: string; version: number; position?: string };

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
  /** How far the film is, as it was told last; `stream`: whether it is still being told. */
  progress: JobEvent | null = null;
  stream: StreamState = "connecting";
  /** What is being asked of the service, and what could not be. */
  asking: "render" | "retry" | "cancel" | "answer" | "correct" | null = null;
  refused: { of: NonNullable<Filming["asking"]>; problem: ClientProblem } | null = null;
  readonly #api: ExplainerApi;
  readonly #of: { courseId: string; topicId: string };
  #abort: AbortController | null = null;
  #following: AbortController | null = null;
  #closed = new AbortController();
  /** A request that may be sent again keeps its id. */
  #requestIds = new Map<string, string>();

  readonly #store: Pick<AccountStore, "workspace"> | null;
  /** Where the changes to the film that is shown are kept. */
  #kept: KeptRow<UncheckedScenes> | null = null;

  /** `store`: keeps changes that are not checked; without it they last as long as the page. */
  constructor(api: ExplainerApi, of: { courseId: string; topicId: string }, store: Pick<AccountStore, "workspace"> | null = null) {
    this.#api = api;
    this.#of = of;
    this.#store = store;
  }

  /** Reads what there is, and shows one film: the one that is named, else the newest that is under way. */
  async open(jobId: string | null): Promise<void> {
    this.presence = "loading";
    this.trouble = null;
    this.#changed();
    const { signal } = this.#closed;
    try {
      const [offer, jobs] = await Promise.all([this.#api.offer(this.#of.courseId, signal), this.#api.jobs(this.#of, signal)]);
      this.offer = offer;
      this.jobs = jobs;
      const underWay = jobs.find(({ state }) => state === "queued" || state === "rendering");
      const shown = jobId ?? underWay?.jobId ?? null;
      if (shown) await this.#show(shown);
      this.presence = "ready";
    } catch (error) {
      if (isAbort(error)) return;
      this.trouble = problemOfThrown(error);
      this.#say(titleOf(this.trouble));
    }
    this.#changed();
  }

  close(): void {
    void this.#kept?.flush();
    this.#closed.abort();
    this.#abort?.abort();
    this.#following?.abort();
  }

  /** Shows another film of the topic; null: begins a new one. */
  async choose(jobId: string | null): Promise<void> {
    if (this.drawing) return;
    this.#following?.abort();
    Object.assign(this, { failed: null, edits: null, refused: null, progress: null, gone: false });
    if (!jobId) this.job = null;
    else
      await this.#show(jobId).catch((error: unknown) => {
        if (!isAbort(error)) this.trouble = problemOfThrown(error);
      });
    this.#changed();
    this.events.emit("reach", { part: "head" });
  }

  async #show(jobId: string): Promise<void> {
    const job = await this.#api.job(jobId, {}, this.#closed.signal);
    // A film of another topic has nothing to do here.
    this.job = job && job.topicId === this.#of.topicId && job.courseId === this.#of.courseId ? job : null;
    this.gone = this.job === null;
    await this.#takeUp();
    this.#follow();
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
  /** Sends what failed again. */
  again(): Promise<void> {
    return this.failed ? this.#run(this.failed.ask) : Promise.resolve();
  }
  stop(): void {
    this.#abort?.abort();
  }
  /** Leaves what failed and begins anew. */
  leaveFailure(): void {
    this.failed = null;
    this.#changed();
    this.events.emit("reach", { part: "head" });
  }

  async #run(ask: Ask): Promise<void> {
    if (this.drawing) return;
    const now = performance.now();
    this.#abort = new AbortController();
    this.failed = this.refused = null;
    this.drawing = { ask, phase: null, done: [], repairing: false, sources: null, storyboard: null, startedAt: now, phaseAt: now };
    this.#changed();
    this.events.emit("reach", { part: "drawing" });
    this.#say(ask.kind === "draw" ? msg("Drawing up a storyboard") : msg("Checking the scenes again"));
    try {
      const steps =
        ask.kind === "draw"
          ? this.#api.draw(this.#request(ask), this.#abort.signal)
          : this.#api.edit(ask.jobId, editRequest(ask), this.#abort.signal);
      for await (const step of steps) await this.#took(ask, step);
    } catch (error) {
      if (!isAbort(error)) this.#fail(ask, problemOfThrown(error), []);
      else this.#say(msg("Stopped"));
    }
    this.drawing = null;
    this.#changed();
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

  #fail(ask: Ask, problem: ClientProblem, findings: readonly Finding[]): void {
    this.failed = { ask, problem, findings, storyboard: this.drawing?.storyboard ?? null };
    this.#say(titleOf(problem));
  }

  async #drawn(drawn: Reached): Promise<void> {
    this.job = await this.#readUpTo(drawn);
    await this.#takeUp();
    this.#say(this.job?.review.approved ? msg("The storyboard is ready") : msg("The storyboard is ready, with something to look at"));
    await this.#list();
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
        ...{ requestId, choice, ...(sessionId && { sessionId }) },
      });
      this.#say(correct ? msg("Right") : msg("Not right"));
      if (this.job) this.job = { ...this.job, answered: { choice, right, explanation, evidence, unrecorded } };
      if (evidence) this.events.emit("recorded", { sessionId: evidence.sessionId });
      this.events.emit("reach", { part: "answer" });
    });
  }
  /** Tells the course's owner of a mistake. */
  async correct(sceneId: string | null, text: string): Promise<boolean> {
    await this.#ask("correct", `${sceneId} ${text}`, async (jobId, requestId) => {
      await this.#api.correct(jobId, { requestId, text, ...(sceneId && { sceneId }) });
      this.#say(msg("Your report was sent"));
      if (!this.job) return;
      const corrections = [...this.job.corrections, { correctionId: requestId, sceneId, text, at: new Date().toISOString() }];
      this.job = { ...this.job, version: this.job.version + 1, corrections };
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
      this.#say(titleOf(problem));
      // Done elsewhere in the meantime: what is shown is brought up to it.
      if (problem.code === "wrong_phase" || problem.code === "stale_session") await this.#reread(job.jobId);
    }
    // What was refused for good begins anew; what may be sent again keeps its id.
    if (!this.refused?.problem.retryable) this.#requestIds.delete(key);
    this.asking = null;
    this.#changed();
  }

  async #moved(reached: Reached): Promise<void> {
    if (!this.job) return;
    this.job = (await this.#readUpTo(reached)) ?? this.job;
    this.#follow();
    await this.#list();
  }

  async #reread(jobId: string): Promise<void> {
    const job = await this.#api.job(jobId, {}, this.#closed.signal).catch(() => null);
    if (job) this.job = job;
    this.#follow();
  }

  async #readUpTo({ jobId, version, position }: Reached): Promise<ExplainerJob | null> {
    const { signal } = this.#closed;
    for (let left = tries.count; ; left -= 1) {
      const job = await this.#api.job(jobId, position === undefined ? {} : { after: position }, signal).catch((error: unknown) => {
        if (left === 0 || problemOfThrown(error).code !== "read_model_behind") throw error;
        return null;
      });
      if ((job && job.version >= version) || left === 0) return job;
      await pause(tries.waitMs, signal);
    }
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

  /** Follows a film that is being made until it is over. */
  #follow(): void {
    this.#following?.abort();
    const { job } = this;
    if (!job || (job.state !== "queued" && job.state !== "rendering")) return;
    const following = new AbortController();
    this.#following = following;
    this.progress = null;
    void this.#listen(job, following).catch((error: unknown) => {
      if (isAbort(error) || following.signal.aborted) return;
      this.trouble = problemOfThrown(error);
      this.#changed();
    });
  }

  async #listen({ jobId, version }: ExplainerJob, { signal }: AbortController): Promise<void> {
    const onState = (state: StreamState) => {
      this.stream = state;
      this.#changed();
    };
    // The last event that is known comes again: it says how far things are.
    for await (const event of this.#api.events(jobId, {
      from: version > 0 ? String(version - 1) : null,
      signal,
      onState,
      firstWaitMs: 500,
    })) {
      if (signal.aborted || this.job?.jobId !== jobId || event.version < version) continue;
      this.progress = event;
      if (event.state !== this.job.state) this.#say(turnWords(event));
      this.job = {
        ...this.job,
        state: event.state,
        version: Math.max(this.job.version, event.version),
        attempt: event.attempt,
        failure: event.failure,
        retryAt: event.retryAt,
      };
      if (event.state !== "queued" && event.state !== "rendering") return this.#over(jobId, event);
      this.#changed();
    }
  }

  async #over(jobId: string, { version, state }: JobEvent): Promise<void> {
    this.#following?.abort();
    this.job = (await this.#readUpTo({ jobId, version })) ?? this.job;
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

const editRequest = ({ requestId, expectedVersion, edits }: Extract<Ask, { kind: "edit" }>) => ({
  ...{ requestId, expectedVersion, model: { choice: "automatic" as const } },
  scenes: [...edits.scenes],
});

/** Pure. */
function drawingAfter(drawing: Drawing, step: Extract<StoryboardStep, { kind: "status" | "artifact" }>): Drawing {
  if (step.kind === "artifact") return { ...drawing, storyboard: step.artifact };
  const { phase, detail } = step;
  const sources = detail?.sources ?? drawing.sources;
  const repairing = detail?.repairing ?? false;
  if (phase === drawing.phase) return { ...drawing, sources, repairing };
  const now = performance.now();
  const before = drawing.phase;
  const done = before
    ? [...drawing.done.filter((one) => one.phase !== before), { phase: before, ms: now - drawing.phaseAt }]
    : drawing.done;
  return { ...drawing, phase, done, sources, repairing, phaseAt: now };
}

function turnWords({ state }: JobEvent): string {
  if (state === "completed") return msg("The film is ready");
  if (state === "failed") return msg("The film could not be made");
  if (state === "cancelled") return msg("The film was cancelled");
  return state === "rendering" ? msg("The film is being made") : msg("The film waits for its turn");
}
