import type { ModelsResponse } from "@colloquy/schemas/models.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import { css, html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { msg } from "../messages/page.ts";
import "../composer/composer.ts";
import { loadAnswerWriter } from "../answers/answer.ts";
import type { Composer } from "../composer/composer.ts";
import type { AttachEvent, ChooseModeEvent, ChooseModelEvent, DetachEvent, DraftEvent, GoalEvent, SendEvent } from "../composer/events.ts";
import type { Search } from "../composer/reference-search.ts";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { LightElement } from "../controls/light-element.ts";
import { loadOnce } from "../controls/load-once.ts";
import { Subscription } from "../controls/subscription.ts";
import type { QuizAttemptEvent, QuizDraftEvent } from "../quiz/events.ts";
import type { TutorEvent } from "../tutor/events.ts";
import { toAttachedReference } from "./attached.ts";
import type { ReadingPlaceEvent, TranscriptActionEvent } from "./events.ts";
import type { ConversationSession } from "./session.ts";
import type { SideQuestionsLayout } from "./side-questions.ts";
import "./transcript.ts";
import "./welcome.ts";

/** Loads the tutor's elements on first use. */
const loadTutored = loadOnce(() => import("./tutored.ts"));

/** From this width on, side questions are shown beside the lesson; below it, in a tab. */
const besidePx = 860;

/**
 * @summary One conversation: its transcript or a welcome, and the composer. During tutoring, side questions are shown beside the lesson,
 *   or in a tab if there is no room.
 */
@customElement("colloquy-conversation")
export class ConversationElement extends LightElement {
  static override lightStyles = [
    css`
      colloquy-conversation { display: grid; grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); min-block-size: 0; background: var(--paper); }
      colloquy-conversation > .foot { inline-size: 100%; max-inline-size: 43rem; margin-inline: auto; padding: 0 var(--s4) calc(var(--s4) + env(safe-area-inset-bottom)); display: grid; gap: var(--s2); }
      colloquy-conversation > .absent { display: grid; align-content: center; justify-items: start; gap: var(--s2); max-inline-size: 34rem; margin: auto; padding: var(--s5); font: var(--text-m)/1.5 var(--font-ui); color: var(--ink-soft); }
      colloquy-conversation > .absent h2 { margin: 0; font: 600 1.5rem/1.25 var(--font-read); color: var(--ink); }
      colloquy-conversation > .absent p { margin: 0; }
      colloquy-conversation > .absent a { color: var(--accent); font-weight: 600; }
      colloquy-conversation > .opening { padding: var(--s6) var(--s5); max-inline-size: calc(38.5rem + 2 * var(--s5)); inline-size: 100%; margin-inline: auto; display: grid; gap: var(--s4); align-content: start; }
      colloquy-conversation > .opening i { display: block; block-size: 1rem; border-radius: 6px; background: var(--sunken); animation: wait var(--pulse, 1.4s) ease-in-out infinite; }
      @keyframes wait { 50% { opacity: .45; } }
      @media (prefers-reduced-motion: reduce) { colloquy-conversation > .opening i { animation: none; } }
      @media (forced-colors: active) { colloquy-conversation > .opening i { background: GrayText; } }
      @media (max-width: 760px) { colloquy-conversation > .foot { padding-inline: 10px; padding-block-end: calc(14px + env(safe-area-inset-bottom)); } }
    `,
  ];

  @property({ attribute: false }) session: ConversationSession | null = null;
  /** Null until known. */
  @property({ attribute: false }) models: ModelsResponse | null = null;
  @property({ attribute: false }) recent: ReferenceResult[] = [];
  /** Ids of models that the picker hides. */
  @property({ attribute: false }) hiddenModels: ReadonlySet<string> = new Set();
  /** The page that led here and open pages. */
  @property({ attribute: false }) pages: ReferenceResult[] = [];
  @property({ attribute: false }) search: Search = async () => [];
  /** Why nothing can be sent. */
  @property({ attribute: false }) blocked: string | null = null;
  /** A line above the composer, such as "offline". */
  @property({ attribute: false }) notice: unknown = nothing;
  /** The tutor's script did not load. */
  @state() private tutorFailed = false;
  /** The tutor's module; null until loaded. */
  @state() private tutored: typeof import("./tutored.ts") | null = null;
  /** There is room for side questions beside the lesson. */
  @state() private roomy = true;
  @query("colloquy-composer") private composer!: Composer | null;
  readonly #name = `conversation-${serial++}`;
  readonly #sizes = new ResizeObserver(([size]) => {
    const width = size?.contentRect.width ?? 0;
    // Without a width the element is hidden, not narrow.
    if (width === 0) return;
    const roomy = width >= besidePx;
    // The first measurement closes nothing: what is open stays open.
    const resize = this.#measured ? () => this.#resized(roomy) : () => (this.roomy = roomy);
    this.#measured = true;
    if (roomy !== this.roomy) requestAnimationFrame(resize);
  });
  #measured = false;
  /** The session whose side questions were closed because the room became too narrow. */
  #narrowedSession: ConversationSession | null = null;

  constructor() {
    super();
    new Subscription(
      this,
      () => this.session,
      (session) => {
        const stop = [
          session.events.on("change", () => this.requestUpdate()),
          session.events.on("returned", ({ question }) => this.#write(question)),
          session.events.on("announce", ({ text }) => this.dispatchEvent(new AnnounceEvent(text))),
        ];
        return () => {
          for (const end of stop) end();
        };
      },
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sizes.observe(this);
    this.addEventListener("colloquy-transcript-action", this.#onAction);
    this.addEventListener("keydown", this.#onKeydown);
    this.addEventListener("colloquy-tutor", this.#onTutorCommand);
    window.addEventListener("focus", this.#onWindowFocus);
    this.addEventListener("colloquy-quiz-draft", this.#onQuizDraft);
    this.addEventListener("colloquy-quiz-attempt", this.#onQuizAttempt);
  }
  override disconnectedCallback(): void {
    this.#sizes.disconnect();
    this.removeEventListener("colloquy-transcript-action", this.#onAction);
    this.removeEventListener("keydown", this.#onKeydown);
    this.removeEventListener("colloquy-tutor", this.#onTutorCommand);
    window.removeEventListener("focus", this.#onWindowFocus);
    this.removeEventListener("colloquy-quiz-draft", this.#onQuizDraft);
    this.removeEventListener("colloquy-quiz-attempt", this.#onQuizAttempt);
    super.disconnectedCallback();
  }

  focusComposer(): void {
    this.composer?.focus({ preventScroll: true });
  }

  protected override render() {
    const { session } = this;
    if (!session) return nothing;
    if (session.presence === "missing" || session.presence === "deleted" || session.presence === "unreachable")
      return this.#absent(session);
    const { mode, tutoring } = session;
    const goal = mode === "tutor" && !tutoring?.session;
    const teaching = mode === "tutor" && !session.hasSideQuestions;
    return keyed(
      session.id,
      html`${mode === "tutor" ? this.#tutored(session) : this.#asked(session)}
        <div class="foot">${this.notice}
          <colloquy-composer .text=${session.draftText} .references=${session.references} .pages=${this.pages} .hiddenModels=${this.hiddenModels} .models=${this.models?.models ?? []}
            ?automatic=${this.models?.automatic ?? false} .model=${session.model} .mode=${teaching ? "tutor" : "ask"} ?goal=${goal} .wanting=${goal && !tutoring?.courseId ? msg("conversation.chooseCourseFirstTutor") : null}
            ?busy=${session.busy || (teaching && (tutoring?.busy ?? false))} .blocked=${this.blocked}
            .configured=${this.models ? this.models.models.length > 0 : null} .search=${this.search}
            @colloquy-send=${(event: SendEvent) => void session.send(event.text)} @colloquy-goal=${this.#startTutoring}
            @colloquy-stop=${() => (session.busy ? session.stop() : tutoring?.stop())}
            @colloquy-draft=${(event: DraftEvent) => {
              prepare();
              session.write(event.text);
            }} @colloquy-attach=${this.#attach}
            @colloquy-detach=${(event: DetachEvent) => session.detach(event.href)}
            @colloquy-choose-mode=${(event: ChooseModeEvent) => session.chooseMode(event.mode)}
            @colloquy-choose-model=${(event: ChooseModelEvent) => session.choose(event.selection)}></colloquy-composer>
        </div>`,
    );
  }

  /** When the room becomes too narrow, side questions close unless they have the focus; when it widens, they open again. */
  #resized(roomy: boolean): void {
    const { session } = this;
    const among = this.querySelector(":scope > :is(.questions, .foot):focus-within");
    if (!roomy && this.#sideQuestionsLayout === "split" && session && !among) {
      this.#narrowedSession = session;
      session.chooseMode("tutor");
    } else if (roomy) {
      if (session && this.#narrowedSession === session && session.mode === "tutor" && !session.hasSideQuestions) session.chooseMode("ask");
      this.#narrowedSession = null;
    }
    this.roomy = roomy;
  }

  /** The layout of side questions; null if nothing was asked beside the lesson. */
  get #sideQuestionsLayout(): SideQuestionsLayout | null {
    const { session, roomy } = this;
    if (session?.mode !== "tutor" || !session.tutoring?.session || !this.tutored) return null;
    if (roomy) return session.hasSideQuestions ? "split" : null;
    if (session.hasSideQuestions) return "questions";
    return session.exchanges.length ? "lesson" : null;
  }

  protected override willUpdate(): void {
    const beside = this.#sideQuestionsLayout;
    if (beside) this.dataset.beside = beside;
    else delete this.dataset.beside;
  }

  #tutored(session: ConversationSession) {
    if (this.tutorFailed)
      return html`<div class="absent"><h2>${msg("conversation.tutorDidNotLoad")}</h2><p>${msg("conversation.connectionMayBroken")}</p><p><button type="button" class="button" @click=${this.#loadTutor}>${msg("common.tryAgain")}</button></p></div>`;
    const { tutoring } = session;
    if (!this.tutored || !tutoring) return this.#opening(msg("conversation.openingTheTutor"));
    const { besideTabs, lesson, questions } = this.tutored;
    const beside = this.#sideQuestionsLayout;
    const tutor = html`<colloquy-tutor .tutoring=${tutoring} .models=${this.models?.models ?? []} .model=${session.model} .references=${session.references}></colloquy-tutor>`;
    const turn = (to: "lesson" | "questions") => session.chooseMode(to === "lesson" ? "tutor" : "ask");
    return html`${beside === "lesson" || beside === "questions" ? besideTabs(this.#name, beside, turn) : nothing}
      ${lesson(this.#name, beside, tutor)}
      ${beside ? questions(this.#name, beside, session.exchanges.length, this.#asked(session), () => this.#closeQuestions(session)) : nothing}`;
  }

  /** The pressed button disappears, so the composer gets the focus. */
  #closeQuestions(session: ConversationSession): void {
    session.chooseMode("tutor");
    this.focusComposer();
  }

  #asked(session: ConversationSession) {
    const { exchanges } = session;
    if (exchanges.length)
      return html`<colloquy-transcript .exchanges=${exchanges} .shown=${new Map(session.shown)} .quizzes=${session.quizzes} .models=${this.models?.models ?? []}
        .name=${session.title} .place=${session.place} ?busy=${session.busy} @colloquy-reading-place=${({ place }: ReadingPlaceEvent) => {
          session.place = place;
        }}></colloquy-transcript>`;
    if (session.presence === "loading") return this.#opening(msg("conversation.openingTheConversation"));
    return html`<colloquy-welcome .references=${session.references} .recent=${this.recent} @colloquy-attach=${this.#attach}></colloquy-welcome>`;
  }

  #opening(words: string) {
    return html`<div class="opening" role="group" aria-busy="true" aria-label=${words}><i style="width:55%;justify-self:end"></i><i style="width:92%"></i><i style="width:84%"></i><i style="width:61%"></i></div>`;
  }

  readonly #loadTutor = async (): Promise<void> => {
    this.tutorFailed = false;
    try {
      const [tutored] = await Promise.all([loadTutored(), this.session?.openTutoring()]);
      this.adoptStyles([tutored.besideStyles]);
      this.tutored = tutored;
    } catch {
      this.tutorFailed = true;
    }
  };

  /** The mode may have been changed here, before a reload, or on another device. */
  protected override updated(): void {
    const { session } = this;
    if (session?.mode !== "tutor" || this.tutorFailed) return;
    if (!this.tutored || (session.tutoring?.presence ?? "unread") === "unread") void this.#loadTutor();
  }

  readonly #startTutoring = async ({ goal }: GoalEvent) => {
    const { session } = this;
    if (!session) return;
    // What is attached names a course only once the tutor has loaded.
    const tutoring = await session.loadTutoring().catch(() => null);
    if (tutoring?.courseId) await session.startTutoring(goal);
    else await this.#askForCourse();
  };

  /** The tutor may still be loading. */
  async #askForCourse(): Promise<void> {
    await loadTutored().catch(() => undefined);
    const tutor = this.querySelector("colloquy-tutor");
    await tutor?.updateComplete;
    if (customElements.get("colloquy-tutor")) tutor?.focusCourses();
  }

  readonly #onTutorCommand = ({ command }: TutorEvent) => {
    if (this.session) void this.tutored?.carryOut(command, this.session);
    if (command.kind === "reword") this.focusComposer();
  };

  /** Another device may have continued meanwhile. */
  readonly #onWindowFocus = () => {
    if (this.session?.mode === "tutor") void this.session.tutoring?.refresh();
  };

  #absent({ presence, redirectTo: leadsTo }: ConversationSession) {
    if (leadsTo)
      return html`<div class="absent"><h2>${msg("conversation.sessionTutor")}</h2><p>${msg("conversation.pathQuestionsShownStand")}</p><p><a href=${`/ai?conversation=${encodeURIComponent(leadsTo)}`}>${msg("conversation.openTheSession")}</a></p></div>`;
    const words = {
      missing: [msg("conversation.conversationNotFound"), msg("conversation.deletedBelongsAnotherAccount")],
      deleted: [msg("conversation.thisConversationWasDeleted"), msg("conversation.deletedAnotherDeviceMoment")],
      unreachable: [msg("conversation.conversationCannotOpenedRight"), msg("conversation.serviceDoesNotRespondBrowserNo")],
    } as const;
    const [title, text] = words[presence as keyof typeof words];
    return html`<div class="absent"><h2>${title}</h2><p>${text}</p><p><a href="/ai">${msg("conversation.beginANewConversation")}</a></p></div>`;
  }

  readonly #attach = (event: AttachEvent) => {
    this.session?.attach(toAttachedReference(event.reference));
    this.focusComposer();
  };

  readonly #onAction = ({ action }: TranscriptActionEvent) => {
    const { session } = this;
    if (!session) return;
    if (action.kind === "regenerate") void session.regenerate(action.turnId);
    else if (action.kind === "retry") void session.retry(action.turnId);
    else if (action.kind === "take-back") void session.withdrawUnsent();
    else if (action.kind === "show") session.show(action.exchangeKey, action.turnId);
    else if (this.blocked) this.#write(action.text);
    else void session.send(action.text);
    // The pressed button disappears, so the composer gets the focus, where Escape stops the answer. Not on touch screens: the keyboard
    // would cover it.
    if (action.kind !== "show" && !matchMedia("(pointer: coarse)").matches) this.focusComposer();
  };

  readonly #onQuizDraft = ({ quizId, draft }: QuizDraftEvent) => this.session?.keepQuiz(quizId, draft);
  readonly #onQuizAttempt = ({ attempt }: QuizAttemptEvent) => void this.session?.attemptQuiz(attempt);

  #write(text: string): void {
    if (this.composer) this.composer.text = text;
  }

  /** F6 moves between composer, transcript and the tutor's regions. */
  readonly #onKeydown = (event: KeyboardEvent) => {
    if (event.key !== "F6" || event.ctrlKey || event.metaKey || event.altKey) return;
    const transcript = this.querySelector<HTMLElement>("colloquy-transcript");
    const tutor = this.querySelector("colloquy-tutor")?.regions ?? [];
    const regions = [...tutor, ...(transcript ? [transcript] : [])].filter((region) => !region.closest("[inert]"));
    if (!regions.length) return;
    event.preventDefault();
    const at = regions.findIndex((region) => region.contains(document.activeElement));
    const next = event.shiftKey ? (at === -1 ? regions.length : at) - 1 : at + 1;
    const region = regions[next];
    if (region) region.focus();
    else this.focusComposer();
  };
}

let serial = 0;

/** Somebody who starts typing will soon need the answer renderer; load it meanwhile. */
const prepare = () => void loadAnswerWriter().catch(() => undefined);

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-conversation": ConversationElement;
  }
}
