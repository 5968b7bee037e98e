import type { ModelChoice } from "@colloquy/schemas/ai/models.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import "../conversation/sources.ts";
import "../quiz/quiz-text.ts";
import { answeredStyles } from "./answered.styles.ts";
import { TutorEvent } from "./events.ts";
import type { Asked } from "./flow.ts";
import type { Chosen } from "./tutoring.ts";

type Answer = NonNullable<Asked["answer"]>;

/**
 * @summary A question that was answered: what was chosen, what is right, why, from which passages; who graded it, and what it counts.
 * A grade given by a model shows its reasons and can be disputed.
 * @event {TutorEvent} colloquy-tutor
 */
@customElement("colloquy-tutor-answered")
export class TutorAnswered extends LightElement {
  static override lightStyles = [answeredStyles];

  @property({ attribute: false }) asked: Asked | null = null;
  @property({ attribute: false }) about = "";
  @property({ attribute: false }) models: readonly ModelChoice[] = [];
  /** The answer that is on its way, while there is no verdict. */
  @property({ attribute: false }) sent: Chosen | null = null;
  @property({ type: Boolean }) busy = false;
  /** The form for saying why the grade is wrong is open. */
  @state() private disputing = false;
  @query("textarea") private reason!: HTMLTextAreaElement | null;

  protected override render() {
    const { asked, sent, about } = this;
    if (!asked) return nothing;
    const { question, answer, hints, explanation } = asked;
    if (question.replaced)
      return html`<section class="answered"><p class="kind">${icons.close}You asked for another question. Nothing was counted.</p>
        <details><summary>The question was</summary><colloquy-quiz-text .text=${question.prompt}></colloquy-quiz-text></details></section>`;
    const helped = [
      ...(hints.length ? [`${hints.length} ${hints.length === 1 ? "hint" : "hints"}`] : []),
      ...(explanation ? ["the explanation"] : []),
    ];
    return html`<section class="answered ${answer ? (answer.correct ? "good" : "bad") : "sent"}" aria-label=${answer ? "Question and verdict" : "Question, answered"}>
      <p class="kind">${question.itemKind === "probe" ? "First question" : "Check"} · ${about}</p>
      <colloquy-quiz-text class="prompt" .text=${question.prompt}></colloquy-quiz-text>
      ${question.selection === "text" ? this.#words(answer, sent) : this.#choices(asked, answer?.choiceIds ?? sent?.choiceIds ?? [])}
      ${answer ? this.#verdict(asked, answer, helped) : nothing}
    </section>`;
  }

  #words(answer: Answer | null, sent: Chosen | null) {
    const text = answer ? answer.text : (sent?.text ?? "");
    return html`<p class="said">${text === null ? html`<em>Your words were deleted.</em>` : text}</p>`;
  }

  /** What was chosen, and what would have been right; the rest is left out. */
  #choices({ question, answer }: Asked, chosen: readonly string[]) {
    const shown = question.choices.filter(({ choiceId }) => chosen.includes(choiceId) || answer?.right.includes(choiceId));
    return html`<ul class="choices">${shown.map(({ choiceId, text }) => {
      const mine = chosen.includes(choiceId);
      const right = answer?.right.includes(choiceId);
      const [kind, icon, words] = !answer
        ? ["mine", nothing, "Your answer"]
        : right
          ? ["right", icons.check, mine ? "Your answer, right" : "Right answer"]
          : ["wrong", icons.close, "Your answer, not right"];
      return html`<li class=${kind}><colloquy-quiz-text plain .text=${text}></colloquy-quiz-text><span class="verdict">${icon}<span class="visually-hidden">: </span>${words}</span></li>`;
    })}</ul>`;
  }

  #verdict({ question }: Asked, answer: Answer, helped: string[]) {
    const words = answer.disputed ? "Set aside" : answer.correct ? "Right" : "Not right";
    const facts = [
      ...(answer.disputed ? ["you disputed this grade; it does not count"] : []),
      ...(answer.aided ? [`counts less: ${helped.length ? `with ${helped.join(" and ")}` : "asked before"}`] : []),
      ...(answer.gradedBy === "model" ? [`graded by a model${answer.model ? ` (${this.#nameOf(answer.model)})` : ""}`] : []),
      ...(answer.receipt === null ? [] : [`event ${answer.receipt}`]),
    ];
    return html`<div class="outcome">
      <p class="words">${answer.disputed ? nothing : answer.correct ? icons.check : icons.close}<b>${words}</b><span>${facts.join(" · ")}</span></p>
      ${answer.criteria.length ? this.#criteria(answer) : nothing}
      ${
        question.selection === "text" && answer.modelAnswer
          ? html`<details class="model"><summary>An answer that would be full</summary><colloquy-quiz-text .text=${answer.modelAnswer} .citations=${answer.citations}></colloquy-quiz-text></details>`
          : nothing
      }
      <colloquy-quiz-text class="why" .text=${answer.explanation} .citations=${answer.citations}></colloquy-quiz-text>
      <div class="from"><colloquy-sources .citations=${answer.citations}></colloquy-sources>${this.#dispute(answer)}</div>
      ${this.disputing && answer.disputable ? this.#disputeForm(answer) : nothing}
    </div>`;
  }

  #nameOf(model: string): string {
    return this.models.find(({ id }) => id === model)?.name ?? model;
  }

  #criteria({ criteria }: Answer) {
    return html`<ul class="criteria" aria-label="How it was graded">${criteria.map(
      ({ criterion, met, reason }) =>
        html`<li class=${met ? "met" : "unmet"}>${met ? icons.check : icons.close}<span><colloquy-quiz-text plain .text=${criterion}></colloquy-quiz-text><span class="visually-hidden">${met ? "Met." : "Not met."}</span>${reason ? html`<small>${reason}</small>` : nothing}</span></li>`,
    )}</ul>`;
  }

  #dispute({ disputable }: Answer) {
    if (!disputable || this.disputing) return nothing;
    return html`<button type="button" class="word" @click=${this.#openDispute}>Dispute this grade</button>`;
  }

  #disputeForm({ itemId }: Answer) {
    return html`<form class="dispute" @submit=${(event: Event) => this.#sendDispute(event, itemId)}>
      <label>What did the grading get wrong? <small>Optional. The grade is set aside either way, and the next question is one with choices.</small>
        <textarea rows="2" maxlength=${bounds.tutor.disputeLength}></textarea></label>
      <div><button class="quiet" aria-disabled=${this.busy ? "true" : nothing}>Set the grade aside</button>
        <button type="button" class="word" @click=${() => (this.disputing = false)}>Leave it</button></div></form>`;
  }

  readonly #openDispute = async () => {
    this.disputing = true;
    await this.updateComplete;
    this.reason?.focus();
  };

  #sendDispute(event: Event, itemId: string): void {
    event.preventDefault();
    if (this.busy) return;
    const text = this.reason?.value.trim();
    this.dispatchEvent(new TutorEvent({ kind: "act", action: { type: "dispute", itemId, ...(text && { text }) } }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tutor-answered": TutorAnswered;
  }
}
