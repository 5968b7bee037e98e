import type { ModelChoice, ModelSelection } from "@colloquy/schemas/models.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, type LitElement, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { repeat } from "lit/directives/repeat.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { Subscription } from "../controls/subscription.ts";
import { msg } from "../messages/page.ts";
import "../answers/citation-card.ts";
import type { CitationCard } from "../answers/citation-card.ts";
import { CitationHover } from "../answers/citation-hover.ts";
import { FollowTail } from "../answers/follow-tail.ts";
import "./answered.ts";
import "./ask-back.ts";
import "./card.ts";
import { type TutorCommand, TutorEvent } from "./events.ts";
import { askedNow, exchangeNow, exchangeView } from "./exchange.ts";
import { flowStyles } from "./flow.styles.ts";
import { type AskedQuestion, type Entry, groupsOf } from "./flow.ts";
import { objectiveName } from "./localized-text.ts";
import { messageView, teachingNow } from "./message-view.ts";
import { failureNotice, movedNotice, offTopicNotice, statusNotice, unableModel } from "./notices.ts";
import type { RunningWork } from "./running-work.ts";
import "./start.ts";
import type { TutorStart } from "./start.ts";
import type { OffTopicGoal, Tutoring } from "./tutoring.ts";
import { VerdictAbove } from "./verdict-above.ts";
import { verdictOf } from "./words.ts";

/** The verdict on an answer, in the group that the answer begins. */
const verdict = "colloquy-tutor-answered .outcome";
/** What waits for the learner. */
const waiting = "colloquy-tutor-card, .standing";

/**
 * @summary One tutoring session in order, with the open question at its end. It has its own scroll container, never moves the text that is
 * being read, and contains no live region.
 * @event {TutorEvent} colloquy-tutor
 */
@customElement("colloquy-tutor-flow")
export class TutorFlow extends LightElement {
  static override lightStyles = [flowStyles];

  @property({ attribute: false }) tutoring: Tutoring | null = null;
  @property({ attribute: false }) models: readonly ModelChoice[] = [];
  /** The model for the next turns. */
  @property({ attribute: false }) model: ModelSelection = { choice: "automatic" };
  @property({ attribute: false }) references: readonly AttachedReference[] = [];
  @query("colloquy-citation-card") private card!: CitationCard | null;
  @query("colloquy-tutor-start") private start!: TutorStart | null;
  /** The group that stays near the top while the content below it grows. */
  #anchored: string | null = null;
  #opened: string | null = null;
  #wasBusy = false;
  /** The help that stood when the turn began that asked for more; null if it asks for something else. */
  #helpBefore: readonly Element[] | null = null;
  /** The failure, or the name of the model that cannot tutor, whose notice was already brought into view. */
  #trouble: Tutoring["failed"] | string = null;
  /** The off-topic goal whose notice already received the focus. */
  #shownOffTopicGoal: OffTopicGoal | null = null;
  readonly #tail: FollowTail = new FollowTail(
    this,
    () => this.querySelector(":scope > .flow > .end"),
    () => this.querySelector(waiting),
  );
  readonly #verdictAbove: VerdictAbove = new VerdictAbove(this);
  readonly #pointing = new CitationHover(this, () => this.card, citationOf);

  constructor() {
    super();
    new Subscription(
      this,
      () => this.tutoring,
      (tutoring) => tutoring.events.on("change", () => this.requestUpdate()),
    );
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = 0;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", msg("common.tutor"));
  }
  override disconnectedCallback(): void {
    this.#pointing.hide();
    super.disconnectedCallback();
  }

  /** Moves the focus to the open question, or to the notice shown instead. */
  async focusCard(): Promise<void> {
    await this.updateComplete;
    const card = this.querySelector("colloquy-tutor-card");
    if (card) return card.focusCard();
    this.querySelector<HTMLElement>(".standing")?.focus({ preventScroll: true });
    this.#tail.jump();
  }

  focusCourses(): void {
    this.start?.focusCourses();
  }

  focusStop(): void {
    this.querySelector<HTMLElement>(".working .stop")?.focus({ preventScroll: true });
  }

  protected override willUpdate(): void {
    this.setAttribute("aria-busy", String(this.tutoring?.busy ?? false));
    const answering = this.#answering;
    if (answering) this.#anchored = answering;
  }

  protected override render() {
    const { tutoring } = this;
    if (!tutoring) return nothing;
    return html`<div class="flow">
        ${tutoring.session ? this.#session(tutoring, tutoring.session) : [startView(tutoring, this.references), tutoring.working ? nothing : offTopicNotice(tutoring, this.#send), this.#footer(tutoring)]}
        <div class="end"></div>
      </div>
      ${
        this.#tail.below
          ? html`<div class="jump"><button type="button" aria-label=${msg("conversation.jumpToLatest")} @click=${() => this.#tail.jump()}>${icons.toEnd}</button></div>`
          : nothing
      }
      ${this.#pinnedVerdict(tutoring)}
      <colloquy-citation-card></colloquy-citation-card>`;
  }

  /** The last answer's verdict, while it is scrolled out of view above the next question; leads back to it. */
  #pinnedVerdict({ session }: Tutoring) {
    if (!this.#verdictAbove.isAbove || !session) return nothing;
    const answer = session.messages.findLast((message) => message.kind === "answer");
    if (!answer || answer.disputed) return nothing;
    const { name, icon, words } = verdictOf(answer);
    return html`<div class="pinned"><button type="button" class=${name} @click=${this.#showVerdict}>${icon}${msg("tutor.verdictSeeWhy", { verdict: words })}</button></div>`;
  }

  readonly #showVerdict = (): void => {
    const group = this.#anchored && this.querySelector(`.group[data-key="${CSS.escape(this.#anchored)}"] ${verdict}`);
    if (group) this.#tail.anchor(group);
  };

  /** The id of the question whose answer is being graded. */
  get #answering(): string | null {
    const ask = this.tutoring?.working?.ask;
    return ask?.kind === "turn" && ask.body.action.type === "answer" ? ask.body.action.itemId : null;
  }

  /** Below all messages: the running work, or a notice. */
  #footer(tutoring: Tutoring) {
    const { working, session } = tutoring;
    // What is asked about the open question is answered there.
    if (working && askedNow(working) !== null)
      return this.#hasOpenCard(tutoring) ? nothing : exchangeNow(working, () => this.#send({ kind: "stop" }));
    if (working) return teachingNow(working, () => this.#send({ kind: "stop" }));
    const unable = session?.phase === "completed" ? null : unableModel(this.model, this.models);
    return [
      movedNotice(tutoring),
      failureNotice(tutoring, this.#send),
      unable
        ? html`<div class="problem" role="group" aria-label=${msg("common.model")}>${icons.alert}<div><b>${msg("tutor.cannotTutor", { model: unable })}</b><p>${msg("tutor.chooseAnotherModelBelow")}</p></div></div>`
        : nothing,
      statusNotice(tutoring, this.#send),
    ];
  }

  #hasOpenCard({ session, stale }: Tutoring): boolean {
    return session?.current != null && !session.paused && !stale;
  }

  /** Asking back, at any time that the session is open. */
  #ask(tutoring: Tutoring, session: TutorSession) {
    if (tutoring.stale || unableModel(this.model, this.models)) return nothing;
    const answered = session.messages.filter(({ kind }) => kind === "asked").length;
    return html`<colloquy-tutor-ask .row=${tutoring.question} .answered=${answered} ?waiting=${session.current !== null && session.current.counts !== false} ?busy=${tutoring.busy}></colloquy-tutor-ask>`;
  }

  #session(tutoring: Tutoring, session: TutorSession) {
    const groups = groupsOf(session, this.#answering);
    return repeat(
      groups,
      ({ key }) => key,
      ({ key, entries }, index) =>
        html`<div class=${classMap({ group: true, anchored: key === this.#anchored })} data-key=${key}>${repeat(
          entries,
          (entry) => entry.key,
          (entry) => this.#entry(entry, tutoring, session),
        )}${index === groups.length - 1 ? [this.#footer(tutoring), this.#ask(tutoring, session)] : nothing}</div>`,
    );
  }

  #entry(entry: Entry, tutoring: Tutoring, session: TutorSession) {
    if (entry.kind === "message") return messageView(entry.message, session, this.models, tutoring.sessions);
    const { asked, key } = entry;
    if (asked.answer || asked.question.replaced || key === this.#answering)
      return html`<colloquy-tutor-answered .asked=${asked} .about=${this.#about(asked)} .language=${session.language} .models=${this.models} .sent=${tutoring.chosen?.itemId === key ? tutoring.chosen : null}
        ?busy=${tutoring.busy}></colloquy-tutor-answered>`;
    if (session.current?.itemId !== key) return nothing;
    if (tutoring.stale) return this.#isLapsed(asked, tutoring, session);
    if (session.paused) return asked.exchanges.map(exchangeView);
    return html`<colloquy-tutor-card .card=${session.current} .asked=${asked} .about=${this.#about(asked)} .language=${session.language} .chosen=${tutoring.chosen}
      ?misspelled=${tutoring.misspelled === key}
      .asking=${askedNow(tutoring.working) === null ? null : tutoring.working} ?busy=${tutoring.busy}></colloquy-tutor-card>`;
  }

  /** An unconfirmed answer stays readable after it can no longer count. */
  #isLapsed(asked: AskedQuestion, { chosen }: Tutoring, session: TutorSession) {
    const isChosen =
      chosen?.itemId === asked.question.itemId &&
      (chosen.choiceIds.length > 0 || chosen.text.trim() !== "" || chosen.response !== undefined);
    if (!isChosen) return nothing;
    return html`<colloquy-tutor-answered lapsed .asked=${asked} .about=${this.#about(asked)} .language=${session.language} .sent=${chosen}></colloquy-tutor-answered>`;
  }

  #about({ question }: AskedQuestion): string {
    const names = question.objectiveIds.map((id) => this.tutoring?.session?.mastery.find(({ objectiveId }) => objectiveId === id)?.title);
    return names.flatMap((name) => (name ? [objectiveName(name).replace(/\.$/, "")] : [])).join(", ");
  }

  readonly #send = (command: TutorCommand): void => {
    this.dispatchEvent(new TutorEvent(command));
  };

  /** Hints, explanations and what was asked back. */
  get #help(): Element[] {
    return [...this.querySelectorAll(".exchange, .help > section")];
  }

  /** Brings help that was not there before into view: a question may be taller than the window. */
  async #revealHelp(before: readonly Element[]): Promise<void> {
    await this.querySelector("colloquy-tutor-card")?.updateComplete;
    const latest = this.#help.find((one) => !before.includes(one));
    if (latest) this.#tail.reveal(latest, () => latest, true);
  }

  protected override updated(): void {
    const { busy = false, failed = null, offTopicGoal = null, session = null } = this.tutoring ?? {};
    const [begins, ends] = [busy && !this.#wasBusy, this.#wasBusy && !busy];
    const trouble = failed ?? (busy ? null : unableModel(this.model, this.models));
    const problem = trouble && trouble !== this.#trouble ? this.querySelector(".flow :is(.problem, .unproven)") : null;
    const strange = offTopicGoal === this.#shownOffTopicGoal ? null : this.querySelector<HTMLElement>(".strange");
    this.#wasBusy = busy;
    this.#trouble = trouble;
    this.#shownOffTopicGoal = offTopicGoal;
    strange?.focus({ preventScroll: true });
    if (begins) this.#tail.resumeFollowing();
    if (!session) {
      const news = strange ?? problem ?? (begins ? this.querySelector(".working") : null);
      if (news) this.#tail.reveal(news, () => news, true);
      return;
    }
    if (this.#opened !== session.sessionId) {
      this.#opened = session.sessionId;
      this.#tail.open();
      const next = this.querySelector(waiting);
      // What the session is about stands above its first question, as far as there is room.
      const about = session.messages.some(({ kind }) => kind === "answer") ? null : this.querySelector(".chosen")?.closest(".group");
      if (next) this.#tail.reveal(next, () => about ?? next, true);
      else if (about) this.#tail.anchor(about);
      return;
    }
    const group = this.#anchored && this.querySelector<HTMLElement>(`.group[data-key="${CSS.escape(this.#anchored)}"]`);
    if (group && this.#answering && !group.dataset.placed) {
      group.dataset.placed = "yes";
      this.#tail.anchor(group);
    } else this.#tail.contentChanged();
    if (begins) this.#helpBefore = helps(this.tutoring?.working ?? null) ? this.#help.filter((one) => !one.matches(".working")) : null;
    const next = ends ? (group || this).querySelector(waiting) : null;
    if (problem) this.#tail.reveal(problem);
    else if (this.#helpBefore !== null && (begins || ends)) void this.#revealHelp(this.#helpBefore);
    else if (group && next) void this.#revealNext(group, next);
    else if (next) this.#tail.reveal(next, () => next, true);
    if (busy || !group) this.#verdictAbove.observe(null);
  }

  /** Brings an answer's verdict and the next question into view. What is not right, and a lesson, is read before the question. */
  async #revealNext(group: HTMLElement, next: Element): Promise<void> {
    // The verdict renders a moment after the answer.
    await group.querySelector<LitElement>("colloquy-tutor-answered")?.updateComplete;
    const isReadFirst = group.querySelector(".taught, .answered:is(.bad, .compared)") !== null;
    this.#tail.reveal(next, () => group.querySelector(verdict) ?? group, !isReadFirst);
    this.#verdictAbove.observe(group.querySelector("colloquy-tutor-card") && group.querySelector(`${verdict} .words`));
  }
}

/** Whether this work helps with the open question. */
const helps = (working: RunningWork | null): boolean =>
  working?.ask.kind === "turn" && ["hint", "explanation", "ask"].includes(working.ask.body.action.type);

function startView(tutoring: Tutoring, references: readonly AttachedReference[]) {
  if (tutoring.presence === "unreachable")
    return html`<div class="problem" role="group" aria-label=${msg("conversation.noAnswer")}>${icons.alert}<div><b>${msg("tutor.tutoringConversationCannotRead")}</b><p>${msg("review.nothingLostTryAgain")}</p></div>
      <button type="button" class="quiet" @click=${(event: Event) => event.currentTarget?.dispatchEvent(new TutorEvent({ kind: "load" }))}>${msg("common.tryAgain")}</button></div>`;
  if (tutoring.presence !== "none")
    return html`<div class="opening" role="group" aria-busy="true" aria-label=${msg("conversation.openingTheTutor")}><i></i><i></i><i></i></div>`;
  return html`<colloquy-tutor-start .courses=${tutoring.courses} ?failed=${tutoring.coursesFailed} ?busy=${tutoring.busy} .courseId=${tutoring.courseId} .references=${references} .sessions=${tutoring.sessions}></colloquy-tutor-start>`;
}

/** Finds the citation of a number in the element that holds the text. */
function citationOf(chip: HTMLElement): Citation | null {
  const text = chip.closest<HTMLElement & { citations?: readonly Citation[] | null }>("colloquy-answer, colloquy-quiz-text");
  return text?.citations?.find(({ number }) => number === Number(chip.dataset.citation)) ?? null;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-tutor-flow": TutorFlow;
  }
}
