import type { AskPhase } from "@colloquy/schemas/ask/ask.ts";
import type { Provider } from "@colloquy/schemas/models.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { ClientProblem } from "../api/problems.ts";

/** An answer as shown, in any state. */
export interface AnswerView {
  turnId: string;
  state: "running" | "finished" | "stopped" | "failed";
  text: string;
  citations: Citation[];
  artifact: Quiz | null;
  /** Null until known. */
  provider: Provider | null;
  model: string;
  fallbackDepth: number;
  trace: TraceView;
  problem: ClientProblem | null;
  /** The connection was lost and is being retried. */
  lost?: boolean;
  /** The question has not reached the service. */
  unsent?: true;
}

/** How an answer came about. */
export interface TraceView {
  phases: { phase: AskPhase; atMs: number }[];
  sources: number | null;
  /** Null if this device did not receive the turn. */
  elapsedMs: number | null;
  /** By the page's clock (`performance.now()`); only while running. */
  startedAt: number | null;
  followUps: string[];
  finishReason: "stop" | "length" | null;
  /** The model that was asked first; absent if this device did not receive the turn. */
  asked?: { provider: Provider; model: string } | undefined;
  /** The model that the provider reports, if it differs from the requested one. */
  reportedModel?: string | undefined;
  /** Progress of a quiz that is being written. */
  questions?: { made: number; wanted: number } | undefined;
}
