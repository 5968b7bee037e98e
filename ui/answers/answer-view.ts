import type { Answerer } from "@colloquy/schemas/models.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { TurnTrace } from "@colloquy/schemas/turn-trace.ts";
import type { ClientProblem } from "../api/problems.ts";

/** An answer as shown, in any state. */
export interface AnswerView {
  turnId: string;
  state: "running" | "finished" | "stopped" | "failed";
  text: string;
  citations: Citation[];
  artifact: Quiz | null;
  /** Null until known. */
  provider: Answerer | null;
  model: string;
  fallbackDepth: number;
  trace: TraceView;
  problem: ClientProblem | null;
  /** The connection was lost and is being retried. */
  lost?: boolean;
  /** The question has not reached the service. */
  unsent?: true;
}

/** How an answer came about, as far as it is known. */
export interface TraceView extends Omit<TurnTrace, "elapsedMs"> {
  /** Null for an answer of an older version. */
  elapsedMs: number | null;
  /** By the page's clock (`performance.now()`); only while running. */
  startedAt: number | null;
  followUps: string[];
  /** Progress of a quiz that is being written. */
  questions?: { made: number; wanted: number } | undefined;
}
