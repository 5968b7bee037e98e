import { type Remark, type RemarkName, remarkTexts } from "@colloquy/schemas/courses/remarks.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import { html } from "lit";
import { msg, rich } from "../messages/page.ts";
import { visibleTitle } from "./contents.ts";

/** Values that are titles and may be empty. */
const titles = new Set(["title", "home"]);

const isKnown = (remark: string | undefined): remark is RemarkName => remark !== undefined && Object.hasOwn(remarkTexts, remark);

/**
 * The text of a remark in the reader's language, with values isolated from its text direction. What the service says in words of its own is
 * replaced, because those are for programs.
 */
export function remarkText({ remark, values = {} }: Remark | FieldError): unknown {
  if (!isKnown(remark)) return msg("editor.refusedAsItIs");
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "number" ? value : html`<bdi>${titles.has(name) ? visibleTitle(value) : value}</bdi>`,
  ]);
  return rich(`remark.${remark}`, Object.fromEntries(shown));
}
