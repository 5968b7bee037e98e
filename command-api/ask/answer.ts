import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { AskFrame, AskPhase } from "@colloquy/schemas/ai/ask.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { citationWriter } from "../grounding/citations.ts";
import { askSystemPrompt, conversationMessages } from "../grounding/prompt.ts";
import { retrieve } from "../grounding/retrieve.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { followUps } from "./follow-ups.ts";
import { makeQuiz } from "./quiz.ts";
import type { AskTurn } from "./turn.ts";

export interface AskDependencies {
  library: PassageLibrary;
  gateway: ModelGateway;
  /** Milliseconds on a clock that never goes back. */
  now(): number;
}

/**
 * The frames of one Ask turn: status frames as the work goes on, the text as it arrives with its markers turned into
 * citations, then `complete`. It throws instead of yielding an error frame; the caller ends the stream with one.
 * @throws {ProblemError} `ai_unavailable`, `ai_timeout`, `model_not_capable`
 */
export async function* answer(dependencies: AskDependencies, request: AskTurn, signal: AbortSignal): AsyncGenerator<AskFrame> {
  const { library, gateway, now } = dependencies;
  const started = now();
  const elapsedMs = (): number => Math.round(now() - started);
  const status = (phase: AskPhase, sources?: number): AskFrame =>
    versioned({ kind: "status" as const, phase, elapsedMs: elapsedMs(), ...(sources !== undefined && { detail: { sources } }) });

  yield status("retrieving");
  const passages = await retrieve(library, request);
  yield status("generating", passages.length);
  if (request.command === "quiz") {
    const { artifact, run } = await makeQuiz(gateway, request, passages, signal);
    yield status("grounding", passages.length);
    yield versioned({ kind: "artifact" as const, artifact });
    const { provider, model, fallbackDepth } = run;
    yield versioned({
      kind: "complete" as const,
      citations: artifact.sources,
      followUps: [],
      provider,
      model,
      fallbackDepth,
      finishReason: "stop" as const,
      elapsedMs: elapsedMs(),
    });
    return;
  }

  const run = await gateway.streamText({
    model: request.model,
    need: "ask",
    system: askSystemPrompt(passages),
    messages: conversationMessages(request.history, request.message),
    maxOutputTokens: bounds.ask.outputTokens,
    signal,
  });
  yield status("writing", passages.length);
  const writer = citationWriter(passages);
  let room = bounds.ask.answerLength;
  for await (const piece of run.text) {
    const text = writer.push(piece.slice(0, room));
    room -= piece.length;
    if (text) yield versioned({ kind: "text_delta" as const, text });
    if (room <= 0) break;
  }
  const rest = writer.end();
  if (rest) yield versioned({ kind: "text_delta" as const, text: rest });
  yield status("grounding", passages.length);
  const citations = writer.citations();
  const finished = room <= 0 ? { finishReason: "length" as const } : await run.finished;
  yield versioned({
    kind: "complete" as const,
    citations,
    followUps: followUps(passages, citations, request),
    provider: run.provider,
    model: run.model,
    fallbackDepth: run.fallbackDepth,
    ...finished,
    elapsedMs: elapsedMs(),
  });
}
