import { isAbsolute, relative } from "node:path";
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Styles text if the console supports it. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Prints one line of the launcher, indented. */
export function printLine(line = ""): void {
  console.log(line ? `  ${line}` : "");
}

/** A path relative to the current folder, if it is inside it. */
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

/** The text of a warning or error in a service's log line; null for other lines. */
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

/** Suppresses a text that was printed within the last `quietMs`, so that a failing service does not flood the console. */
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
