import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { msg, plural } from "../messages/page.ts";
import type { Drawing } from "./drawing.ts";
import { phaseNames, phasesDone, secondsWords } from "./words.ts";

const phases = Object.keys(phaseNames) as (keyof typeof phaseNames)[];

/** A storyboard as it is being drawn up: what is done, what is being done and for how long. @param now on the page's clock */
export function drawingView(drawing: Drawing, now: number, stop: () => void) {
  const { phase, done, repairing, sources, startedAt, broke } = drawing;
  const elapsed = Math.max(0, Math.round((now - startedAt) / 1_000));
  return html`<section class="drawing" data-part="drawing" tabindex="-1" aria-label=${msg("Storyboard")}>
    <ol class="phases">${phases.map((one) => {
      const over = done.find((before) => before.phase === one);
      const here = one === phase;
      const words = here ? msg(phaseNames[one]) : over ? msg(phasesDone[one]) : msg(phaseNames[one]);
      return html`<li class=${here ? "here" : over ? "over" : ""} aria-current=${here ? "step" : nothing}><i aria-hidden="true">${over && !here ? icons.check : nothing}</i><span>${words}${
        one === "retrieving" && sources !== null ? html` · ${plural(sources, "{n} source", "{n} sources")}` : nothing
      }${here && repairing ? html` · ${msg("mending what was found, once")}` : nothing}</span>${over && !here ? html`<small>${secondsWords(Math.round(over.ms / 100) / 10)}</small>` : nothing}</li>`;
    })}</ol>
    ${broke ? html`<p class="soft">${icons.offline}${msg("The connection broke. It goes on by itself as soon as the service answers.")}</p>` : nothing}
    <p class="ways"><button type="button" class="button" @click=${stop}>${icons.stop}${msg("Stop")}</button><span class="soft" aria-hidden="true">${secondsWords(elapsed)}</span></p>
  </section>`;
}
