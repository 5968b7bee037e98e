import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { JSONSchema7 } from "ai";
import { answerText } from "./answer-text.ts";
import { createDeadlines } from "./deadlines.ts";
import { CallFailure, failureOf } from "./failures.ts";
import type { CallDetails, ModelTarget } from "./targets.ts";
import { withoutCredential } from "./without-credential.ts";

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

export interface Finish {
  finishReason: "stop" | "length";
  usage?: Usage;
}

/** An answer that has begun: its first word is there, and the chunks after it as they arrive. */
export interface BegunAnswer {
  text: AsyncIterable<string>;
  finished: Promise<Finish>;
  /** The model that writes, as the service calls it, when it said so. */
  reportedModel?: string;
}

/** What a service may call a model; anything else it says there is not passed on. */
const modelName = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,159}$/;

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
  const impatient = waitingUntil(deadlines.signal);
  const words = answerText();
  let outcome: Finish | undefined;
  let reportedModel: string | undefined;
  let next: () => Promise<string | undefined>;
  let first: string;
  try {
    const parts = await impatient(partsOf(model, details, prompt, deadlines.signal, () => deadlines.stop("connect")));
    /** The next words; undefined when there are no more. */
    next = async () => {
      for (;;) {
        const { done, value: part } = await impatient(parts.read());
        if (done) throw new CallFailure("unavailable");
        if (part.type === "error") throw part.error;
        if (part.type === "response-metadata" && part.modelId && modelName.test(part.modelId)) reportedModel = part.modelId;
        if (part.type === "text-delta") {
          // What is far beyond the bound is not even looked at.
          const text = words.push(part.delta.slice(0, 2 * bounds.ask.answerLength));
          if (text) return text;
        }
        if (part.type === "finish") {
          const { inputTokens, outputTokens } = part.usage;
          const usage = usageOf({ inputTokens: inputTokens.total, outputTokens: outputTokens.total });
          outcome = { finishReason: part.finishReason.unified === "length" ? "length" : "stop", ...usage };
          return words.end() || undefined;
        }
      }
    };
    const word = await next();
    if (word === undefined) throw new CallFailure("empty");
    first = word;
  } catch (error) {
    throw end(error);
  }
  deadlines.stop("first");

  const finished = Promise.withResolvers<Finish>();
  finished.promise.catch(() => {});
  async function* text(): AsyncGenerator<string> {
    let room: number = bounds.ask.answerLength;
    let settled = false;
    let complete = false;
    try {
      for (let chunk: string | undefined = first; chunk !== undefined; ) {
        if (chunk.length > room) {
          outcome = { finishReason: "length" };
          const cut = chunk.slice(0, room).toWellFormed();
          if (cut) yield cut;
          return;
        }
        room -= chunk.length;
        yield chunk;
        if (outcome) break;
        deadlines.start("idle", timeouts.idleMs);
        chunk = await next();
        deadlines.stop("idle");
      }
      // The service has said everything; its connection may serve the next request.
      complete = true;
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
  return { text: text(), finished: finished.promise, ...(reportedModel !== undefined && { reportedModel }) };
}

/**
 * The parts of a streamed answer. By the SDK's model itself: its `streamText` around it takes four times the processor time
 * for each word, for things not used here.
 */
export async function partsOf(
  model: ModelTarget,
  details: CallDetails,
  prompt: Prompt,
  signal: AbortSignal,
  connected: () => void,
  responseFormat?: { type: "json"; name: string; schema: JSONSchema7 },
) {
  onResponse.set(signal, (response) => {
    connected();
    return limited(response, bounds.gateway.streamBytes);
  });
  const { stream } = await streamingModel(model, details).doStream({
    prompt: [
      { role: "system", content: prompt.system },
      ...prompt.messages.map(({ role, content }) => ({ role, content: [{ type: "text" as const, text: content }] })),
    ],
    maxOutputTokens: prompt.maxOutputTokens + model.reasoningTokens,
    abortSignal: signal,
    ...(responseFormat && { responseFormat }),
  });
  return discreet(stream.getReader(), details.apiKey);
}

type Parts = Awaited<ReturnType<ReturnType<typeof languageModel>["doStream"]>>["stream"];
type PartsReader = Parts extends ReadableStream<infer Part> ? ReadableStreamDefaultReader<Part> : never;

/** The same parts, in none of which the service tells its caller's credential. */
function discreet(reader: PartsReader, credential: string | null): Pick<PartsReader, "read"> {
  const clean = withoutCredential(credential);
  if (!clean) return reader;
  let waiting: Awaited<ReturnType<PartsReader["read"]>> | null = null;
  return {
    async read() {
      const next = waiting ?? (await reader.read());
      waiting = null;
      const part = next.value;
      if (part?.type === "text-delta") return { done: false, value: { ...part, delta: clean.push(part.delta) } };
      if (part?.type === "response-metadata" && credential !== null && part.modelId?.includes(credential))
        return { done: false, value: { type: part.type } };
      const rest = part?.type === "finish" ? clean.end() : "";
      if (rest === "") return next;
      waiting = next;
      return { done: false, value: { type: "text-delta", id: "rest", delta: rest } };
    },
  };
}

/** What is done with the response to a call, by the call's signal. */
const onResponse = new WeakMap<AbortSignal, (response: Response) => Response>();
const streamingModels = new WeakMap<CallDetails, Map<string, ReturnType<typeof languageModel>>>();

/** The SDK's model for a target, made once: with each it builds its schemas anew, which takes longer than a short answer's words. */
function streamingModel(model: ModelTarget, details: CallDetails): ReturnType<typeof languageModel> {
  const known = streamingModels.get(details) ?? new Map<string, ReturnType<typeof languageModel>>();
  streamingModels.set(details, known);
  const made =
    known.get(model.serviceId) ??
    languageModel(model, details, (response, signal) => (signal && onResponse.get(signal)?.(response)) ?? response);
  known.set(model.serviceId, made);
  return made;
}

function languageModel(
  model: ModelTarget,
  details: CallDetails,
  received: (response: Response, signal: AbortSignal | null | undefined) => Response,
) {
  return createOpenAICompatible({
    name: model.provider,
    baseURL: details.baseUrl,
    ...(details.apiKey !== null && { apiKey: details.apiKey }),
    includeUsage: details.usageInStream,
    supportsStructuredOutputs: model.structuredOutput === "json_schema",
    // A redirect could carry the credential and the prompt somewhere else.
    fetch: async (url, init) => received(await fetch(url, { ...init, redirect: "error" }), init?.signal),
  }).chatModel(model.serviceId);
}

/**
 * Breaks off a response that grows beyond all measure, and passes it on in whole lines: the SDK's reader would go over a long line
 * from its beginning at each piece of it.
 */
function limited(response: Response, most: number): Response {
  let bytes = 0;
  let line: Uint8Array[] = [];
  const body = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > most) return controller.error(new CallFailure("invalid"));
        const end = chunk.lastIndexOf(newline) + 1;
        if (end > 0) {
          controller.enqueue(joined(line, chunk.subarray(0, end)));
          line = [];
        }
        if (end < chunk.byteLength) line.push(chunk.subarray(end));
      },
      flush(controller) {
        if (line.length > 0) controller.enqueue(joined(line));
      },
    }),
  );
  return new Response(body ?? null, { status: response.status, headers: response.headers });
}

const newline = 10;
const joined = (parts: Uint8Array[], last?: Uint8Array): Uint8Array =>
  parts.length === 0 && last ? last : new Uint8Array(Buffer.concat(last ? [...parts, last] : parts));

/**
 * Waits for one thing after another, but no longer than the signal lets it: a stream that ignores its abort must not hold anyone
 * up. One listener for all of them, because a long answer has thousands of parts.
 */
export function waitingUntil(signal: AbortSignal): <T>(work: Promise<T>) => Promise<T> {
  let abandon: ((reason: unknown) => void) | undefined;
  signal.addEventListener("abort", () => abandon?.(signal.reason), { once: true });
  return (work) => {
    if (signal.aborted) {
      work.catch(() => {});
      return Promise.reject(signal.reason);
    }
    return new Promise((resolve, reject) => {
      abandon = reject;
      work.then(resolve, reject);
    });
  };
}

export function usageOf(usage: { inputTokens?: number | undefined; outputTokens?: number | undefined } | undefined): { usage?: Usage } {
  const { inputTokens, outputTokens } = usage ?? {};
  if (inputTokens === undefined && outputTokens === undefined) return {};
  return { usage: { ...(inputTokens !== undefined && { inputTokens }), ...(outputTokens !== undefined && { outputTokens }) } };
}
