import { html, nothing } from "lit";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import type { Drafting } from "./drafting.ts";
import { phaseNames, phasesDone, secondsWords } from "./words.ts";

const phases = Object.keys(phaseNames) as (keyof typeof phaseNames)[];

/** The progress of a storyboard draft, by phase. @param now on the page's clock */
export function draftingView(drafting: Drafting, now: number, stop: () => void) {
  const { phase, done, repairing, sources, startedAt, isReconnecting } = drafting;
  const elapsed = Math.max(0, Math.round((now - startedAt) / 1_000));
  return html`<section class="drawing" data-part="drawing" tabindex="-1" aria-label=${msg("explainer.storyboard")}>
    <ol class="phases">${phases.map((one) => {
      const over = done.find((before) => before.phase === one);
      const here = one === phase;
      const words = here ? msg(phaseNames[one]) : over ? msg(phasesDone[one]) : msg(phaseNames[one]);
      return html`<li class=${here ? "here" : over ? "over" : ""} aria-current=${here ? "step" : nothing}><i aria-hidden="true">${over && !here ? icons.check : nothing}</i><span>${words}${
        one === "retrieving" && sources !== null ? html` · ${msg("conversation.sources", { n: sources })}` : nothing
      }${here && repairing ? html` · ${msg("explainer.fixingFindingsOnce")}` : nothing}</span>${over && !here ? html`<small>${secondsWords(Math.round(over.ms / 100) / 10)}</small>` : nothing}</li>`;
    })}</ol>
    ${isReconnecting ? html`<p class="soft">${icons.offline}${msg("explainer.connectionBrokeGoesItself")}</p>` : nothing}
    <p class="ways"><button type="button" class="button" @click=${stop}>${icons.stop}${msg("common.stop")}</button><span class="soft" aria-hidden="true">${secondsWords(elapsed)}</span></p>
  </section>`;
}
