/**
 * All that a span may say: a closed list, of which nothing holds what somebody wrote, who somebody is, an id of anything of theirs, or a
 * secret. A test looks for all of those in what is sent.
 */
export interface Attributes {
  "http.request.method"?: string;
  /** The pattern, never the path. */
  "http.route"?: string;
  "http.response.status_code"?: number;
  /** What a stream is of: the beginning of its name, never the rest. */
  "colloquy.category"?: string;
  "colloquy.events"?: number;
  "colloquy.passages"?: number;
  /** Of the course text in a prompt. */
  "colloquy.brief_tokens"?: number;
  "colloquy.references"?: number;
  "colloquy.need"?: string;
  "colloquy.fallback_depth"?: number;
  "colloquy.first_word_ms"?: number;
  "colloquy.bytes"?: number;
  "colloquy.traces"?: number;
  /** The slot, P1 to P7. */
  "gen_ai.provider.name"?: string;
  /** As the provider catalogue names it. */
  "gen_ai.request.model"?: string;
  "gen_ai.usage.input_tokens"?: number;
  "gen_ai.usage.output_tokens"?: number;
  "db.statements"?: number;
  "db.milliseconds"?: number;
}

export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /**
   * Whose child it is, as W3C's `traceparent`; null begins a trace. Without it, it is a child of the span that is current, and nothing
   * where none is: only the edges of the program begin traces.
   */
  parent?: string | null;
  /** Spans of other traces that it has to do with, as `traceparent`s. */
  links?: readonly string[];
  /** When it began, in milliseconds since 1970; now, unless said. */
  startTime?: number;
}

export interface Span {
  /** Its W3C `traceparent`, to hand on to another service of ours; null for nothing. */
  readonly traceparent: string | null;
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** Marks it as failed, by the error's kind alone: messages quote what they met. */
  failed(error: unknown): void;
  /** @param endTime in milliseconds since 1970 */
  end(endTime?: number): void;
  /** Does something with this span as the current one. */
  run<Result>(work: () => Result): Result;
}

/** What keeps traces. */
export interface Tracing {
  begin(name: string, options: SpanOptions): Span | null;
  /** The current span. */
  current(): { traceparent: string } | null;
  /** Adds to figures of the current span. */
  add(figures: Partial<Record<"db.statements" | "db.milliseconds", number>>): void;
  /** Sends what is left; gives up after a second, or so many milliseconds. */
  close(withinMs?: number): Promise<void>;
}

/** What a service's log has, and anything else that tells whoever runs it. */
export interface OperatorLog {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
}

/** A W3C `traceparent` of version 00. */
export const isTraceparent = (text: unknown): text is string =>
  typeof text === "string" && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
