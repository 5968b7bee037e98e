import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { beginSpan, type Span } from "@colloquy/infra/telemetry/traces.ts";
import { modelBounds } from "@colloquy/schemas/model-bounds.ts";
import type { LeftToday, ModelChoice, ModelSelection, Provider } from "@colloquy/schemas/models.ts";
import type { z } from "zod";
import { countTokens } from "../tokens.ts";
import { CallFailure, DailyLimitReached, isUnavailability, NoModelAvailable, problemOf } from "./failures.ts";
import { type Admission, createHealth } from "./health.ts";
import type { LocalModels } from "./local-models.ts";
import { requestJson } from "./object-call.ts";
import { objectReader } from "./object-reader.ts";
import { readObject, wireSchema } from "./object-schema.ts";
import { type Attempt, type Need, route } from "./routing.ts";
import { publicChoice, readTargets } from "./targets.ts";
import { type BegunAnswer, beginText, type Finish, type Prompt, type Usage } from "./transport.ts";
import { type Meter, type ModelUsage, openModelUsage } from "./usage.ts";

export type { Need } from "./routing.ts";

/** `signal` aborts the provider's HTTP request too. */
export interface ModelRequest extends Prompt {
  model: ModelSelection;
  need: Need;
  signal: AbortSignal;
  /** Called before each model is called. */
  onAttempt?(run: RunInfo): void;
  /** Use only the model of this earlier run. */
  stayWith?: Pick<RunInfo, "provider" | "model" | "fallbackDepth">;
}

/** Which model answered. */
export interface RunInfo {
  provider: Provider;
  /** The public id after the slash. */
  model: string;
  modelName: string;
  /** The number of models before it in the order. */
  fallbackDepth: number;
  /** The model that answered, if the service names another than was requested. */
  reportedModel?: string;
  usage?: Usage;
}

export interface TextRun extends RunInfo {
  /**
   * The answer in the chunks of the service; can be read once. Throws `ai_unavailable` or `ai_timeout` if the service breaks off, and the
   * signal's reason if the caller aborts.
   */
  text: AsyncIterable<string>;
  /** Settles when the reader of `text` ends or leaves; rejects as `text` does. */
  finished: Promise<{ finishReason: "stop" | "length"; usage?: Usage }>;
}

export interface ObjectRequest<T> extends ModelRequest {
  /** The schema's name, such as "quiz". */
  name: string;
  schema: z.ZodType<T>;
  /**
   * Passes each entry of the list `of` to `take` as it is written; `take` returns true if it uses the entry. After that there is neither a
   * fallback nor a repair: the call fails, and the caller has the entries.
   */
  entries?: { of: string; take(entry: unknown, title: string | undefined, run: RunInfo): boolean };
}

export interface ModelGateway {
  /** The models that a learner can pick, of slots with a credential. */
  choices(): ModelChoice[];
  /** Looks for local models again; `choices` has those that are there now. */
  refresh(): Promise<void>;
  /** Whether automatic routing has a model. */
  automatic(): boolean;
  /** What is left to an account of the limits of slots. */
  leftToday(accountId: string): Promise<ReadonlyMap<Provider, LeftToday>>;
  /**
   * A short text of the first model that such a request reaches, read to its end; null if that model is skipped, only selects course text,
   * fails or is aborted. It is no part of an answer: its failures count against no model and lead to no other.
   */
  shortText(request: Omit<ModelRequest, "onAttempt" | "stayWith">): Promise<string | null>;
  /** The smallest context window, in tokens, of the models that such a request may reach. */
  contextTokens(request: Pick<ModelRequest, "model" | "need">): number;
  /**
   * Throws if every model for such a request is being skipped, or its limit is used up.
   * @throws {ProblemError} `ai_unavailable` or `quota_exhausted` with the seconds to wait.
   */
  check(request: Pick<ModelRequest, "model" | "need">): Promise<void>;
  /**
   * Streams an answer. Resolves at its first word; falls back to another model only before it.
   * @throws {ProblemError} ai_unavailable, ai_timeout, quota_exhausted or model_not_capable; the signal's reason after an abort.
   */
  streamText(request: ModelRequest): Promise<TextRun>;
  /**
   * Requests an object and validates it; an invalid one is sent back once for repair. Streamed, with the same timeouts as text.
   * @throws {ProblemError} as `streamText`.
   */
  generateObject<T>(request: ObjectRequest<T>): Promise<{ object: T; run: RunInfo }>;
}

/**
 * @param now monotonic milliseconds
 * @throws {ConfigurationError} for a provider catalogue that cannot be used.
 */
export function createModelGateway({
  config,
  log,
  local = null,
  usage = openModelUsage({ config, log }),
  now = () => performance.now(),
}: {
  config: Config;
  log: Logger;
  local?: LocalModels | null;
  usage?: ModelUsage;
  now?: () => number;
}): ModelGateway {
  const targets = readTargets(config, local);
  const health = createHealth(now);

  function attemptsFor({ model, need, stayWith }: Pick<ModelRequest, "model" | "need" | "stayWith">): Attempt[] {
    const routed = route(model, need, targets.models);
    if (!routed.ok) throw new ProblemError(routed.code);
    if (!stayWith) return routed.attempts;
    return routed.attempts.filter((attempt) => attempt.model.provider === stayWith.provider && attempt.model.id === stayWith.model);
  }

  /** Whether a local model is chosen that is not there. */
  const isMissing = (model: ModelSelection): boolean =>
    model.choice === "pinned" &&
    model.id.startsWith("local/") &&
    !targets.models.some(({ provider, id }) => `${provider}/${id}` === model.id);

  /** Seconds until the first of these may be called; undefined if one may be called now. */
  function secondsToWait(attempts: readonly Attempt[]): number | undefined {
    const wait = Math.min(...attempts.map(({ model }) => health.waitMs(model)));
    return Number.isFinite(wait) && wait > 0 ? Math.ceil(wait / 1_000) : undefined;
  }

  /** Without those whose limit the account has used up, and without what would only stand in for one of them. */
  async function withinLimit(attempts: readonly Attempt[]): Promise<Attempt[]> {
    const usedUp = await usage.usedUp();
    const isUsedUp = (attempt: Attempt | undefined) => attempt !== undefined && usedUp.has(attempt.model.provider);
    const within = attempts.filter((attempt, at) => !isUsedUp(attempt) && !(attempt.onlyWhenUnavailable && isUsedUp(attempts[at - 1])));
    if (attempts.length > 0 && within.length === 0) throw new DailyLimitReached();
    return within;
  }

  /** Calls one model after another until one works. */
  async function withFallback<T>(
    request: ModelRequest,
    /** Ends the span unless it throws. */
    call: (attempt: Attempt, admission: Admission, span: Span, meter: Meter) => Promise<T>,
  ): Promise<T> {
    // It may have been started since.
    if (isMissing(request.model)) await local?.refresh();
    if (isMissing(request.model) && !allowsOthers(request.model)) throw new ProblemError("ai_unavailable", { detail: goneWords });
    const attempts = await withinLimit(attemptsFor(request));
    let failure: CallFailure | undefined;
    let isUsedUp = false;
    for (const attempt of attempts) {
      if (failure && attempt.onlyWhenUnavailable && !isUnavailability(failure)) break;
      request.signal.throwIfAborted();
      const admission = health.admit(attempt.model);
      if (!admission) continue;
      const meter = await usage.admit(attempt.model.provider).catch((error: unknown) => {
        admission.dropped();
        throw error;
      });
      // Another request has used up the rest.
      if (!meter) {
        admission.dropped();
        isUsedUp = true;
        continue;
      }
      request.onAttempt?.(runInfo(attempt));
      const span = callSpan(attempt, request.need);
      try {
        return await span.run(() => call(attempt, admission, span, meter));
      } catch (error) {
        span.failed(error instanceof CallFailure ? problemOf(error) : error);
        span.end();
        if (request.signal.aborted || !(error instanceof CallFailure)) {
          admission.dropped();
          throw error;
        }
        admission.failed(error);
        failure = error;
        logFailure(attempt, error, request.need);
      }
    }
    const isGone = failure?.kind === "unavailable" && failure.status === undefined;
    if (isGone && attempts.every(({ model }) => model.provider === "local"))
      throw new ProblemError("ai_unavailable", { detail: goneWords });
    if (!failure && isUsedUp) throw new DailyLimitReached();
    throw failure ? problemOf(failure, secondsToWait(attempts)) : new NoModelAvailable(secondsToWait(attempts));
  }

  function logFailure({ model }: Attempt, { kind, status }: CallFailure, need: Need): void {
    log.warn({ model: `${model.provider}/${model.id}`, kind, status, need }, "model call failed");
  }

  /** The same chunks, with failures as problems; reports the outcome to the circuit breaker. */
  async function* withOutcomeReported(
    { text, finished }: BegunAnswer,
    attempt: Attempt,
    admission: Admission,
    request: ModelRequest,
    meter: Meter,
  ): AsyncGenerator<string> {
    const { need, signal } = request;
    let ended = false;
    let written = "";
    try {
      for await (const chunk of text) {
        written += chunk;
        yield chunk;
      }
      ended = true;
      admission.succeeded();
      if (attempt.model.provider === "local") local?.answered(attempt.model);
    } catch (error) {
      ended = true;
      if (error instanceof CallFailure && !signal.aborted) {
        admission.failed(error);
        logFailure(attempt, error, need);
      } else admission.dropped();
      throw asProblemError(error);
    } finally {
      if (!ended) admission.dropped();
      const { usage: reported } = await finished.catch((): Partial<Finish> => ({}));
      await meter({ tokens: tokensUsed(request, written, reported) });
    }
  }

  return {
    refresh: async () => local?.refresh(),
    leftToday: usage.leftToday,
    choices: () => targets.models.map(publicChoice),
    automatic: () => targets.models.some((model) => model.default && model.automaticRank !== null),

    async shortText(request) {
      const routed = route(request.model, request.need, targets.models);
      const attempts = routed.ok ? await withinLimit(routed.attempts) : [];
      const attempt = attempts.find(({ model }) => health.waitMs(model) === 0);
      if (!attempt || attempt.model.extractive) return null;
      const { model } = attempt;
      const meter = await usage.admit(model.provider);
      if (!meter) return null;
      const span = callSpan(attempt, request.need);
      try {
        return await span.run(async () => {
          const { text, finished } = await beginText(model, targets.callDetails(model), { ...request, isQuick: true }, request.signal);
          const written = (await Array.fromAsync(text)).join("");
          await meter({ tokens: tokensUsed(request, written, (await finished).usage) });
          return written;
        });
      } catch (error) {
        span.failed(asProblemError(error));
        log.debug({ model: `${model.provider}/${model.id}` }, "a short text did not come");
        return null;
      } finally {
        span.end();
      }
    },

    contextTokens({ model, need }) {
      const routed = route(model, need, targets.models);
      const windows = routed.ok ? routed.attempts.map((attempt) => attempt.model.contextTokens ?? modelBounds.brief.contextTokens) : [];
      return Math.min(...windows, Number.MAX_SAFE_INTEGER);
    },

    async check({ model, need }) {
      const routed = route(model, need, targets.models);
      const retryAfterSeconds = routed.ok ? secondsToWait(await withinLimit(routed.attempts)) : undefined;
      if (retryAfterSeconds !== undefined) throw new NoModelAvailable(retryAfterSeconds);
    },

    streamText: (request) =>
      withFallback(request, async (attempt, admission, span, meter) => {
        const { model } = attempt;
        const asked = now();
        const answer = await beginText(model, targets.callDetails(model), request, request.signal);
        admission.begun();
        span.set({ "colloquy.first_word_ms": Math.round(now() - asked) });
        const finished = answer.finished.catch(asProblem);
        finished.then(({ usage }) => span.set(tokensOf(usage)), span.failed).finally(() => span.end());
        const { reportedModel } = answer;
        const other = reportedModel !== undefined && reportedModel !== model.serviceId;
        return {
          ...runInfo(attempt),
          ...(other && { reportedModel }),
          text: withOutcomeReported(answer, attempt, admission, request, meter),
          finished,
        };
      }),

    generateObject: ({ schema, name, entries, ...request }) =>
      withFallback(request, async (attempt, admission, span, meter) => {
        const { model } = attempt;
        const wire = wireSchema(schema);
        const system =
          model.structuredOutput === "json_schema"
            ? request.system
            : `${request.system}\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(wire)}`;
        let kept = false;
        const ask = async (messages: Prompt["messages"], requests: 0 | 1) => {
          const reader = entries && objectReader(entries.of);
          const prompt = { system, messages, maxOutputTokens: request.maxOutputTokens, name, schema: wire };
          let written = "";
          let reported: Usage | undefined;
          try {
            const answered = await requestJson(model, targets.callDetails(model), prompt, request.signal, (text) => {
              written += text;
              for (const entry of reader?.push(text) ?? []) if (entries?.take(entry, reader?.field("title"), runInfo(attempt))) kept = true;
            });
            reported = answered.usage;
            return answered;
          } finally {
            await meter({ requests, tokens: written ? tokensUsed(prompt, written, reported) : 0 });
          }
        };
        try {
          let answer = await ask(request.messages, 0);
          let result = readObject(schema, answer.text);
          if (!result.ok && !kept) {
            log.info({ model: `${model.provider}/${model.id}`, name }, "object did not fit, asking for a repair");
            const repair = `That does not fit:\n${result.errors}\nSend the whole corrected JSON object and nothing else.`;
            const shown = answer.text.slice(0, modelBounds.gateway.repairLength);
            answer = await ask([...request.messages, { role: "assistant", content: shown }, { role: "user", content: repair }], 1);
            result = readObject(schema, answer.text);
          }
          if (!result.ok) throw new CallFailure("invalid");
          admission.succeeded();
          span.set(tokensOf(answer.usage));
          span.end();
          return { object: result.object, run: { ...runInfo(attempt), ...(answer.usage && { usage: answer.usage }) } };
        } catch (error) {
          if (!kept || !(error instanceof CallFailure) || request.signal.aborted) throw error;
          // Some entries were usable: an invalid rest does not count as a failure of the model.
          if (error.kind === "invalid") admission.succeeded();
          else admission.failed(error);
          logFailure(attempt, error, request.need);
          throw problemOf(error);
        }
      }),
  };
}

/** Shown when a chosen local model is gone. */
const goneWords = "This model is not available. Choose another, or Automatic.";
const allowsOthers = (model: ModelSelection): boolean => model.choice === "pinned" && model.allowFallbackWhenPinned;

function runInfo({ model, depth }: Attempt): RunInfo {
  return { provider: model.provider, model: model.id, modelName: model.name, fallbackDepth: depth };
}

/** The span of a call: the model, the purpose and the tokens, no content. */
const callSpan = ({ model, depth }: Attempt, need: Need): Span =>
  beginSpan("model call", {
    kind: "client",
    attributes: {
      "gen_ai.provider.name": model.provider,
      "gen_ai.request.model": model.id,
      "colloquy.need": need,
      "colloquy.fallback_depth": depth,
    },
  });

/** Tokens read and written: as reported, else counted by our own encoding. */
function tokensUsed({ system, messages }: Pick<Prompt, "system" | "messages">, written: string, reported: Usage = {}): number {
  const read = (): number => countTokens([system, ...messages.map(({ content }) => content)].join("\n"));
  return (reported.inputTokens ?? read()) + (reported.outputTokens ?? countTokens(written));
}

const tokensOf = ({ inputTokens, outputTokens }: Usage = {}) => ({
  ...(inputTokens !== undefined && { "gen_ai.usage.input_tokens": inputTokens }),
  ...(outputTokens !== undefined && { "gen_ai.usage.output_tokens": outputTokens }),
});

function asProblemError(error: unknown): unknown {
  return error instanceof CallFailure ? problemOf(error) : error;
}

function asProblem(error: unknown): never {
  throw asProblemError(error);
}
