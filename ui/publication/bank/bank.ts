import { withHeaderField } from "@colloquy/schemas/courses/editing/question-source.ts";
import type { BankQuestion, GeneratedQuestion } from "@colloquy/schemas/publication/questions.ts";
import { shownWords } from "@colloquy/schemas/text/visible-text.ts";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { abortedBy, call, type Fetch } from "../../api/http.ts";
import { type ClientProblem, problemOfThrown, problemTitle } from "../../api/problems.ts";
import { dialogStyles } from "../../controls/dialog.styles.ts";
import { icons } from "../../controls/icons.ts";
import { LightElement } from "../../controls/light-element.ts";
import { formatNumber, msg } from "../../messages/page.ts";
import { rerenderOnLanguageChange } from "../../messages/rerender.ts";
import "../../quiz/quiz-text.ts";
import { lineView } from "../../rendering/line-view.ts";
import { kindNames, placeNames } from "../fields/question-words.ts";
import type { QuestionAddition } from "./add.ts";
import { bankStyles } from "./bank.styles.ts";
import { type Filter, filterNames, hasWords, isIn } from "./filters.ts";

/** Where a question stands in the course. */
export interface QuestionPlace {
  topicId: string;
  blockId: string;
}

/** Characters of a version's digest that name it. */
const versionLength = 8;

/** A prompt or a choice. */
const markdown = (text: string) => html`<colloquy-quiz-text plain dir="auto" .text=${text}></colloquy-quiz-text>`;

/** Questions of models wait for a decision: they stand before all others. */
const listsGenerated = (filter: Filter): boolean => filter === "all" || filter === "generated";

/** @summary The bank of a course's questions, for its owners: its own with their use, how learners answered them, and the way to their text; and those that models wrote, to take over or to retire. */
@customElement("colloquy-question-bank")
export class QuestionBankElement extends LightElement {
  static override lightStyles = [dialogStyles("colloquy-question-bank"), bankStyles];

  @property({ attribute: false }) courseId = "";
  /** Sends requests with the owner's session. */
  @property({ attribute: false }) fetch: Fetch | null = null;
  @property({ attribute: false }) edit: (place: QuestionPlace) => void = () => undefined;
  @property({ attribute: false }) add: (addition: QuestionAddition) => void = () => undefined;
  /** Written by models, for the owners to choose from. */
  @state() private generated: readonly GeneratedQuestion[] = [];
  /** Null before the first read. */
  @state() private questions: readonly BankQuestion[] | null = null;
  @state() private trouble: ClientProblem | null = null;
  @state() private reading = false;
  @state() private filter: Filter = "all";
  @state() private searched = "";
  @query("dialog") private dialog!: HTMLDialogElement;
  #stop: AbortController | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = new AbortController();
    rerenderOnLanguageChange(this, this.#stop.signal);
  }
  override disconnectedCallback(): void {
    this.#stop?.abort();
    super.disconnectedCallback();
  }

  protected override render() {
    const { filter } = this;
    const questions = this.questions && this.#found(this.questions);
    const generated = this.#found(this.generated);
    const shown = questions?.filter((question) => isIn(filter, question)) ?? [];
    const written = listsGenerated(filter) ? generated : [];
    const countOf = (name: Filter): number =>
      (questions?.filter((one) => isIn(name, one)).length ?? 0) + (listsGenerated(name) ? generated.length : 0);
    return html`<button type="button" class="open" aria-haspopup="dialog" @click=${this.#open}>${msg("bank.questions")}</button>
      <dialog aria-labelledby="colloquy-bank-title">
        <div class="head"><h2 id="colloquy-bank-title" tabindex="-1">${msg("bank.questionsOfTheCourse")}</h2>
          <button type="button" class="shut" aria-label=${msg("common.close")} title=${msg("common.close")} @click=${() => this.dialog.close()}>${icons.close}</button></div>
        <p class="soft">${msg("bank.whatTheFiguresCount")}</p>
        <details class="soft"><summary>${msg("bank.whatDiscriminationIs")}</summary><p>${msg("bank.discriminationExplained")}</p></details>
        ${this.#troubleView()}
        ${
          questions === null
            ? this.reading
              ? html`<p class="soft" role="status">${msg("corrections.loading")}</p>`
              : nothing
            : (this.questions?.length ?? 0) + this.generated.length === 0
              ? html`<p class="none">${msg("bank.noQuestionsYet")}</p>`
              : html`<div class="filters"><input type="search" dir="auto" placeholder=${msg("bank.search")} aria-label=${msg("bank.search")} @input=${(
                  event: Event,
                ) => {
                  this.searched = (event.target as HTMLInputElement).value;
                }} />
                <label class="filter"><span>${msg("bank.show")}</span><select @change=${(event: Event) => {
                  this.filter = (event.target as HTMLSelectElement).value as Filter;
                }}>${(Object.keys(filterNames) as Filter[]).map(
                  (name) =>
                    html`<option value=${name} ?selected=${name === filter}>${msg(filterNames[name])} (${formatNumber(countOf(name))})</option>`,
                )}</select></label></div>
                <p class="visually-hidden" role="status">${msg("bank.shown", { n: shown.length + written.length })}</p>
                ${written.length > 0 ? this.#generated(written) : nothing}
                ${shown.length + written.length === 0 ? html`<p class="none">${msg("bank.noneOfTheseQuestions")}</p>` : this.#topics(shown)}`
        }
      </dialog>`;
  }

  /** Those that have the words searched for. */
  #found<One extends BankQuestion | GeneratedQuestion>(all: readonly One[]): One[] {
    return all.filter((one) => {
      const code = "code" in one ? one.code : undefined;
      return hasWords(this.searched, [one.prompt, code, one.topicTitle, one.objective?.text]);
    });
  }

  #troubleView() {
    const { trouble } = this;
    if (!trouble) return nothing;
    return html`<div class="note" role="alert"><p>${icons.alert}<b>${problemTitle(trouble)}</b></p>
      <button type="button" class="button" ?disabled=${this.reading} @click=${() => void this.#read()}>${msg("common.tryAgain")}</button></div>`;
  }

  /** The questions by page and objective, in reading order. */
  #topics(shown: readonly BankQuestion[]) {
    const byTopic = Map.groupBy(shown, ({ topicId }) => topicId);
    return [...byTopic.values()].map((own) => {
      const byObjective = Map.groupBy(own, ({ objective }) => objective?.objectiveId ?? "");
      return html`<section><h3 dir="auto">${own[0]?.topicTitle}</h3>${[...byObjective.values()].map(
        (list) =>
          html`${list[0]?.objective ? html`<h4 dir="auto">${lineView(list[0].objective.text)}</h4>` : nothing}<ul>${list.map((question) => this.#item(question))}</ul>`,
      )}</section>`;
    });
  }

  #item(question: BankQuestion) {
    const { blockId, topicId, kind, level, place, retired, prompt, code, version, earlierVersions, figures } = question;
    const facts = [
      msg(kindNames[kind]),
      level === "application" ? msg("questionForm.application") : msg("questionForm.recall"),
      msg(placeNames[place]),
    ];
    return html`<li data-question=${blockId}>
      ${markdown(prompt)}
      ${code === undefined ? nothing : html`<pre dir="ltr" tabindex="0"><code>${code}</code></pre>`}
      <p class="soft">${facts.join(" · ")} · ${msg("bank.version")} <bdi class="version">${version.slice(0, versionLength)}</bdi>${
        earlierVersions > 0 ? html` · ${msg("bank.earlierVersions", { n: earlierVersions })}` : nothing
      }</p>
      ${retired ? html`<p class="retired">${msg("questionForm.retiredNoLongerAsked")}</p>` : nothing}
      ${figures ? this.#figures(figures) : html`<p class="soft">${msg("bank.fewerThanFive")}</p>`}
      <p class="ways"><button type="button" class="button" @click=${() => this.#edit({ topicId, blockId })}>${msg("bank.edit")}<span class="visually-hidden">: ${shownWords(prompt)}</span></button></p></li>`;
  }

  #generated(written: readonly GeneratedQuestion[]) {
    return html`<section class="generated"><h3>${msg("bank.generated")}</h3><p class="soft">${msg("bank.generatedExplained")}</p>
      <ul>${written.map((question) => this.#generatedItem(question))}</ul></section>`;
  }

  #generatedItem(question: GeneratedQuestion) {
    const { digest, topicTitle, objective, kind, prompt, choices, looked, asked, learners, right, source } = question;
    const named = html`<span class="visually-hidden">: ${shownWords(prompt)}</span>`;
    return html`<li data-generated=${digest}>
      ${markdown(prompt)}
      <p class="soft"><bdi>${topicTitle}</bdi>${objective ? html` · <bdi>${lineView(objective.text)}</bdi>` : nothing} · ${msg(kindNames[kind])} · ${msg(looked ? "bank.secondLookPassed" : "bank.noSecondLook")}</p>
      ${
        choices.length === 0
          ? nothing
          : html`<ul class="choices">${choices.map(({ text, correct }) => html`<li>${rightMark(correct)}${markdown(text)}</li>`)}</ul>`
      }
      <dl>${counts(asked, learners, right)}</dl>
      <p class="ways"><button type="button" class="button" @click=${() => this.#add(question, source)}>${msg("bank.addToTheCourse")}${named}</button>
        <button type="button" class="button" @click=${() => this.#add(question, withHeaderField(source, "retired", "true"))}>${msg("bank.neverAskAgain")}${named}</button></p></li>`;
  }

  #add({ topicId, after }: GeneratedQuestion, source: string): void {
    this.dialog.close();
    this.add({ topicId, after, source });
  }

  #figures({ asked, learners, right, discrimination, choices }: NonNullable<BankQuestion["figures"]>) {
    const r =
      discrimination === null
        ? msg("bank.notComputable")
        : formatNumber(discrimination, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return html`<dl>
        ${counts(asked, learners, right)}
        <div><dt>${msg("bank.discrimination")}</dt><dd>${r}</dd></div>
      </dl>
      ${
        choices.length === 0
          ? nothing
          : html`<ul class="choices" aria-label=${msg("bank.choicesTaken")}>${choices.map(
              ({ text, correct, learners: took }) =>
                html`<li>${rightMark(correct)}${markdown(text)}<b>${msg("bank.learnersCount", { n: took })}</b></li>`,
            )}</ul>`
      }`;
  }

  #edit(place: QuestionPlace): void {
    this.dialog.close();
    this.edit(place);
  }

  readonly #open = (): void => {
    this.dialog.showModal();
    void this.#read();
  };

  async #read(): Promise<void> {
    if (!this.fetch || this.reading) return;
    this.reading = true;
    try {
      const query = { course: this.courseId };
      const { questions, generated } = await call(this.fetch, "GET /api/course-editor/questions", { query }, abortedBy(this.#stop?.signal));
      this.questions = questions;
      this.generated = generated;
      this.trouble = null;
    } catch (error) {
      if (!this.#stop?.signal.aborted) this.trouble = problemOfThrown(error);
    }
    this.reading = false;
  }
}

const counts = (asked: number, learners: number, right: number) =>
  html`<div><dt>${msg("bank.asked")}</dt><dd>${formatNumber(asked)}</dd></div>
    <div><dt>${msg("bank.learners")}</dt><dd>${formatNumber(learners)}</dd></div>
    <div><dt>${msg("bank.rightAtFirstTry")}</dt><dd>${formatNumber(right / learners, { style: "percent", maximumFractionDigits: 0 })}</dd></div>`;

const rightMark = (correct: boolean) =>
  correct ? html`<span class="right" role="img" aria-label=${msg("bank.rightChoice")}>${icons.check}</span>` : html`<span></span>`;

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-question-bank": QuestionBankElement;
  }
}
