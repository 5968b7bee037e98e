import type { Config } from "@colloquy/infra/config.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { ModelChoice, ModelSelection, Provider } from "@colloquy/schemas/ai/models.ts";
import type { z } from "zod";
import { CallFailure, isUnavailability, problemOf } from "./failures.ts";
import { readObject, wireSchema } from "./object-schema.ts";
import { type Attempt, type Need, route } from "./routing.ts";
import { publicChoice, readTargets } from "./targets.ts";
import { beginText, type Prompt, requestJson, type Usage } from "./transport.ts";

export type { Need } from "./routing.ts";

/** What every request says. `signal` ends the provider's HTTP request too. */
export interface ModelRequest extends Prompt {
  model: ModelSelection;
  need: Need;
  signal: AbortSignal;
}

/** Which model answered. */
export interface RunInfo {
  provider: Provider;
  /** The public id after the slash. */
  model: string;
  modelName: string;
  fallbackDepth: number;
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
}

export interface ModelGateway {
  /** The models a learner may pick: only those of slots with a credential. */
  choices(): ModelChoice[];
  /** Whether automatic routing has a model to go to. */
  automatic(): boolean;
  /**
   * Streams an answer. Resolves at its first word: only before that another model may step in.
   * @throws {ProblemError} ai_unavailable, ai_timeout or model_not_capable; the signal's reason after an abort.
   */
  streamText(request: ModelRequest): Promise<TextRun>;
  /**
   * Asks for an object and checks it; one that does not fit is sent back once to be repaired.
   * @throws {ProblemError} as `streamText`.
   */
  generateObject<T>(request: ObjectRequest<T>): Promise<{ object: T; run: RunInfo }>;
}

/** @throws {ConfigurationError} for a provider catalogue that cannot be used. */
export function createModelGateway({ config, log }: { config: Config; log: Logger }): ModelGateway {
  const targets = readTargets(config);

  /** Tries one model after another until one works. */
  async function firstThatWorks<T>(request: ModelRequest, call: (attempt: Attempt) => Promise<T>): Promise<T> {
    const routed = route(request.model, request.need, targets.models);
    if (!routed.ok) throw new ProblemError(routed.code);
    let failure: CallFailure | undefined;
    for (const attempt of routed.attempts) {
      if (failure && attempt.onlyWhenUnavailable && !isUnavailability(failure)) break;
      request.signal.throwIfAborted();
      try {
        return await call(attempt);
      } catch (error) {
        if (request.signal.aborted || !(error instanceof CallFailure)) throw error;
        failure = error;
        const { provider, id } = attempt.model;
        log.warn({ model: `${provider}/${id}`, kind: error.kind, status: error.status, need: request.need }, "model call failed");
      }
    }
    throw problemOf(failure ?? new CallFailure("unavailable"));
  }

  return {
    choices: () => targets.models.map(publicChoice),
    automatic: () => targets.models.some((model) => model.default && model.automaticRank !== null),

    streamText: (request) =>
      firstThatWorks(request, async (attempt) => {
        const { model } = attempt;
        const answer = await beginText(model, targets.callDetails(model.provider), request, request.signal);
        const finished = answer.finished.catch(asProblem);
        finished.catch(() => {});
        return { ...runInfo(attempt), text: withProblems(answer.text), finished };
      }),

    generateObject: ({ schema, name, ...request }) =>
      firstThatWorks(request, async (attempt) => {
        const { model } = attempt;
        const wire = wireSchema(schema);
        const system =
          model.structuredOutput === "json_schema"
            ? request.system
            : `${request.system}\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n${JSON.stringify(wire)}`;
        const ask = (messages: Prompt["messages"]) =>
          requestJson(
            model,
            targets.callDetails(model.provider),
            { system, messages, maxOutputTokens: request.maxOutputTokens, name, schema: wire },
            request.signal,
          );
        let answer = await ask(request.messages);
        let result = readObject(schema, answer.text);
        if (!result.ok) {
          log.info({ model: `${model.provider}/${model.id}`, name }, "object did not fit, asking for a repair");
          const repair = `That does not fit:\n${result.errors}\nSend the whole corrected JSON object and nothing else.`;
          answer = await ask([...request.messages, { role: "assistant", content: answer.text }, { role: "user", content: repair }]);
          result = readObject(schema, answer.text);
        }
        if (!result.ok) throw new CallFailure("invalid");
        return { object: result.object, run: { ...runInfo(attempt), ...(answer.usage && { usage: answer.usage }) } };
      }),
  };
}

function runInfo({ model, depth }: Attempt): RunInfo {
  return { provider: model.provider, model: model.id, modelName: model.name, fallbackDepth: depth };
}

/** The same chunks, with failures as problems. */
async function* withProblems(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* chunks;
  } catch (error) {
    throw asProblemError(error);
  }
}

function asProblemError(error: unknown): unknown {
  return error instanceof CallFailure ? problemOf(error) : error;
}

function asProblem(error: unknown): never {
  throw asProblemError(error);
}
