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
  if (underWay)
    return outdated ? html`<p class="note">${msg("Until it is ready you see the film of the storyboard as it was before.")}</p>` : nothing;
  if (unchecked)
    return html`<section class="note next" aria-label=${msg("What comes next")}>
      <p>${msg("You changed scenes that are not checked yet. Once they are, the film can be made anew.")}</p>
      <p class="ways"><button type="button" class="button" @click=${toChanges}>${msg("Go to your changes")}</button></p></section>`;
  if (!outdated) return nothing;
  return html`<section class="note next" data-part="anew" tabindex="-1" aria-label=${msg("What comes next")}>
    <p><b>${msg("Your changes are checked.")}</b> ${msg("This film is of the storyboard as it was before. Make it anew to see what you changed.")}</p>
    <p class="ways"><button type="button" class="button button-primary" ?disabled=${busy || offline} @click=${make}>${busy ? msg("One moment…") : msg("Make it anew")}</button>
      ${offline ? html`<span class="soft">${icons.offline}${msg("As soon as the connection is back.")}</span>` : nothing}</p>
    <p class="soft">${msg("It is made as before: {settings}. Scenes that stayed the same keep their pictures; only those you changed are drawn again, as long as the renderer has the others.", { settings: settingsWords(settings) })}</p>
  </section>`;
}
