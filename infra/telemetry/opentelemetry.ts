import { setTimeout as pause } from "node:timers/promises";
import {
  type Context,
  context,
  type Link,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { ExportResultCode, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { type Attributes, isTraceparent, type OperatorLog, type Span, type SpanKind, type SpanOptions, type Tracing } from "./span.ts";

/** How long a receiver may take to answer, and how long sending the rest may hold up a stop, in milliseconds. */
const answerWithinMs = 5_000;
const closeWithinMs = 1_000;
/** Spans that wait to be sent; more are dropped. */
const waitingAtMost = 4_096;
const sendEveryMs = 1_000;
/** Of a text of an attribute or a name: none of ours comes near. */
const textAtMost = 160;

const kinds: Readonly<Record<SpanKind, OtelSpanKind>> = {
  internal: OtelSpanKind.INTERNAL,
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
};

interface Options {
  endpoint: string;
  headers: Record<string, string>;
  service: string;
  part: string;
  /** Of the traces that begin here, how many are kept, from 0 to 1. */
  share: number;
  log: OperatorLog;
}

/** OpenTelemetry's own SDK, sending over OTLP/HTTP as JSON. Nothing is instrumented by it: each span is begun where our code says so. */
export function openTelemetry({ endpoint, headers, service, part, share, log }: Options): Tracing {
  const exporter = toldOnce(new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers, timeoutMillis: answerWithinMs }), log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service, "service.namespace": "colloquy", "colloquy.part": part }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanLimits: { attributeValueLengthLimit: textAtMost, linkCountLimit: 64 },
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: sendEveryMs, maxQueueSize: waitingAtMost })],
  });
  // Only its contexts are made known: no library of others finds a tracer to write into.
  const contexts = new AsyncLocalStorageContextManager();
  context.setGlobalContextManager(contexts);
  const tracer = provider.getTracer("colloquy");

  return {
    begin(name, options) {
      const under = contextOf(options);
      if (under === null) return null;
      const { kind = "internal", attributes = {}, links = [], startTime } = options;
      const span = tracer.startSpan(
        name.slice(0, textAtMost),
        { kind: kinds[kind], attributes: { ...attributes }, links: links.flatMap(linkTo), ...(startTime !== undefined && { startTime }) },
        under,
      );
      return spanOf(span, trace.setSpan(under, span));
    },
    current() {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { traceparent: traceparentOf(span) } : null;
    },
    add(figures) {
      const span = trace.getActiveSpan();
      if (!span?.isRecording()) return;
      const sums = added.get(span) ?? {};
      added.set(span, sums);
      for (const [name, figure] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + figure;
    },
    async close(withinMs = closeWithinMs) {
      context.disable();
      await Promise.race([provider.shutdown().catch(() => undefined), pause(withinMs, undefined, { ref: false })]);
    },
  };
}

/** Figures that grow while a span lasts, set when it ends. */
const added = new WeakMap<OtelSpan, Record<string, number>>();

function spanOf(span: OtelSpan, within: Context): Span {
  return {
    traceparent: traceparentOf(span.spanContext()),
    set: (attributes: Attributes) => void span.setAttributes({ ...attributes }),
    rename: (name) => void span.updateName(name.slice(0, textAtMost)),
    failed(error) {
      span.setAttribute("error.type", kindOf(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end(endTime) {
      const sums = added.get(span);
      if (sums) span.setAttributes(sums);
      span.end(endTime);
    },
    run: (work) => context.with(within, work),
  };
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;

/** Where a span belongs; null when it has no parent and may not begin a trace. */
function contextOf({ parent }: SpanOptions): Context | null {
  if (parent === undefined) return trace.getActiveSpan() ? context.active() : null;
  const from = parent === null ? null : spanContextOf(parent);
  return from ? trace.setSpanContext(ROOT_CONTEXT, from) : ROOT_CONTEXT;
}

function spanContextOf(traceparent: string): SpanContext | null {
  const parsed = isTraceparent(traceparent) ? parseTraceParent(traceparent) : null;
  return parsed && { ...parsed, isRemote: true };
}

function linkTo(traceparent: string): Link[] {
  const to = spanContextOf(traceparent);
  return to ? [{ context: to }] : [];
}

/** What kind of error it is: its code where that is a word, else its name. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error ? error.code : undefined;
  const word = [code, error.name].find((text) => typeof text === "string" && /^[A-Za-z]\w{0,60}$/.test(text));
  return typeof word === "string" ? word : "unknown";
}

/** Sends to a receiver that may be away: says so once, and once that it is back. What could not be sent is lost. */
function toldOnce(exporter: SpanExporter, log: OperatorLog): SpanExporter {
  let away = false;
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const failed = code !== ExportResultCode.SUCCESS;
        if (failed && !away) log.warn({ reason: kindOf(error) }, "traces cannot be delivered; what comes until they can is dropped");
        if (!failed && away) log.info({}, "traces are delivered again");
        away = failed;
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}
