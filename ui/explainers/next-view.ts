import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import { settingsWords } from "./words.ts";

export interface Next {
  /** Scenes were changed and not checked yet. */
  unchecked: boolean;
  /** The film that is shown is of the storyboard as it was before. */
  outdated: boolean;
  underWay: boolean;
  busy: boolean;
  offline: boolean;
  /** How the film that is shown was made. */
  settings: RenderSettings;
  make(): void;
  toChanges(): void;
}

/** What comes next for a film that is there while its storyboard is, or is to be, another: check it, or make it anew. */
export function nextView({ unchecked, outdated, underWay, busy, offline, settings, make, toChanges }: Next) {
  if (underWay) return outdated ? html`<p class="note">${msg("explainer.untilReadySeeFilm")}</p>` : nothing;
  if (unchecked)
    return html`<section class="note next" aria-label=${msg("explainer.whatComesNext")}>
      <p>${msg("explainer.changedScenesCheckedOnce")}</p>
      <p class="ways"><button type="button" class="button" @click=${toChanges}>${msg("explainer.goToYourChanges")}</button></p></section>`;
  if (!outdated) return nothing;
  return html`<section class="note next" data-part="anew" tabindex="-1" aria-label=${msg("explainer.whatComesNext")}>
    <p><b>${msg("explainer.yourChangesAreChecked")}</b> ${msg("explainer.filmStoryboardBeforeMake")}</p>
    <p class="ways"><button type="button" class="button button-primary" ?disabled=${busy || offline} @click=${make}>${busy ? msg("explainer.oneMoment") : msg("explainer.makeItAnew")}</button>
      ${offline ? html`<span class="soft">${icons.offline}${msg("explainer.soonConnectionBack")}</span>` : nothing}</p>
    <p class="soft">${msg("explainer.madeBeforeScenesStayed", { settings: settingsWords(settings) })}</p>
  </section>`;
}
