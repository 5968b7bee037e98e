import { isInProgress } from "@colloquy/schemas/explainers/in-progress.ts";
import type { ExplainerJob, JobEvent } from "@colloquy/schemas/explainers/job.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { StreamState } from "../api/event-stream.ts";
import type { ExplainerApi } from "../api/explainer.ts";
import { isAbort } from "../api/problems.ts";
import { msg } from "../messages/page.ts";
import { overdueText } from "./words.ts";

interface FollowingListener {
  /** The shown job; events of other jobs are ignored. */
  shown(): ExplainerJob | null;
  progressed(event: JobEvent): void;
  /** The job is no longer under way. */
  ended(jobId: string, event: JobEvent): Promise<void>;
  changed(): void;
  announce(text: string): void;
  /** The event stream failed for good. */
  failed(error: unknown): void;
}

/** Follows a job's event stream to its end: progress, connection state, and whether it is overdue. */
export class Following {
  /** The last event. */
  progress: JobEvent | null = null;
  stream: StreamState = "connecting";
  /** No event arrived for too long, so the remaining time is no longer reliable. */
  isOverdue = false;
  readonly #api: Pick<ExplainerApi, "events">;
  readonly #listener: FollowingListener;
  #stop: AbortController | null = null;
  #overdueTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: Pick<ExplainerApi, "events">, told: FollowingListener) {
    this.#api = api;
    this.#listener = told;
  }

  /** Follows this job instead of the previous one, if it is under way. */
  follow(job: ExplainerJob | null): void {
    this.stop();
    if (!job || !isInProgress(job)) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    void this.#listen(job, signal).catch((error: unknown) => {
      if (!isAbort(error) && !signal.aborted) this.#listener.failed(error);
    });
  }

  stop(): void {
    this.#stop?.abort();
    clearTimeout(this.#overdueTimer);
    this.progress = null;
    this.isOverdue = false;
  }

  async #listen({ jobId, version }: ExplainerJob, signal: AbortSignal): Promise<void> {
    let broke = false;
    const onState = (state: StreamState) => {
      this.stream = state;
      if (state === "waiting" && !broke) this.#listener.announce(msg("explainer.connectionBrokeMadeAll"));
      if (state === "live" && broke) this.#listener.announce(msg("explainer.theServiceAnswersAgain"));
      if (state !== "connecting") broke = state === "waiting";
      this.#listener.changed();
    };
    // Start one event back, because that event states the current progress.
    const from = version > 0 ? String(version - 1) : null;
    for await (const event of this.#api.events(jobId, { from, signal, onState, backoff: { firstMs: 500, mostMs: 30_000 } })) {
      if (signal.aborted || this.#listener.shown()?.jobId !== jobId || event.version < version) continue;
      this.#onEvent(event);
      this.#listener.progressed(event);
      if (!isInProgress(event)) return this.#listener.ended(jobId, event);
      this.#listener.changed();
    }
  }

  /** A worker may have stopped, which the service notices only when the lease ends; so silence is reported earlier. */
  #onEvent(event: JobEvent): void {
    clearTimeout(this.#overdueTimer);
    this.progress = event;
    this.isOverdue = false;
    if (event.state !== "rendering" || event.remainingMs === null) return;
    this.#overdueTimer = setTimeout(() => {
      this.isOverdue = true;
      if (this.stream === "live") this.#listener.announce(overdueText());
      this.#listener.changed();
    }, filmBounds.quietMs);
  }
}
