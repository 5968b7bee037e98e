import type { Answerer } from "../models.ts";
import type { Quiz } from "../quiz/quiz.ts";
import type { Citation } from "../sources/citations.ts";
import type { RecordedTurn } from "../sync/changes.ts";
import { closeMarkup } from "../text/close-markup.ts";
import type { TurnTrace } from "../turn-trace.ts";
import type { AskFrame } from "./ask.ts";

/**
 * A turn as a fold of its frames. Browser and service use the same functions, so that both record the same turn. Without zod, because browsers
 * load it.
 */
export interface TurnProgress {
  /** The number of the last frame, to resume after it. */
  seq: number;
  text: string;
  citations: Citation[];
  artifact: Quiz | null;
  /** Null until a model is called. */
  provider: Answerer | null;
  model: string;
  fallbackDepth: number;
  followUps: string[];
  trace: TurnTrace;
  outcome: "running" | "finished" | "failed";
}

export const emptyTurn: TurnProgress = {
  seq: 0,
  text: "",
  citations: [],
  artifact: null,
  provider: null,
  model: "",
  fallbackDepth: 0,
  followUps: [],
  trace: { phases: [], elapsedMs: 0 },
  outcome: "running",
};

/** The turn after one more frame. Repeated frames change nothing. Pure. */
export function applyFrame(turn: TurnProgress, frame: AskFrame): TurnProgress {
  if (frame.seq !== undefined && frame.seq <= turn.seq) return turn;
  const seq = frame.seq ?? turn.seq;
  switch (frame.kind) {
    case "status": {
      const { provider, model, fallbackDepth, quiz } = frame.detail ?? {};
      const next = { ...turn, seq, artifact: quiz ?? turn.artifact, trace: traceAfter(turn.trace, frame) };
      return provider === undefined ? next : { ...next, provider, model: model ?? "", fallbackDepth: fallbackDepth ?? 0 };
    }
    case "citation":
      return { ...turn, seq, citations: [...turn.citations, frame.citation] };
    case "text_delta":
      return { ...turn, seq, text: turn.text + frame.text };
    case "artifact":
      return { ...turn, seq, artifact: frame.artifact };
    case "complete": {
      const { citations, provider, model, fallbackDepth, followUps, elapsedMs, finishReason, reportedModel } = frame;
      const trace = { ...turn.trace, elapsedMs, finishReason, ...(reportedModel !== undefined && { reportedModel }) };
      return { ...turn, seq, citations, provider, model, fallbackDepth, followUps, trace, outcome: "finished" };
    }
    case "error":
      // An error after `complete` does not change a finished answer.
      return { ...turn, seq, outcome: turn.outcome === "finished" ? "finished" : "failed" };
  }
}

function traceAfter(trace: TurnTrace, { phase, elapsedMs, detail = {} }: Extract<AskFrame, { kind: "status" }>): TurnTrace {
  const { sources, pages, sections, rewritten, otherLanguage, provider, model, fallbackDepth } = detail;
  const begins = trace.phases.at(-1)?.phase !== phase;
  const isFirst = !trace.asked && provider !== undefined && model && !fallbackDepth;
  return {
    ...trace,
    phases: begins ? [...trace.phases, { phase, atMs: elapsedMs }] : trace.phases,
    elapsedMs,
    ...(sources !== undefined && { sources }),
    ...(pages !== undefined && { pages }),
    ...(sections !== undefined && { sections }),
    ...(rewritten !== undefined && { rewritten }),
    ...(otherLanguage !== undefined && { otherLanguage }),
    ...(isFirst && { asked: { provider, model } }),
  };
}

/**
 * The record of an ended turn, marked as stopped unless it finished. Null without text and questions: such a turn is not recorded. Pure.
 */
export function recordedTurnOf(
  about: { turnId: string; question: string; replaces?: string | null | undefined },
  turn: TurnProgress,
): RecordedTurn | null {
  const finished = turn.outcome === "finished";
  if (!finished && !turn.text && !turn.artifact) return null;
  if (!turn.provider) return null;
  return {
    turnId: about.turnId,
    question: about.question,
    answer: finished ? turn.text : closeMarkup(turn.text),
    citations: finished ? turn.citations : (turn.artifact?.sources ?? turn.citations),
    ...(turn.artifact && { artifact: turn.artifact }),
    outcome: finished ? "finished" : "stopped",
    provider: turn.provider,
    model: turn.model,
    fallbackDepth: turn.fallbackDepth,
    ...(about.replaces && { replaces: about.replaces }),
    ...(turn.followUps.length > 0 && { followUps: turn.followUps }),
    trace: turn.trace,
  };
}
