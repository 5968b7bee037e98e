import type { AskFrame } from "@colloquy/schemas/ask/ask.ts";
import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import type { ModelSelection } from "@colloquy/schemas/models.ts";
import type { AttachedReference, ConversationChangeData, ConversationMode } from "@colloquy/schemas/sync/changes.ts";
import { isAbort } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { msg } from "../messages/page.ts";
import type { QuizDraft } from "../quiz/progress.ts";
import { Emitter } from "../store/emitter.ts";
import type { RunningRow } from "../store/rows.ts";
import { conversationTitle } from "../store/title.ts";
import type { Tutoring } from "../tutor/tutoring.ts";
import { ComposerState } from "./composer-state.ts";
import type { ReadingPlace } from "./events.ts";
import type { Exchange, LiveTurn } from "./exchanges.ts";
import { type QuizStates, Quizzes } from "./quizzes.ts";
import { RecordedConversation } from "./recorded-conversation.ts";
import { runTurn } from "./run-turn.ts";
import type { Presence, SessionEvents, SessionParts, TurnHost } from "./session-parts.ts";
import { SessionTutoring } from "./session-tutoring.ts";
import { TurnOutcome } from "./turn-outcome.ts";
import { historyBefore, liveTurn, pendingTurn, questionOf, turnAfter, turnRow } from "./turns.ts";
import { UnsentQuestion } from "./unsent-question.ts";

/**
 * One conversation on this page: its record, the running turn, the composer's state. Stays alive while another conversation is shown;
 * independent of elements.
 */
export class ConversationSession {
  readonly id: string;
  readonly events = new Emitter<SessionEvents>();
  presence: Presence;
  /** The turn id of the shown answer by exchange, where it is not the newest. */
  readonly shown = new Map<string, string>();
  /** The last reading position on this page; null: at the end. */
  place: ReadingPlace | null = null;
  /** The conversation to open instead, if the id is that of a tutoring session. */
  redirectTo: string | null = null;
  readonly #tutored: SessionTutoring;
  readonly #parts: SessionParts;
  readonly #composing: ComposerState;
  readonly #recorded: RecordedConversation;
  readonly #quizzes: Quizzes;
  readonly #outcome: TurnOutcome;
  readonly #unsent: UnsentQuestion;
  readonly #stopListening: () => void;
  #loading: Promise<void> | null = null;
  #attaching: Promise<void> | null = null;
  #live: LiveTurn | null = null;
  #abort: AbortController | null = null;

  constructor(parts: SessionParts, options: { id: string; isNew: boolean }) {
    this.#parts = parts;
    this.id = options.id;
    this.presence = options.isNew ? "new" : "loading";
    this.#composing = new ComposerState(parts, options);
    this.#recorded = new RecordedConversation(parts.store, options.id);
    this.#quizzes = new Quizzes(parts.store, options.id);
    this.#tutored = new SessionTutoring(this, parts, this.#composing);
    const host = this.#host();
    this.#outcome = new TurnOutcome(host, { parts, composing: this.#composing, recorded: this.#recorded });
    this.#unsent = new UnsentQuestion(parts.store, {
      host,
      outcome: this.#outcome,
      send: (row) => this.#resend({ ...row, recorded: row.recorded || this.recorded }),
      gone: (row) => this.#onUnsentGone(row),
    });
    this.#stopListening = parts.library.events.on("record", ({ conversationId, record }) => {
      if (conversationId === this.id) this.#receive(record);
    });
  }

  /** What the end of a turn changes in this session. */
  #host(): TurnHost {
    const session = this;
    return {
      get presence() {
        return session.presence;
      },
      set presence(presence) {
        session.presence = presence;
      },
      get live() {
        return session.#live;
      },
      set live(live) {
        session.#live = live;
      },
      get draftText() {
        return session.draftText;
      },
      end: () => this.#end(),
      changed: () => this.#changed(),
      markMissing: () => this.#absent("missing"),
      unclaim: () => this.#unclaim(),
      write: (text) => this.#return(text),
      holdUnsent: (row) => this.#holdUnsent(row),
      announce: (text) => this.events.emit("announce", { text }),
    };
  }

  /** Null until the tutor's code has loaded. */
  get tutoring(): Tutoring | null {
    return this.#tutored.tutoring;
  }
  get title(): string {
    return this.#record?.title ?? (this.#live ? conversationTitle(this.#live.question, this.#live.references) : "");
  }
  get busy(): boolean {
    return this.#abort !== null;
  }
  /** A question waits to be sent again. */
  get hasUnsentQuestion(): boolean {
    return this.#unsent.exists;
  }
  get recorded(): boolean {
    return this.#record !== null;
  }
  /** The running turn of a conversation that is not in the history yet. */
  get provisional(): Pick<LiveTurn, "question" | "at" | "references"> | null {
    return (this.busy || this.hasUnsentQuestion) && this.presence !== "loading" && !this.#record && this.#live ? this.#live : null;
  }
  get exchanges(): Exchange[] {
    return this.#recorded.exchanges(this.#live);
  }
  get references(): AttachedReference[] {
    return this.#composing.choices.references;
  }
  get model(): ModelSelection {
    return this.#composing.choices.model;
  }
  get mode(): ConversationMode {
    return this.#composing.choices.mode;
  }
  /** Whether side questions are open beside the lesson. */
  get hasSideQuestions(): boolean {
    return this.mode === "tutor" && this.tutoring?.session != null && this.tutoring.rails.questionsOpen;
  }
  get draftText(): string {
    return this.#composing.text;
  }
  get #record(): Conversation | null {
    return this.#recorded.record;
  }

  /** The learner's state in each quiz. */
  get quizzes(): QuizStates {
    return this.#quizzes.of(this.#record);
  }

  /** Reads stored data, then the server's record. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { library } = this.#parts;
    const reading = this.presence === "new" ? null : Promise.all([library.stored(this.id), this.#quizzes.load()]);
    await this.#composing.load();
    this.#changed();
    if (!reading) return;
    const [kept] = await reading;
    await this.#recorded.load(kept);
    if (kept) this.#receive(kept);
    await this.#composing.record();
    try {
      const record = await library.open(this.id);
      if (!record) await this.#adopt();
      await this.#composing.record();
    } catch (error) {
      if (isAbort(error)) return;
      if (!this.#record) this.#absent("unreachable");
    }
  }

  /** No record: the tutor may know the conversation. */
  async #adopt(): Promise<void> {
    const adopted = await this.#tutored.adopt().catch(() => false as const);
    if (adopted === true) return;
    this.redirectTo = adopted ? adopted.conversationId : null;
    this.#absent("missing");
  }

  write(text: string): void {
    this.#composing.write(text);
  }

  attach(reference: AttachedReference): void {
    this.#composing.choose({ type: "reference_attached", data: reference });
    this.#changed();
  }

  /** Attaches the page the learner comes from; a question sent meanwhile waits for it. */
  async attachCarriedPage(page: Promise<AttachedReference | null>): Promise<void> {
    const carrying = Promise.all([page, this.load()]).then(([reference]) => {
      if (reference) this.#composing.attachCarriedPage(reference);
    });
    this.#attaching = carrying;
    await carrying;
    if (this.#attaching === carrying) this.#attaching = null;
    this.#changed();
  }

  detach(href: string): void {
    this.#composing.choose({ type: "reference_removed", data: { href } });
    this.#changed();
  }

  choose(model: ModelSelection): void {
    this.#composing.choose({ type: "model_chosen", data: model });
    this.#changed();
  }

  /** Switches between asking and tutoring; during a lesson, asking opens side questions. */
  chooseMode(mode: ConversationMode): void {
    if (this.mode === "tutor" && this.tutoring?.session) {
      void this.tutoring.rails.openQuestions(mode === "ask");
      this.#changed();
      return;
    }
    this.#composing.choose({ type: "mode_chosen", data: { mode } });
    this.#changed();
    // The element shows when the tutor's code did not load.
    if (mode === "tutor") this.openTutoring().catch(() => undefined);
  }

  loadTutoring(): Promise<Tutoring> {
    return this.#tutored.load();
  }
  openTutoring(): Promise<void> {
    return this.#tutored.open();
  }
  startTutoring(goal: string, carryFrom?: string, confirmedCourseId?: string): Promise<void> {
    return this.#tutored.start(goal, carryFrom, confirmedCourseId);
  }
  retryTutoring(practice?: true): Promise<void> {
    return this.#tutored.retry(practice);
  }

  /** Sends a question and empties the composer. A question that fails without an answer is returned to it. */
  async send(text: string): Promise<void> {
    const question = text.trim();
    if (!question || this.busy) return;
    if (this.mode === "tutor") this.chooseMode("ask");
    if (this.hasUnsentQuestion) {
      this.#return(text);
      this.events.emit("announce", { text: msg("conversation.questionSentGoesFirst") });
      return this.#unsent.sendAgain();
    }
    this.write("");
    await this.#run(question, null);
  }

  /** Asks the question of a turn again; the former answer stays. */
  async regenerate(turnId: string): Promise<void> {
    const turn = this.#record?.turns.find((candidate) => candidate.turnId === turnId);
    if (!turn || this.busy) return;
    await this.#run(turn.question, turn.turnId);
  }

  /** Retries a failed turn of this page, or of an earlier one whose turn is recorded. */
  async retry(turnId: string): Promise<void> {
    const failed = this.#live;
    if (this.busy) return;
    if (this.#unsent.isTurn(turnId)) return this.#unsent.sendAgain();
    if (failed?.turnId !== turnId) {
      // Another tab may have received the answer meanwhile.
      const answered = this.#record?.turns.some((turn) => turn.turnId === turnId && turn.outcome === "finished");
      return answered ? undefined : this.regenerate(turnId);
    }
    if (this.draftText.trim() === failed.question) {
      this.write("");
      this.events.emit("returned", { question: "" });
    }
    const partial = this.#record?.turns.some((turn) => turn.turnId === failed.turnId);
    await this.#run(failed.question, partial ? failed.turnId : failed.replaces);
  }

  /** Sends the same turn again: if it had arrived, the service recognises its id. */
  async #resend(row: RunningRow): Promise<void> {
    this.#live = null;
    const { signal } = this.#begin();
    await this.#receiveAnswer(row, this.#framesOf(row, signal), signal);
  }

  /** Returns an unsent question to the composer, before the text typed since. */
  async withdrawUnsent(): Promise<void> {
    if (!this.busy) await this.#unsent.withdraw();
  }

  /** Checks whether another tab has handled the unsent question. */
  checkOtherTabs(): Promise<void> {
    return this.#unsent.checkOtherTabs();
  }

  #forgetUnsent(): void {
    this.#unsent.forget();
    if (!this.busy) this.#live = null;
  }

  #holdUnsent(row: RunningRow): RunningRow {
    const kept = this.#unsent.hold(row);
    this.#end();
    this.#changed();
    return kept;
  }

  /** Another tab withdrew the question, or its answer has arrived. */
  async #onUnsentGone(row: RunningRow): Promise<void> {
    this.#end();
    const { library } = this.#parts;
    const record = (await library.stored(this.id)) ?? (await library.open(this.id).catch(() => null));
    if (record) this.#receive(record);
    else if (!row.recorded) await this.#unclaim();
    if (!this.#record?.turns.some(({ turnId }) => turnId === row.key))
      this.events.emit("announce", { text: msg("conversation.questionTakenBackAnother") });
    this.#changed();
  }

  /** Stops the running answer. A partial answer is recorded. */
  stop(): void {
    this.#abort?.abort();
  }

  /** Stores unfinished answers to a quiz, on this device. */
  keepQuiz(quizId: string, draft: QuizDraft | null): void {
    void this.#quizzes.keep(quizId, draft);
    this.events.emit("change");
  }

  /** Records a finished attempt, on all devices. */
  async attemptQuiz(attempt: ConversationChangeData["quiz_attempted"]): Promise<void> {
    await this.#quizzes.record(attempt, this.#parts.library);
    this.events.emit("change");
  }

  /** Selects the shown answer of an exchange. */
  show(exchangeKey: string, turnId: string): void {
    this.shown.set(exchangeKey, turnId);
    this.#changed();
  }

  dispose(): void {
    this.#stopListening();
  }

  async #run(question: string, replaces: string | null): Promise<void> {
    const { signal } = this.#begin();
    const turnId = uuidv7();
    const incomplete = this.presence === "loading" || this.#attaching !== null;
    if (incomplete && !(await this.#waitUntilReady(turnRow(this, turnId, question, replaces), signal))) return;
    const row = turnRow(this, turnId, question, replaces);
    const frames = this.#framesOf(row, signal);
    if (replaces)
      this.shown.delete(this.exchanges.find((exchange) => exchange.answers.some((answer) => answer.turnId === replaces))?.key ?? "");
    if (!row.recorded) {
      this.#composing.markBegun();
      this.events.emit("claimed");
    }
    await this.#receiveAnswer(row, frames, signal);
  }

  #framesOf(row: RunningRow, signal: AbortSignal): AsyncIterable<AskFrame> {
    const history = historyBefore(this.exchanges, this.shown, row.replaces);
    this.#live = liveTurn(row);
    return this.#parts.api.ask(questionOf(row, history), signal, this.#onLost);
  }

  /**
   * Waits until the history and the attached page are loaded, because a question must not be sent without them. False if the question was
   * returned instead.
   */
  async #waitUntilReady(row: RunningRow, signal: AbortSignal): Promise<boolean> {
    this.#live = pendingTurn(row);
    this.#composing.holdQuestion(row.question);
    this.#changed();
    const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    const known = Promise.all([this.load(), this.#attaching]).catch(() => undefined);
    await Promise.race([known, stopped]);
    this.#composing.holdQuestion("");
    this.#live = null;
    if ((this.#record || this.presence === "new") && !signal.aborted) return true;
    this.#end();
    this.#return([row.question, this.draftText].filter(Boolean).join("\n\n"));
    this.#changed();
    return false;
  }

  /** Resumes an answer that an earlier page was receiving. */
  async resume(row: RunningRow): Promise<void> {
    if (this.busy) return;
    if (row.unsent) {
      if (!row.recorded) this.#composing.resume({ ...row, mode: "ask" });
      this.#holdUnsent(row);
      return this.load();
    }
    this.#live = liveTurn(row);
    const { signal } = this.#begin();
    if (!row.recorded) this.#composing.resume({ ...row, mode: "ask" });
    // The whole answer had arrived; only its record is missing.
    const whole = row.turn.outcome === "finished";
    if (whole && row.recorded) await this.load().catch(() => undefined);
    await this.#receiveAnswer(row, whole ? null : this.#parts.api.resumeAnswer(row.key, row.turn.seq, signal, this.#onLost), signal);
  }

  /** The connection was lost, or is back. */
  readonly #onLost = (lost: boolean) => {
    const live = this.#live;
    if (!live || !live.answer.lost === !lost) return;
    this.#live = { ...live, answer: { ...live.answer, lost } };
    if (lost) this.events.emit("announce", { text: msg("conversation.connectionBrokeTryingAgain") });
    this.events.emit("change");
  };

  #begin(): AbortController {
    const abort = new AbortController();
    this.#abort = abort;
    return abort;
  }

  async #receiveAnswer(row: RunningRow, frames: AsyncIterable<AskFrame> | null, signal: AbortSignal): Promise<void> {
    const took = (frame: AskFrame) => {
      this.#live = this.#live && turnAfter(this.#live, frame, row.turn);
      this.events.emit("change");
    };
    try {
      this.events.emit("announce", { text: msg("conversation.generatingAnswer") });
      this.#changed();
      await runTurn(this.#parts, row, frames, signal, { onFrame: took, onEnd: (end) => this.#outcome.handleEnd(row, end) });
    } finally {
      if (this.#abort?.signal === signal) this.#abort = null;
    }
  }

  async #unclaim(): Promise<void> {
    await this.#composing.revertToNew();
    this.events.emit("unclaimed");
  }

  /** Writes a text into the composer, as if a question were returned. */
  returnToComposer(text: string): void {
    this.#return(text);
  }

  #return(question: string): void {
    this.write(question);
    this.events.emit("returned", { question });
  }

  #changed(): void {
    this.tutoring?.followReferences(this.references);
    this.events.emit("change");
    this.events.emit("outline");
  }

  #end(): void {
    this.#live = this.#unsent.live;
    this.#abort = null;
  }

  #receive(record: Conversation | null): void {
    if (!record) {
      if (this.#record) this.#absent("deleted");
      return;
    }
    this.#recorded.record = record;
    this.#composing.setRecorded(record);
    this.presence = "present";
    // The question had arrived after all.
    if (record.turns.some(({ turnId }) => this.#unsent.isTurn(turnId))) this.#forgetUnsent();
    this.#changed();
  }

  #absent(presence: "missing" | "deleted" | "unreachable"): void {
    this.#recorded.record = null;
    // An unreachable conversation may become reachable, so its data stay.
    if (presence !== "unreachable") this.#abort?.abort();
    if (presence !== "unreachable") this.#quizzes.clear();
    if (presence !== "unreachable") this.#forgetUnsent();
    this.presence = presence;
    this.#changed();
  }
}
