import type { CompleteFrame } from "@colloquy/schemas/ask/ask.ts";
import { applyFrame, emptyTurn } from "@colloquy/schemas/ask/turn-progress.ts";
import type { AttachedReference, ConversationChangeData } from "@colloquy/schemas/sync/changes.ts";
import { closeMarkup } from "@colloquy/schemas/text/close-markup.ts";
import type { AnswerView } from "../answers/answer-view.ts";
import { type ClientProblem, clientProblem, isAbort } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { type Exchange, type LiveTurn, withLive } from "../conversations/exchanges.ts";
import { historyBefore, liveTurn, questionOf, turnAfter } from "../conversations/turns.ts";
import { Emitter } from "../store/emitter.ts";
import type { RunningRow } from "../store/rows.ts";
import { startedData } from "../store/running.ts";
import type { Connection } from "./connection.ts";

/**
 * A conversation on another site's page, kept only in memory. The service records each turn in the reader's history when it ends, stopped or
 * not, even if the page is gone.
 */
export class EmbeddedConversation {
  readonly events = new Emitter<{ change: undefined }>();
  /** Finished exchanges. */
  exchanges: Exchange[] = [];
  readonly shown = new Map<string, string>();
  readonly #connection: Connection;
  readonly #conversationId = uuidv7();
  /** The reader that it belongs to. */
  readonly reader: string | null;
  #started: ConversationChangeData["started"] | null = null;
  /** References of the last question. */
  #references: AttachedReference[] = [];
  #live: LiveTurn | null = null;
  #abort: AbortController | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.reader = connection.reader;
  }

  get busy(): boolean {
    return this.#abort !== null;
  }
  /** All exchanges, including the one being answered. */
  get all(): Exchange[] {
    return withLive({ exchanges: this.exchanges, references: this.#references }, this.#live);
  }

  /** Asks a question; resolves with the finished, stopped or failed answer. Null if an answer is already running. */
  async ask(question: string, references: AttachedReference[], replaces: string | null = null): Promise<AnswerView | null> {
    if (this.#abort) return null;
    const abort = new AbortController();
    this.#abort = abort;
    const row: RunningRow = {
      key: uuidv7(),
      conversationId: this.#conversationId,
      recorded: false,
      question,
      turn: emptyTurn,
      references,
      replaces,
      model: { choice: "automatic" },
      at: new Date().toISOString(),
      savedAt: 0,
    };
    this.#started ??= startedData(row);
    this.#live = liveTurn(row);
    this.#changed();
    const asked = questionOf(row, historyBefore(this.exchanges, this.shown, replaces));
    // Sent with each turn; starting an existing conversation changes nothing.
    if (asked.keep) asked.keep = { ...asked.keep, started: this.#started, recordedBy: "service" };
    let complete: CompleteFrame | null = null;
    let problem: ClientProblem | null = null;
    const onLost = (lost: boolean) => {
      const live = this.#live;
      if (!live || !live.answer.lost === !lost) return;
      this.#live = { ...live, answer: { ...live.answer, lost } };
      this.#changed();
    };
    try {
      for await (const frame of this.#connection.api.ask(asked, abort.signal, onLost)) {
        row.turn = applyFrame(row.turn, frame);
        if (frame.kind === "complete") complete = frame;
        else if (frame.kind === "error") problem = clientProblem(frame.code, { title: frame.title });
        else {
          this.#live = turnAfter(this.#live, frame, row.turn);
          this.#changed();
        }
      }
    } catch (error) {
      if (!isAbort(error)) problem = clientProblem("unavailable");
    }
    if (abort.signal.aborted && !complete) void this.#connection.api.release(row.key);
    return this.#end(row, this.#live, complete, problem);
  }

  stop(): void {
    this.#abort?.abort();
  }

  /** Returns an idempotent function that records a quiz attempt; it resolves to false on failure. */
  attempted(attempt: ConversationChangeData["quiz_attempted"]): () => Promise<boolean> {
    const change = { changeId: uuidv7(), at: new Date().toISOString(), type: "quiz_attempted" as const, data: attempt };
    return () => this.#connection.record(this.#conversationId, [change]);
  }

  #end(row: RunningRow, live: LiveTurn, complete: CompleteFrame | null, problem: ClientProblem | null): AnswerView | null {
    const { text, citations, artifact, provider, model, fallbackDepth } = row.turn;
    const { followUps, trace } = row.turn;
    const { startedAt } = live.answer.trace;
    const elapsedMs = complete || startedAt === null ? trace.elapsedMs : Math.round(performance.now() - startedAt);
    const answer: AnswerView = {
      ...live.answer,
      text: complete ? text : closeMarkup(text),
      citations,
      artifact,
      provider,
      model,
      fallbackDepth,
      problem,
      state: complete ? "finished" : problem ? "failed" : "stopped",
      trace: { ...trace, elapsedMs, startedAt: null, followUps },
    };
    this.#abort = null;
    this.#live = null;
    // A turn stopped before its first word is dropped.
    if (text || artifact || problem) {
      this.exchanges = withLive({ exchanges: this.exchanges, references: this.#references }, { ...live, answer });
      this.#references = row.references;
    }
    this.#changed();
    return answer;
  }

  #changed(): void {
    this.events.emit("change");
  }
}
