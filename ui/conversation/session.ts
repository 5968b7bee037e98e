import type { AskFrame, CompleteFrame } from "@colloquy/schemas/ai/ask.ts";
import type { ModelSelection } from "@colloquy/schemas/ai/models.ts";
import { recordOf, turnBegun } from "@colloquy/schemas/ai/turn-so-far.ts";
import type { Conversation } from "@colloquy/schemas/conversations.ts";
import type { AttachedReference, ConversationChangeData, ConversationMode } from "@colloquy/schemas/sync/changes.ts";
import type { ErrorFrame } from "../api/ask.ts";
import { isAbort } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import type { QuizDraft } from "../quiz/progress.ts";
import type { Drafts } from "../store/drafts.ts";
import { Emitter } from "../store/emitter.ts";
import type { RunningRow } from "../store/rows.ts";
import { changesOf } from "../store/running.ts";
import { titleOf } from "../store/title.ts";
import { Tutoring } from "../tutor/tutoring.ts";
import { Composing } from "./composing.ts";
import type { Exchange, LiveTurn } from "./exchanges.ts";
import { type QuizStates, Quizzes } from "./quizzes.ts";
import { Recorded } from "./recorded.ts";
import { runTurn, type TurnEnd, type TurnParts } from "./turn-course.ts";
import { failedTurn, historyBefore, liveTurn, questionOf, traceOf, turnAfter, waitingTurn } from "./turns.ts";

export interface SessionParts extends TurnParts {
  drafts: Drafts;
}

type Events = {
  /** Something to be shown changed. */
  change: undefined;
  /** What others show of it changed: its title, whether it is busy, whether it is there. Not told for every word that arrives. */
  outline: undefined;
  /** The first turn was sent: the conversation now has its address. */
  claimed: undefined;
  /** Nothing came of the first turn: the address is given up again. */
  unclaimed: undefined;
  /** A question goes back to the composer. */
  returned: { question: string };
  announce: { text: string };
};

/**
 * One conversation on this page: what is recorded, the answer being written, what the composer holds. It lives on while another
 * conversation is shown, and knows nothing of elements.
 */
export class ConversationSession {
  readonly id: string;
  readonly events = new Emitter<Events>();
  /** "missing": there is no such conversation for this account; "deleted": there was one until now. */
  presence: "new" | "loading" | "present" | "missing" | "deleted" | "unreachable";
  /** The version shown of each exchange, where it is not the newest. */
  readonly shown = new Map<string, string>();
  readonly tutoring: Tutoring;
  readonly #parts: SessionParts;
  readonly #composing: Composing;
  readonly #recorded: Recorded;
  readonly #quizzes: Quizzes;
  readonly #stopListening: () => void;
  #loading: Promise<void> | null = null;
  #carrying: Promise<void> | null = null;
  #live: LiveTurn | null = null;
  #abort: AbortController | null = null;

  constructor(parts: SessionParts, options: { id: string; isNew: boolean }) {
    this.#parts = parts;
    this.id = options.id;
    this.presence = options.isNew ? "new" : "loading";
    this.#composing = new Composing(parts, options);
    this.#recorded = new Recorded(parts.store, options.id);
    this.#quizzes = new Quizzes(parts.store, options.id);
    this.tutoring = new Tutoring(parts, options.id);
    this.tutoring.events.on("change", () => this.events.emit("change"));
    this.tutoring.events.on("announce", (said) => this.events.emit("announce", said));
    this.#stopListening = parts.library.events.on("record", ({ conversationId, record }) => {
      if (conversationId === this.id) this.#receive(record);
    });
  }

  get title(): string {
    return this.#record?.title ?? this.#live?.question ?? "";
  }
  get busy(): boolean {
    return this.#abort !== null;
  }
  get recorded(): boolean {
    return this.#record !== null;
  }
  /** Sent, but not in the history yet. */
  get provisional(): { question: string; at: string } | null {
    return this.busy && this.presence !== "loading" && !this.#record && this.#live
      ? { question: this.#live.question, at: this.#live.at }
      : null;
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
  get draftText(): string {
    return this.#composing.text;
  }
  get #record(): Conversation | null {
    return this.#recorded.record;
  }

  /** Where the learner stands with each quiz. */
  get quizzes(): QuizStates {
    return this.#quizzes.of(this.#record);
  }

  /** Reads what is kept, then asks the server. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    await this.#composing.load();
    this.#changed();
    if (this.presence === "new") return;
    const { library } = this.#parts;
    await this.#recorded.load();
    await this.#quizzes.load();
    const kept = await library.kept(this.id);
    if (kept) this.#receive(kept);
    await this.#composing.record();
    try {
      const record = await library.open(this.id);
      if (!record) this.#absent("missing");
      await this.#composing.record();
    } catch (error) {
      if (isAbort(error)) return;
      if (!this.#record) this.#absent("unreachable");
    }
  }

  write(text: string): void {
    this.#composing.write(text);
  }

  attach(reference: AttachedReference): void {
    this.#composing.choose({ type: "reference_attached", data: reference });
    this.#changed();
  }

  /** Takes in a page that its learner comes from; a question that is sent before it is here waits for it. */
  async carry(page: Promise<AttachedReference | null>): Promise<void> {
    const carrying = Promise.all([page, this.load()]).then(([reference]) => {
      if (reference) this.#composing.carry(reference);
    });
    this.#carrying = carrying;
    await carrying;
    if (this.#carrying === carrying) this.#carrying = null;
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

  /** Whether questions are asked here or the tutor leads; both stay in the conversation. */
  chooseMode(mode: ConversationMode): void {
    this.#composing.choose({ type: "mode_chosen", data: { mode } });
    this.#changed();
    if (mode === "tutor") void this.openTutoring();
  }

  /** Reads the tutoring of this conversation, and the courses there are. */
  async openTutoring(): Promise<void> {
    await this.load().catch(() => undefined);
    await this.tutoring.load(this.presence === "new");
    if (!this.tutoring.session) await this.tutoring.loadCourses();
  }

  /** Begins a tutoring session with a goal; `carryFrom`: an earlier one whose evidence goes on counting. */
  async startTutoring(goal: string, carryFrom?: string): Promise<void> {
    const { references, model } = this;
    const started = await this.tutoring.start({ conversationId: this.id, goal, references, model, ...(carryFrom && { carryFrom }) });
    if (started) await this.#tutored(goal);
  }

  /** What failed in the tutoring once more, under the same request id. */
  async retryTutoring(): Promise<void> {
    const ask = this.tutoring.failed?.ask;
    if ((await this.tutoring.retry(this.model)) && ask?.kind === "start") await this.#tutored(ask.body.goal);
  }

  /** A session stands: a conversation that had not begun has now. */
  async #tutored(goal: string): Promise<void> {
    this.write("");
    this.events.emit("returned", { question: "" });
    if (this.#record) return;
    const { references, model } = this;
    this.#composing.begin();
    this.events.emit("claimed");
    this.presence = "present";
    const data = { mode: "tutor" as const, model, references, title: titleOf(`Tutor: ${goal}`) };
    await this.#parts.library.commit([{ conversationId: this.id, type: "started", data }]);
    await this.#composing.record();
    this.#changed();
  }

  /** Sends a question. The composer is empty from here on; a question that comes to nothing is given back to it. */
  async send(text: string): Promise<void> {
    const question = text.trim();
    if (!question || this.busy) return;
    if (this.mode === "tutor") this.chooseMode("ask");
    this.write("");
    await this.#run(question, null);
  }

  /** Another answer to the question of a turn; the former one stays. */
  async regenerate(turnId: string): Promise<void> {
    const turn = this.#record?.turns.find((candidate) => candidate.turnId === turnId);
    if (!turn || this.busy) return;
    await this.#run(turn.question, turn.turnId);
  }

  /** The same question again, after a failure: of this page, or of one before it, whose turn is in the record. */
  async retry(turnId: string): Promise<void> {
    const failed = this.#live;
    if (this.busy) return;
    if (failed?.turnId !== turnId) return this.regenerate(turnId);
    if (this.draftText.trim() === failed.question) {
      this.write("");
      this.events.emit("returned", { question: "" });
    }
    const partial = this.#record?.turns.some((turn) => turn.turnId === failed.turnId);
    await this.#run(failed.question, partial ? failed.turnId : failed.replaces);
  }

  /** Stops the answer being written. What came of it is kept; if nothing came, nothing is. */
  stop(): void {
    this.#abort?.abort();
  }

  /** Keeps answers to a quiz that are in progress, on this device. */
  keepQuiz(quizId: string, draft: QuizDraft | null): void {
    void this.#quizzes.keep(quizId, draft);
    this.events.emit("change");
  }

  /** Records a finished attempt at a quiz, for every device. */
  async attemptQuiz(attempt: ConversationChangeData["quiz_attempted"]): Promise<void> {
    await this.#parts.library.commit([{ conversationId: this.id, type: "quiz_attempted", data: attempt }]);
    // Not before: between the two there would be neither.
    await this.#quizzes.keep(attempt.quizId, null);
    this.events.emit("change");
  }

  /** Which answer of an exchange is shown. */
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
    const incomplete = this.presence === "loading" || this.#carrying !== null;
    if (incomplete && !(await this.#opened(this.#rowOf(turnId, question, replaces), signal))) return;
    const row = this.#rowOf(turnId, question, replaces);
    const history = historyBefore(this.exchanges, this.shown, replaces);
    this.#live = liveTurn(row);
    if (replaces)
      this.shown.delete(this.exchanges.find((exchange) => exchange.answers.some((answer) => answer.turnId === replaces))?.key ?? "");
    if (!row.recorded) {
      this.#composing.begin();
      this.events.emit("claimed");
    }
    await this.#receiveAnswer(row, this.#parts.api.ask(questionOf(row, history), signal), signal);
  }

  #rowOf(turnId: string, question: string, replaces: string | null): RunningRow {
    const { id: conversationId, references, model } = this;
    return {
      ...{ key: turnId, conversationId, recorded: this.#record !== null, question, turn: turnBegun, references, model, replaces },
      at: new Date().toISOString(),
      savedAt: Date.now(),
    };
  }

  /** Waits until what was said before, and the page it is about, are known: no question goes out without. False when the question stays here. */
  async #opened(row: RunningRow, signal: AbortSignal): Promise<boolean> {
    this.#live = waitingTurn(row);
    this.#composing.wait(row.question);
    this.#changed();
    const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    const known = Promise.all([this.load(), this.#carrying]).catch(() => undefined);
    await Promise.race([known, stopped]);
    this.#composing.wait("");
    this.#live = null;
    if ((this.#record || this.presence === "new") && !signal.aborted) return true;
    this.#end();
    this.#return([row.question, this.draftText].filter(Boolean).join("\n\n"));
    this.#changed();
    return false;
  }

  /** Goes on with an answer that another page of this browser was receiving when it went away. */
  async resume(row: RunningRow): Promise<void> {
    if (this.busy) return;
    this.#live = liveTurn(row);
    const { signal } = this.#begin();
    if (!row.recorded) this.#composing.resume({ ...row, mode: "ask" });
    // All of it had come: only the record is missing.
    const whole = row.turn.outcome === "finished";
    if (whole && row.recorded) await this.load().catch(() => undefined);
    await this.#receiveAnswer(row, whole ? null : this.#parts.api.askAgain(row.key, row.turn.seq, signal), signal);
  }

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
      this.events.emit("announce", { text: "Generating answer" });
      this.#changed();
      await runTurn(this.#parts, row, frames, signal, { took, ended: (end) => this.#ended(row, end) });
    } finally {
      if (this.#abort?.signal === signal) this.#abort = null;
    }
  }

  async #ended(row: RunningRow, end: TurnEnd): Promise<void> {
    if (this.presence === "deleted" || this.presence === "missing" || end.kind === "gone") return this.#gone();
    if (end.kind === "failed") return this.#fail(row, end.frame);
    if (end.kind === "stopped") await this.#keepWhatCame(row);
    else if (end.kind === "complete") await this.#commit(row, end.frame);
    else this.#end();
    const questions = row.turn.artifact?.questions.length;
    const complete = questions ? `Quiz ready, questions: ${questions}` : "Answer complete";
    this.events.emit("announce", { text: end.kind === "stopped" ? "Stopped" : complete });
    this.#changed();
  }

  /** The conversation is not there any more: nothing is recorded, and no text of it stays. */
  async #gone(): Promise<void> {
    this.#end();
    if (this.presence !== "deleted") this.#absent("missing");
    this.#composing.forget();
    await this.#recorded.forget();
  }

  /** Text that had come before the failure is recorded like a stopped answer; the failure stays in view either way. */
  async #fail(row: RunningRow, frame: ErrorFrame): Promise<void> {
    const failed = this.#live && failedTurn(this.#live, frame);
    this.#live = failed;
    await this.#keepWhatCame(row);
    this.#live = failed;
    const came = row.turn.text || row.turn.artifact ? "The answer broke off." : "No answer.";
    this.events.emit("announce", { text: `${came} ${failed?.answer.problem?.title ?? ""}` });
    this.#changed();
  }

  /** What has come is recorded, as stopped: text, or the first questions of a quiz. */
  async #keepWhatCame(row: RunningRow): Promise<void> {
    if (row.turn.text || row.turn.artifact) await this.#commit(row, null);
    else await this.#giveBack(row);
  }

  /** Nothing is recorded anywhere, and the question is the learner's again. */
  async #giveBack(row: RunningRow): Promise<void> {
    this.#end();
    if (!row.recorded) {
      await this.#composing.giveUp();
      this.events.emit("unclaimed");
    }
    if (!row.replaces && !this.draftText.trim()) this.#return(row.question);
    this.#changed();
  }

  #return(question: string): void {
    this.write(question);
    this.events.emit("returned", { question });
  }

  async #commit(row: RunningRow, frame: CompleteFrame | null): Promise<void> {
    const { key: turnId, question, replaces } = row;
    const turn = recordOf({ turnId, question, replaces }, row.turn);
    if (!turn) return this.#giveBack(row);
    // A whole answer of a page before this one has its trace already, or none.
    const whole = !frame && turn.outcome === "finished";
    const trace = whole ? await this.#parts.store.traces.get(row.key) : this.#live && traceOf(row, this.#live.answer, frame);
    this.presence = "present";
    // Before the record: a page that goes away right after it would forget how the answer came about.
    if (trace) await this.#recorded.trace(trace);
    await this.#parts.library.commit(changesOf(row, turn));
    this.#end();
    await this.#composing.record();
    this.#changed();
  }

  #changed(): void {
    this.events.emit("change");
    this.events.emit("outline");
  }

  #end(): void {
    this.#live = null;
    this.#abort = null;
  }

  #receive(record: Conversation | null): void {
    if (!record) {
      if (this.#record) this.#absent("deleted");
      return;
    }
    this.#recorded.record = record;
    this.#composing.known(record);
    this.presence = "present";
    this.#changed();
  }

  #absent(presence: "missing" | "deleted" | "unreachable"): void {
    this.#recorded.record = null;
    // What cannot be reached now may be come back to.
    if (presence !== "unreachable") this.#abort?.abort();
    if (presence !== "unreachable") this.#quizzes.forget();
    this.presence = presence;
    this.#changed();
  }
}
