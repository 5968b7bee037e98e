import { parseYaml } from "../yaml-value.ts";
import { type SourceLine, toLines } from "./lines.ts";

interface PageText {
  /** The values of the YAML front matter; empty when there is none. */
  values: Record<string, unknown>;
  lines: SourceLine[];
  /** Why the front matter could not be read. */
  error?: string;
}

/** Parts a page's YAML front matter (`---` … `---`) from its text. */
export function readPage(text: string): PageText {
  const lines = toLines(text);
  if (lines[0]?.text.trimEnd() !== "---") return { values: {}, lines };
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line.text));
  if (end < 0) return { values: {}, lines };
  const rest = lines.slice(end + 1);
  try {
    const values: unknown = parseYaml(
      lines
        .slice(1, end)
        .map((line) => line.text)
        .join("\n"),
    );
    return { values: isRecord(values) ? values : {}, lines: rest };
  } catch (error) {
    return { values: {}, lines: rest, error: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as text, when it is a text or a number. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() ? value.trim() : undefined;
}
