import type { ExplainerJobSummary, ExplainerOffer } from "@colloquy/schemas/explainers/job.ts";
import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { formatDate, msg } from "../messages/page.ts";
import { emphasisLines, emphasisNames, secondsWords, stateNames } from "./words.ts";

export type PreparedFilm = Pick<NonNullable<ExplainerOffer["prepared"]>[number], "emphasis" | "title" | "filmId">;

const emphases = Object.keys(emphasisNames) as Emphasis[];

export interface Begin {
  offer: ExplainerOffer | null;
  offline: boolean;
  /** The topic's films that the course's authors wrote or its owners offer. */
  prepared: readonly PreparedFilm[];
  draft(emphasis: Emphasis): void;
  watch(film: PreparedFilm): void;
}

/** The choice of emphasis; a press drafts the storyboard. */
export function beginView({ offer, offline, prepared, draft, watch }: Begin) {
  const left = offer?.left ?? 0;
  if (offer && !offer.offered)
    return html`<section class="trouble calm"><h3>${msg("explainer.courseNoVideos")}</h3><p>${msg("explainer.videosNotMadeCourseHereRead")}</p></section>`;
  if (left === 0)
    return html`<section class="trouble calm"><h3>${msg("explainer.reachedTodaysLimitVideos")}</h3><p>${msg("explainer.canDrawUpNext")}</p></section>`;
  return html`${preparedFilms(prepared, offline, watch)}<section class="begin" aria-labelledby="film-begin">
    <h3 id="film-begin">${msg("explainer.chooseFocus")}</h3>
    <div class="emphases">${emphases.map(
      (emphasis) =>
        html`<button type="button" ?disabled=${offline} data-emphasis=${emphasis} @click=${() => draft(emphasis)}><b>${msg(emphasisNames[emphasis])}</b><span>${msg(emphasisLines[emphasis])}</span></button>`,
    )}</div>
    <p class="soft">${offline ? html`${icons.offline}${msg("explainer.offlineFilmBeginsSoon")}` : html`${msg("explainer.seeChangeStoryboardBefore")} ${msg("explainer.moreFilmsToday", { n: left })}`}</p>
  </section>`;
}

/** The topic's films of the course's authors and owners, which need no model. */
export function preparedFilms(prepared: readonly PreparedFilm[], offline: boolean, watch: Begin["watch"]) {
  return prepared.map(
    (film) => html`<section class="approve prepared" aria-labelledby="film-prepared-${film.filmId ?? film.emphasis}">
    <h3 id="film-prepared-${film.filmId ?? film.emphasis}"><bdi>${film.title}</bdi></h3>
    <p class="soft">${msg(emphasisNames[film.emphasis])} · ${msg(film.filmId === undefined ? "explainer.filmByAuthors" : "explainer.filmByOwners")}</p>
    <p class="ways"><button type="button" class="button button-primary" ?disabled=${offline} @click=${() => watch(film)}>${icons.film}${msg("explainer.watchFilm")}</button></p>
  </section>`,
  );
}

/** The account's videos of the topic. */
export function filmsList(
  jobs: readonly ExplainerJobSummary[],
  shown: string | null,
  choose: (jobId: string | null) => void,
  busy: boolean,
) {
  const others = jobs.length > 0;
  if (!others) return nothing;
  return html`<nav class="films" aria-label=${msg("explainer.filmsPage")}>
    <h3>${msg("explainer.filmsPage")}</h3>
    <ul>${repeat(
      jobs,
      ({ jobId }) => jobId,
      ({ jobId, title, emphasis, state, createdAt, seconds, marked }) =>
        html`<li><button type="button" ?disabled=${busy} aria-current=${jobId === shown ? "true" : nothing} @click=${() => choose(jobId)}>
          <b dir="auto">${title}</b><span>${msg(emphasisNames[emphasis])} · ${secondsWords(seconds)} · <time datetime=${createdAt}>${formatDate(new Date(createdAt), { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" })}</time></span>
          <em class=${state}>${marked ? msg("explainer.reported") : msg(stateNames[state])}</em></button></li>`,
    )}</ul>
    ${shown ? html`<p class="ways"><button type="button" class="button plain" ?disabled=${busy} @click=${() => choose(null)}>${icons.add}${msg("explainer.anotherFilmPage")}</button></p>` : nothing}
  </nav>`;
}
