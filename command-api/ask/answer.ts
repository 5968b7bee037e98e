import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { AskFrame, AskPhase } from "@colloquy/schemas/ask/ask.ts";
import type { ModelSelection } from "@colloquy/schemas/ask/models.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { type Claim, citationWriter } from "../grounding/citations.ts";
import { askSystemPrompt, conversationMessages } from "../grounding/prompt.ts";
import { retrieve } from "../grounding/retrieve.ts";
import { type Doubt, doubtful, withDoubts } from "../grounding/support.ts";
import { doubtsByModel } from "../grounding/support-model.ts";
import type { ModelGateway, RunInfo } from "../model-gateway/gateway.ts";
import { followUps } from "./follow-ups.ts";
import { makeQuiz } from "./quiz.ts";
import { type QuizWish, quizWish } from "./quiz-wish.ts";
import type { AskTurn } from "./turn.ts";
import { whileDoing } from "./while-doing.ts";

export interface AskDependencies {
  library: PassageLibrary;
  gateway: ModelGateway;
  /** Looks at cited sentences once more; without it they are judged by their words alone. */
  supportModel?: ModelSelection | null;
  /** Milliseconds on a clock that never goes back. */
  now(): number;
}

type StatusDetail = Extract<AskFrame, { kind: "status" }>["detail"];

/** A citation that the bound on an answer's length has cut. */
const halfMark = /\[(?:\^\d*)?$/;

/** What a turn is for: a quiz when the learner asked for one in so many words, by the command or by the request's field. */
export function wishOf(request: Pick<AskTurn, "command" | "message">): QuizWish | null {
  return quizWish(request.message, request.command === "quiz");
}

/**
 * The frames of one Ask turn: status frames as the work goes on, each source before the text that has its number, the text as it
 * arrives with its markers turned into citations, then `complete`. It throws instead of yielding an error frame; the caller ends
 * the stream with one.
 * @throws {ProblemError} `ai_unavailable`, `ai_timeout`, `model_not_capable`
 */
export async function* answer(dependencies: AskDependencies, request: AskTurn, signal: AbortSignal): AsyncGenerator<AskFrame> {
  const { library, gateway, supportModel, now } = dependencies;
  const started = now();
  const elapsedMs = (): number => Math.round(now() - started);
  const status = (phase: AskPhase, detail?: StatusDetail): AskFrame =>
    versioned({ kind: "status" as const, phase, elapsedMs: elapsedMs(), ...(detail && { detail }) });
  const asked = ({ provider, model, fallbackDepth }: RunInfo) => ({ provider, model, fallbackDepth });

  yield status("retrieving");
  const wish = wishOf(request);
  const passages = await retrieve(library, wish ? { ...request, message: wish.about } : request);
  const sources = passages.length;

  if (wish) {
    const progress = { made: 0, wanted: wish.count };
    const { artifact, run } = yield* whileDoing<AskFrame, Awaited<ReturnType<typeof makeQuiz>>>((tell) =>
      makeQuiz(gateway, { ...request, wish }, passages, signal, (run, made, quiz) => {
        tell(status("generating", { sources, ...asked(run), questions: { ...progress, made }, ...(quiz && { quiz }) }));
      }),
    );
    yield status("grounding", { sources });
    yield versioned({ kind: "artifact" as const, artifact });
    yield versioned({
      kind: "complete" as const,
      citations: artifact.sources,
      followUps: [],
      ...asked(run),
      finishReason: "stop" as const,
      elapsedMs: elapsedMs(),
    });
    return;
  }

  const run = yield* whileDoing<AskFrame, Awaited<ReturnType<ModelGateway["streamText"]>>>((tell) =>
    gateway.streamText({
      model: request.model,
      need: "ask",
      system: askSystemPrompt(passages),
      messages: conversationMessages(request.history, request.message),
      maxOutputTokens: bounds.ask.outputTokens,
      signal,
      onAttempt: (attempt) => tell(status("generating", { sources, ...asked(attempt) })),
    }),
  );
  yield status("writing", { sources, ...asked(run) });
  const writer = citationWriter(passages);
  let known = 0;
  let room = bounds.ask.answerLength;
  let said = false;
  /** Text, and before it the sources that it is the first to name. Numbers can make a text longer than the model's own. */
  function* told(text: string): Generator<AskFrame> {
    if (!text) return;
    const left = room;
    room -= text.length;
    if (left <= 0) return;
    if (text.includes("[^")) {
      for (const citation of writer.citations().slice(known)) yield versioned({ kind: "citation" as const, citation });
      known = writer.citations().length;
    }
    const fits = text.length <= left ? text : text.slice(0, left).replace(halfMark, "").toWellFormed();
    said ||= fits.trim() !== "";
    if (fits) yield versioned({ kind: "text_delta" as const, text: fits });
  }
  try {
    for await (const piece of run.text) {
      yield* told(writer.push(piece));
      if (room < 0) break;
    }
  } catch (error) {
    // What was held back until its line or code ends was said all the same.
    if (!signal.aborted) yield* told(writer.end());
    throw error;
  }
  yield* told(writer.end());
  if (!said) throw new ProblemError("ai_unavailable", { detail: "The model gave no answer. Ask again, or choose another model." });
  yield status("grounding", { sources });
  const doubts = async (all: readonly Claim[]): Promise<readonly Doubt[]> => {
    const byWords = doubtful(all, request.message);
    return supportModel ? await doubtsByModel(gateway, supportModel, all, byWords, signal) : byWords;
  };
  const claims = writer.claims();
  const citations = withDoubts(writer.citations(), claims, await doubts(claims));
  const finished = room < 0 ? { finishReason: "length" as const } : await run.finished;
  yield versioned({
    kind: "complete" as const,
    citations,
    followUps: followUps(passages, citations, request),
    ...asked(run),
    ...(run.reportedModel !== undefined && { reportedModel: run.reportedModel }),
    ...finished,
    elapsedMs: elapsedMs(),
  });
}
