import { escapeHtml } from "@colloquy/ui/rendering/escape.ts";

/** A piece of HTML that is safe to insert as it is. */
export interface Html {
  readonly html: string;
}

type Value = Html | string | number | null | undefined | false | readonly Value[];

function text(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "object") return "html" in value ? value.html : value.map(text).join("");
  return escapeHtml(String(value));
}

/** A template whose values are escaped, unless they are HTML themselves; lists are joined, nothing is left for null and false. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: parts.reduce((all, part, index) => all + text(values[index - 1]) + part) };
}

/** HTML that a renderer of ours has made safe. */
export function trusted(made: string): Html {
  return { html: made };
}

/** Words in which names stand between backticks. */
export const said = (words: string): Html =>
  html`${words.split("`").map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`;
