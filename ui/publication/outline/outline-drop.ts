import type { Container } from "@colloquy/schemas/courses/editing/edit.ts";
import type { PageId } from "../contents.ts";

interface Place {
  id: PageId;
  kind: "course" | "topic" | "collection";
  depth: number;
}

/**
 * The container and index of a drop between rows. `depth` chooses among the containers that end there and is clamped to what is possible.
 * @param rows without the dropped one; the first contains all others @param place index of the row below the drop
 */
export function dropTarget(rows: readonly Place[], place: number, depth: number): { container: Container; to: number; depth: number } {
  const at = Math.min(Math.max(place, 1), rows.length);
  const [before, after] = [rows[at - 1], rows[at]];
  const least = (rows[0]?.depth ?? 0) + 1;
  const most = (before?.depth ?? 0) + (before?.kind === "topic" ? 0 : 1);
  const stands = Math.min(Math.max(depth, after?.depth ?? least, least), most);
  const above = rows.slice(0, at);
  const home = above.findLastIndex((row) => row.depth < stands);
  return { container: above[home]?.id ?? null, to: above.slice(home + 1).filter((row) => row.depth === stands).length, depth: stands };
}
