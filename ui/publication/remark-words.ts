import type { Remark } from "@colloquy/schemas/courses/remarks.ts";
import { html } from "lit";
import { rich } from "../messages/page.ts";
import { titleInSight } from "./contents.ts";

/** Values that name a page or part, which may have no title yet. */
const titles = new Set(["title", "home"]);

/**
 * What is remarked of a course, in the reader's language, with an author's own signs kept in their direction. What only the service has
 * words for is in English, and marked so.
 */
export function inWords(of: Remark | { message: string }): unknown {
  if (!("remark" in of)) return html`<bdi lang="en">${of.message}</bdi>`;
  const values = Object.entries(of.values).map(([name, value]) => [
    name,
    typeof value === "number" ? value : html`<bdi>${titles.has(name) ? titleInSight(value) : value}</bdi>`,
  ]);
  return rich(`remark.${of.remark}`, Object.fromEntries(values));
}
