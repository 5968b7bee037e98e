import { bounds } from "@colloquy/schemas/bounds.ts";
import { isInProgress } from "@colloquy/schemas/explainers/in-progress.ts";
import type { ExplainerJob, JobEvent } from "@colloquy/schemas/explainers/job.ts";
import type { StreamState } from "../api/event-stream.ts";
import type { ExplainerApi } from "../api/explainer.ts";
import { isAbort } from "../api/problems.ts";
import { msg } from "../messages/page.ts";
import { longerWords } from "./words.ts";

interface Told {
  /** The film that is shown: of another one nothing is told. */
  shown(): ExplainerJob | null;
  went(event: JobEvent): void;
  /** It is not under way any more. */
  over(jobId: string, event: JobEvent): Promise<void>;
  changed(): void;
  say(text: string): void;
  /** It can be followed no longer. */
  lost(error: unknown): void;
}

/** Follows a film that is being made until it is over: how far it is, and whether that is still being told. */
export class Following {
  /** As it was told last. */
  progress: JobEvent | null = null;
  stream: StreamState = "connecting";
  /** Nothing new was told for longer than it should take: what was thought to be left is not to be believed. */
  quiet = false;
  readonly #api: Pick<ExplainerApi, "events">;
  readonly #told: Told;
  #stop: AbortController | null = null;
  #hush: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Pick<ExplainerApi, "events">, told: Told) {
    this.#api = api;
    this.#told = told;
  }

  /** Follows this film, in the place of what was followed; one that is not under way is not. */
  follow(job: ExplainerJob | null): void {
    this.leave();
    if (!job || !isInProgress(job)) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    void this.#listen(job, signal).catch((error: unknown) => {
      if (!isAbort(error) && !signal.aborted) this.#told.lost(error);
    });
  }

  leave(): void {
    this.#stop?.abort();
    clearTimeout(this.#hush);
    this.progress = null;
    this.quiet = false;
  }

  async #listen({ jobId, version }: ExplainerJob, signal: AbortSignal): Promise<void> {
    let broke = false;
    const onState = (state: StreamState) => {
      this.stream = state;
      if (state === "waiting" && !broke) this.#told.say(msg("explainer.connectionBrokeMadeAll"));
      if (state === "live" && broke) this.#told.say(msg("explainer.theServiceAnswersAgain"));
      if (state !== "connecting") broke = state === "waiting";
      this.#told.changed();
    };
    // The last event that is known comes again: it says how far things are.
    const from = version > 0 ? String(version - 1) : null;
    for await (const event of this.#api.events(jobId, { from, signal, onState, backoff: { firstMs: 500, mostMs: 30_000 } })) {
      if (signal.aborted || this.#told.shown()?.jobId !== jobId || event.version < version) continue;
      this.#heard(event);
      this.#told.went(event);
      if (!isInProgress(event)) return this.#told.over(jobId, event);
      this.#told.changed();
    }
  }

  /** What makes a film may have stopped: the service finds that out only when its lease is over, a person sees it sooner. */
  #heard(event: JobEvent): void {
    clearTimeout(this.#hush);
    this.progress = event;
    this.quiet = false;
    if (event.state !== "rendering" || event.remainingMs === null) return;
    this.#hush = setTimeout(() => {
      this.quiet = true;
      if (this.stream === "live") this.#told.say(longerWords());
      this.#told.changed();
    }, bounds.explainer.quietMs);
  }
}
