import type { SourceError } from "../blocks.ts";
import { remark } from "../remarks.ts";

/** A source cut into its header and its body; `line` numbers count from 1 within the source. */
export interface SourceText {
  fields: Map<string, { value: string; line: number }>;
  /** Without blank lines before and white space after it. */
  body: string;
  bodyLine: number;
  errors: SourceError[];
}

const headerMark = "---";

/** What an author writes as it is, within a sentence. */
export const quoted = (text: string): string => `\`${text}\``;

/**
 * Reads the small header a source may begin with: a line `---`, lines `key: value`, a line `---`.
 * A value stands on one line; in double quotes it is read as a JSON string, so that it may hold anything.
 * @param known the keys this type of block has; any other is an error that lists them.
 */
export function readSource(source: string, known: readonly string[]): SourceText {
  const lines = source.split("\n");
  const fields: SourceText["fields"] = new Map();
  const errors: SourceError[] = [];
  let next = 0;
  if (lines[0]?.trimEnd() === headerMark) {
    const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === headerMark);
    if (end < 0) {
      errors.push({ line: 1, ...remark("header-open", { mark: quoted(headerMark) }) });
      return { fields, body: "", bodyLine: 1, errors };
    }
    for (let index = 1; index < end; index += 1) readField(lines[index] ?? "", index + 1, known, fields, errors);
    next = end + 1;
  }
  while (next < lines.length && lines[next]?.trim() === "") next += 1;
  return { fields, body: lines.slice(next).join("\n").trimEnd(), bodyLine: Math.min(next + 1, lines.length), errors };
}

function readField(text: string, line: number, known: readonly string[], fields: SourceText["fields"], errors: SourceError[]): void {
  if (text.trim() === "") return;
  const colon = text.indexOf(":");
  const key = text.slice(0, Math.max(colon, 0)).trim();
  const keys = known.map(quoted).join(", ");
  if (colon < 0 || !/^[a-z][a-z-]*$/.test(key)) {
    errors.push({ line, ...remark("header-line", { form: "`key: value`", keys }) });
    return;
  }
  if (!known.includes(key)) {
    errors.push({ line, ...remark("key-unknown", { key: quoted(key), keys }) });
    return;
  }
  if (fields.has(key)) {
    errors.push({ line, ...remark("key-twice", { key: quoted(key) }) });
    return;
  }
  const given = text.slice(colon + 1).trim();
  const value = given.startsWith('"') ? unquote(given) : given;
  if (value === null) errors.push({ line, ...remark("quote-open", { key: quoted(key), form: '`\\"`' }) });
  else fields.set(key, { value, line });
}

function unquote(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/** The inverse of `readSource`: fields left undefined are omitted, and so is an empty header where nothing needs it. */
export function writeSource(fields: Record<string, string | undefined>, body: string): string {
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${isPlain(value) ? value : JSON.stringify(value)}`],
  );
  const needed = lines.length > 0 || body.split("\n", 1)[0]?.trimEnd() === headerMark;
  return needed ? [headerMark, ...lines, headerMark, ...(body ? [body] : [])].join("\n") : body;
}

const isPlain = (value: string): boolean => value !== "" && value === value.trim() && !value.startsWith('"') && !value.includes("\n");

/** The value of an optional field; an empty one counts as absent. */
export function optionalField(source: SourceText, key: string): string | undefined {
  return source.fields.get(key)?.value || undefined;
}

/** Spreads an optional value into an object without an undefined property. */
export function present<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}

/** Removes blank lines before a text and white space after it. */
export function trimBlock(text: string): string {
  const lines = text.split("\n");
  let first = 0;
  while (first < lines.length && lines[first]?.trim() === "") first += 1;
  return lines.slice(first).join("\n").trimEnd();
}

const opening = /^(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*$/;

/** A body that is one fenced code block. `plain` when it is no fence at all. */
export type FencedBody =
  | { kind: "plain"; code: string }
  | { kind: "fenced"; info: string; code: string }
  | { kind: "broken"; errors: SourceError[] };

/** Takes the code out of a body that is either one fence from its first line to its last, or plain text. */
export function readFence(body: string, bodyLine: number): FencedBody {
  const lines = body.split("\n");
  const first = lines[0] ?? "";
  if (!/^(?:```|~~~)/.test(first)) return { kind: "plain", code: body };
  const open = opening.exec(first);
  if (!open) {
    return { kind: "broken", errors: [{ line: bodyLine, ...remark("fence-info") }] };
  }
  const mark = open[1] ?? "```";
  const close = lines.findIndex((line, index) => index > 0 && closes(line, mark));
  if (close < 0) {
    return {
      kind: "broken",
      errors: [{ line: bodyLine, ...remark("fence-open", { mark: quoted(mark) }) }],
    };
  }
  if (close < lines.length - 1) {
    return { kind: "broken", errors: [{ line: bodyLine + close + 1, ...remark("fence-text") }] };
  }
  return { kind: "fenced", info: open[2] ?? "", code: lines.slice(1, close).join("\n") };
}

function closes(line: string, mark: string): boolean {
  const text = line.trimEnd();
  return text.length >= mark.length && text === (mark[0] ?? "`").repeat(text.length);
}

/** Code as a fenced block. The fence is longer than any in the code, so that nothing there can close it. */
export function writeFence(code: string, info: string): string {
  let longest = 2;
  for (const line of code.split("\n")) {
    const run = /^\s*(`+)/.exec(line)?.[1]?.length ?? 0;
    if (run > longest) longest = run;
  }
  const mark = "`".repeat(longest + 1);
  return `${mark}${info}\n${code}\n${mark}`;
}

/** A value of a closed list, or an error that names the list. */
export function oneOf<Value extends string>(source: SourceText, key: string, values: readonly Value[], fallback: Value): Value {
  const field = source.fields.get(key);
  if (!field || field.value === "") return fallback;
  const found = values.find((value) => value === field.value);
  if (found) return found;
  source.errors.push({
    line: field.line,
    ...remark("value-unknown", { given: quoted(`${key}: ${field.value}`), values: values.join(", ") }),
  });
  return fallback;
}
