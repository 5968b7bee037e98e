import type { Film, RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import { secondsWords } from "./words.ts";

export interface Approve {
  settings: RenderSettings;
  /** The service has speech synthesis. */
  voices: boolean;
  seconds: number;
  /** The review left open findings. */
  hasFindings: boolean;
  busy: boolean;
  offline: boolean;
  /** Videos already made from this storyboard. */
  made: readonly Film[];
  choose(settings: Partial<RenderSettings>): void;
  make(): void;
}

/** The render settings and the approval button. */
export function approveView({ settings, voices, seconds, hasFindings, busy, offline, made, choose, make }: Approve) {
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
    <h3 id="film-approve">${made.length ? msg("explainer.makeItAnotherWay") : msg("explainer.makeTheFilm")}</h3>
    <div class="options">
      ${choice("aspect", msg("explainer.shape"), [
        { value: "16:9", label: msg("explainer.wide"), about: msg("explainer.forAScreen") },
        { value: "9:16", label: msg("explainer.tall"), about: msg("explainer.forAPhone") },
      ])}
      ${choice("theme", msg("explainer.look"), [
        { value: "light", label: msg("explainer.light") },
        { value: "dark", label: msg("explainer.dark") },
      ])}
      ${choice("height", msg("explainer.size"), [
        { value: 720, label: "720p", about: msg("explainer.smallerFile") },
        { value: 1080, label: "1080p", about: msg("explainer.sharper") },
      ])}
      ${
        voices
          ? choice("voice", msg("explainer.sound"), [
              { value: "none", label: msg("explainer.silent"), about: msg("explainer.withCaptions") },
              { value: "spoken", label: msg("explainer.spoken"), about: msg("explainer.computerVoice") },
            ])
          : nothing
      }
    </div>
    <p class="soft">${
      hasFindings ? msg("explainer.reviewRemarksScenesAboveChangeThem") : msg("explainer.everyQuoteCheckedAgainstSourceReview")
    } ${msg("explainer.onlyCanWatchMaking", { seconds: secondsWords(seconds) })}</p>
    <p class="ways"><button type="button" class="button button-primary" ?disabled=${busy || offline} @click=${make}>${busy ? msg("explainer.oneMoment") : again ? msg("explainer.showItAgain") : msg("explainer.makeTheFilmDo")}</button>
      ${offline ? html`<span class="soft">${icons.offline}${msg("explainer.soonConnectionBack")}</span>` : nothing}</p>
  </section>`;
}

const same = (one: RenderSettings, other: RenderSettings): boolean =>
  one.aspect === other.aspect && one.height === other.height && one.theme === other.theme && one.voice === other.voice;
