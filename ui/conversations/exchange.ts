import type { ModelChoice } from "@colloquy/schemas/models.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { icons } from "../controls/icons.ts";
import { kindName } from "../controls/kinds.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { quizAsMarkdown } from "../quiz/as-markdown.ts";
import { loadQuiz } from "../quiz/load.ts";
import { safeHref } from "../rendering/links.ts";
import { shownQuestion } from "../store/title.ts";
import "../answers/answer.ts";
import type { AnswerView } from "../answers/answer-view.ts";
import { problemWords } from "../answers/problem-words.ts";
import { answerAsHtml, answerAsMarkdown, copyAnswer } from "./copy.ts";
import { SignInEvent, type TranscriptAction, TranscriptActionEvent } from "./events.ts";
import { exchangeStyles } from "./exchange.styles.ts";
import type { Exchange } from "./exchanges.ts";
import type { QuizState, QuizStates } from "./quizzes.ts";

const copiedMs = 1_800;
const notBegun: QuizState = { attempts: [], draft: null };

/**
 * @summary A question and its answers. A regenerated answer keeps the former one a step away.
 * @event {TranscriptActionEvent} colloquy-transcript-action
 * @event {SignInEvent} colloquy-sign-in
 */
@customElement("colloquy-exchange")
export class ExchangeElement extends LightElement {
  static override lightStyles = [exchangeStyles];

  @property({ attribute: false }) exchange: Exchange | null = null;
  /** The turn id of the shown answer; the newest by default. */
  @property({ attribute: false }) shown: string | undefined = undefined;
  @property({ attribute: false }) quizzes: QuizStates = new Map();
  /** The last exchange shows follow-up questions. */
  @property({ type: Boolean }) last = false;
  /** Another answer is being written. */
  @property({ type: Boolean }) busy = false;
  @property({ attribute: false }) models: ModelChoice[] = [];
  /** A placeholder until it is rendered. */
  @property({ type: Boolean, reflect: true }) waiting = false;
  @state() private copied: "yes" | "no" | null = null;
  /** The quiz's script did not load. */
  @state() private quizFailed = false;

  protected override render() {
    const { exchange } = this;
    if (!exchange || this.waiting) return nothing;
    const answer = exchange.answers.find((candidate) => candidate.turnId === this.shown) ?? exchange.answers.at(-1);
    const question = shownQuestion(exchange.question, exchange.references);
    return html`<article aria-label=${msg("conversation.question", { question: question.slice(0, 120) })}>
      <div class="said"><h2 class="visually-hidden">${msg("conversation.youAsked")}</h2><p dir="auto">${question}</p>${this.#references(exchange)}</div>
      ${answer ? keyed(answer.turnId, this.#answer(exchange, answer)) : nothing}
      <div class="end"></div>
    </article>`;
  }

  /** Also waits for the answer's text. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const complete = await super.getUpdateComplete();
    await this.querySelector("colloquy-answer")?.updateComplete;
    return complete;
  }

  #references({ references }: Exchange) {
    if (!references.length) return nothing;
    return html`<ul class="attached" aria-label=${msg("composer.attachedSources")}>
      ${references.map(
        (reference) =>
          html`<li><a class="chip" href=${safeHref(reference.href) ?? nothing}><em>${kindName(reference.kind)}</em><b dir="auto">${reference.title}</b></a></li>`,
      )}</ul>`;
  }

  #answer(exchange: Exchange, answer: AnswerView) {
    const { text } = answer;
    return html`<section class="answer">
      <h2 class="visually-hidden">${msg("audit.answer")}</h2>
      <colloquy-trace .answer=${answer} .modelName=${this.#modelName(answer)}></colloquy-trace>
      ${
        text
          ? html`<colloquy-answer .text=${text} .citations=${answer.state === "running" ? null : answer.citations}></colloquy-answer>`
          : nothing
      }
      ${answer.artifact ? this.#quiz(answer.artifact, answer) : nothing}
      ${answer.problem ? this.#problem(answer) : this.#mark(answer)}
      ${answer.state === "running" || !(text || answer.artifact) ? nothing : this.#footer(answer)}
      ${answer.state === "running" || !(text || answer.artifact) ? nothing : this.#actions(exchange, answer)}
      ${this.last && answer.state === "finished" && !this.busy ? this.#followUps(answer) : nothing}
    </section>`;
  }

  /** The model that answered, if it is not the requested one. */
  #footer(answer: AnswerView) {
    const { asked, reportedModel } = answer.trace;
    const name = this.#modelName(answer);
    const words: string[] = [];
    if (answer.fallbackDepth && name)
      words.push(
        asked
          ? msg("conversation.couldNotAnswerDid", { asked: this.#modelName(asked), name })
          : answer.fallbackDepth === 1
            ? msg("conversation.answeredBecauseAnotherModel", { name })
            : msg("conversation.answeredBecauseOtherModelsCouldNot", { n: answer.fallbackDepth, name }),
      );
    if (reportedModel) words.push(msg("conversation.requestedProviderReportsAnswered", { name, writer: reportedModel }));
    return words.length ? html`<p class="wrote">${words.join(" ")}</p>` : nothing;
  }

  #quiz(quiz: Quiz, { state, trace }: AnswerView) {
    if (this.quizFailed)
      return html`<p class="ended">${msg("conversation.quizDidNotLoad")} <button type="button" @click=${this.#loadQuiz}>${msg("common.tryAgain")}</button></p>`;
    if (!customElements.get("colloquy-quiz")) this.#loadQuiz();
    const { attempts, draft } = this.quizzes.get(quiz.quizId) ?? notBegun;
    const wanted = state === "running" ? (trace.questions?.wanted ?? quiz.questions.length) : null;
    return html`<colloquy-quiz .quiz=${quiz} .attempts=${attempts} .draft=${draft} .wanted=${wanted}></colloquy-quiz>`;
  }

  readonly #loadQuiz = (): void => {
    this.quizFailed = false;
    loadQuiz().catch(() => {
      this.quizFailed = true;
    });
  };

  #modelName(answer: Pick<AnswerView, "provider" | "model">): string {
    if (!answer.model) return "";
    return this.models.find((model) => model.id === `${answer.provider}/${answer.model}`)?.name ?? answer.model;
  }

  /** Why an answer ended early. */
  #mark(answer: AnswerView) {
    if (answer.state === "stopped") return html`<p class="ended">${msg("conversation.stoppedComeKept")}</p>`;
    if (answer.trace.finishReason === "length")
      return html`<p class="ended">${msg("conversation.answerReachedLongest")} <button type="button" @click=${() => this.#act({ kind: "ask", text: msg("conversation.goOnFromThere") })}>${msg("conversation.askToGoOn")}</button></p>`;
    return nothing;
  }

  #problem(answer: AnswerView) {
    if (!answer.problem) return nothing;
    const partly = answer.text ? "text" : answer.artifact ? "quiz" : null;
    const { title, advice, action, canContinue } = problemWords(answer.problem, partly);
    const again = answer.unsent ? msg("conversation.sendAgain") : partly ? msg("conversation.regenerate") : msg("common.tryAgain");
    return html`<div class="problem" role="group" aria-label=${partly ? msg("conversation.interrupted") : msg("conversation.noAnswer")}>
      ${icons.alert}<div><b>${title}</b>${advice ? html`<p>${advice}</p>` : nothing}</div>
      ${
        action || answer.unsent
          ? html`<div class="ways">${
              canContinue && this.last
                ? html`<button type="button" class="button" ?disabled=${this.busy} @click=${() => this.#act({ kind: "ask", text: msg("conversation.goOnFromThere") })}>${msg("conversation.continueAnswer")}</button>`
                : nothing
            }
            ${
              action === "retry"
                ? html`<button type="button" class="button" ?disabled=${this.busy} @click=${() => this.#act({ kind: "retry", turnId: answer.turnId })}>${again}</button>`
                : nothing
            }
      ${answer.unsent ? html`<button type="button" class="button" ?disabled=${this.busy} @click=${() => this.#act({ kind: "take-back" })}>${msg("conversation.editQuestion")}</button>` : nothing}
      ${action === "sign-in" ? html`<button type="button" class="button" @click=${() => this.dispatchEvent(new SignInEvent())}>${msg("common.signIn")}</button>` : nothing}</div>`
          : nothing
      }
    </div>`;
  }

  #actions(exchange: Exchange, answer: AnswerView) {
    const { answers } = exchange;
    const at = answers.indexOf(answer);
    const copyWords =
      this.copied === "yes"
        ? msg("conversation.copied")
        : this.copied === "no"
          ? msg("conversation.couldNotCopy")
          : msg("conversation.copy");
    return html`<div class="acts">
      ${
        answers.length > 1
          ? html`<span class="versions" role="group" aria-label=${msg("conversation.versionsOfThisAnswer")}>
            <button type="button" aria-label=${msg("conversation.formerAnswer")} ?disabled=${at === 0} @click=${() => this.#step(exchange, at - 1, 0)}>${icons.previous}</button>
            <span>${at + 1} / ${answers.length}</span>
            <button type="button" aria-label=${msg("conversation.laterAnswer")} ?disabled=${at === answers.length - 1} @click=${() => this.#step(exchange, at + 1, 1)}>${icons.next}</button></span>`
          : nothing
      }
      <button type="button" class="word" @click=${() => this.#copy(answer)}>${copyWords}</button>
      ${
        answer.problem
          ? nothing
          : html`<button type="button" class="word" ?disabled=${this.busy} @click=${() => this.#act({ kind: "regenerate", turnId: answer.turnId })}>${msg("conversation.regenerate")}</button>`
      }
      <colloquy-sources .citations=${answer.citations}></colloquy-sources>
    </div>`;
  }

  /** Shows another version; the focus stays on the pressed button, or moves to the other if that is disabled. */
  async #step({ key, answers }: Exchange, to: number, button: 0 | 1): Promise<void> {
    const turnId = answers[to]?.turnId;
    if (turnId === undefined) return;
    this.#act({ kind: "show", exchangeKey: key, turnId });
    this.dispatchEvent(new AnnounceEvent(msg("conversation.answerOf", { at: to + 1, all: answers.length })));
    // The owner of `shown` renders another answer element, so wait for it.
    await new Promise(requestAnimationFrame);
    await this.updateComplete;
    const buttons = [...this.querySelectorAll<HTMLButtonElement>(".versions button")];
    const next = buttons[button];
    (next?.disabled ? buttons[1 - button] : next)?.focus({ preventScroll: true });
  }

  #followUps({ trace }: AnswerView) {
    if (!trace.followUps.length) return nothing;
    return html`<ul class="next" aria-label=${msg("conversation.followUpQuestions")}>
      ${trace.followUps.map((text) => html`<li><button type="button" dir="auto" @click=${() => this.#act({ kind: "ask", text })}>${text}</button></li>`)}
    </ul>`;
  }

  async #copy(answer: AnswerView): Promise<void> {
    const words = answer.text || (answer.artifact ? quizAsMarkdown(answer.artifact) : "");
    const markdown = answerAsMarkdown(words, answer.citations, location.origin);
    const ok = await copyAnswer(markdown, answerAsHtml(this.querySelector("colloquy-answer")?.innerHTML ?? "", location.href));
    this.copied = ok ? "yes" : "no";
    this.dispatchEvent(new AnnounceEvent(ok ? msg("conversation.answerCopied") : msg("conversation.browserDidNotAllowCopying")));
    setTimeout(() => {
      this.copied = null;
    }, copiedMs);
  }

  #act(action: TranscriptAction): void {
    this.dispatchEvent(new TranscriptActionEvent(action));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-exchange": ExchangeElement;
  }
}
