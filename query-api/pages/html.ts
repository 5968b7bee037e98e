import { escapeHtml } from "@colloquy/ui/rendering/escape.ts";

/** Safe HTML, which is inserted without escaping. */
export interface Html {
  readonly html: string;
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

function text(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "object") return "html" in value ? value.html : value.map(text).join("");
  return escapeHtml(String(value));
}

/** A template whose values are escaped unless they are `Html`; lists are joined, null and false are left out. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: parts.reduce((all, part, index) => all + text(values[index - 1]) + part) };
}

/** HTML that one of our renderers has sanitised. */
export function trusted(made: string): Html {
  return { html: made };
}

/** Text with code between backticks. */
export const withCode = (source: string): Html =>
  html`${source.split("`").map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`;
