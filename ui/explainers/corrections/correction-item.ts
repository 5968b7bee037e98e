import type { ReportedCorrection } from "@colloquy/schemas/explainers/corrections.ts";
import type { ScreenLine } from "@colloquy/schemas/explainers/screen-line.ts";
import { html, nothing } from "lit";
import { type ClientProblem, problemTitle } from "../../api/problems.ts";
import { icons } from "../../controls/icons.ts";
import { formatDate, msg } from "../../messages/page.ts";
import { citationHref } from "../../rendering/citations.ts";
import { lineView } from "../../rendering/line-view.ts";
import { screenLineView } from "../screen-line.ts";

/** The place in the course that a report is about. */
export interface CorrectedPlace {
  topicId: string;
  blockId: string | null;
}

export interface CorrectionItem {
  correction: ReportedCorrection;
  busy: boolean;
  offline: boolean;
  /** Why it could not be marked as done. */
  problem: ClientProblem | null;
  edit(place: CorrectedPlace): void;
  settle(): void;
  /** Closes the dialog when a link is followed. */
  leave(): void;
}

/** A quote in one line: a display formula becomes an inline one. */
const quoted = (quote: string) => lineView(quote.replaceAll(/\$\$\s*(.+?)\s*\$\$/g, "$$$1$$"));

const screenLine = (line: ScreenLine) =>
  line.as === "code"
    ? html`<dd><pre dir="ltr" tabindex="0">${screenLineView(line)}</pre></dd>`
    : html`<dd dir="auto">${screenLineView(line)}</dd>`;

/** One reported mistake with the scene's content, the report, the sources and the actions. */
export function correctionItem({ correction, busy, offline, problem, edit, settle, leave }: CorrectionItem) {
  const { correctionId, sceneTitle, narration, onScreen, edited, quotes, text, topicId, topicTitle, href, at, settledAt } = correction;
  const passages = quotes.flatMap((quote) => (quote.href === null ? [] : [{ href: quote.href, quote: quote.quote }]));
  const [first] = passages;
  const page = first ? citationHref(first) : href;
  const day = (when: string) =>
    html`<time datetime=${when}>${formatDate(new Date(when), { day: "numeric", month: "long", year: "numeric", hour: "numeric", minute: "2-digit" })}</time>`;
  return html`<li data-correction=${correctionId}>
    <h3 tabindex="-1" dir="auto">${sceneTitle}</h3>
    <p class="soft"><bdi>${topicTitle}</bdi> · ${day(at)}${settledAt ? html` · ${msg("corrections.resolved")} ${day(settledAt)}` : nothing}</p>
    <dl>
      <dt>${msg("corrections.whatWasReported")}</dt><dd class="report" dir="auto">${text}</dd>
      ${narration ? html`<dt>${msg("corrections.whatTheFilmSays")}</dt><dd dir="auto">${narration}</dd>` : nothing}
      ${onScreen.length ? html`<dt>${msg("corrections.onScreen")}</dt>${onScreen.map(screenLine)}` : nothing}
      ${quotes.length ? html`<dt>${msg("corrections.source")}</dt>${quotes.map(({ quote, href }) => html`<dd dir="auto"><q>${href === null ? quoted(quote) : html`<a href=${citationHref({ href, quote })} @click=${leave}>${quoted(quote)}</a>`}</q></dd>`)}` : nothing}
    </dl>
    ${edited ? html`<p class="soft">${narration ? msg("corrections.learnerChangedScene") : msg("corrections.learnerChangedFilm")}</p>` : nothing}
    ${problem ? html`<p class="note" role="alert">${icons.alert}<b>${problemTitle(problem)}</b> ${msg("corrections.couldNotMarkedYet")}</p>` : nothing}
    <p class="ways">
      ${settledAt === null ? html`<button type="button" class="button" ?disabled=${busy || offline} @click=${settle}>${msg("corrections.markAsDealtWith")}<span class="visually-hidden">: ${sceneTitle}</span></button>` : nothing}
      <button type="button" class="button" @click=${() => edit({ topicId, blockId: blockOf(first?.href) })}>${msg("corrections.editThere")}<span class="visually-hidden">: ${sceneTitle}</span></button>
      ${page === null ? nothing : html`<a href=${page} @click=${leave}>${msg("corrections.readThePassage")}<span class="visually-hidden">: ${sceneTitle}</span></a>`}
    </p></li>`;
}

/** The block of a passage's address; on this page a heading inside a block stands for the block. */
function blockOf(href: string | undefined): string | null {
  const anchor = href?.split("#")[1];
  if (!anchor) return null;
  return document.getElementById(anchor)?.closest(".block[id]")?.id ?? anchor;
}
