import { parse as parseToml, TomlError } from "smol-toml";
import { parseYaml } from "../yaml-value.ts";
import { NotText } from "./decode.ts";
import type { Folder } from "./folder.ts";
import { linesWithMarks, type SourceLine, toLines } from "./lines.ts";
import type { Page } from "./page.ts";

interface PageText {
  /** The values of the YAML front matter; empty when there is none. */
  values: Record<string, unknown>;
  lines: SourceLine[];
}

/**
 * Reads a page and parts its front matter, YAML (`---` … `---`) or TOML (`+++` … `+++`), from its text. Front matter that is broken is reported and read line by line.
 * @returns null for a file that is no text, which is reported.
 */
export function readPage(folder: Folder, page: Page): PageText | null {
  try {
    const text = folder.text(page.file);
    for (const line of linesWithMarks(text)) page.note(line, "signs of the private use area, U+E000 to U+E00F", "removed");
    return parted(toLines(text), page);
  } catch (error) {
    if (!(error instanceof NotText)) throw error;
    page.note(undefined, "not a text file", "left out: save it as text in UTF-8 to import it");
    return null;
  }
}

function parted(lines: SourceLine[], page: Page): PageText {
  const mark = lines[0]?.text.trimEnd();
  if (mark === "+++") return partedToml(lines, page);
  if (mark !== "---") return { values: {}, lines };
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line.text));
  if (end < 0) return unclosed(lines, page, "---", /^[A-Za-z][\w-]*:(?:\s|$)/);
  const front = lines.slice(1, end).map((line) => line.text);
  try {
    const values: unknown = parseYaml(front.join("\n")) ?? {};
    // Text between two rules is no front matter.
    return isRecord(values) ? { values, lines: lines.slice(end + 1) } : { values: {}, lines };
  } catch (error) {
    noteBroken("YAML", error, page);
    return { values: simpleValues(front), lines: lines.slice(end + 1) };
  }
}

/** As Hugo and Zola write it. */
function partedToml(lines: SourceLine[], page: Page): PageText {
  const end = lines.findIndex((line, index) => index > 0 && line.text.trimEnd() === "+++");
  if (end < 0) return unclosed(lines, page, "+++", /^[\w-]+\s*=/);
  const front = lines.slice(1, end).map((line) => line.text);
  if (!front.some((line) => /^[\w-]+\s*=/.test(line))) return { values: {}, lines };
  const rest = lines.slice(end + 1);
  try {
    return { values: parseToml(front.join("\n")), lines: rest };
  } catch (error) {
    noteBroken("TOML", error, page);
    return { values: simpleValues(front), lines: rest };
  }
}

/** Reports broken front matter at its line of the page; parsers count from the line after the opening mark. */
function noteBroken(language: string, error: unknown, page: Page): void {
  const message = error instanceof Error ? error.message : String(error);
  const line = error instanceof TomlError ? error.line : Number(/ at line (\d+)/.exec(message)?.[1] ?? 0);
  const why = (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "").replace(/^Invalid TOML document: /, "");
  page.note(line + 1, `the front matter is not valid ${language}: ${why}`, "its lines are read one by one");
}

/** Front matter without its closing line ends before the first line that holds no value. Without such lines, the first one is a rule. */
function unclosed(lines: SourceLine[], page: Page, mark: string, value: RegExp): PageText {
  const after = lines.findIndex((line, index) => index > 0 && !value.test(line.text));
  const front = lines.slice(1, after < 0 ? undefined : after);
  if (front.length === 0) return { values: {}, lines };
  page.note(1, `the front matter has no closing line "${mark}"`, "taken to end before the first line that is no value");
  return { values: simpleValues(front.map(({ text }) => text)), lines: lines.slice(1 + front.length) };
}

/** A value that goes on in the next line: in a quote, a list or a block. */
const isOpen = (value: string): boolean => /^(["'])(?!.*\1$)|^(["'])$|^[[{](?!.*[\]}]$)|^[|>][-+\d]*$/.test(value);

/** The values of lines such as `title: Loops: an introduction`, which YAML refuses, and of TOML's `title = "Loops"`. */
function simpleValues(lines: readonly string[]): Record<string, unknown> {
  const pairs = lines.map((line) => /^([A-Za-z][\w-]*)(?::\s|\s*=)\s*(.*?)\s*$/.exec(line)).filter((match) => match !== null);
  const whole = pairs.filter(([, , value = ""]) => !isOpen(value));
  return Object.fromEntries(whole.map(([, key = "", value = ""]) => [key, value.replace(/^(["'])(.*)\1$/, "$2")]));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as text, when it is a text or a number. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() ? value.trim() : undefined;
}
