import { barsOf } from "@colloquy/schemas/explainers/table.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { emptyScene } from "@colloquy/schemas/generation/storyboard.ts";
import type { Passage } from "../segments.ts";
import { terms } from "../terms.ts";
import type { Line } from "./lines.ts";
import { titleOf } from "./points.ts";
import { type Candidate, candidate, placeOf, unread } from "./scene.ts";
import type { FilmWords } from "./words.ts";

const { table: most } = filmBounds;
const longestCell = 44;

/** The head and the rows of a table; null where cells are formulas or too long to be read. */
function tableIn({ text, kind }: Passage): { columns: string[]; rows: string[][] } | null {
  if (kind !== "table") return null;
  const lines = text
    .split("\n")
    .filter((line) => line.includes("\t"))
    .map((line) => line.split("\t").map((cell) => cell.trim()));
  const [columns = [], ...rows] = lines;
  const isEven = rows.every((row) => row.length === columns.length);
  if (!isEven || columns.length < 2 || columns.length > most.columns || rows.length < 2 || columns.some((cell) => cell === "")) return null;
  const shown = rows.slice(0, most.rows);
  return [columns, ...shown].flat().every((cell) => cell.length <= longestCell && !/[$\\]/.test(cell)) ? { columns, rows: shown } : null;
}

/** Tables of the course as scenes, with the sentence nearby that speaks most of what stands in them, or the names of their rows. */
export function tableScenes(lines: readonly Line[], passages: readonly Passage[], own: FilmWords): Candidate[] {
  return passages.flatMap((passage, index): Candidate[] => {
    const found = tableIn(passage);
    // What a query gives is shown with the query.
    if (!found || passages[index - 1]?.code) return [];
    const held = new Set(terms([...found.columns, ...found.rows.flat(), passage.title].join(" ")));
    const shared = ({ fact }: Line): number => fact.segment.terms.filter((term) => held.has(term)).length;
    const near = lines
      .filter((line) => Math.abs(passages.indexOf(line.passage) - index) <= 2 && shared(line) >= 3 && line.words <= 14)
      .toSorted((a, b) => shared(b) - shared(a) || a.words - b.words);
    const numbers = found.columns.findIndex((_, column) => barsOf({ rows: found.rows, bars: column }) !== null);
    const listed = (texts: readonly string[]): string => `${texts.slice(0, -1).join(", ")} ${own.and} ${texts.at(-1)}`;
    const counts = [found.rows.length, 5, 4, 3].filter((count) => count <= found.rows.length);
    const named = counts.map((count) => {
      const rows = found.rows.slice(0, count);
      return { text: own.table(listed(found.columns), listed(rows.map(([first = ""]) => first))), says: [], quotes: [], rows };
    });
    const said = near.flatMap(({ said: text, fact, passage: from, quote }) =>
      counts.map((count) => ({ text, says: [fact.text], quotes: [{ passage: from, quote }], rows: found.rows.slice(0, count) })),
    );
    const quoted = [found.columns.join("\t"), ...found.rows.map((row) => row.join("\t"))].find((line) => line.length >= 8) ?? "";
    const scenes = [...said, ...named].map(({ text, says, quotes, rows }) =>
      candidate({
        layout: "table",
        heading: titleOf(passage),
        narration: text,
        at: placeOf(passages, passage, 0),
        says,
        content: { table: { ...emptyScene.table, columns: found.columns, rows, bars: numbers } },
        quotes: [...quotes, { passage, quote: quoted }],
      }),
    );
    return scenes.filter((one) => unread(one) === 0).slice(0, 1);
  });
}
