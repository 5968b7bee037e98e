import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { barsOf, comparedNames, sortedRows } from "@colloquy/schemas/explainers/table.ts";
import type { Found } from "./found.ts";
import { bareWords, spaced } from "./quotes.ts";

/** A table of a passage: cells are apart by tabs, and its head comes before its rows. */
const rowsIn = (text: string): string[][] => text.split("\n").map((line) => line.split("\t").map(spaced));

/** Which columns of a line are shown, in their order; null where they are not. */
function chosenColumns(line: readonly string[], columns: readonly string[]): number[] | null {
  const places: number[] = [];
  for (const column of columns) {
    const place = line.indexOf(spaced(column), (places.at(-1) ?? -1) + 1);
    if (place < 0) return null;
    places.push(place);
  }
  return places;
}

/** Whether rows stand below a head of a table, in their order. */
function stands(text: string, { columns, rows }: SceneOf<"table">["content"]): boolean {
  const lines = rowsIn(text);
  return lines.some((line, index) => {
    const places = line.length > 1 ? chosenColumns(line, columns) : null;
    if (!places) return false;
    let at = index;
    return rows.every((row) => {
      at = lines.findIndex(
        (other, place) => place > at && row.every((cell, column) => spaced(cell) === (other[places[column] ?? -1] ?? "")),
      );
      return at >= 0;
    });
  });
}

/** What is compared without being named in the words of a scene. */
function unnamed(content: SceneOf<"table">["content"], narration: string): string | undefined {
  const said = new Set(bareWords(narration));
  return content.compared
    ? comparedNames(content, content.compared).find((name) => name.trim() === "" || !bareWords(name).every((word) => said.has(word)))
    : undefined;
}

/** Head and rows are those of one table of the scene's passages; what bars are drawn of is a number in every row, and the words name what is compared. */
export function tableFindings({ content, narration }: SceneOf<"table">, texts: readonly string[]): Found[] {
  const { columns, rows, sortBy, bars } = content;
  if (rows.some((row) => row.length !== columns.length))
    return [{ problem: "unclear", detail: "A row has more or fewer cells than the head." }];
  if (sortBy >= columns.length || bars >= columns.length) return [{ problem: "unclear", detail: "There is no such column." }];
  if (!texts.some((text) => stands(text, content)))
    return [{ problem: "unsupported", detail: "No table of the scene's passages has these rows in this order." }];
  const silent = unnamed(content, narration);
  if (silent?.trim() === "")
    return [{ problem: "unclear", detail: "A row or column without a name is compared: compare ones with names." }];
  if (silent !== undefined) return [{ problem: "unclear", detail: `“${silent}” is compared, and the narration does not name it.` }];
  if (sortBy >= 0 && !sortedRows(content)) return [{ problem: "unclear", detail: "A table is sorted by numbers of one unit." }];
  return bars >= 0 && !barsOf(content) ? [{ problem: "unclear", detail: "Bars need a column of numbers of one unit, none below 0." }] : [];
}
