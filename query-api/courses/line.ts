import { lineWithFormulas } from "@colloquy/ui/rendering/server.ts";
import { type Html, trusted } from "../pages/html.ts";

/** The same lines stand on every page of a course that lists them. */
const lines = new Map<string, Html>();
const keptLines = 5_000;

/** A summary or an objective as it is read: plain text, with its formulas set. */
export function line(text: string): Html {
  const known = lines.get(text);
  if (known) return known;
  const made = trusted(lineWithFormulas(text));
  if (lines.size >= keptLines) lines.delete(lines.keys().next().value ?? "");
  lines.set(text, made);
  return made;
}

/** Whether a piece of a page needs the sheet of formulas. */
export const holdsFormula = ({ html }: Html): boolean => html.includes('class="katex');
