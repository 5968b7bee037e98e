import { isAbsolute, relative } from "node:path";
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Text with a style, where the console shows styles. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** A line of the launcher's console. */
export function printLine(line = ""): void {
  console.log(line ? `  ${line}` : "");
}

/** A path as one would type it here. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short && !short.startsWith("..") && !isAbsolute(short) ? short : path;
}

/** Rows of text in columns, the first one quiet. */
export function table(rows: string[][]): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const padded = index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0);
        return index === 0 ? styled("dim", padded) : padded;
      })
      .join("   ")
      .trimEnd(),
  );
}

const warning = 40;
const error = 50;

/** What a person should read of a service's log line: warnings and errors in words; null for everything else. */
export function warningInLogLine(line: string): { severity: "warning" | "error"; text: string } | null {
  if (!line.startsWith("{")) return null;
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof entry !== "object" || entry === null || !("level" in entry) || typeof entry.level !== "number" || entry.level < warning)
    return null;
  const message = "msg" in entry ? String(entry.msg) : "";
  const cause =
    "err" in entry && typeof entry.err === "object" && entry.err !== null && "message" in entry.err ? String(entry.err.message) : "";
  const text = [...new Set([message, cause])].filter(Boolean).join(": ");
  return { severity: entry.level >= error ? "error" : "warning", text: text.replace(/\s+/g, " ").slice(0, 300) };
}

/** Lets a text pass when it has not passed within the last `quietMs`, so that a service in trouble does not flood the console. */
export function suppressRepeats(quietMs: number, now: () => number = Date.now): (text: string) => boolean {
  const passed = new Map<string, number>();
  return (text) => {
    const before = passed.get(text);
    if (before !== undefined && now() - before < quietMs) return false;
    if (passed.size > 200) passed.clear();
    passed.set(text, now());
    return true;
  };
}
