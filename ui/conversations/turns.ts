import type { AskFrame, AskRequest } from "@colloquy/schemas/ask/ask.ts";
import { emptyTurn, type TurnProgress } from "@colloquy/schemas/ask/turn-progress.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AnswerView } from "../answers/answer-view.ts";
import type { ErrorFrame, Question } from "../api/ask.ts";
import { connectionBroke } from "../api/frames.ts";
import { type ClientProblem, clientProblem } from "../api/problems.ts";
import { quizAsMarkdown } from "../quiz/as-markdown.ts";
import type { RunningRow, TraceRow } from "../store/rows.ts";
import { startedData } from "../store/running.ts";
import type { Exchange, LiveTurn } from "./exchanges.ts";

const answerFields = ({ text, citations, artifact, provider, model, fallbackDepth }: TurnProgress) => ({
  text,
  citations,
  artifact,
  provider,
  model,
  fallbackDepth,
});

/** The row of a turn that is about to be sent. */
export function turnRow(
  conversation: Pick<RunningRow, "references" | "model" | "recorded"> & { id: string },
  key: string,
  question: string,
  replaces: string | null,
): RunningRow {
  const { id: conversationId, recorded, references, model } = conversation;
  const now = new Date();
  return {
    key,
    conversationId,
    recorded,
    question,
    turn: emptyTurn,
    references,
    model,
    replaces,
    at: now.toISOString(),
    savedAt: now.getTime(),
  };
}

/** The live turn of a row that starts or resumes. */
export function liveTurn(row: RunningRow): LiveTurn {
  const answer: AnswerView = {
    turnId: row.key,
    state: "running",
    ...answerFields(row.turn),
    trace: { ...row.turn.trace, startedAt: performance.now(), followUps: [] },
    problem: null,
  };
  return { turnId: row.key, question: row.question, at: row.at, references: row.references, replaces: row.replaces, answer };
}

/** A live turn whose question waits for its conversation to load. */
export function pendingTurn(row: RunningRow): LiveTurn {
  const live = liveTurn(row);
  return { ...live, answer: { ...live.answer, trace: { ...live.answer.trace, startedAt: null } } };
}

/** The live turn after a frame; `turn` already includes the frame. Pure. */
export function turnAfter(live: LiveTurn, frame: AskFrame, turn: TurnProgress): LiveTurn {
  const { startedAt, followUps, questions: before } = live.answer.trace;
  const questions = (frame.kind === "status" && frame.detail?.questions) || before;
  return { ...live, answer: { ...live.answer, ...answerFields(turn), trace: { ...turn.trace, startedAt, followUps, questions } } };
}

/** The live turn after its failure. If the service no longer keeps the turn, people see a broken connection. Pure. */
export function failedTurn(live: LiveTurn, frame: ErrorFrame): LiveTurn {
  const { code, title, retryable } = frame.code === "not_found" ? connectionBroke() : frame;
  return { ...live, answer: { ...live.answer, state: "failed", problem: { ...clientProblem(code, { title }), retryable } } };
}

/** A question that begins with `/quiz` requests a quiz. */
const isQuiz = (question: string): boolean => /^\s*\/quiz(?=\s|$)/i.test(question);

/**
 * The request for a turn. The server resolves references by address; the labels in `keep` are for the record that the service makes if
 * nobody returns.
 */
export function questionOf(row: RunningRow, history: AskRequest["history"]): Question {
  return {
    requestId: row.key,
    conversationId: row.recorded ? row.conversationId : null,
    message: row.question,
    history,
    references: row.references.map(({ href, sourceId, revisionId }) => ({
      href,
      ...(sourceId && { sourceId }),
      ...(revisionId && { revisionId }),
    })),
    model: row.model,
    ...(isQuiz(row.question) && { command: "quiz" as const }),
    ...(row.replaces && { regenerate: true }),
    keep: {
      conversationId: row.conversationId,
      turnId: row.key,
      at: row.at,
      ...(!row.recorded && { started: startedData(row) }),
      ...(row.replaces && { replaces: row.replaces }),
    },
  };
}

/** The history of a request, newest last, within its limits; for a regeneration, what came before that question. Pure. */
export function historyBefore(
  exchanges: readonly Exchange[],
  shown: ReadonlyMap<string, string>,
  replaces: string | null,
): AskRequest["history"] {
  const entries: AskRequest["history"] = [];
  for (const exchange of exchanges) {
    if (replaces && exchange.answers.some((answer) => answer.turnId === replaces)) break;
    const answer = exchange.answers.find((candidate) => candidate.turnId === shown.get(exchange.key)) ?? exchange.answers.at(-1);
    const said = answer?.text || (answer?.artifact && quizAsMarkdown(answer.artifact));
    if (!said) continue;
    const text = said.slice(0, bounds.ask.historyEntryLength);
    entries.push({ role: "learner", text: exchange.question }, { role: "assistant", text });
  }
  return entries.slice(-bounds.ask.historyEntries);
}

/** What this device alone stores of a recorded turn. */
export const traceRow = ({ key, conversationId, references }: RunningRow, problem: ClientProblem | null): TraceRow => ({
  key,
  conversationId,
  references,
  problem,
});
