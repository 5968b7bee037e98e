import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { problemWords } from "../answers/problem-words.ts";
import type { ClientProblem } from "../api/problems.ts";
import { msg } from "../messages/page.ts";
import type { QuizAttemptEvent, QuizDraftEvent } from "../quiz/events.ts";
import type { QuizAttempt, QuizDraft } from "../quiz/progress.ts";
import "../quiz/quiz.ts";
import { EmbeddedConversation } from "./conversation.ts";
import type { EmbeddedElement } from "./element.ts";
import { EmbeddedPart } from "./part.ts";
import { adoptSheets } from "./styles.ts";
import type { EmbeddedQuiz, QuizPart as Offered } from "./types.ts";

interface QuizHost extends EmbeddedElement {
  quiz: EmbeddedQuiz | null;
}

/** @summary The content of `colloquy-quiz`. */
@customElement("colloquy-embedded-quiz")
export class QuizPart extends EmbeddedPart implements Offered {
  declare host: QuizHost;
  #conversation: EmbeddedConversation | null = null;
  #problem: ClientProblem | null = null;
  #attempts: QuizAttempt[] = [];
  #draft: QuizDraft | null = null;
  #of: string | null = null;
  #page: string | null = null;
  /** The conversation that the quiz was made in; null for a quiz from the page. */
  #madeIn: { talk: EmbeddedConversation; quizId: string } | null = null;

  protected override heading() {
    return html`${msg("embed.quiz")}`;
  }
  protected override invitation(): string {
    return msg("embed.signQuiz");
  }
  protected override serviceChanged(): void {
    this.#conversation?.stop();
    this.#conversation = null;
  }

  /** An existing quiz is shown without a sign-in. */
  protected override note() {
    return this.host.quiz ? null : super.note();
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const page = this.host.getAttribute("page");
    if (page !== this.#page) {
      this.#page = page;
      void this.resolvePage(page);
    }
    const id = this.host.quiz?.quizId ?? null;
    if (id === this.#of) return;
    this.#of = id;
    this.#attempts = [];
    this.#draft = null;
  }

  protected override content() {
    const { quiz } = this.host;
    return html`<div class="colloquy-body">${quiz ? this.#shown(quiz, null) : this.#makeForm()}</div>`;
  }

  #shown(quiz: Quiz, wanted: number | null) {
    return html`<colloquy-quiz .quiz=${quiz} .attempts=${this.#attempts} .draft=${this.#draft} .wanted=${wanted}
      @colloquy-quiz-draft=${this.#onDraft} @colloquy-quiz-attempt=${this.#onAttempt}></colloquy-quiz>`;
  }

  #makeForm() {
    const writing = this.#conversation?.all.at(-1)?.answers.at(-1);
    if (this.#conversation?.busy && writing?.artifact)
      return this.#shown(writing.artifact, writing.trace.questions?.wanted ?? writing.artifact.questions.length);
    if (this.#conversation?.busy)
      return html`<div class="colloquy-note" part="note" aria-busy="true"><h2>${msg("embed.writingQuestions")}</h2><p>${msg("embed.theyBasedCourse")}</p>
        <button type="button" class="colloquy-button" part="button" @click=${() => this.#conversation?.stop()}>${msg("common.stop")}</button></div>`;
    const about = this.host.getAttribute("about");
    const problem = this.#problem && problemWords(this.#problem);
    return html`<div class="colloquy-note" part="note"><h2>${about ? msg("embed.testYourself", { about }) : msg("embed.testYourself2")}</h2>
      ${problem ? html`<p class="trouble" role="alert">${problem.title} ${problem.advice}</p>` : html`<p>${msg("embed.fewQuestionsCourseEach")}</p>`}
      <button type="button" class="colloquy-button primary" part="button" ?disabled=${this.isPageMissing} @click=${() => void this.#make()}>${problem ? msg("common.tryAgain") : msg("embed.makeAQuiz")}</button></div>`;
  }

  async #make(): Promise<void> {
    const { host } = this;
    this.#problem = null;
    const talk = new EmbeddedConversation(this.connection);
    this.#conversation = talk;
    talk.events.on("change", () => this.requestUpdate());
    const page = await this.resolvePage(host.getAttribute("page"));
    const references = page ? [page] : [];
    const about = host.getAttribute("about") ?? references[0]?.title ?? "";
    this.announce(() => msg("embed.writingQuestions2"));
    const answer = await talk.ask(`/quiz ${about}`.trim(), references);
    if (talk !== this.#conversation) return;
    const quiz = answer?.artifact ?? null;
    this.#conversation = null;
    if (quiz) {
      host.quiz = { ...quiz, sources: quiz.sources.map((source) => ({ ...source, href: new URL(source.href, host.service).href })) };
      this.#madeIn = { talk, quizId: quiz.quizId };
      host.emit("colloquy-made", { quiz: host.quiz });
      this.announce(() => msg("embed.theQuizIsReady"));
    } else if (answer?.state !== "stopped" && answer) {
      this.#problem = answer.problem;
      const { code = "unavailable", title = msg("embed.quizCouldNotMade") } = answer.problem ?? {};
      host.emit("colloquy-failed", { code, title });
    }
    this.requestUpdate();
  }

  readonly #onDraft = ({ draft }: QuizDraftEvent) => {
    this.#draft = draft;
    this.requestUpdate();
  };
  readonly #onAttempt = ({ attempt }: QuizAttemptEvent) => {
    this.#attempts = [...this.#attempts, { ...attempt, at: new Date().toISOString() }];
    this.#draft = null;
    this.host.emit("colloquy-scored", { score: attempt.score, answers: attempt.answers });
    this.requestUpdate();
    const { talk, quizId } = this.#madeIn ?? {};
    if (talk && quizId === attempt.quizId)
      void this.record({ record: talk.attempted(attempt), words: () => msg("embed.answersCouldNotSavedHistory") });
  };
}

/** Mounts the part in an element's shadow root. */
export function mount(host: EmbeddedElement, root: ShadowRoot): QuizPart {
  adoptSheets(root);
  const part = Object.assign(document.createElement("colloquy-embedded-quiz"), { host: host as QuizHost });
  root.replaceChildren(part);
  return part;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-embedded-quiz": QuizPart;
  }
}
