import type { Config } from "../config.ts";
import { type Attributes, isTraceparent, type OperatorLog, type Span, type SpanOptions, type Tracing } from "./span.ts";

export type { Span } from "./span.ts";

/**
 * Traces, without the library that keeps them: that is loaded by `startTraces` where `OTEL_EXPORTER_OTLP_ENDPOINT` names a receiver.
 * Everywhere else a span is nothing, and what is to be done in it is simply done.
 */

const nothing: Span = {
  traceparent: null,
  set: () => undefined,
  rename: () => undefined,
  failed: () => undefined,
  end: () => undefined,
  run: (work) => work(),
};

let tracing: Tracing | null = null;

/** Of a `traceparent`: whether its trace is kept. */
const isSampled = (traceparent: string): boolean => (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
const traceOf = (traceparent: string): string => traceparent.slice(3, 35);

/**
 * Begins to keep traces in this process, where the configuration names a receiver. Call it before stores and databases are opened.
 * @param part which process this is: a trace says for each of its spans
 * @param log is told once when spans cannot be delivered, and once when they can again; nobody waits for them
 */
export async function startTraces(
  config: Pick<Config, "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_EXPORTER_OTLP_HEADERS" | "OTEL_SERVICE_NAME" | "OTEL_TRACES_SAMPLER_ARG">,
  part: string,
  log: OperatorLog,
): Promise<{
  /** Sends what is left, for a second at most, or so many milliseconds. */
  close(withinMs?: number): Promise<void>;
}> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === undefined) return { close: async () => undefined };
  const { openTelemetry } = await import("./opentelemetry.ts");
  const opened = openTelemetry({
    endpoint,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    service: config.OTEL_SERVICE_NAME ?? part,
    part,
    share: config.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
  tracing = opened;
  return {
    async close(withinMs) {
      tracing = null;
      await opened.close(withinMs);
    },
  };
}

/** Whether this process records traces. */
export const tracingEnabled = (): boolean => tracing !== null;

/** The current span's ids, for log lines. */
export function traceFields(): { traceId?: string; spanId?: string } {
  const [, traceId, spanId] = tracing?.current()?.traceparent.split("-") ?? [];
  return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : {};
}

/** Begins a span; the caller ends it. */
export const beginSpan = (name: string, options: SpanOptions = {}): Span => tracing?.begin(name, options) ?? nothing;

/** The span that something is done in. */
export const currentSpan = (): Pick<Span, "traceparent"> => ({ traceparent: tracing?.current()?.traceparent ?? null });

/** Adds a statement to the current span, which has only the number and duration of its statements. */
export function countStatement(milliseconds: number): void {
  tracing?.add({ "db.statements": 1, "db.milliseconds": milliseconds });
}

/** Runs work in a new span that ends with it. */
export function inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Result): Result {
  if (tracing === null) return work(nothing);
  return endedBy(beginSpan(name, options), work);
}

function endedBy<Result>(span: Span, work: (span: Span) => Result): Result {
  const failed = (error: unknown): never => {
    span.failed(error);
    span.end();
    throw error;
  };
  let result: Result;
  try {
    result = span.run(() => work(span));
  } catch (error) {
    return failed(error);
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  return result.then((value: unknown) => {
    span.end();
    return value;
  }, failed) as Result;
}

/** Traces of one batch that get a span of it. */
const tracesOfABatch = 32;
/** An event that was written longer ago is read again, not followed: its trace is past. */
const recentMs = 600_000;

/**
 * Handles a batch of events in a span of each trace that they come from: the first is the work's own, the others say by a link that theirs
 * was done there.
 */
export function inSpanOfBatch<Result>(
  name: string,
  attributes: Attributes,
  events: Iterable<{ created: string; metadata: { traceparent?: string } }>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (tracing === null) return work();
  const parents = new Map<string, string>();
  for (const { created, metadata } of events) {
    const { traceparent } = metadata;
    if (traceparent === undefined || !isTraceparent(traceparent) || !isSampled(traceparent)) continue;
    if (parents.size >= tracesOfABatch || Date.now() - Date.parse(created) > recentMs) continue;
    if (!parents.has(traceOf(traceparent))) parents.set(traceOf(traceparent), traceparent);
  }
  const [parent, ...others] = parents.values();
  if (parent === undefined) return work();
  const told = { ...attributes, "colloquy.traces": parents.size };
  const own = beginSpan(name, { kind: "consumer", parent, links: others, attributes: told });
  const links = own.traceparent === null ? [] : [own.traceparent];
  const theirs = others.map((other) => beginSpan(name, { kind: "consumer", parent: other, links, attributes: told }));
  return endedBy(own, work).finally(() => {
    for (const span of theirs) span.end();
  });
}

/** The `traceparent` that an event carries: that of the span that appends it, where its trace is kept. */
export const traceparentForEvents = ({ traceparent }: Pick<Span, "traceparent">): { traceparent?: string } =>
  traceparent !== null && isSampled(traceparent) ? { traceparent } : {};
