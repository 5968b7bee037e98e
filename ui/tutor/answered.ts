import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ModelChoice } from "@colloquy/schemas/models.ts";
import type { ShownQuestion } from "@colloquy/schemas/questions/response.ts";
import { solutionOf } from "@colloquy/schemas/questions/solution.ts";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { list, msg } from "../messages/page.ts";
import "../answers/sources.ts";
import { errorWords, markWithErrors } from "../questions/error-words.ts";
import "../questions/fields.ts";
import { markdownTexts } from "../questions/markdown-texts.ts";
import "../quiz/quiz-text.ts";
import { citationHref } from "../rendering/citations.ts";
import { safeHref } from "../rendering/links.ts";
import { answeredStyles } from "./answered.styles.ts";
import { TutorEvent } from "./events.ts";
import { exchangeView } from "./exchange.ts";
import type { AskedQuestion } from "./flow.ts";
import type { UnconfirmedChoice } from "./saved-choice.ts";
import { verdictOf } from "./words.ts";

/** Renders the Markdown of questions of a course's own. */
const questionTexts = markdownTexts();

type Asked = Pick<AskedQuestion["question"], "question">;
type Answer = NonNullable<AskedQuestion["answer"]>;

/**
 * @summary An answered question: the choice, the right answer, the explanation with its passages, the grader, and how much it counts.
 * A grade from a model shows its reasons and can be disputed.
 * @event {TutorEvent} colloquy-tutor
 */
@customElement("colloquy-tutor-answered")
export class TutorAnswered extends LightElement {
  static override lightStyles = [answeredStyles];

  @property({ attribute: false }) asked: AskedQuestion | null = null;
  @property({ attribute: false }) about = "";
  /** The language of the course's text. */
  @property({ attribute: false }) language = "";
  @property({ attribute: false }) models: readonly ModelChoice[] = [];
  /** The submitted answer, until it is graded. */
  @property({ attribute: false }) sent: UnconfirmedChoice | null = null;
  /** The session ended before the answer was graded. */
  @property({ type: Boolean }) lapsed = false;
  @property({ type: Boolean }) busy = false;
  /** The dispute form is open. */
  @state() private disputing = false;
  @query("textarea") private reason!: HTMLTextAreaElement | null;

  protected override render() {
    const { asked, sent, about } = this;
    if (!asked) return nothing;
    const { question, answer, hints, exchanges, explanation } = asked;
    if (question.replaced)
      return html`<section class="answered"><p class="kind">${icons.close}${msg("tutor.askedAnotherQuestionNothing")}</p>
        <details><summary>${msg("tutor.theQuestionWas")}</summary><colloquy-quiz-text lang=${this.language} .text=${question.prompt}></colloquy-quiz-text></details></section>`;
    const helped = [
      ...(hints.length ? [msg("tutor.hints", { n: hints.length })] : []),
      ...(exchanges.some(({ foundNothing }) => !foundNothing) ? [msg("tutor.askingTheTutor")] : []),
      ...(explanation ? [msg("tutor.theExplanation")] : []),
    ];
    return html`<section role="group" class="answered ${answer ? verdictOf(answer).name : "sent"}" aria-label=${answer ? msg("tutor.questionAndVerdict") : msg("tutor.questionAnswered")}>
      <p class="kind">${question.review ? msg("common.review") : question.film ? msg("ledger.closingQuestionFilm") : question.itemKind === "probe" ? msg("ledger.firstQuestion") : msg("common.check")} · ${about}</p>
      ${question.question ? this.#authored(question.question, answer, sent) : this.#plain(asked, answer, sent)}
      ${answer ? this.#verdict(asked, answer, helped) : nothing}
      ${exchanges.length ? html`<details class="model"><summary>${msg("tutor.whatYouAsked")}</summary>${exchanges.map(exchangeView)}</details>` : nothing}
      ${this.lapsed ? html`<p class="lapsed">${icons.close}${msg("tutor.notCountedCourseUpdatedFirst")}</p>` : nothing}
    </section>`;
  }

  #plain(asked: AskedQuestion, answer: Answer | null, sent: UnconfirmedChoice | null) {
    const { question } = asked;
    return html`<colloquy-quiz-text lang=${this.language} class="prompt" .text=${question.prompt}></colloquy-quiz-text>
      ${question.selection === "text" ? this.#words(answer, sent) : this.#choices(asked, answer?.choiceIds ?? sent?.choiceIds ?? [])}`;
  }

  /** A question of the course's own with what was given and, once it is marked, what of it is right. */
  #authored(question: ShownQuestion, answer: Answer | null, sent: UnconfirmedChoice | null) {
    const response = (answer ? answer.response : sent?.response) ?? null;
    const key = answer?.key;
    const isDeleted = answer !== null && response === null;
    const result =
      !answer || !key || isDeleted
        ? null
        : { ...(response && markWithErrors(key, response)), correct: answer.correct, solution: solutionOf(key) };
    return html`<colloquy-question-fields .question=${question} .texts=${questionTexts} .response=${response} .result=${result} .language=${this.language} locked></colloquy-question-fields>
      ${isDeleted ? html`<p class="said"><em>${msg("ledger.yourWordsWereDeleted")}</em></p>` : nothing}`;
  }

  /** What is wrong in the response, the author's words on it, and what is right where the question itself does not show it. */
  #feedback({ question }: Asked, { key, response, correct, modelAnswer, citations }: Answer) {
    if (!key || !question) return nothing;
    const { errors = [], feedback = [] } = response ? markWithErrors(key, response) : {};
    const text = (markdown: string) =>
      html`<colloquy-quiz-text lang=${this.language} .text=${markdown} .citations=${citations}></colloquy-quiz-text>`;
    return html`${errors.map((error) => html`<p class="error">${errorWords(error, question, response ?? null)}</p>`)}${feedback.map(text)}${correct || !modelAnswer ? nothing : html`<div class="key"><p class="kind">${icons.check}${msg("quiz.rightAnswer")}</p>${text(modelAnswer)}</div>`}`;
  }

  /** The passage that the question rests on most, to read again after a wrong answer. */
  #passage({ citations: [citation], modelAnswer }: Answer) {
    // What the right answer says, to the word, helps nobody on.
    if (!citation?.quote || hasSameLetters(citation.quote, modelAnswer)) return nothing;
    return html`<figure class="passage"><figcaption>${msg("question.readAgain")} <a dir="auto" lang=${this.language} href=${safeHref(citationHref(citation)) ?? nothing}>${citation.title}</a></figcaption>
      <blockquote dir="auto" lang=${this.language}><colloquy-quote .text=${citation.quote}></colloquy-quote></blockquote></figure>`;
  }

  #words(answer: Answer | null, sent: UnconfirmedChoice | null) {
    const text = answer ? answer.text : (sent?.text ?? "");
    return html`<p class="said" dir="auto">${text === null ? html`<em>${msg("ledger.yourWordsWereDeleted")}</em>` : text}</p>`;
  }

  /** The chosen and the right choices; the others are left out. */
  #choices({ question, answer }: AskedQuestion, chosen: readonly string[]) {
    const shown = question.choices.filter(({ choiceId }) => chosen.includes(choiceId) || answer?.right.includes(choiceId));
    return html`<ul class="choices">${shown.map(({ choiceId, text }) => {
      const mine = chosen.includes(choiceId);
      const right = answer?.right.includes(choiceId);
      const [kind, icon, words] = !answer
        ? ["mine", nothing, msg("ledger.yourAnswer")]
        : right
          ? ["right", icons.check, mine ? msg("quiz.yourAnswerRight") : msg("quiz.rightAnswer")]
          : ["wrong", icons.close, msg("quiz.yourAnswerNotRight")];
      return html`<li class=${kind}><colloquy-quiz-text plain lang=${this.language} .text=${text}></colloquy-quiz-text><span class="verdict">${icon}<span class="visually-hidden">: </span>${words}</span></li>`;
    })}</ul>`;
  }

  #verdict({ question }: AskedQuestion, answer: Answer, helped: string[]) {
    const { icon, words } = verdictOf(answer);
    const facts = [
      ...(answer.disputed ? [msg("tutor.disputedGradeDoesNotCount")] : []),
      // Practice never counts, so that only help of its own is told.
      ...(answer.aided && (question.counts !== false || helped.length > 0) ? aidedWords(question, answer, helped) : []),
      ...(question.counts === false ? [msg("tutor.practiceOnly")] : []),
      ...(answer.compared
        ? [msg("tutor.noModelJudges")]
        : answer.gradedBy === "model"
          ? [answer.model ? msg("tutor.gradedByAModel", { name: this.#nameOf(answer.model) }) : msg("tutor.gradedByAModel2")]
          : []),
      ...(answer.receipt === null ? [] : [msg("explainer.event", { event: String(answer.receipt) })]),
    ];
    return html`<div class="outcome">
      <p class="words">${icon}<b>${words}</b><span>${facts.join(" · ")}</span></p>
      ${answer.criteria.length && !answer.compared ? this.#criteria(answer) : nothing}
      ${
        question.selection === "text" && answer.modelAnswer && !answer.explanation.includes(answer.modelAnswer)
          ? html`<details class="model" ?open=${answer.compared}><summary>${msg("tutor.modelAnswer")}</summary><colloquy-quiz-text lang=${this.language} .text=${answer.modelAnswer} .citations=${answer.citations}></colloquy-quiz-text></details>`
          : nothing
      }
      ${this.#feedback(question, answer)}
      ${
        repeatsAnswer(question, answer)
          ? nothing
          : html`<colloquy-quiz-text lang=${this.language} class="why" .text=${answer.explanation} .citations=${answer.citations}></colloquy-quiz-text>`
      }
      ${answer.correct || answer.compared || answer.disputed ? nothing : this.#passage(answer)}
      <div class="from"><colloquy-sources .citations=${answer.citations}></colloquy-sources>${this.#dispute(answer)}</div>
      ${this.disputing && answer.disputable ? this.#disputeForm(answer) : nothing}
    </div>`;
  }

  #nameOf(model: string): string {
    return this.models.find(({ id }) => id === model)?.name ?? model;
  }

  #criteria({ criteria }: Answer) {
    return html`<ul class="criteria" aria-label=${msg("tutor.howItWasGraded")}>${criteria.map(
      ({ criterion, met, reason }) =>
        html`<li class=${met ? "met" : "unmet"}>${met ? icons.check : icons.close}<span><colloquy-quiz-text plain lang=${this.language} .text=${criterion}></colloquy-quiz-text><span class="visually-hidden">${met ? msg("tutor.met") : msg("tutor.notMet")}</span>${reason ? html`<small>${reason}</small>` : nothing}</span></li>`,
    )}</ul>`;
  }

  #dispute({ disputable }: Answer) {
    if (!disputable || this.disputing) return nothing;
    return html`<button type="button" class="word" @click=${this.#openDispute}>${msg("tutor.disputeThisGrade")}</button>`;
  }

  #disputeForm({ itemId }: Answer) {
    return html`<form class="dispute" @submit=${(event: Event) => this.#sendDispute(event, itemId)}>
      <label>${msg("tutor.didGradingGetWrong")} <small>${msg("tutor.optionalGradeSetAside")}</small>
        <textarea rows="2" dir="auto" maxlength=${bounds.tutor.disputeLength}></textarea></label>
      <div><button class="quiet" aria-disabled=${this.busy ? "true" : nothing}>${msg("tutor.doNotCountGrade")}</button>
        <button type="button" class="word" @click=${() => (this.disputing = false)}>${msg("explainer.leaveIt")}</button></div></form>`;
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

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
const hasSameLetters = (one: string, other: string): boolean => lettersOf(one) === lettersOf(other);

/** Whether the explanation is no more than the right answer, which stands above it already. */
const repeatsAnswer = ({ choices }: AskedQuestion["question"], { explanation, modelAnswer, right }: Answer): boolean =>
  [modelAnswer, choices.flatMap(({ choiceId, text }) => (right.includes(choiceId) ? text : [])).join("\n\n")].includes(explanation);

/** That a right answer does not count, and why; of a wrong one, which counts, with what help it was given. */
function aidedWords({ film }: AskedQuestion["question"], { correct }: Answer, helped: readonly string[]): string[] {
  const help = list(helped);
  if (!correct) return help ? [msg("tutor.answeredWith", { help })] : [];
  if (film) return [msg("tutor.notCountedVideo")];
  return [help ? msg("tutor.notCountedWith", { help }) : msg("tutor.notCountedShown")];
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tutor-answered": TutorAnswered;
  }
}
