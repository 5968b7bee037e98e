import type { AskPhase } from "@colloquy/schemas/ask/ask.ts";
import type { Citation } from "@colloquy/schemas/ask/citations.ts";
import type { Provider } from "@colloquy/schemas/ask/models.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import type { ClientProblem } from "../api/problems.ts";

/** An answer as it is shown, at whatever point of its life. */
export interface AnswerView {
  turnId: string;
  state: "running" | "finished" | "stopped" | "failed";
  text: string;
  citations: Citation[];
  artifact: Quiz | null;
  /** Null while nobody said who answers. */
  provider: Provider | null;
  model: string;
  fallbackDepth: number;
  trace: TraceView;
  problem: ClientProblem | null;
  /** The connection it comes through is gone, and is tried again. */
  lost?: boolean;
  /** Its question has not reached the service. */
  unsent?: true;
}

/** What the application did for an answer. */
export interface TraceView {
  phases: { phase: AskPhase; atMs: number }[];
  sources: number | null;
  /** Null when this device did not see the turn. */
  elapsedMs: number | null;
  /** On the page's clock (`performance.now()`); only while it runs. */
  startedAt: number | null;
  followUps: string[];
  finishReason: "stop" | "length" | null;
  /** Who was asked first; absent when this device did not see the turn. */
  asked?: { provider: Provider; model: string } | undefined;
  /** The model's own name as its service gave it, where that is another than was asked for. */
  reportedModel?: string | undefined;
  /** How far a quiz is that is being written. */
  questions?: { made: number; wanted: number } | undefined;
}
