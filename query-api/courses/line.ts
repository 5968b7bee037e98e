import { lineWithFormulas } from "@colloquy/ui/rendering/server.ts";
import { LRUCache } from "lru-cache";
import { type Html, trusted } from "../pages/html.ts";

/** Rendered lines; many pages of a course list the same ones. */
const lines = new LRUCache<string, Html>({ max: 5_000 });

/** Renders a summary or an objective: plain text with formulas. */
export function renderLine(text: string): Html {
  const line = lines.get(text) ?? trusted(lineWithFormulas(text));
  lines.set(text, line);
  return line;
}

/** Whether a piece of a page needs the style sheet of formulas. */
export const hasFormula = ({ html }: Html): boolean => html.includes('class="katex');
