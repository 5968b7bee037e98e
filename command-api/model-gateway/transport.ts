import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { generateText, type JSONSchema7, jsonSchema, NoObjectGeneratedError, Output, streamText } from "ai";
import { createDeadlines } from "./deadlines.ts";
import { CallFailure, failureOf } from "./failures.ts";
import type { CallDetails, ModelTarget } from "./targets.ts";

/** One call's prompt and limits. */
export interface Prompt {
  system: string;
  messages: { role: "user" | "assistant"; content: string }[];
  maxOutputTokens: number;
}

export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
}

/** An answer that has begun: its first word is there, and the chunks after it as they arrive. */
export interface BegunAnswer {
  text: AsyncIterable<string>;
  finished: Promise<{ finishReason: "stop" | "length"; usage?: Usage }>;
}

/** No answer of a service may be larger, whatever it sends (bytes of one response that is read as a whole). */
const responseBytes = 2_097_152;

// The SDK would print its warnings, and the words of a provider with them.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Asks for text and waits for its first word.
 * @throws {CallFailure} when it fails before that; afterwards `text` and `finished` fail with one.
 * A caller's abort ends both with the signal's own reason. The provider's request is closed in every case.
 */
export async function beginText(model: ModelTarget, details: CallDetails, prompt: Prompt, caller: AbortSignal): Promise<BegunAnswer> {
  const deadlines = createDeadlines(caller);
  const { timeouts } = details;
  deadlines.start("whole", timeouts.wholeMs);
  deadlines.start("first", timeouts.firstTokenMs);
  deadlines.start("connect", timeouts.connectMs);
  const end = (error: unknown): unknown => {
    deadlines.clear();
    deadlines.abort();
    if (caller.aborted) return caller.reason;
    return deadlines.expired() ?? failureOf(error);
  };

  const parts = streamText({
    model: languageModel(model, details, async (response) => {
      deadlines.stop("connect");
      return response;
    }),
    instructions: prompt.system,
    messages: prompt.messages,
    maxOutputTokens: prompt.maxOutputTokens + model.reasoningTokens,
    maxRetries: 0,
    abortSignal: deadlines.signal,
    onError: () => {},
  }).fullStream[Symbol.asyncIterator]();

  let outcome: { finishReason: "stop" | "length"; usage?: Usage } | undefined;
  const next = async (): Promise<string | undefined> => {
    for (;;) {
      const { done, value: part } = await parts.next();
      if (done || part.type === "abort") throw new CallFailure("unavailable");
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta" && part.text) return part.text;
      if (part.type === "finish") {
        outcome = { finishReason: part.finishReason === "length" ? "length" : "stop", ...usageOf(part.totalUsage) };
        return undefined;
      }
    }
  };

  let first: string;
  try {
    const word = await raceAbort(next(), deadlines.signal);
    if (word === undefined) throw new CallFailure("empty");
    first = word;
  } catch (error) {
    throw end(error);
  }
  deadlines.stop("first");

  const finished = Promise.withResolvers<{ finishReason: "stop" | "length"; usage?: Usage }>();
  finished.promise.catch(() => {});
  let length = first.length;
  async function* text(): AsyncGenerator<string> {
    let settled = false;
    let complete = false;
    try {
      yield first;
      for (;;) {
        deadlines.start("idle", timeouts.idleMs);
        const chunk = await raceAbort(next(), deadlines.signal);
        deadlines.stop("idle");
        if (chunk === undefined) {
          // The service has said everything; its connection may serve the next request.
          complete = true;
          break;
        }
        length += chunk.length;
        if (length > bounds.ask.answerLength) {
          outcome = { finishReason: "length" };
          break;
        }
        yield chunk;
      }
    } catch (error) {
      settled = true;
      const failure = end(error);
      finished.reject(failure);
      throw failure;
    } finally {
      if (!settled) {
        deadlines.clear();
        // Whoever reads has had enough: the service must not go on writing.
        if (!complete) deadlines.abort();
        finished.resolve(outcome ?? { finishReason: "stop" });
      }
    }
  }
  return { text: text(), finished: finished.promise };
}

/** Asks for JSON. `schema` is sent when the model enforces schemas. @throws {CallFailure} or the caller's own reason. */
export async function requestJson(
  model: ModelTarget,
  details: CallDetails,
  request: Prompt & { name: string; schema: JSONSchema7 },
  caller: AbortSignal,
): Promise<{ text: string; usage?: Usage }> {
  const deadlines = createDeadlines(caller);
  deadlines.start("whole", details.timeouts.wholeMs);
  try {
    const result = await raceAbort(
      generateText({
        model: languageModel(model, details, limited),
        instructions: request.system,
        messages: request.messages,
        maxOutputTokens: request.maxOutputTokens + model.reasoningTokens,
        maxRetries: 0,
        abortSignal: deadlines.signal,
        output: Output.object({ schema: jsonSchema(request.schema), name: request.name }),
      }),
      deadlines.signal,
    );
    if (!result.text.trim()) throw new CallFailure("empty");
    return { text: result.text, ...usageOf(result.totalUsage) };
  } catch (error) {
    // Aborting a call that was answered would break a connection the next call may be about to use.
    deadlines.abort();
    if (caller.aborted) throw caller.reason;
    const expired = deadlines.expired();
    if (expired) throw expired;
    // It answered, but not with JSON: the caller may ask it to repair that.
    if (NoObjectGeneratedError.isInstance(error) && error.text?.trim()) return { text: error.text, ...usageOf(error.usage) };
    throw NoObjectGeneratedError.isInstance(error) ? new CallFailure("empty") : failureOf(error);
  } finally {
    deadlines.clear();
  }
}

function languageModel(model: ModelTarget, details: CallDetails, received: (response: Response) => Promise<Response>) {
  return createOpenAICompatible({
    name: model.provider,
    baseURL: details.baseUrl,
    ...(details.apiKey !== null && { apiKey: details.apiKey }),
    includeUsage: details.usageInStream,
    supportsStructuredOutputs: model.structuredOutput === "json_schema",
    // A redirect could carry the credential and the prompt somewhere else.
    fetch: async (url, init) => received(await fetch(url, { ...init, redirect: "error" })),
  }).chatModel(model.serviceId);
}

/** Breaks off a response that grows beyond all measure. */
async function limited(response: Response): Promise<Response> {
  let bytes = 0;
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > responseBytes) controller.error(new CallFailure("invalid"));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(body ?? null, { status: response.status, headers: response.headers });
}

/** Waits no longer than the signal lets it: a stream that ignores its abort must not hold anyone up. */
function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function usageOf(usage: { inputTokens?: number | undefined; outputTokens?: number | undefined } | undefined): { usage?: Usage } {
  const { inputTokens, outputTokens } = usage ?? {};
  if (inputTokens === undefined && outputTokens === undefined) return {};
  return { usage: { ...(inputTokens !== undefined && { inputTokens }), ...(outputTokens !== undefined && { outputTokens }) } };
}
