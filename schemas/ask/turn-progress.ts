import type { Quiz } from "../quiz/quiz.ts";
import type { RecordedTurn } from "../sync/changes.ts";
import type { AskFrame } from "./ask.ts";
import type { Citation } from "./citations.ts";
import type { Provider } from "./models.ts";

/**
 * What the frames of a turn have told. The browser and the service fold them by the same functions, so that whichever of the two
 * records a turn, it is the same record. Free of zod, because browsers load it.
 */
export interface TurnProgress {
  /** The number of the last frame; what comes next is asked for with it. */
  seq: number;
  text: string;
  citations: Citation[];
  artifact: Quiz | null;
  /** Who writes; null while nobody was asked. */
  provider: Provider | null;
  model: string;
  fallbackDepth: number;
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
  outcome: "running",
};

/** The turn after one more frame. Frames that were seen before change nothing. Pure. */
export function applyFrame(turn: TurnProgress, frame: AskFrame): TurnProgress {
  if (frame.seq !== undefined && frame.seq <= turn.seq) return turn;
  const seq = frame.seq ?? turn.seq;
  switch (frame.kind) {
    case "status": {
      const { provider, model, fallbackDepth, quiz } = frame.detail ?? {};
      const artifact = quiz ?? turn.artifact;
      if (provider === undefined) return { ...turn, seq, artifact };
      return { ...turn, seq, artifact, provider, model: model ?? "", fallbackDepth: fallbackDepth ?? 0 };
    }
    case "citation":
      return { ...turn, seq, citations: [...turn.citations, frame.citation] };
    case "text_delta":
      return { ...turn, seq, text: turn.text + frame.text };
    case "artifact":
      return { ...turn, seq, artifact: frame.artifact };
    case "complete": {
      const { citations, provider, model, fallbackDepth } = frame;
      return { ...turn, seq, citations, provider, model, fallbackDepth, outcome: "finished" };
    }
    case "error":
      // Whatever breaks after the last frame, the answer is whole.
      return { ...turn, seq, outcome: turn.outcome === "finished" ? "finished" : "failed" };
  }
}

/**
 * The record of a turn that goes on no more: of what has come (text, or the first questions of a quiz), marked as stopped, unless it
 * was finished. Null when nothing has come: then nothing is recorded anywhere. Pure.
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
    answer: turn.text,
    citations: finished ? turn.citations : (turn.artifact?.sources ?? turn.citations),
    ...(turn.artifact && { artifact: turn.artifact }),
    outcome: finished ? "finished" : "stopped",
    provider: turn.provider,
    model: turn.model,
    fallbackDepth: turn.fallbackDepth,
    ...(about.replaces && { replaces: about.replaces }),
  };
}
