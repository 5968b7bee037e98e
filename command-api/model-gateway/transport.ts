import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { JSONSchema7 } from "@ai-sdk/provider";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import { answerFilter } from "./answer-filter.ts";
import { credentialRedactor } from "./credential-redactor.ts";
import { createDeadlines } from "./deadlines.ts";
import { CallFailure, failureOf } from "./failures.ts";
import type { CallDetails, ModelTarget } from "./targets.ts";

/** One call's prompt and limits. */
export interface Prompt {
  system: string;
  messages: { role: "user" | "assistant"; content: string }[];
  maxOutputTokens: number;
  /** Ask a model that reasons to do so as little as its service allows. */
  isQuick?: boolean;
}

export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
}

export interface Finish {
  finishReason: "stop" | "length";
  usage?: Usage;
}

/** An answer whose first word has arrived. */
export interface BegunAnswer {
  text: AsyncIterable<string>;
  finished: Promise<Finish>;
  /** The name that the service gives the model. */
  reportedModel?: string;
}

/** Accepted names of models; others are not passed on. */
const modelName = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,159}$/;

/**
 * Requests text and waits for its first word. The provider's request is closed in every case.
 * @throws {CallFailure} before the first word; later `text` and `finished` reject with one. After an abort by the caller: the signal's reason.
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
  const abortable = abortableBy(deadlines.signal);
  const filter = answerFilter();
  let outcome: Finish | undefined;
  let reportedModel: string | undefined;
  let next: () => Promise<string | undefined>;
  let first: string;
  try {
    const parts = await abortable(streamParts(model, details, prompt, deadlines.signal, () => deadlines.stop("connect")));
    /** The next text; undefined at the end. */
    next = async () => {
      for (;;) {
        const { done, value: part } = await abortable(parts.read());
        if (done) throw new CallFailure("unavailable");
        if (part.type === "error") throw part.error;
        if (part.type === "response-metadata" && part.modelId && modelName.test(part.modelId)) reportedModel = part.modelId;
        if (part.type === "text-delta") {
          // Text far beyond the bound is not filtered.
          const text = filter.push(part.delta.slice(0, 2 * bounds.ask.answerLength));
          if (text) return text;
        }
        if (part.type === "finish") {
          const { inputTokens, outputTokens } = part.usage;
          const usage = usageOf({ inputTokens: inputTokens.total, outputTokens: outputTokens.total });
          outcome = { finishReason: part.finishReason.unified === "length" ? "length" : "stop", ...usage };
          return filter.end() || undefined;
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
      // The service has finished: its connection can serve the next request.
      complete = true;
    } catch (error) {
      settled = true;
      const failure = end(error);
      finished.reject(failure);
      throw failure;
    } finally {
      if (!settled) {
        deadlines.clear();
        // The reader left: the service must stop.
        if (!complete) deadlines.abort();
        finished.resolve(outcome ?? { finishReason: "stop" });
      }
    }
  }
  return { text: text(), finished: finished.promise, ...(reportedModel !== undefined && { reportedModel }) };
}

/**
 * The parts of a streamed answer. Uses the SDK's model directly: `streamText` takes four times the processor time per word, for features
 * that are not used here.
 */
export async function streamParts(
  model: ModelTarget,
  details: CallDetails,
  prompt: Prompt,
  signal: AbortSignal,
  connected: () => void,
  responseFormat?: { type: "json"; name: string; schema: JSONSchema7 },
) {
  onResponse.set(signal, (response) => {
    connected();
    return limitResponse(response, modelBounds.gateway.streamBytes);
  });
  const { stream } = await streamingModel(model, details).doStream({
    prompt: [
      { role: "system", content: prompt.system },
      ...prompt.messages.map(({ role, content }) => ({ role, content: [{ type: "text" as const, text: content }] })),
    ],
    maxOutputTokens: prompt.maxOutputTokens + model.reasoningTokens,
    abortSignal: signal,
    ...(prompt.isQuick &&
      model.leastReasoning !== undefined && { providerOptions: { [model.provider]: { reasoningEffort: model.leastReasoning } } }),
    ...(responseFormat && { responseFormat }),
  });
  return redacted(stream.getReader(), details.apiKey);
}

type Parts = Awaited<ReturnType<ReturnType<typeof languageModel>["doStream"]>>["stream"];
type PartsReader = Parts extends ReadableStream<infer Part> ? ReadableStreamDefaultReader<Part> : never;

/** The same parts without the credential. */
function redacted(reader: PartsReader, credential: string | null): Pick<PartsReader, "read"> {
  const clean = credentialRedactor(credential);
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

/** Handlers of responses, by the signal of the call. */
const onResponse = new WeakMap<AbortSignal, (response: Response) => Response>();
const streamingModels = new WeakMap<CallDetails, Map<string, ReturnType<typeof languageModel>>>();

/** The SDK's model for a target, cached: making one builds schemas, which takes longer than a short answer. */
function streamingModel(model: ModelTarget, details: CallDetails): ReturnType<typeof languageModel> {
  const known = streamingModels.get(details) ?? new Map<string, ReturnType<typeof languageModel>>();
  streamingModels.set(details, known);
  const key = `${model.structuredOutput} ${model.serviceId}`;
  const made =
    known.get(key) ?? languageModel(model, details, (response, signal) => (signal && onResponse.get(signal)?.(response)) ?? response);
  known.set(key, made);
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
    // A redirect could send the credential and the prompt to another server.
    fetch: async (url, init) => received(await fetch(url, { ...init, redirect: "error" }), init?.signal),
  }).chatModel(model.serviceId);
}

/**
 * Aborts a response that exceeds the bound, and passes it on in whole lines: the SDK's reader scans a line from its beginning with every
 * chunk.
 */
function limitResponse(response: Response, most: number): Response {
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
 * Awaits promises one after another until the signal aborts, also if a stream ignores its abort. One listener for all, because a long answer
 * has thousands of parts.
 */
export function abortableBy(signal: AbortSignal): <T>(work: Promise<T>) => Promise<T> {
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
