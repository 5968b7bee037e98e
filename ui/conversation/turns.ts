import type { AskFrame, AskRequest, CompleteFrame } from "@colloquy/schemas/ai/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { RecordedTurn } from "@colloquy/schemas/sync/changes.ts";
import type { Question } from "../api/ask.ts";
import { uuidv7 } from "../api/uuid.ts";
import type { RunningRow, TraceRow } from "../store/rows.ts";
import type { AnswerView, Exchange, LiveTurn } from "./exchanges.ts";

/** A turn as it begins. */
export function liveTurn(row: RunningRow): LiveTurn {
  const answer: AnswerView = {
    turnId: row.key,
    state: "running",
    text: "",
    citations: [],
    artifact: null,
    provider: null,
    model: "",
    fallbackDepth: 0,
    trace: { phases: [], sources: null, elapsedMs: null, startedAt: performance.now(), followUps: [], finishReason: null },
    problem: null,
  };
  return { turnId: row.key, question: row.question, at: row.at, references: row.references, replaces: row.replaces, answer };
}

/** The turn after a frame that tells how it goes on. Pure. */
export function turnAfter(live: LiveTurn, frame: AskFrame): LiveTurn {
  const { answer } = live;
  const { trace } = answer;
  switch (frame.kind) {
    case "text_delta":
      return { ...live, answer: { ...answer, text: answer.text + frame.text } };
    case "artifact":
      return { ...live, answer: { ...answer, artifact: frame.artifact } };
    case "status": {
      const known = trace.phases.at(-1)?.phase === frame.phase;
      const phases = known ? trace.phases : [...trace.phases, { phase: frame.phase, atMs: frame.elapsedMs }];
      return { ...live, answer: { ...answer, trace: { ...trace, phases, sources: frame.detail?.sources ?? trace.sources } } };
    }
    default:
      return live;
  }
}

/** What is sent for a turn. Labels stay here: the server resolves every reference by its address. */
export function questionOf(row: RunningRow, history: AskRequest["history"]): Question {
  return {
    requestId: uuidv7(),
    conversationId: row.recorded ? row.conversationId : null,
    message: row.question,
    history,
    references: row.references.map(({ href, sourceId, revisionId }) => ({
      href,
      ...(sourceId && { sourceId }),
      ...(revisionId && { revisionId }),
    })),
    model: row.model,
    ...(row.replaces && { regenerate: true }),
  };
}

/** What was said so far, newest last, within the request's bounds; for a regeneration what was said before that question. Pure. */
export function historyBefore(
  exchanges: readonly Exchange[],
  shown: ReadonlyMap<string, string>,
  replaces: string | null,
): AskRequest["history"] {
  const entries: AskRequest["history"] = [];
  for (const exchange of exchanges) {
    if (replaces && exchange.answers.some((answer) => answer.turnId === replaces)) break;
    const answer = exchange.answers.find((candidate) => candidate.turnId === shown.get(exchange.key)) ?? exchange.answers.at(-1);
    if (!answer?.text) continue;
    const text = answer.text.slice(0, bounds.ask.historyEntryLength);
    entries.push({ role: "learner", text: exchange.question }, { role: "assistant", text });
  }
  return entries.slice(-bounds.ask.historyEntries);
}

/** The record of an answer that was completed. Pure. */
export function finishedTurn(row: RunningRow, artifact: AnswerView["artifact"], frame: CompleteFrame): RecordedTurn {
  return {
    turnId: row.key,
    question: row.question,
    answer: row.text,
    citations: frame.citations,
    ...(artifact && { artifact }),
    outcome: "finished",
    provider: frame.provider,
    model: frame.model,
    fallbackDepth: frame.fallbackDepth,
    ...(row.replaces && { replaces: row.replaces }),
  };
}

/** What this device keeps of how an answer came about. */
export function traceOf(row: RunningRow, { trace }: AnswerView, frame: CompleteFrame | null): TraceRow {
  return {
    key: row.key,
    conversationId: row.conversationId,
    phases: trace.phases,
    sources: trace.sources,
    elapsedMs: frame?.elapsedMs ?? Math.round(performance.now() - (trace.startedAt ?? performance.now())),
    followUps: frame?.followUps ?? [],
    references: row.references,
    finishReason: frame?.finishReason ?? null,
  };
}
