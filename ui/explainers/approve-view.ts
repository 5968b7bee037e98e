import type { Film, RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import { secondsWords } from "./words.ts";

export interface Approve {
  settings: RenderSettings;
  /** Whether somebody can speak it. */
  voices: boolean;
  seconds: number;
  /** Findings that nobody mended. */
  doubts: boolean;
  busy: boolean;
  offline: boolean;
  /** Films of this very storyboard, which need not be made again. */
  made: readonly Film[];
  choose(settings: Partial<RenderSettings>): void;
  make(): void;
}

/** How the film is to be made, and the word that it may be. */
export function approveView({ settings, voices, seconds, doubts, busy, offline, made, choose, make }: Approve) {
  const choice = <Name extends keyof RenderSettings>(
    name: Name,
    legend: string,
    options: { value: RenderSettings[Name]; label: string; about?: string }[],
  ) =>
    html`<fieldset><legend>${legend}</legend>${options.map(
      ({ value, label, about }) =>
        html`<label><input type="radio" name="film-${name}" .checked=${live(settings[name] === value)} @change=${() => choose({ [name]: value } as Partial<RenderSettings>)}><span>${label}${about ? html` <small>${about}</small>` : nothing}</span></label>`,
    )}</fieldset>`;
  const again = made.some((film) => same(film.settings, settings));
  return html`<section class="approve" aria-labelledby="film-approve">
    <h3 id="film-approve">${made.length ? msg("Make it another way") : msg("Make the film")}</h3>
    <div class="options">
      ${choice("aspect", msg("Shape"), [
        { value: "16:9", label: msg("Wide"), about: msg("for a screen") },
        { value: "9:16", label: msg("Tall"), about: msg("for a phone") },
      ])}
      ${choice("theme", msg("Look"), [
        { value: "light", label: msg("Light") },
        { value: "dark", label: msg("Dark") },
      ])}
      ${choice("height", msg("Size"), [
        { value: 720, label: "720p", about: msg("smaller file") },
        { value: 1080, label: "1080p", about: msg("sharper") },
      ])}
      ${
        voices
          ? choice("voice", msg("Sound"), [
              { value: "none", label: msg("Silent"), about: msg("with captions") },
              { value: "spoken", label: msg("Spoken"), about: msg("by the computer's voice") },
            ])
          : nothing
      }
    </div>
    <p class="soft">${
      doubts
        ? msg("The review still has something to say, at its scenes above. You can change them first, or make the film as it is.")
        : msg("Every quote was held against its source, and the review has nothing to say.")
    } ${msg("Only you can watch it. Making {seconds} of film usually takes less than half a minute; you can leave this page meanwhile.", { seconds: secondsWords(seconds) })}</p>
    <p class="ways"><button type="button" class="button button-primary" ?disabled=${busy || offline} @click=${make}>${busy ? msg("One moment…") : again ? msg("Show it again") : msg("Make the film|do")}</button>
      ${offline ? html`<span class="soft">${icons.offline}${msg("As soon as the connection is back.")}</span>` : nothing}</p>
  </section>`;
}

const same = (one: RenderSettings, other: RenderSettings): boolean =>
  one.aspect === other.aspect && one.height === other.height && one.theme === other.theme && one.voice === other.voice;
