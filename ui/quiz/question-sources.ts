import type { Question } from "@colloquy/schemas/quiz/quiz.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { html, nothing } from "lit";
import { msg } from "../messages/page.ts";
import { citationHref } from "../rendering/citations.ts";
import { safeHref } from "../rendering/links.ts";

/** The passages that a question rests on, as links. */
export function questionSources({ sourceIds }: Pick<Question, "sourceIds">, sources: readonly Citation[]) {
  const named = sources.filter(({ sourceId }) => sourceIds.includes(sourceId));
  if (!named.length) return nothing;
  return html`<ul class="from" aria-label=${msg("explainer.sources")}>${named.map((source) => {
    const href = safeHref(citationHref(source));
    return html`<li>${
      href
        ? html`<a class="cite" data-citation=${source.number} href=${href} aria-label=${msg("quiz.source", { number: source.number, title: source.title })}>${source.number}</a>`
        : html`<span class="cite cite-unresolved">${source.number}</span>`
    }<span class="trail" aria-hidden=${href ? "true" : nothing}>${[...source.trail.slice(-1), source.title].join(" › ")}</span></li>`;
  })}</ul>`;
}
