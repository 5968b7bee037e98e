import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { beginSpan, type Span } from "@colloquy/infra/telemetry/traces.ts";
import type { ModelChoice, ModelSelection, Provider } from "@colloquy/schemas/ask/models.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { z } from "zod";
import { CallFailure, isUnavailability, NoModelAsked, problemOf } from "./failures.ts";
import { type Admission, createHealth } from "./health.ts";
import { requestJson } from "./object-call.ts";
import { objectReader } from "./object-reader.ts";
import { readObject, wireSchema } from "./object-schema.ts";
import { type Attempt, type Need, route } from "./routing.ts";
import { publicChoice, readTargets } from "./targets.ts";
import { beginText, type Prompt, type Usage } from "./transport.ts";

export type { Need } from "./routing.ts";

/** What every request says. `signal` ends the provider's HTTP request too. */
export interface ModelRequest extends Prompt {
  model: ModelSelection;
  need: Need;
  signal: AbortSignal;
  /** Told of each model as it is asked. */
  onAttempt?(run: RunInfo): void;
  /** Only the model of this run: what belongs to a work that has begun. */
  stayWith?: Pick<RunInfo, "provider" | "model" | "fallbackDepth">;
}

/** Which model answered. */
export interface RunInfo {
  provider: Provider;
  /** The public id after the slash. */
  model: string;
  modelName: string;
  /** How many models stand before it in the order and could not be had. */
  fallbackDepth: number;
  /** The model that wrote, where its service names another than was asked for. */
  reportedModel?: string;
  usage?: Usage;
}

export interface TextRun extends RunInfo {
  /**
   * The answer in the chunks the service sent, the first one included. May be read once. It ends by throwing
   * `ai_unavailable` or `ai_timeout` when the service breaks off, and the signal's reason when the caller aborted.
   */
  text: AsyncIterable<string>;
  /** Settles when `text` has been read to its end (or left); fails as `text` does. */
  finished: Promise<{ finishReason: "stop" | "length"; usage?: Usage }>;
}

export interface ObjectRequest<T> extends ModelRequest {
  /** The schema's name, such as "quiz". */
  name: string;
  schema: z.ZodType<T>;
  /**
   * Entries of one list of the object, told as they are written; whether `take` keeps one it says by true. From then on no other model
   * steps in and no repair is asked for: the object fails, and what was kept is there.
   */
  entries?: { of: string; take(entry: unknown, title: string | undefined, run: RunInfo): boolean };
}

export interface ModelGateway {
  /** The models a learner may pick: only those of slots with a credential. */
  choices(): ModelChoice[];
  /** Whether automatic routing has a model to go to. */
  automatic(): boolean;
  /**
   * Refuses a request like this when every model it could go to is to be left alone for now.
   * @throws {ProblemError} `ai_unavailable` with the seconds to wait.
   */
  check(request: Pick<ModelRequest, "model" | "need">): void;
  /**
   * Streams an answer. Resolves at its first word: only before that another model may step in.
   * @throws {ProblemError} ai_unavailable, ai_timeout or model_not_capable; the signal's reason after an abort.
   */
  streamText(request: ModelRequest): Promise<TextRun>;
  /**
   * Asks for an object and checks it; one that does not fit is sent back once to be repaired. It is read as it is written, by the same
   * clocks as text.
   * @throws {ProblemError} as `streamText`.
   */
  generateObject<T>(request: ObjectRequest<T>): Promise<{ object: T; run: RunInfo }>;
}

/**
 * @param now milliseconds on a clock that never goes back
 * @throws {ConfigurationError} for a provider catalogue that cannot be used.
 */
export function createModelGateway({
  config,
  log,
  now = () => performance.now(),
}: {
  config: Config;
  log: Logger;
  now?: () => number;
}): ModelGateway {
  const targets = readTargets(config);
  const health = createHealth(now);

  function attemptsFor({ model, need, stayWith }: Pick<ModelRequest, "model" | "need" | "stayWith">): Attempt[] {
    const routed = route(model, need, targets.models);
    if (!routed.ok) throw new ProblemError(routed.code);
    if (!stayWith) return routed.attempts;
    return routed.attempts.filter((attempt) => attempt.model.provider === stayWith.provider && attempt.model.id === stayWith.model);
  }

  /** Seconds until the first of these may be asked; undefined when one may be asked at once. */
  function secondsToWait(attempts: readonly Attempt[]): number | undefined {
    const wait = Math.min(...attempts.map(({ model }) => health.waitMs(model)));
    return Number.isFinite(wait) && wait > 0 ? Math.ceil(wait / 1_000) : undefined;
  }

  /** Tries one model after another until one works. */
  async function firstThatWorks<T>(
    request: ModelRequest,
    /** It ends the span, unless it fails. */
    call: (attempt: Attempt, admission: Admission, span: Span) => Promise<T>,
  ): Promise<T> {
    const attempts = attemptsFor(request);
    let failure: CallFailure | undefined;
    for (const attempt of attempts) {
      if (failure && attempt.onlyWhenUnavailable && !isUnavailability(failure)) break;
      request.signal.throwIfAborted();
      const admission = health.admit(attempt.model);
      if (!admission) continue;
      request.onAttempt?.(runInfo(attempt));
      const span = callSpan(attempt, request.need);
      try {
        return await span.run(() => call(attempt, admission, span));
      } catch (error) {
        span.failed(error instanceof CallFailure ? problemOf(error) : error);
        span.end();
        if (request.signal.aborted || !(error instanceof CallFailure)) {
          admission.dropped();
          throw error;
        }
        admission.failed(error);
        failure = error;
        note(attempt, error, request.need);
      }
    }
    throw failure ? problemOf(failure, secondsToWait(attempts)) : new NoModelAsked(secondsToWait(attempts));
  }

  function note({ model }: Attempt, { kind, status }: CallFailure, need: Need): void {
    log.warn({ model: `${model.provider}/${model.id}`, kind, status, need }, "model call failed");
  }

  /** The same chunks, with failures as problems, and their end told to who keeps the provider's health. */
  async function* told(
    chunks: AsyncIterable<string>,
    attempt: Attempt,
    admission: Admission,
    { need, signal }: ModelRequest,
  ): AsyncGenerator<string> {
    let ended = false;
    try {
      yield* chunks;
      ended = true;
      admission.succeeded();
    } catch (error) {
      ended = true;
      if (error instanceof CallFailure && !signal.aborted) {
        admission.failed(error);
        note(attempt, error, need);
      } else admission.dropped();
      throw asProblemError(error);
    } finally {
      if (!ended) admission.dropped();
    }
  }

  return {
    choices: () => targets.models.map(publicChoice),
    automatic: () => targets.models.some((model) => model.default && model.automaticRank !== null),

    check({ model, need }) {
      const routed = route(model, need, targets.models);
      const retryAfterSeconds = routed.ok ? secondsToWait(routed.attempts) : undefined;
      if (retryAfterSeconds !== undefined) throw new NoModelAsked(retryAfterSeconds);
    },

    streamText: (request) =>
      firstThatWorks(request, async (attempt, admission, span) => {
        const { model } = attempt;
        const asked = now();
        const answer = await beginText(model, targets.callDetails(model.provider), request, request.signal);
        admission.begun();
        span.set({ "colloquy.first_word_ms": Math.round(now() - asked) });
        const finished = answer.finished.catch(asProblem);
        finished.then(({ usage }) => span.set(tokensOf(usage)), span.failed).finally(() => span.end());
        const { reportedModel } = answer;
        const other = reportedModel !== undefined && reportedModel !== model.serviceId;
        return {
          ...runInfo(attempt),
          ...(other && { reportedModel }),
          text: told(answer.text, attempt, admission, request),
          finished,
        };
      }),

    generateObject: ({ schema, name, entries, ...request }) =>
      firstThatWorks(request, async (attempt, admission, span) => {
        const { model } = attempt;
        const wire = wireSchema(schema);
        const system =
          model.structuredOutput === "json_schema"
            ? request.system
            : `${request.system}\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(wire)}`;
        let kept = false;
        const ask = (messages: Prompt["messages"]) => {
          const reader = entries && objectReader(entries.of);
          const prompt = { system, messages, maxOutputTokens: request.maxOutputTokens, name, schema: wire };
          return requestJson(model, targets.callDetails(model.provider), prompt, request.signal, (text) => {
            for (const entry of reader?.push(text) ?? []) if (entries?.take(entry, reader?.field("title"), runInfo(attempt))) kept = true;
          });
        };
        try {
          let answer = await ask(request.messages);
          let result = readObject(schema, answer.text);
          if (!result.ok && !kept) {
            log.info({ model: `${model.provider}/${model.id}`, name }, "object did not fit, asking for a repair");
            const repair = `That does not fit:\n${result.errors}\nSend the whole corrected JSON object and nothing else.`;
            const shown = answer.text.slice(0, bounds.gateway.repairLength);
            answer = await ask([...request.messages, { role: "assistant", content: shown }, { role: "user", content: repair }]);
            result = readObject(schema, answer.text);
          }
          if (!result.ok) throw new CallFailure("invalid");
          admission.succeeded();
          span.set(tokensOf(answer.usage));
          span.end();
          return { object: result.object, run: { ...runInfo(attempt), ...(answer.usage && { usage: answer.usage }) } };
        } catch (error) {
          if (!kept || !(error instanceof CallFailure) || request.signal.aborted) throw error;
          // Part of it was good: the model works, whatever it did to the rest; its service may not.
          if (error.kind === "invalid") admission.succeeded();
          else admission.failed(error);
          note(attempt, error, request.need);
          throw problemOf(error);
        }
      }),
  };
}

function runInfo({ model, depth }: Attempt): RunInfo {
  return { provider: model.provider, model: model.id, modelName: model.name, fallbackDepth: depth };
}

/** A call of one model: which one, for what, and the tokens it took; never a word of it. */
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
