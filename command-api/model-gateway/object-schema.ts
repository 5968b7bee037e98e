import type { JSONSchema7 } from "@ai-sdk/provider";
import { z } from "zod";

/** Keywords that services with enforced schemas reject or ignore; our own validation enforces them. */
const unsupportedKeywords = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "default",
  "$schema",
]);

/**
 * The JSON Schema of a zod schema, in the subset that every service accepts. Bounds become words of the description, so that the model
 * knows them.
 */
export function wireSchema(schema: z.ZodType): JSONSchema7 {
  return reduced(z.toJSONSchema(schema, { target: "draft-7" })) as JSONSchema7;
}

function reduced(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(reduced);
  if (typeof node !== "object" || node === null) return node;
  const source = node as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    if (unsupportedKeywords.has(key) && typeof value !== "object") continue;
    // Under "properties" the keys are names, not keywords.
    result[key] = key === "properties" ? mapValues(value, reduced) : reduced(value);
  }
  const words = boundsInWords(source);
  if (words) result.description = typeof source.description === "string" ? `${source.description} ${words}` : words;
  return result;
}

function mapValues(value: unknown, change: (value: unknown) => unknown): unknown {
  return Object.fromEntries(Object.entries(value as Record<string, unknown>).map(([key, entry]) => [key, change(entry)]));
}

function boundsInWords(schema: Record<string, unknown>): string {
  const words: string[] = [];
  if (schema.type === "array") {
    if (typeof schema.minItems === "number") words.push(`At least ${schema.minItems} items.`);
    if (typeof schema.maxItems === "number") words.push(`At most ${schema.maxItems} items.`);
  }
  if (schema.type === "string") {
    if (typeof schema.maxLength === "number") words.push(`At most ${schema.maxLength} characters.`);
    if (typeof schema.pattern === "string") words.push(`Matches ${schema.pattern}.`);
  }
  if (schema.type === "integer") {
    const { minimum, maximum } = schema;
    if (typeof minimum === "number" && typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER)
      words.push(`From ${minimum} to ${maximum}.`);
  }
  return words.join(" ");
}

/** The object, or errors in words that a model can act on. */
export type ObjectResult<T> = { ok: true; object: T } | { ok: false; errors: string };

/** Reasoning before an answer; it can contain drafts of objects. */
const reasoning = /^[\s\S]*?<\/(?:think|thinking|thought|reasoning)>/;

/** Parses the object in an answer, also after reasoning, in a code fence or between other words. */
export function readObject<T>(schema: z.ZodType<T>, answer: string): ObjectResult<T> {
  const text = answer.trimStart().startsWith("{") ? answer : answer.replace(reasoning, "");
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return { ok: false, errors: "It holds no JSON object." };
  let value: unknown;
  try {
    value = JSON.parse(text.slice(start, end + 1));
  } catch {
    return { ok: false, errors: "It is not valid JSON." };
  }
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, object: result.data };
  const errors = result.error.issues.slice(0, 12).map((issue) => `${issue.path.map(String).join(".") || "the object"}: ${issue.message}`);
  return { ok: false, errors: errors.join("\n") };
}
