import { keepDeepText } from "@colloquy/schemas/text/deep-text.ts";
import { footnote } from "@mdit/plugin-footnote";
import { tasklist } from "@mdit/plugin-tasklist";
import MarkdownIt, { type MarkdownIt as Parser } from "markdown-it";
import { citationRule } from "./citations.ts";
import { headingRule } from "./headings.ts";
import { addressRule, alertRule, codeRules, footnoteRules, tableRules, taskRules, textRule } from "./markdown-rules.ts";
import { mathRules } from "./math-delimiters.ts";
import type { MarkdownOptions } from "./options.ts";

export type { MarkdownOptions } from "./options.ts";

/** Longer texts are cut. Blocks have a far lower limit. */
export const longestText = 1_000_000;

/** The length of an address without `https://`. Brackets belong to it in pairs; punctuation at its end does not. */
function bareAddressLength(text: string): number {
  const [, host = "", path = ""] = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5}(?!\d))?)([/?#][^\s<>"']*)?/i.exec(text) ?? [];
  let end = path.length;
  for (let depth = 0, at = 0; at < path.length; at++) {
    if (path[at] === "(") depth++;
    else if (path[at] === ")" && --depth < 0) {
      end = at;
      break;
    }
  }
  return host.length + path.slice(0, end).replace(/[.,;:!?*_~`]+$/, "").length;
}

function createParser(footnotes: boolean): Parser {
  const md = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false });
  keepDeepText(md);
  md.linkify.add("www.", {
    validate: (text, position) => bareAddressLength(text.slice(position)),
    normalize: (match) => {
      match.url = `https://${match.url}`;
    },
  });
  md.use(alertRule).use(tasklist, { label: false, containerClass: "tasks", itemClass: "task-item" });
  if (footnotes) md.use(footnote).use(footnoteRules);
  return md.use(citationRule).use(mathRules).use(codeRules).use(tableRules).use(taskRules).use(textRule).use(headingRule).use(addressRule);
}

/** Answers have citations where course text has footnotes. */
const parsers = { course: createParser(true), answer: createParser(false) };

/** The parser for a text with these options. */
export function parserFor(options: MarkdownOptions): Parser {
  return options.citations ? parsers.answer : parsers.course;
}

/**
 * GitHub-flavoured Markdown with mathematics, code, diagrams and citations as safe HTML. Raw HTML is text; addresses are limited to
 * http(s), mailto and our own site; remote images wait for a click. In a browser the result still goes through `sanitize`.
 */
export function renderMarkdown(source: string, options: MarkdownOptions = {}): string {
  return parserFor(options).render(source.slice(0, longestText), { ...options });
}

/** The same for one line, without a paragraph around it. */
export function renderInline(source: string, options: MarkdownOptions = {}): string {
  return parserFor(options).renderInline(source.slice(0, longestText), { ...options });
}
