import type { ModelChoice } from "@colloquy/schemas/ai/models.ts";
import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../controls/icons.ts";
import "../conversation/answer.ts";
import "../conversation/sources.ts";
import type { Entry } from "./flow.ts";
import { type Working, workWords } from "./working.ts";

type Message = Extract<Entry, { kind: "message" }>["message"];

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const event = (receipt: number | null): TemplateResult | typeof nothing =>
  receipt === null ? nothing : html` <small>event ${receipt}</small>`;

/** A message of a session that is no question. */
export function messageView(message: Message, models: readonly ModelChoice[]): TemplateResult | typeof nothing {
  switch (message.kind) {
    case "goal":
      return html`<div class="goal"><h3 class="visually-hidden">Your goal</h3><p>${message.text ?? html`<em>Your words were deleted.</em>`}</p></div>`;
    case "plan":
      return message.verified
        ? html`<details class="line"><summary>${icons.path}<span>Planned ${counted(message.steps.length, "step", "steps")} and checked them against the course</span>${event(message.receipt)}</summary>
            <ol>${message.steps.map(({ title }) => html`<li>${title}</li>`)}</ol></details>`
        : html`<details class="line"><summary>${icons.close}<span>A plan was not taken: it did not stand up to the course</span>${event(message.receipt)}</summary>
            <ul>${message.findings.map((finding) => html`<li>${finding}</li>`)}</ul></details>`;
    case "teaching": {
      const passages = new Set(message.citations.map(({ sourceId }) => sourceId)).size;
      const name = models.find(({ id }) => id === `${message.provider}/${message.model}`)?.name ?? message.model;
      return html`<section class="taught"><h3 class="trace"><span class="dot ${message.outcome}"></span><b>${message.title}</b><span>${
        passages ? `Taught from ${counted(passages, "passage", "passages")}` : "Taught"
      }${message.angle > 1 ? ", from another side" : ""}</span><span class="who">${name}</span></h3>
        <colloquy-answer .text=${message.text} .citations=${message.citations}></colloquy-answer>
        ${message.outcome === "stopped" ? html`<p class="ended">Stopped here. What had come is kept.</p>` : nothing}
        <div class="from"><colloquy-sources .citations=${message.citations}></colloquy-sources></div></section>`;
    }
    case "self_report":
      return html`<p class="line">${icons.hint}<span>You said that you ${message.knows ? "know" : "do not know"} this. It is noted and counts nothing.</span>${event(message.receipt)}</p>`;
    case "decision":
      return html`<p class="line why">${icons.next}<span>${message.text}</span>${event(message.receipt)}</p>`;
  }
}

/** What the tutor is doing right now: one line with Stop, and the lesson as it is written. */
export function teachingNow(working: Working, stop: () => void): TemplateResult {
  return html`<section class="working" aria-label="The tutor is at work">
    <p class="trace"><span class="dot running"></span><span>${workWords(working)}</span><button type="button" class="stop" @click=${stop}>${icons.stop}Stop</button></p>
    ${working.text ? html`<colloquy-answer .text=${working.text} .citations=${null}></colloquy-answer>` : nothing}
  </section>`;
}
