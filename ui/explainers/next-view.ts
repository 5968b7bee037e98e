import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import { settingsWords } from "./words.ts";

export interface Next {
  /** There are unchecked edits. */
  unchecked: boolean;
  /** The shown video was made from an earlier storyboard. */
  outdated: boolean;
  underWay: boolean;
  busy: boolean;
  offline: boolean;
  /** The shown video's settings. */
  settings: RenderSettings;
  make(): void;
  toChanges(): void;
}

/** The next action when the storyboard differs from the video: check the edits, or make it again. */
export function nextView({ unchecked, outdated, underWay, busy, offline, settings, make, toChanges }: Next) {
  if (underWay) return outdated ? html`<p class="note">${msg("explainer.untilReadySeeFilm")}</p>` : nothing;
  if (unchecked)
    return html`<section class="note next" aria-label=${msg("explainer.whatComesNext")}>
      <p>${msg("explainer.someChangedScenesNotCheckedYet")}</p>
      <p class="ways"><button type="button" class="button" @click=${toChanges}>${msg("explainer.goToYourChanges")}</button></p></section>`;
  if (!outdated) return nothing;
  return html`<section class="note next" data-part="anew" tabindex="-1" aria-label=${msg("explainer.whatComesNext")}>
    <p><b>${msg("explainer.yourChangesAreChecked")}</b> ${msg("explainer.filmStoryboardBeforeMake")}</p>
    <p class="ways"><button type="button" class="button button-primary" ?disabled=${busy || offline} @click=${make}>${busy ? msg("explainer.oneMoment") : msg("explainer.makeItAnew")}</button>
      ${offline ? html`<span class="soft">${icons.offline}${msg("explainer.soonConnectionBack")}</span>` : nothing}</p>
    <p class="soft">${msg("explainer.madeBeforeScenesStayed", { settings: settingsWords(settings) })}</p>
  </section>`;
}
