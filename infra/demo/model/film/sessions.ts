import { ellipsis, runOf } from "@colloquy/schemas/explainers/trace.ts";
import type { Passage } from "../segments.ts";
import { terms } from "../terms.ts";
import { isCode, programsIn, prompt } from "./code-names.ts";
import { announcesAnother, codeBefore } from "./goes-on.ts";
import { namesOf } from "./names-beside.ts";
import type { Narration, Piece } from "./piece.ts";
import { narrationsAround } from "./sayable.ts";
import { type Candidate, candidate, placeOf, unread } from "./scene.ts";

/**
 * Lines of code and output that a scene can show together, and how long they are; `rows` of a table, which an upright film shows in columns up to
 * `tableWidth`; `short`: signs of one that leaves time for other scenes.
 */
const most = { lines: 8, shortLines: 9, shortWidth: 36, width: 64, tableWidth: 35, ways: 6, short: 110, rows: 5 };

const leastQuote = 6;

/** What the page says that code prints: the passage behind it. */
function printedBy({ shell }: Piece, next: Passage | undefined): string[] | null {
  if (!next) return null;
  if (next.kind === "table") {
    const rows = next.text.trim().split("\n");
    const isEven = new Set(rows.map((row) => row.split("\t").length)).size === 1;
    return rows.length > 1 && isEven ? aligned(rows) : null;
  }
  if (!(next.code ? next.code.isPrinted : shell && isCode(next) && !prompt.test(next.text))) return null;
  return next.text
    .split("\n")
    .map((line) => line.trimEnd().replaceAll("\t", "    "))
    .filter(Boolean);
}

/** Rows of a table in columns. */
function aligned(rows: readonly string[]): string[] {
  const cells = rows.map((row) => row.split("\t").map((cell) => cell.trim()));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]): string => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return cells.map((row) => line(row).trimEnd());
}

/** Code with what the page prints below it, said by the sentences directly before and after. @param more said of it otherwise */
export function sessionScenes(piece: Piece, index: number, more: readonly Narration[], passages: readonly Passage[]): Candidate[] {
  const { passage } = piece;
  const next = passages[index + 1];
  const printed = printedBy(piece, next);
  if (!printed || !next || printed.length === 0) return [];
  const code = piece.lines.join("\n");
  if (runOf({ heading: "", code, start: "", printed: printed.join("\n") }).kind !== "session") return [];
  const isShort = [...piece.lines, ...printed].every((line) => line.length <= most.shortWidth);
  const { isOnlyOfShown, ...beside } = namesOf(piece, index, passages, next);
  const around = narrationsAround({ index, passages, isPrinted: true, ...beside });
  // Where the page says what is code and what is printed, words belong to the code that they stand beside.
  const others = passage.code ? [] : more.filter(({ names }) => names !== null);
  const narrations = [...around, ...others].filter(({ text }) => isOnlyOfShown(text) && !announcesAnother(text, piece));
  const scenes = narrations.flatMap((said): Candidate[] => {
    const showing = (lines: readonly string[]): Candidate =>
      candidate({
        layout: "trace",
        heading: headingOf(piece, passages),
        narration: said.text,
        at: placeOf(passages, passage, 0),
        says: said.says,
        names: beside.namesShown(said.text),
        after: codeBefore(said, index, passages),
        content: { code, start: "", printed: lines.join("\n") },
        quotes: [...said.quotes, ...[passage, next].map((from) => ({ passage: from, quote: longestOf(from) }))]
          .filter(({ quote }) => quote.length >= leastQuote)
          .slice(0, 4),
      });
    const room = (isShort ? most.shortLines : most.lines) - piece.lines.length;
    const ways = (next.kind === "table" ? topsOf(printed, room) : stretches(printed, said.text, room, code))
      .map(showing)
      .filter((one) => unread(one) === 0);
    const short = ways.find(({ content }) => (content.printed ?? "").length <= most.short);
    return [...new Set([...ways.slice(0, 1), ...(short ? [short] : [])])];
  });
  return scenes.slice(0, most.ways);
}

/** The longest line, or all of them where they are too short to be quoted. */
const longestOf = ({ text }: Passage): string => {
  const lines = text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  const longest = lines.toSorted((a, b) => b.length - a.length)[0] ?? "";
  return (longest.length < leastQuote ? lines.join(" ") : longest).slice(0, 300);
};

/** A command is a better heading than that of the whole page. */
function headingOf({ shell, lines, title, passage }: Piece, passages: readonly Passage[]): string {
  const isWhole = passage.trail.at(-1) === passage.title || passages[0]?.title === passage.title;
  if (!shell || !isWhole) return title;
  const last = lines.filter((line) => prompt.test(line)).at(-1) ?? "";
  const [, command] = /^\s*\$ (\S+ \p{Ll}{2,})(?=\s|$)/u.exec(last) ?? [];
  return command && lines.length > 0 && !/[./]/.test(command) ? command : programsIn(last)[0] || title;
}

/** A table with few rows, or its head and first rows: what is in its columns can be told from them. */
function topsOf(rows: readonly string[], room: number): string[][] {
  if (!rows.every((row) => row.length <= most.tableWidth)) return [];
  const whole = rows.length <= Math.min(room, most.rows + 2) ? [[...rows]] : [];
  const cut = [most.rows, 3].filter((count) => count <= room - 2 && count < rows.length - 1);
  return [...whole, ...cut.map((count) => [...rows.slice(0, count + 1), ellipsis])];
}

/** All that is printed, or as much of it as there is room for, first what has most that is spoken of. */
function stretches(printed: readonly string[], said: string, room: number, code: string): string[][] {
  const fits = (line: string): boolean => line.length <= most.width;
  const whole = printed.length <= room && printed.every(fits) ? [[...printed]] : [];
  const spoken = terms(said);
  const typed = terms(code);
  // Of an error, what it is stands in its last line.
  const isError = /^\w*(?:Error|Exception)\b/.test(printed.at(-1) ?? "");
  // Rows that are alike can be cut anywhere; of others, what is spoken of has to be there.
  const isAlike = printed.every((line) => /^(?:array\()?[\s[\]().,\deE+-]+$/.test(line)) || printed.every((line) => /\S {2,}\S/.test(line));
  // What is spoken of and stands in one line alone tells which one is meant.
  const places = Map.groupBy(
    printed.flatMap((line, at) => [...new Set(terms(line))].filter((term) => spoken.includes(term)).map((term) => ({ term, at }))),
    ({ term }) => term,
  );
  const worth = (line: string): number =>
    [...new Set(terms(line))].reduce((sum, term) => sum + 1 / (places.get(term)?.length ?? Number.POSITIVE_INFINITY), 0) +
    (/^[+-](?![+-])/.test(line) ? 1 : 0);
  const leftOutOf = (from: number, to: number): number =>
    [...places.values()].filter(([one, ...others]) => others.length === 0 && one && (one.at < from || one.at >= to)).length;
  // What is said of the output as a whole is shown with all of it.
  if (/^The output\b/.test(said)) return whole;
  const cut: { lines: string[]; worth: number }[] = [];
  for (let from = 0; from < printed.length; from += 1)
    for (let to = from + 1; to <= Math.min(printed.length, from + room - 1); to += 1) {
      const lines = printed.slice(from, to);
      const total = lines.reduce((sum, line) => sum + worth(line), 0);
      const isWhole = lines.length === printed.length;
      // A heading alone shows nothing but what is typed.
      if (
        lines.length === 1 &&
        !isError &&
        terms(lines[0] ?? "")
          .filter((term) => spoken.includes(term))
          .every((term) => typed.includes(term))
      )
        continue;
      if (isWhole || !lines.every(fits) || (isError ? to < printed.length : total === 0 && !(isAlike && from === 0))) continue;
      cut.push({
        lines: [...(from > 0 ? [ellipsis] : []), ...lines, ...(to < printed.length ? [ellipsis] : [])],
        worth: total * 3 + lines.length - 3 * leftOutOf(from, to) - (from > 0 ? 0.8 : 0) - (to < printed.length ? 0.4 : 0),
      });
    }
  return [...whole, ...cut.toSorted((a, b) => b.worth - a.worth).map(({ lines }) => lines)];
}
