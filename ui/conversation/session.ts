import type { AskFrame, CompleteFrame } from "@colloquy/schemas/ai/ask.ts";
import type { ModelSelection, Provider } from "@colloquy/schemas/ai/models.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Conversation } from "@colloquy/schemas/conversations.ts";
import type { AttachedReference, RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { Api } from "../api/client.ts";
import { clientProblem, isAbort } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { Draft, Drafts } from "../store/drafts.ts";
import { Emitter } from "../store/emitter.ts";
import { keepRunning } from "../store/keep-running.ts";
import type { Library } from "../store/library.ts";
import type { RunningRow, TraceRow } from "../store/rows.ts";
import { changesOf, stoppedTurn } from "../store/running.ts";
import { type Exchange, type LiveTurn, type RecordedExchanges, recordedExchanges, withLive } from "./exchanges.ts";
import { finishedTurn, historyBefore, liveTurn, questionOf, traceOf, turnAfter } from "./turns.ts";

export interface SessionParts {
  api: Api;
  store: AccountStore;
  library: Library;
  drafts: Drafts;
  /** The slot automatic routing asks first. */
  firstAutomatic(): Provider;
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

const emptyDraft: Draft = { text: "", references: [], model: null };

/**
 * One conversation on this page: what is recorded, the answer being written, what the composer holds. It lives on while another
 * conversation is shown, and knows nothing of elements.
 */
export class ConversationSession {
  readonly id: string;
  readonly events = new Emitter<Events>();
  /** "missing": there is no such conversation for this account; "deleted": there was one until now. */
  presence: "new" | "loading" | "present" | "missing" | "deleted" | "unreachable";
  references: AttachedReference[] = [];
  model: ModelSelection = { choice: "automatic" };
  draftText = "";
  /** The version shown of each exchange, where it is not the newest. */
  readonly shown = new Map<string, string>();
  readonly #parts: SessionParts;
  readonly #traces = new Map<string, TraceRow>();
  readonly #stopListening: () => void;
  #record: Conversation | null = null;
  /** Computed when first asked for, and anew when the record or a trace changed. */
  #recordedExchanges: RecordedExchanges | null = null;
  /** Whether the first turn was sent, so that the conversation has its address. */
  #claimed = false;
  #live: LiveTurn | null = null;
  #abort: AbortController | null = null;

  constructor(parts: SessionParts, options: { id: string; isNew: boolean }) {
    this.#parts = parts;
    this.id = options.id;
    this.presence = options.isNew ? "new" : "loading";
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
    return this.busy && !this.#record && this.#live ? { question: this.#live.question, at: this.#live.at } : null;
  }
  get exchanges(): Exchange[] {
    this.#recordedExchanges ??= recordedExchanges(this.#record, this.#traces);
    return withLive(this.#recordedExchanges, this.#live);
  }

  /** Reads what is kept, then asks the server. */
  async load(): Promise<void> {
    await this.loadDraft();
    if (this.presence === "new") return;
    const { library, store } = this.#parts;
    for (const trace of await store.traces.all()) if (trace.conversationId === this.id) this.#traces.set(trace.key, trace);
    this.#recordedExchanges = null;
    const kept = await library.kept(this.id);
    if (kept) this.#receive(kept);
    try {
      const record = await library.open(this.id);
      if (!record) this.#absent("missing");
    } catch (error) {
      if (isAbort(error)) return;
      if (!this.#record) this.#absent("unreachable");
    }
  }

  async loadDraft(): Promise<void> {
    const draft = await this.#parts.drafts.read(this.#draftKey);
    if (!draft) return;
    this.draftText = draft.text;
    if (this.presence === "new") {
      this.references = draft.references;
      if (draft.model) this.model = draft.model;
    }
    this.#changed();
  }

  write(text: string): void {
    this.draftText = text;
    this.#keepDraft();
  }

  attach(reference: AttachedReference): void {
    if (this.references.length >= bounds.ask.references || this.references.some((other) => other.href === reference.href)) return;
    this.references = [...this.references, reference];
    if (this.#record) void this.#parts.library.commit([{ conversationId: this.id, type: "reference_attached", data: reference }]);
    else this.#keepDraft();
    this.#changed();
  }

  detach(href: string): void {
    this.references = this.references.filter((reference) => reference.href !== href);
    if (this.#record) void this.#parts.library.commit([{ conversationId: this.id, type: "reference_removed", data: { href } }]);
    else this.#keepDraft();
    this.#changed();
  }

  choose(model: ModelSelection): void {
    this.model = model;
    const data = model.choice === "pinned" ? model : { choice: model.choice, allowFallbackWhenPinned: false };
    if (this.#record) void this.#parts.library.commit([{ conversationId: this.id, type: "model_chosen", data }]);
    else this.#keepDraft();
    this.#changed();
  }

  /** Sends a question. The composer is empty from here on; a question that comes to nothing is given back to it. */
  async send(text: string): Promise<void> {
    const question = text.trim();
    if (!question || this.busy) return;
    this.write("");
    await this.#run(question, null);
  }

  /** Another answer to the question of a turn; the former one stays. */
  async regenerate(turnId: string): Promise<void> {
    const turn = this.#record?.turns.find((candidate) => candidate.turnId === turnId);
    if (!turn || this.busy) return;
    await this.#run(turn.question, turn.turnId);
  }

  /** The same question again, after a failure. */
  async retry(): Promise<void> {
    const failed = this.#live;
    if (!failed || this.busy) return;
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

  /** Which answer of an exchange is shown. */
  show(exchangeKey: string, turnId: string): void {
    this.shown.set(exchangeKey, turnId);
    this.#changed();
  }

  dispose(): void {
    this.#stopListening();
  }

  async #run(question: string, replaces: string | null): Promise<void> {
    const turnId = uuidv7();
    const row: RunningRow = {
      key: turnId,
      conversationId: this.id,
      recorded: this.#record !== null,
      question,
      text: "",
      references: this.references,
      model: this.model,
      provider: this.model.choice === "pinned" ? (this.model.id.slice(0, 2) as Provider) : this.#parts.firstAutomatic(),
      replaces,
      at: new Date().toISOString(),
      savedAt: Date.now(),
    };
    const history = historyBefore(this.exchanges, this.shown, replaces);
    this.#live = liveTurn(row);
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    if (replaces)
      this.shown.delete(this.exchanges.find((exchange) => exchange.answers.some((answer) => answer.turnId === replaces))?.key ?? "");
    if (!row.recorded) {
      this.#parts.drafts.write(null, emptyDraft);
      this.#claimed = true;
      this.events.emit("claimed");
    }
    this.events.emit("announce", { text: "Generating answer" });
    this.#changed();
    const keep = keepRunning(this.#parts.store, row);
    try {
      await this.#take(row, this.#parts.api.ask(questionOf(row, history), signal), signal, () => keep.soon());
    } catch (error) {
      if (!isAbort(error)) throw error;
      await this.#stopped(row);
    } finally {
      await keep.end();
    }
  }

  /** Takes the frames in until the last of them, which alone decides what becomes of the turn, or until it is stopped. */
  async #take(row: RunningRow, frames: AsyncIterable<AskFrame>, signal: AbortSignal, taken: () => void): Promise<void> {
    for await (const frame of frames) {
      signal.throwIfAborted();
      if (frame.kind === "complete") return this.#complete(row, frame);
      if (frame.kind === "error") return this.#fail(row, frame);
      if (!this.#live) return;
      this.#live = turnAfter(this.#live, frame);
      row.text = this.#live.answer.text;
      taken();
      this.events.emit("change");
    }
  }

  async #complete(row: RunningRow, frame: CompleteFrame): Promise<void> {
    await this.#commit(row, finishedTurn(row, this.#live?.answer.artifact ?? null, frame), frame);
    this.events.emit("announce", { text: "Answer complete" });
  }

  async #stopped(row: RunningRow): Promise<void> {
    if (this.presence === "deleted") return this.#end();
    if (row.text) await this.#commit(row, stoppedTurn(row), null);
    else this.#giveBack(row);
    this.events.emit("announce", { text: "Stopped" });
  }

  /** Text that had come before the failure is recorded like a stopped answer; the failure stays in view either way. */
  async #fail(row: RunningRow, frame: Extract<AskFrame, { kind: "error" }>): Promise<void> {
    const problem = { ...clientProblem(frame.code, { title: frame.title }), retryable: frame.retryable };
    const failed = this.#live && { ...this.#live, answer: { ...this.#live.answer, state: "failed" as const, problem } };
    if (row.text) await this.#commit(row, stoppedTurn(row), null);
    else this.#giveBack(row);
    this.#live = failed;
    this.events.emit("announce", { text: `No answer. ${problem.title}` });
    this.#changed();
  }

  /** Nothing is recorded anywhere, and the question is the learner's again. */
  #giveBack(row: RunningRow): void {
    this.#end();
    if (!row.recorded) {
      this.#claimed = false;
      this.#parts.drafts.write(this.id, emptyDraft);
      this.#keepDraft();
      this.events.emit("unclaimed");
    }
    if (!row.replaces && !this.draftText.trim()) {
      this.write(row.question);
      this.events.emit("returned", { question: row.question });
    }
    this.#changed();
  }

  async #commit(row: RunningRow, turn: RecordedTurn, frame: CompleteFrame | null): Promise<void> {
    const trace = this.#live && traceOf(row, this.#live.answer, frame);
    if (trace) this.#traces.set(row.key, trace);
    this.#recordedExchanges = null;
    this.presence = "present";
    const { references, model } = this;
    await this.#parts.library.commit(changesOf(row, turn));
    this.#end();
    if (!row.recorded) this.#choicesSince(references, model);
    this.#changed();
    if (trace) await this.#parts.store.traces.put(trace);
  }

  /** What was attached, removed or chosen while the first answer was being written: the conversation begins as it was sent. */
  #choicesSince(references: AttachedReference[], model: ModelSelection): void {
    const begun = this.references;
    for (const { href } of begun) if (!references.some((other) => other.href === href)) this.detach(href);
    for (const reference of references) this.attach(reference);
    if (JSON.stringify(model) !== JSON.stringify(this.model)) this.choose(model);
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
    this.#record = record;
    this.#recordedExchanges = null;
    this.presence = "present";
    this.references = record.references;
    this.model = record.model;
    this.#changed();
  }

  #absent(presence: "missing" | "deleted" | "unreachable"): void {
    this.#record = null;
    this.#recordedExchanges = null;
    this.#abort?.abort();
    this.presence = presence;
    this.#changed();
  }

  /** A conversation that has not begun keeps its draft in the tab's place for new ones. */
  get #draftKey(): string | null {
    return this.presence === "new" && !this.#claimed ? null : this.id;
  }

  #keepDraft(): void {
    const key = this.#draftKey;
    const draft: Draft = { text: this.draftText, references: key ? [] : this.references, model: null };
    if (!key && this.model.choice === "pinned") draft.model = this.model;
    this.#parts.drafts.write(key, draft);
  }
}
