import type { ModelChoice } from "@colloquy/schemas/ask/models.ts";
import type { TutorSession, TutorSessionSummary } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../controls/icons.ts";
import "../conversations/answer.ts";
import "../conversations/sources.ts";
import { msg, plural } from "../messages/page.ts";
import { decisionView } from "./decisions.ts";
import type { Entry } from "./flow.ts";
import { type Working, workWords } from "./working.ts";

type Message = Extract<Entry, { kind: "message" }>["message"];

const event = (receipt: number | null): TemplateResult | typeof nothing =>
  receipt === null ? nothing : html` <small>${msg("event {event}", { event: String(receipt) })}</small>`;

/** A message of a session that is no question; `earlier`: the sessions of its conversation. */
export function messageView(
  message: Message,
  session: TutorSession,
  models: readonly ModelChoice[],
  earlier: readonly TutorSessionSummary[],
): TemplateResult | typeof nothing {
  switch (message.kind) {
    case "goal":
      return html`<div class="goal"><h3 class="visually-hidden">${msg("Your goal")}</h3><p dir="auto">${message.text ?? html`<em>${msg("Your words were deleted.")}</em>`}</p></div>${session.carriedFrom === undefined ? nothing : carriedView(session, earlier)}`;
    case "plan":
      return message.verified
        ? html`<details class="line"><summary>${icons.path}<span>${plural(message.steps.length, "Planned {n} step and checked them against the course", "Planned {n} steps and checked them against the course")}</span>${event(message.receipt)}</summary>
            <ol>${message.steps.map(({ title }) => html`<li lang=${session.language} dir="auto">${title}</li>`)}</ol></details>`
        : html`<details class="line"><summary>${icons.close}<span>${msg("A plan was not taken: it did not stand up to the course")}</span>${event(message.receipt)}</summary>
            <ul>${message.findings.map((finding) => html`<li>${finding}</li>`)}</ul></details>`;
    case "teaching": {
      const passages = new Set(message.citations.map(({ sourceId }) => sourceId)).size;
      const name = models.find(({ id }) => id === `${message.provider}/${message.model}`)?.name ?? message.model;
      return html`<section class="taught"><h3 class="trace"><span class="dot ${message.outcome}"></span><b lang=${session.language} dir="auto">${message.title}</b><span>${taughtFrom(
        passages,
        message.angle > 1,
      )}</span><span class="who" dir="auto">${name}</span></h3>
        <colloquy-answer lang=${session.language} .text=${message.text} .citations=${message.citations}></colloquy-answer>
        ${message.outcome === "stopped" ? html`<p class="ended">${msg("Stopped here. What had come is kept.")}</p>` : nothing}
        <div class="from"><colloquy-sources .citations=${message.citations}></colloquy-sources></div></section>`;
    }
    case "self_report":
      return html`<p class="line">${icons.hint}<span>${message.knows ? msg("You said that you know this. It is noted and counts nothing.") : msg("You said that you do not know this. It is noted and counts nothing.")}</span>${event(message.receipt)}</p>`;
    case "decision":
      return html`<p class="line why">${icons.next}<span>${decisionView(message, session)}</span>${event(message.receipt)}</p>`;
  }
}

/** What a session took over from the one before, and what of that is not in the course any more. */
function carriedView({ mastery, carriedFrom }: TutorSession, earlier: readonly TutorSessionSummary[]): TemplateResult {
  const before = earlier.find(({ sessionId }) => sessionId === carriedFrom)?.objectives ?? 0;
  const { length } = mastery.flatMap(({ evidence }) => evidence.filter(({ carried }) => carried));
  // Where nothing was taken over it may have begun with other objectives.
  const gone = length ? Math.max(0, before - mastery.length) : 0;
  return html`<p class="line">${icons.next}<span>${
    length
      ? plural(
          length,
          "{n} of your answers goes on counting: its text is unchanged.",
          "{n} of your answers go on counting: their text is unchanged.",
        )
      : msg("None of your answers could be taken over: their text is another now.")
  }${gone ? html` ${plural(gone, "{n} objective is not in the course any more.", "{n} objectives are not in the course any more.")}` : nothing}</span></p>`;
}

function taughtFrom(passages: number, another: boolean): string {
  if (!passages) return another ? msg("Taught, from another side") : msg("Taught");
  return another
    ? plural(passages, "Taught from {n} passage, from another side", "Taught from {n} passages, from another side")
    : plural(passages, "Taught from {n} passage", "Taught from {n} passages");
}

/** What the tutor is doing right now: one line with Stop, and the lesson as it is written. */
export function teachingNow(working: Working, stop: () => void): TemplateResult {
  return html`<section class="working" aria-label=${msg("The tutor is at work")}>
    <p class="trace"><span class="dot running"></span><span>${workWords(working)}</span><button type="button" class="stop" @click=${stop}>${icons.stop}${msg("Stop")}</button></p>
    ${working.text ? html`<colloquy-answer .text=${working.text} .citations=${null}></colloquy-answer>` : nothing}
  </section>`;
}
