import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { lineView } from "../rendering/line-view.ts";
import { stepWords } from "./words.ts";

const states = {
  ahead: "audit.ahead",
  current: "audit.now",
  mastered: "common.mastered",
  skipped: "audit.leftForLater",
} as const;

/**
 * @summary The steps of a session in order, with their states and prerequisites.
 */
@customElement("colloquy-tutor-path")
export class TutorPath extends LightElement {
  static override lightStyles = [
    css`
      colloquy-tutor-path { display: block; font: var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
      colloquy-tutor-path h3 { display: flex; justify-content: space-between; gap: 8px; margin: 0 0 14px; font: 600 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
      colloquy-tutor-path h3 span { font-weight: 500; color: var(--ink-faint); }
      colloquy-tutor-path ol { list-style: none; margin: 0; padding: 0; }
      colloquy-tutor-path li { position: relative; display: grid; grid-template-columns: 18px minmax(0, 1fr); gap: 10px; padding-block-end: 16px; overflow-wrap: anywhere; }
      colloquy-tutor-path li:not(:last-child)::before { content: ""; position: absolute; inset-block: 18px -2px; inset-inline-start: 8px; inline-size: 1.5px; background: var(--line); }
      colloquy-tutor-path i { z-index: 1; display: grid; place-items: center; inline-size: 17px; block-size: 17px; border: 1.5px solid var(--line-strong); border-radius: 50%; background: var(--paper); color: var(--paper); font-size: 13px; }
      colloquy-tutor-path .mastered i { background: var(--good); border-color: var(--good); }
      colloquy-tutor-path .skipped i { border-style: dashed; color: var(--ink-faint); }
      colloquy-tutor-path .current i { border-color: var(--accent); box-shadow: 0 0 0 4px var(--accent-wash); }
      colloquy-tutor-path .current b { color: var(--ink); font-weight: 650; }
      colloquy-tutor-path b { font-weight: 450; }
      colloquy-tutor-path small { display: block; margin-block-start: 2px; color: var(--ink-faint); font-size: var(--text-xs); }
      colloquy-tutor-path p { margin: 0; color: var(--ink-faint); line-height: 1.5; }
      colloquy-tutor-path .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
      @media (forced-colors: active) { colloquy-tutor-path .mastered i { background: CanvasText; } colloquy-tutor-path .current i { border-width: 4px; } }
    `,
  ];

  @property({ attribute: false }) session: TutorSession | null = null;

  protected override render() {
    const { session } = this;
    if (!session) return nothing;
    const { path } = session;
    return html`<h3>${msg("audit.path")}${path.length ? html` <span title=${msg("tutor.checkedAgainstCourseModel")}>${msg("tutor.verified")}</span>` : nothing}</h3>
      ${
        path.length
          ? html`<ol>${path.map((step) => {
              const words = stepWords(step, session);
              const state = step.state === "skipped" && session.practice ? words : msg(states[step.state]);
              return html`<li class=${step.state} aria-current=${step.state === "current" ? "step" : nothing}><i aria-hidden="true">${step.state === "mastered" ? icons.check : nothing}</i>
                <div><b lang=${session.language} dir="auto">${lineView(step.title)}</b>${state === words ? nothing : html`<span class="visually-hidden">, ${state}. </span>`}${words ? html`<small>${words}</small>` : nothing}</div></li>`;
            })}</ol>`
          : html`<p>${session.phase === "completed" ? msg("tutor.noStepsNeededFirstQuestionsShowed") : msg("tutor.pathPlannedOnceFirst")}</p>`
      }`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tutor-path": TutorPath;
  }
}
