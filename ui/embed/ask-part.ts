import type { ModelsResponse } from "@colloquy/schemas/models.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { html, nothing } from "lit";
import { customElement, query } from "lit/decorators.js";
import { problemTitle } from "../api/problems.ts";
import { msg } from "../messages/page.ts";
import "../composer/composer.ts";
import { loadAnswerWriter } from "../answers/answer.ts";
import type { CommandName } from "../composer/commands.ts";
import type { Composer } from "../composer/composer.ts";
import type { AttachEvent, DetachEvent, DraftEvent, SendEvent } from "../composer/events.ts";
import { toAttachedReference } from "../conversations/attached.ts";
import type { TranscriptActionEvent } from "../conversations/events.ts";
import "../conversations/transcript.ts";
import type { QuizState } from "../conversations/quizzes.ts";
import type { QuizAttemptEvent, QuizDraftEvent } from "../quiz/events.ts";
import type { QuizDraft } from "../quiz/progress.ts";
import { citationHref } from "../rendering/citations.ts";
import { EmbeddedConversation } from "./conversation.ts";
import type { EmbeddedElement } from "./element.ts";
import { EmbeddedPart } from "./part.ts";
import { adoptSheets } from "./styles.ts";
import type { EmbeddedCitation, AskPart as Offered } from "./types.ts";

/** Commands that work without the workspace around them. */
const commandsHere: readonly CommandName[] = ["quiz", "ask"];

/** @summary The content of `colloquy-ask`. */
@customElement("colloquy-embedded-ask")
export class AskPart extends EmbeddedPart implements Offered {
  @query("colloquy-composer") private composer!: Composer | null;
  #conversation: EmbeddedConversation | null = null;
  #models: ModelsResponse | null = null;
  #references: AttachedReference[] = [];
  #page: string | null = null;
  /** The unsent text. It survives a sign-out, unlike the conversation, which belongs to its reader. */
  #draft: string | null = null;
  readonly #quizzes = new Map<string, QuizState>();

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add("fixed");
  }

  protected override serviceChanged(): void {
    this.#conversation?.stop();
    this.#conversation = null;
    this.#models = null;
  }

  protected override heading() {
    return html`${msg("embed.askTheCourse")}`;
  }
  protected override invitation(): string {
    return msg("page.signInToAsk");
  }

  /** Starts a conversation at sign-in; another reader gets a new one. */
  protected override willUpdate(): void {
    super.willUpdate();
    if (this.state !== "signed-in") {
      if (this.state === "refused") this.serviceChanged();
      return;
    }
    if (this.#conversation && this.#conversation.reader !== this.connection.reader) {
      this.#conversation.stop();
      this.#conversation = null;
      this.#quizzes.clear();
    }
    if (!this.#conversation) {
      this.#conversation = new EmbeddedConversation(this.connection);
      this.#conversation.events.on("change", () => this.requestUpdate());
      void loadAnswerWriter().catch(() => undefined);
      void this.connection.api.models().then(
        (models) => {
          this.#models = models;
          this.requestUpdate();
        },
        () => undefined,
      );
    }
    const page = this.host.getAttribute("page");
    if (page !== this.#page) void this.#attachPage(page);
  }

  /** Attaches the page that the questions are about. */
  async #attachPage(page: string | null): Promise<void> {
    this.#page = page;
    const reference = await this.resolvePage(page);
    if (page !== this.#page) return;
    this.#references = reference ? [reference] : [];
    this.requestUpdate();
  }

  protected override content() {
    const talk = this.#conversation;
    if (!talk) return nothing;
    const exchanges = talk.all;
    return html`<div class="colloquy-talk">
      ${
        exchanges.length
          ? html`<colloquy-transcript .exchanges=${exchanges} .shown=${new Map(talk.shown)} .quizzes=${new Map(this.#quizzes)} .models=${this.#models?.models ?? []} ?busy=${talk.busy}
              @colloquy-transcript-action=${this.#onAction} @colloquy-quiz-draft=${this.#onQuizDraft} @colloquy-quiz-attempt=${this.#onQuizAttempt}></colloquy-transcript>`
          : html`<div class="colloquy-note"><h2>${this.#references[0] ? msg("common.askAbout", { title: this.#references[0].title }) : msg("embed.wouldLikeKnow")}</h2>
              <p>${msg("embed.everyStatementAnswerLeads")}</p></div>`
      }
      <div class="foot"><colloquy-composer exportparts="box:composer, text:composer-text, send:composer-send" .references=${this.#references} .text=${this.#initialText()}
        .models=${[]} .commands=${commandsHere} .configured=${this.#models?.models.length === 0 ? false : null} ?busy=${talk.busy} .search=${(text: string, signal: AbortSignal) => this.connection.api.references(text, signal)}
        @colloquy-draft=${(event: DraftEvent) => (this.#draft = event.text)}
        @colloquy-send=${(event: SendEvent) => void this.ask(event.text)} @colloquy-stop=${() => talk.stop()}
        @colloquy-attach=${(event: AttachEvent) => this.#refer([...this.#references, toAttachedReference(event.reference)])}
        @colloquy-detach=${(event: DetachEvent) => this.#refer(this.#references.filter(({ href }) => href !== event.href))}></colloquy-composer></div>
    </div>`;
  }

  /** The field's text; at first the `question` attribute. */
  #initialText(): string {
    return this.composer?.text ?? this.#draft ?? this.host.getAttribute("question") ?? "";
  }

  #refer(references: AttachedReference[]): void {
    this.#references = references;
    this.requestUpdate();
  }

  async ask(question: string, replaces: string | null = null): Promise<void> {
    const talk = this.#conversation;
    if (!talk || talk.busy || !question.trim() || this.state !== "signed-in") return;
    if (!replaces) this.#write("");
    this.host.emit("colloquy-asked", { question });
    this.announce(() => msg("embed.generatingAnAnswer"));
    const answer = await talk.ask(question, this.#references, replaces);
    if (!answer) return;
    const { text, citations, problem, state } = answer;
    if (problem?.code === "sign_in_required" && !replaces) this.#write([question, this.#draft].filter(Boolean).join("\n\n"));
    if (problem) this.host.emit("colloquy-failed", { code: problem.code, title: problem.title });
    else if (state === "finished")
      this.host.emit("colloquy-answered", { text, citations: citations.map((citation) => this.#publicCitation(citation)) });
    this.announce(() =>
      problem ? problemTitle(problem) : state === "finished" ? msg("conversation.answerComplete") : msg("common.stopped"),
    );
  }

  #write(text: string): void {
    this.#draft = text;
    if (this.composer) this.composer.text = text;
  }

  #publicCitation(citation: Citation): EmbeddedCitation {
    const { number, title, quote } = citation;
    return { number, title, quote, href: this.host.service + citationHref(citation) };
  }

  readonly #onAction = ({ action }: TranscriptActionEvent) => {
    const talk = this.#conversation;
    if (!talk) return;
    const exchange =
      "turnId" in action ? talk.exchanges.find(({ answers }) => answers.some(({ turnId }) => turnId === action.turnId)) : undefined;
    if (action.kind === "ask") void this.ask(action.text);
    else if (action.kind === "show") {
      talk.shown.set(action.exchangeKey, action.turnId);
      this.requestUpdate();
    } else if (exchange && action.kind !== "take-back") {
      talk.shown.delete(exchange.key);
      void this.ask(exchange.question, action.turnId);
    }
  };

  readonly #onQuizDraft = ({ quizId, draft }: QuizDraftEvent) => this.#quizState(quizId, draft);
  readonly #onQuizAttempt = ({ attempt }: QuizAttemptEvent) => {
    const attempts = [...(this.#quizzes.get(attempt.quizId)?.attempts ?? []), { ...attempt, at: new Date().toISOString() }];
    this.#quizzes.set(attempt.quizId, { attempts, draft: null });
    this.requestUpdate();
    if (this.#conversation)
      void this.record({ record: this.#conversation.attempted(attempt), words: () => msg("embed.answersCouldNotSavedHistory") });
  };

  #quizState(quizId: string, draft: QuizDraft | null): void {
    this.#quizzes.set(quizId, { attempts: this.#quizzes.get(quizId)?.attempts ?? [], draft });
    this.requestUpdate();
  }
}

/** Mounts the part in an element's shadow root. */
export function mount(host: EmbeddedElement, root: ShadowRoot): AskPart {
  adoptSheets(root);
  const part = Object.assign(document.createElement("colloquy-embedded-ask"), { host });
  root.replaceChildren(part);
  return part;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-embedded-ask": AskPart;
  }
}
