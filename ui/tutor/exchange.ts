import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../controls/icons.ts";
import { msg } from "../messages/page.ts";
import "../answers/answer.ts";
import "../answers/sources.ts";
import type { Exchange } from "./flow.ts";
import { replyText } from "./localized-text.ts";
import { type RunningWork, workWords } from "./running-work.ts";

const question = (text: string | null): TemplateResult =>
  html`<h4>${icons.talk}${msg("tutor.youAsked")}</h4><p class="asked" dir="auto">${text ?? html`<em>${msg("ledger.yourWordsWereDeleted")}</em>`}</p>`;

/** What a learner asked back, and what they were answered from the course. */
export function exchangeView({ text, reply, citations, outcome }: Exchange): TemplateResult {
  return html`<section class="exchange">${question(text)}
    ${
      reply === null
        ? nothing
        : html`<colloquy-answer .text=${replyText(reply)} .citations=${citations}></colloquy-answer>
          ${outcome === "stopped" ? html`<p class="ended">${msg("conversation.stoppedComeKept")}</p>` : nothing}
          <div class="from"><colloquy-sources .citations=${citations}></colloquy-sources></div>`
    }</section>`;
}

/** What is being asked back; null for other work. */
export function askedNow(working: RunningWork | null): string | null {
  if (working?.ask.kind !== "turn") return null;
  const { action } = working.ask.body;
  return action.type === "ask" ? action.text : null;
}

/** The answer to a question that was asked back, as it arrives, with Stop. */
export function exchangeNow(working: RunningWork, stop: () => void): TemplateResult {
  return html`<section class="exchange working" aria-label=${msg("tutor.tutorWork")}>${question(askedNow(working))}
    ${working.text ? html`<colloquy-answer .text=${replyText(working.text)} .citations=${null}></colloquy-answer>` : nothing}
    <p class="trace"><span class="dot running"></span><span>${workWords(working)}</span><button type="button" class="stop" @click=${stop}>${icons.stop}${msg("common.stop")}</button></p></section>`;
}
