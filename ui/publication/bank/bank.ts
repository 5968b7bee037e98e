import type { BankQuestion } from "@colloquy/schemas/publication/questions.ts";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { abortedBy, call, type Fetch } from "../../api/http.ts";
import { type ClientProblem, problemOfThrown, problemTitle } from "../../api/problems.ts";
import { dialogStyles } from "../../controls/dialog.styles.ts";
import { icons } from "../../controls/icons.ts";
import { LightElement } from "../../controls/light-element.ts";
import { formatNumber, msg } from "../../messages/page.ts";
import { rerenderOnLanguageChange } from "../../messages/rerender.ts";
import { lineView } from "../../rendering/line-view.ts";
import { kindNames, placeNames } from "../fields/question-words.ts";
import { bankStyles } from "./bank.styles.ts";
import { type Filter, filterNames, isIn } from "./filters.ts";

/** Where a question stands in the course. */
export interface QuestionPlace {
  topicId: string;
  blockId: string;
}

/** Characters of a version's digest that name it. */
const versionLength = 8;

/** @summary The bank of a course's own questions, for its owners: each with its use, how learners answered it, and the way to its text. */
@customElement("colloquy-question-bank")
export class QuestionBankElement extends LightElement {
  static override lightStyles = [dialogStyles("colloquy-question-bank"), bankStyles];

  @property({ attribute: false }) courseId = "";
  /** Sends requests with the owner's session. */
  @property({ attribute: false }) fetch: Fetch | null = null;
  @property({ attribute: false }) edit: (place: QuestionPlace) => void = () => undefined;
  /** Null before the first read. */
  @state() private questions: readonly BankQuestion[] | null = null;
  @state() private trouble: ClientProblem | null = null;
  @state() private reading = false;
  @state() private filter: Filter = "all";
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
    const { questions, filter } = this;
    const shown = questions?.filter((question) => isIn(filter, question)) ?? [];
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
            : questions.length === 0
              ? html`<p class="none">${msg("bank.noQuestionsYet")}</p>`
              : html`<label class="filter"><span>${msg("bank.show")}</span><select @change=${(event: Event) => {
                  this.filter = (event.target as HTMLSelectElement).value as Filter;
                }}>${(Object.keys(filterNames) as Filter[]).map(
                  (name) =>
                    html`<option value=${name} ?selected=${name === filter}>${msg(filterNames[name])} (${formatNumber(questions.filter((one) => isIn(name, one)).length)})</option>`,
                )}</select></label>
                <p class="visually-hidden" role="status">${msg("bank.shown", { n: shown.length })}</p>
                ${shown.length === 0 ? html`<p class="none">${msg("bank.noneOfTheseQuestions")}</p>` : this.#topics(shown)}`
        }
      </dialog>`;
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
    const { blockId, topicId, kind, level, place, retired, prompt, version, earlierVersions, figures } = question;
    const facts = [
      msg(kindNames[kind]),
      level === "application" ? msg("questionForm.application") : msg("questionForm.recall"),
      msg(placeNames[place]),
    ];
    return html`<li data-question=${blockId}>
      <p class="prompt" dir="auto">${lineView(prompt)}</p>
      <p class="soft">${facts.join(" · ")} · ${msg("bank.version")} <bdi class="version">${version.slice(0, versionLength)}</bdi>${
        earlierVersions > 0 ? html` · ${msg("bank.earlierVersions", { n: earlierVersions })}` : nothing
      }</p>
      ${retired ? html`<p class="retired">${msg("questionForm.retiredNoLongerAsked")}</p>` : nothing}
      ${figures ? this.#figures(figures) : html`<p class="soft">${msg("bank.fewerThanFive")}</p>`}
      <p class="ways"><button type="button" class="button" @click=${() => this.#edit({ topicId, blockId })}>${msg("bank.edit")}<span class="visually-hidden">: ${prompt}</span></button></p></li>`;
  }

  #figures({ asked, learners, right, discrimination, choices }: NonNullable<BankQuestion["figures"]>) {
    const percent = formatNumber(right / learners, { style: "percent", maximumFractionDigits: 0 });
    const r =
      discrimination === null
        ? msg("bank.notComputable")
        : formatNumber(discrimination, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return html`<dl>
        <div><dt>${msg("bank.asked")}</dt><dd>${formatNumber(asked)}</dd></div>
        <div><dt>${msg("bank.learners")}</dt><dd>${formatNumber(learners)}</dd></div>
        <div><dt>${msg("bank.rightAtFirstTry")}</dt><dd>${percent}</dd></div>
        <div><dt>${msg("bank.discrimination")}</dt><dd>${r}</dd></div>
      </dl>
      ${
        choices.length === 0
          ? nothing
          : html`<ul class="choices" aria-label=${msg("bank.choicesTaken")}>${choices.map(
              ({ text, correct, learners: took }) =>
                html`<li>${correct ? html`<span class="right" role="img" aria-label=${msg("bank.rightChoice")}>${icons.check}</span>` : html`<span></span>`}<span dir="auto">${lineView(text)}</span><b>${msg("bank.learnersCount", { n: took })}</b></li>`,
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
      const { questions } = await call(this.fetch, "GET /api/course-editor/questions", { query }, abortedBy(this.#stop?.signal));
      this.questions = questions;
      this.trouble = null;
    } catch (error) {
      if (!this.#stop?.signal.aborted) this.trouble = problemOfThrown(error);
    }
    this.reading = false;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-question-bank": QuestionBankElement;
  }
}
