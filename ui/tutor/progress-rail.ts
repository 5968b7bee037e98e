import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import type { ObjectiveMastery, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { safeHref } from "../rendering/links.ts";
import { whyNext } from "./decisions.ts";
import { TutorEvent } from "./events.ts";
import { ledgerHref } from "./ledger-address.ts";
import { objectiveName, objectiveView } from "./localized-text.ts";
import { masteryWords, percent, standingWords } from "./words.ts";

/**
 * @summary The mastery of each objective, with the answers behind it and their ledger entries.
 * @event {TutorEvent} colloquy-tutor
 */
@customElement("colloquy-tutor-progress")
export class TutorProgress extends LightElement {
  static override lightStyles = [
    css`
      colloquy-tutor-progress { display: block; font: var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
      colloquy-tutor-progress h3 { display: flex; justify-content: space-between; gap: 8px; margin: 0 0 14px; font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
      colloquy-tutor-progress a { color: inherit; text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 3px; border-radius: 3px; }
      colloquy-tutor-progress h3 a { margin-block: -5px; padding-block: 5px; font-weight: 500; color: var(--ink-soft); text-decoration: none; }
      colloquy-tutor-progress a:hover { color: var(--ink); text-decoration: underline; text-decoration-color: var(--accent); }
      colloquy-tutor-progress .objective { margin-block-end: 16px; }
      colloquy-tutor-progress .name { color: var(--ink); font-weight: 550; overflow-wrap: anywhere; }
      colloquy-tutor-progress .bar { position: relative; block-size: 6px; margin: 6px 0 5px; border-radius: 3px; background: color-mix(in oklab, var(--line), var(--paper) 35%); overflow: hidden; }
      colloquy-tutor-progress .bar s { position: absolute; inset-block: 0; inset-inline-start: 0; border-radius: 3px; background: var(--accent); transition: inline-size var(--calm) var(--ease); }
      colloquy-tutor-progress .bar u { position: absolute; inset-block: 0; inline-size: 1.5px; background: var(--ink-soft); }
      colloquy-tutor-progress summary { display: flex; align-items: center; gap: 4px; min-block-size: 24px; color: var(--ink-faint); font-size: var(--text-xs); cursor: pointer; list-style: none; border-radius: 4px; }
      colloquy-tutor-progress summary::-webkit-details-marker { display: none; }
      colloquy-tutor-progress summary:hover { color: var(--ink); }
      colloquy-tutor-progress summary .icon { font-size: 14px; transition: rotate var(--fast) var(--ease); }
      colloquy-tutor-progress details[open] summary .icon { rotate: 180deg; }
      colloquy-tutor-progress :is(summary, a, button):focus-visible { outline: 2px solid transparent; box-shadow: var(--focus); }
      colloquy-tutor-progress ol { list-style: none; margin: 4px 0 0; padding: 0; padding-inline-start: 10px; border-inline-start: 2px solid var(--line); display: grid; gap: 6px; font-size: var(--text-xs); }
      colloquy-tutor-progress ol b { font-weight: 550; color: var(--ink); font-variant-numeric: tabular-nums; }
      colloquy-tutor-progress ol .set-aside { text-decoration: line-through; }
      colloquy-tutor-progress .knows { min-block-size: 32px; margin-block-start: 4px; padding: 2px 0; border: 0; border-radius: 4px; background: none; color: var(--ink-soft); font: inherit; font-size: var(--text-xs); text-align: start; cursor: pointer; text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 3px; }
      colloquy-tutor-progress .knows:hover { color: var(--ink); }
      colloquy-tutor-progress .why { position: sticky; inset-block-end: calc(-1 * var(--s5)); margin: 22px 0 calc(-1 * var(--s5)); padding-block: 14px var(--s4); border-block-start: 1px solid var(--line); background: var(--paper); line-height: 1.5; }
      /* The fade shows that there is more below. */
      colloquy-tutor-progress .why::before { content: ""; position: absolute; inset-block-end: calc(100% + 1px); inset-inline: 0; block-size: 21px; background: linear-gradient(to top, var(--paper), transparent); pointer-events: none; }
      colloquy-tutor-progress .why b { display: block; font-weight: 600; color: var(--ink-soft); }
      @media (pointer: coarse) { colloquy-tutor-progress :is(summary, .knows) { min-block-size: 44px; } }
      @media (forced-colors: active) { colloquy-tutor-progress .why::before { background: none; } colloquy-tutor-progress .bar { border: 1px solid CanvasText; } colloquy-tutor-progress .bar s { background: Highlight; } colloquy-tutor-progress .bar u { background: CanvasText; } }
    `,
  ];

  @property({ attribute: false }) session: TutorSession | null = null;
  @property({ type: Boolean }) busy = false;

  protected override render() {
    const { session } = this;
    if (!session) return nothing;
    const why = whyNext(session);
    return html`<h3>${msg("tutor.progress")} <a href=${ledgerHref(session.sessionId)} title=${msg("tutor.openLedgerEveryEntry")}>${msg("tutor.evidence")}</a></h3>
      ${repeat(
        session.mastery,
        ({ objectiveId }) => objectiveId,
        (mastery) => this.#objective(mastery, session),
      )}
      ${why ? html`<p class="why"><b>${msg("tutor.whyThisNext")}</b>${why.words}${why.receipt === null ? nothing : html` <a href=${ledgerHref(session.sessionId, why.receipt)}>${msg("tutor.seeInLedger")}</a>`}</p>` : nothing}`;
  }

  #objective(mastery: ObjectiveMastery, { sessionId, phase, paused, language }: TutorSession) {
    const { probability, title, href, evidence, objectiveId, mastered, standing } = mastery;
    // Without an answer the probability is only the prior: it says nothing about this learner.
    const isAnswered = evidence.some(({ counts }) => counts);
    const filled = isAnswered ? probability * 100 : 0;
    const known = percent(probability);
    const state = isAnswered ? `${known}, ${standingWords(standing)}` : msg("tutor.nothingAnsweredYet");
    return html`<div class="objective"><a class="name" href=${safeHref(href) ?? nothing}>${objectiveView(title, language)}</a>
      <div class="bar" role="meter" aria-label=${objectiveName(title)} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(filled)} aria-valuetext=${state}
        title=${isAnswered ? msg("tutor.masteredTwoRightAnswers", { known, threshold: percent(masteryParameters.threshold) }) : state}>
        <s .style=${`inline-size:${filled}%`}></s><u .style=${`inset-inline-start:${masteryParameters.threshold * 100}%`}></u></div>
      <details><summary>${masteryWords(mastery)}${icons.down}</summary>
        ${
          evidence.length
            ? html`<ol>${evidence.map(
                ({ receipt, correct, compared, aided, counts, gradedBy, disputed, carried, assistant, probability: after, kind }) =>
                  html`<li><a href=${ledgerHref(sessionId, receipt)}><b>${msg("ledger.event2", { event: String(receipt) })}</b></a> <span class=${disputed ? "set-aside" : ""}>${compared ? msg("audit.compared") : outcomeWords(kind === "probe", correct)}${aided && correct ? `, ${msg("tutor.notCountedTowardsMastery")}` : ""}${counts ? "" : `, ${msg("tutor.practiceOnly")}`}</span>${gradedBy === "model" && !compared ? `, ${msg("tutor.gradedByAModel2")}` : ""}${assistant ? `, ${msg("tutor.passedAssistant")}` : ""}${carried ? `, ${msg("tutor.fromAnEarlierSession")}` : ""}${disputed ? ` (${msg("tutor.setAside2")})` : compared ? "" : ` → ${percent(after)}`}</li>`,
              )}</ol>`
            : nothing
        }
        ${
          mastered || paused || phase === "completed"
            ? nothing
            : html`<button type="button" class="knows" aria-disabled=${this.busy ? "true" : nothing} @click=${() => this.#reportKnown(objectiveId)}>${msg("tutor.iKnowAlreadyNoted")}</button>`
        }
      </details></div>`;
  }

  #reportKnown(objectiveId: string): void {
    if (!this.busy) this.dispatchEvent(new TutorEvent({ kind: "act", action: { type: "self_report", objectiveId, knows: true } }));
  }
}

function outcomeWords(probe: boolean, correct: boolean): string {
  if (probe) return correct ? msg("tutor.firstQuestionRight") : msg("tutor.firstQuestionNotRight");
  return correct ? msg("tutor.checkRight") : msg("tutor.checkNotRight");
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tutor-progress": TutorProgress;
  }
}
