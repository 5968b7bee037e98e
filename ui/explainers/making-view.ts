import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { formatDate, formatNumber, msg } from "../messages/page.ts";
import type { Following } from "./following.ts";
import { failureLines, leftWords, overdueText, settingsWords, stageNames } from "./words.ts";

export interface Making {
  job: ExplainerJob;
  following: Pick<Following, "progress" | "stream" | "isOverdue">;
  offline: boolean;
  busy: boolean;
  cancel(): void;
}

/** A running render: stage, progress and remaining time. */
export function makingView({ job, following: { progress, stream, isOverdue }, offline, busy, cancel }: Making) {
  const { state, attempt, settings } = job;
  const percent = progress?.percent ?? 0;
  const stage = progress?.progress?.stage ?? job.progress?.stage ?? "queued";
  // A job that was just queued may start at once, so the queue place is not shown yet.
  const waits = job.retryAt !== null && job.failure !== null;
  const left = progress?.remainingMs;
  const words = waits ? msg("explainer.failedRetryingAutomatically") : msg(stageNames[state === "queued" ? "queued" : stage]);
  return html`<section class="making" data-part="making" tabindex="-1" aria-label=${msg("explainer.filmBeingMade")}>
    <p class="what"><b>${words}</b>${attempt > 1 || waits ? html` <span>${msg("explainer.tryOf", { n: Math.max(attempt, 1), most: filmBounds.attempts.most })}</span>` : nothing}</p>
    <div class="bar"><progress max="100" .value=${percent} aria-label=${msg("explainer.progressVideo")}></progress><span>${formatNumber(percent / 100, { style: "percent" })}</span></div>
    <p class="soft">${
      offline
        ? html`<span>${icons.offline} ${msg("explainer.offlineFilmGoesBeing")}</span>`
        : stream === "waiting"
          ? msg("explainer.connectionBrokeMadeAll")
          : waits && job.retryAt
            ? msg("explainer.retry", {
                time: formatDate(new Date(job.retryAt), { hour: "numeric", minute: "2-digit", second: "2-digit" }),
              })
            : left
              ? isOverdue
                ? overdueText()
                : leftWords(left)
              : state === "queued" && progress?.ahead !== undefined
                ? `${placeWords(progress.ahead)} ${msg("explainer.canLeavePageCancel")}`
                : msg("explainer.canLeavePageWhen")
    }${settings ? html` <span>${settingsWords(settings)}</span>` : nothing}</p>
    <p class="ways"><button type="button" class="button" ?disabled=${busy || offline} @click=${cancel}>${msg("common.cancel")}</button></p>
  </section>`;
}

/** The place in the queue. */
const placeWords = (ahead: number): string =>
  ahead === 0 ? msg("explainer.nextQueue") : msg("explainer.mostVideosAheadQueue", { n: ahead });

export interface NotMade {
  job: ExplainerJob;
  busy: boolean;
  offline: boolean;
  retry(): void;
  /** Makes it without a voice. */
  silent(): void;
}

/** A failed or cancelled render, and why. */
export function notMadeView({ job, busy, offline, retry, silent }: NotMade) {
  if (job.state === "cancelled")
    return html`<section class="trouble calm" data-part="making" tabindex="-1"><h3>${msg("explainer.youCancelledIt")}</h3>
      <p>${msg("explainer.storyboardKeptCanMake")}</p></section>`;
  const { code, retryable } = job.failure ?? { code: "renderer_failed", retryable: true };
  return html`<section class="trouble" data-part="making" tabindex="-1"><h3>${icons.alert}${msg("explainer.videoCouldNotMade")}</h3>
    <p>${msg(failureLines[code])}</p>
    ${job.attempt > 1 ? html`<p class="soft">${msg("explainer.itWasTriedTimes", { n: job.attempt })}</p>` : nothing}
    ${
      retryable
        ? html`<p class="ways"><button type="button" class="button button-primary" ?disabled=${busy || offline} @click=${retry}>${msg("common.tryAgain")}</button>
          ${code === "speech_unavailable" ? html`<button type="button" class="button" ?disabled=${busy || offline} @click=${silent}>${msg("explainer.makeItSilent")}</button>` : nothing}</p>`
        : nothing
    }</section>`;
}
