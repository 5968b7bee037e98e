import { recordedTurnOf, type TurnProgress } from "@colloquy/schemas/ask/turn-progress.ts";
import type { ErrorFrame } from "../api/ask.ts";
import { msg } from "../messages/page.ts";
import type { RunningRow } from "../store/rows.ts";
import { turnChanges } from "../store/running.ts";
import type { ComposerState } from "./composer-state.ts";
import type { RecordedConversation } from "./recorded-conversation.ts";
import type { TurnEnd } from "./run-turn.ts";
import type { SessionParts, TurnHost } from "./session-parts.ts";
import { failedTurn, traceRow } from "./turns.ts";
import { isUnsent } from "./unsent-question.ts";

interface Needs {
  parts: Pick<SessionParts, "store" | "library">;
  composing: ComposerState;
  recorded: RecordedConversation;
}

/** Stores the result of a turn: the answer, a partial answer, or the question, which returns to the composer. */
export class TurnOutcome {
  readonly #host: TurnHost;
  readonly #needs: Needs;

  constructor(host: TurnHost, needs: Needs) {
    this.#host = host;
    this.#needs = needs;
  }

  /** A turn ended. Returns the row that waits to be sent again, if any. */
  async handleEnd(row: RunningRow, end: TurnEnd): Promise<RunningRow | null> {
    const { presence } = this.#host;
    if (presence === "deleted" || presence === "missing" || end.kind === "gone") await this.#handleDeleted();
    else if (end.kind === "failed" && isUnsent(row, end.frame)) return this.#host.holdUnsent(row);
    else if (end.kind === "failed") await this.#fail(row, end.frame);
    else await this.#finish(row, end);
    return null;
  }

  /** Nothing was recorded: returns the question to the composer. */
  async returnQuestion(row: RunningRow): Promise<void> {
    const host = this.#host;
    host.end();
    if (!row.recorded) await host.unclaim();
    if (!row.replaces && !host.draftText.trim()) host.write(row.question);
    host.changed();
  }

  async #finish(row: RunningRow, end: Exclude<TurnEnd, { kind: "failed" | "gone" }>): Promise<void> {
    if (end.kind === "stopped") await this.#savePartialAnswer(row);
    else if (end.kind === "complete") await this.#commit(row);
    else this.#host.end();
    const questions = row.turn.artifact?.questions.length;
    const complete = questions ? msg("conversation.quizReadyQuestions", { questions }) : msg("conversation.answerComplete");
    this.#host.announce(end.kind === "stopped" ? msg("common.stopped") : complete);
    this.#host.changed();
  }

  /** The conversation was deleted: records nothing and deletes its texts. */
  async #handleDeleted(): Promise<void> {
    this.#host.end();
    if (this.#host.presence !== "deleted") this.#host.markMissing();
    this.#needs.composing.clearDraft();
    await this.#needs.recorded.deleteTraces();
  }

  /** A partial answer is recorded like a stopped one; the failure stays visible. */
  async #fail(row: RunningRow, frame: ErrorFrame): Promise<void> {
    const host = this.#host;
    const failed = host.live && failedTurn(host.live, frame);
    host.live = failed;
    await this.#savePartialAnswer(row);
    host.live = failed;
    const came = row.turn.text || row.turn.artifact ? msg("conversation.theAnswerBrokeOff") : msg("conversation.noAnswer2");
    host.announce(`${came} ${failed?.answer.problem?.title ?? ""}`);
    host.changed();
  }

  /** Records a partial answer as stopped: text, or the first questions of a quiz. */
  async #savePartialAnswer(row: RunningRow): Promise<void> {
    if (row.turn.text || row.turn.artifact) await this.#commit(row);
    else await this.returnQuestion(row);
  }

  async #commit(row: RunningRow): Promise<void> {
    const host = this.#host;
    const { parts, composing, recorded } = this.#needs;
    const { key: turnId, question, replaces } = row;
    const turn = recordedTurnOf({ turnId, question, replaces }, timed(row.turn, host.live?.answer.trace.startedAt));
    if (!turn) return this.returnQuestion(row);
    host.presence = "present";
    // Stored before the record: if the page is closed right after it, the references would be lost.
    await recorded.trace(traceRow(row, host.live?.answer.problem ?? null));
    await parts.library.commit(turnChanges(row, turn));
    host.end();
    await composing.record();
    host.changed();
  }
}

/** The turn with its duration as the reader saw it, if the service did not say: an answer that was stopped or broke off. */
function timed(turn: TurnProgress, startedAt: number | null | undefined): TurnProgress {
  if (turn.outcome === "finished" || startedAt === null || startedAt === undefined) return turn;
  const elapsedMs = Math.max(turn.trace.elapsedMs, Math.round(performance.now() - startedAt));
  return { ...turn, trace: { ...turn.trace, elapsedMs } };
}
