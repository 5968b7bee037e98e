import type { ExplainerJobSummary, ExplainerOffer } from "@colloquy/schemas/explainers/job.ts";
import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { formatDate, msg, plural } from "../messages/page.ts";
import { emphasisLines, emphasisNames, secondsWords, stateNames } from "./words.ts";

const emphases = Object.keys(emphasisNames) as Emphasis[];

export interface Begin {
  offer: ExplainerOffer | null;
  offline: boolean;
  draw(emphasis: Emphasis): void;
}

/** Where a film begins: what it is to bring about. One press, and the storyboard is drawn up. */
export function beginView({ offer, offline, draw }: Begin) {
  const left = offer?.left ?? 0;
  if (offer && !offer.offered)
    return html`<section class="trouble calm"><h3>${msg("No films of this course")}</h3><p>${msg("This installation makes none of it. The page can be read, and asked about.")}</p></section>`;
  if (left === 0)
    return html`<section class="trouble calm"><h3>${msg("You have drawn up as many films as you may today")}</h3><p>${msg("You can draw up the next one tomorrow. Those you have can be watched and changed.")}</p></section>`;
  return html`<section class="begin" aria-labelledby="film-begin">
    <h3 id="film-begin">${msg("What is the film to do?")}</h3>
    <div class="emphases">${emphases.map(
      (emphasis) =>
        html`<button type="button" ?disabled=${offline} data-emphasis=${emphasis} @click=${() => draw(emphasis)}><b>${msg(emphasisNames[emphasis])}</b><span>${msg(emphasisLines[emphasis])}</span></button>`,
    )}</div>
    <p class="soft">${offline ? html`${icons.offline}${msg("You are offline. A film begins as soon as the connection is back.")}` : html`${msg("You see and change the storyboard before anything is made of it. Films are yours alone.")} ${plural(left, "{n} more film today.", "{n} more films today.")}`}</p>
  </section>`;
}

/** The account's own films of the topic. */
export function filmsList(
  jobs: readonly ExplainerJobSummary[],
  shown: string | null,
  choose: (jobId: string | null) => void,
  busy: boolean,
) {
  const others = jobs.length > 0;
  if (!others) return nothing;
  return html`<nav class="films" aria-label=${msg("Your films of this page")}>
    <h3>${msg("Your films of this page")}</h3>
    <ul>${repeat(
      jobs,
      ({ jobId }) => jobId,
      ({ jobId, title, emphasis, state, createdAt, seconds, marked }) =>
        html`<li><button type="button" ?disabled=${busy} aria-current=${jobId === shown ? "true" : nothing} @click=${() => choose(jobId)}>
          <b dir="auto">${title}</b><span>${msg(emphasisNames[emphasis])} · ${secondsWords(seconds)} · <time datetime=${createdAt}>${formatDate(new Date(createdAt), { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" })}</time></span>
          <em class=${state}>${marked ? msg("reported") : msg(stateNames[state])}</em></button></li>`,
    )}</ul>
    ${shown ? html`<p class="ways"><button type="button" class="button plain" ?disabled=${busy} @click=${() => choose(null)}>${icons.add}${msg("Another film of this page")}</button></p>` : nothing}
  </nav>`;
}
