import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import { html } from "lit";
import { customElement } from "lit/decorators.js";
import { problemWords } from "../answers/problem-words.ts";
import type { ClientProblem } from "../api/problems.ts";
import { msg } from "../messages/page.ts";
import type { QuizAttemptEvent, QuizDraftEvent } from "../quiz/events.ts";
import type { QuizAttempt, QuizDraft } from "../quiz/progress.ts";
import "../quiz/quiz.ts";
import type { EmbeddedElement } from "./element.ts";
import { pageReference } from "./page-reference.ts";
import { EmbeddedPart } from "./part.ts";
import { dress } from "./styles.ts";
import { Talk } from "./talk.ts";
import type { EmbeddedQuiz, QuizPart as Offered } from "./types.ts";

interface QuizHost extends EmbeddedElement {
  quiz: EmbeddedQuiz | null;
}

/** @summary What `colloquy-quiz` shows. */
@customElement("colloquy-embedded-quiz")
export class QuizPart extends EmbeddedPart implements Offered {
  declare host: QuizHost;
  #talk: Talk | null = null;
  #problem: ClientProblem | null = null;
  #attempts: QuizAttempt[] = [];
  #draft: QuizDraft | null = null;
  #of: string | null = null;
  /** The conversation a quiz was made in. One that the page gave belongs to none. */
  #madeIn: { talk: Talk; quizId: string } | null = null;

  protected override heading() {
    return html`${msg("embed.quiz")}`;
  }
  protected override invitation(): string {
    return msg("embed.signQuiz");
  }
  protected override serviceChanged(): void {
    this.#talk?.stop();
    this.#talk = null;
  }

  /** A quiz that is there is shown, whoever is signed in. */
  protected override note() {
    return this.host.quiz ? null : super.note();
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const id = this.host.quiz?.quizId ?? null;
    if (id === this.#of) return;
    this.#of = id;
    this.#attempts = [];
    this.#draft = null;
  }

  protected override content() {
    const { quiz } = this.host;
    return html`<div class="colloquy-body">${quiz ? this.#shown(quiz, null) : this.#toMake()}</div>`;
  }

  #shown(quiz: Quiz, wanted: number | null) {
    return html`<colloquy-quiz .quiz=${quiz} .attempts=${this.#attempts} .draft=${this.#draft} .wanted=${wanted}
      @colloquy-quiz-draft=${this.#answering} @colloquy-quiz-attempt=${this.#attempted}></colloquy-quiz>`;
  }

  #toMake() {
    const writing = this.#talk?.all.at(-1)?.answers.at(-1);
    if (this.#talk?.busy && writing?.artifact)
      return this.#shown(writing.artifact, writing.trace.questions?.wanted ?? writing.artifact.questions.length);
    if (this.#talk?.busy)
      return html`<div class="colloquy-note" part="note" aria-busy="true"><h2>${msg("embed.writingQuestions")}</h2><p>${msg("embed.theyComeCoursesOwn")}</p>
        <button type="button" class="colloquy-button" part="button" @click=${() => this.#talk?.stop()}>${msg("common.stop")}</button></div>`;
    const about = this.host.getAttribute("about");
    const problem = this.#problem && problemWords(this.#problem);
    return html`<div class="colloquy-note" part="note"><h2>${about ? msg("embed.testYourself", { about }) : msg("embed.testYourself2")}</h2>
      ${problem ? html`<p class="trouble" role="alert">${problem.title} ${problem.advice}</p>` : html`<p>${msg("embed.fewQuestionsCourseEach")}</p>`}
      <button type="button" class="colloquy-button primary" part="button" @click=${() => void this.#make()}>${problem ? msg("common.tryAgain") : msg("embed.makeAQuiz")}</button></div>`;
  }

  async #make(): Promise<void> {
    const { host } = this;
    this.#problem = null;
    const talk = new Talk(this.connection);
    this.#talk = talk;
    talk.events.on("change", () => this.requestUpdate());
    const page = await pageReference(this.connection, host.getAttribute("page"));
    const references = page ? [page] : [];
    const about = host.getAttribute("about") ?? references[0]?.title ?? "";
    this.say(() => msg("embed.writingQuestions2"));
    const answer = await talk.ask(`/quiz ${about}`.trim(), references);
    if (talk !== this.#talk) return;
    const quiz = answer?.artifact ?? null;
    this.#talk = null;
    if (quiz) {
      host.quiz = { ...quiz, sources: quiz.sources.map((source) => ({ ...source, href: new URL(source.href, host.service).href })) };
      this.#madeIn = { talk, quizId: quiz.quizId };
      host.tell("colloquy-made", { quiz: host.quiz });
      this.say(() => msg("embed.theQuizIsReady"));
    } else if (answer?.state !== "stopped" && answer) {
      this.#problem = answer.problem;
      const { code = "unavailable", title = msg("embed.quizCouldMade") } = answer.problem ?? {};
      host.tell("colloquy-failed", { code, title });
    }
    this.requestUpdate();
  }

  readonly #answering = ({ draft }: QuizDraftEvent) => {
    this.#draft = draft;
    this.requestUpdate();
  };
  readonly #attempted = ({ attempt }: QuizAttemptEvent) => {
    this.#attempts = [...this.#attempts, { ...attempt, at: new Date().toISOString() }];
    this.#draft = null;
    this.host.tell("colloquy-scored", { score: attempt.score, answers: attempt.answers });
    this.requestUpdate();
    const { talk, quizId } = this.#madeIn ?? {};
    if (talk && quizId === attempt.quizId)
      void this.keep({ record: talk.attempted(attempt), words: () => msg("embed.answersCouldKeptHistory") });
  };
}

/** Puts it into an element's shadow root. */
export function mount(host: EmbeddedElement, root: ShadowRoot): QuizPart {
  dress(root);
  const part = Object.assign(document.createElement("colloquy-embedded-quiz"), { host: host as QuizHost });
  root.replaceChildren(part);
  return part;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-embedded-quiz": QuizPart;
  }
}
