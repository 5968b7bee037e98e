import type { Remark } from "@colloquy/schemas/courses/remarks.ts";
import { html } from "lit";
import { rich } from "../messages/page.ts";
import { visibleTitle } from "./contents.ts";

/** Values that are titles and may be empty. */
const titles = new Set(["title", "home"]);

/**
 * The text of a remark in the reader's language, with values isolated from its text direction. A message of the service alone is English and
 * marked so.
 */
export function remarkText(of: Remark | { message: string }): unknown {
  if (!("remark" in of)) return html`<bdi lang="en">${of.message}</bdi>`;
  const values = Object.entries(of.values).map(([name, value]) => [
    name,
    typeof value === "number" ? value : html`<bdi>${titles.has(name) ? visibleTitle(value) : value}</bdi>`,
  ]);
  return rich(`remark.${of.remark}`, Object.fromEntries(values));
}
