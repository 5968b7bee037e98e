import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { fillGaps } from "@colloquy/schemas/questions/gaps.ts";
import { withoutKey } from "@colloquy/schemas/questions/shown.ts";
import { msg } from "../messages/page.ts";
import { escapeHtml } from "./escape.ts";
import { icon } from "./icons.ts";
import { type MarkdownOptions, renderMarkdown } from "./markdown.ts";

/** A question as it is read without a script: prompt and choices, then its hints and its solution, each folded. */
export function question(data: Question, options: MarkdownOptions, id: string): string {
  const fold = (kind: "hint" | "solution", word: string, inner: string) =>
    `<details class="fold fold-${kind}"><summary>${icon("chevron")}<span>${escapeHtml(word)}</span></summary><div class="fold-body">${inner}</div></details>`;
  const { hints, explanation } = data;
  const hintName = (index: number) => (hints.length > 1 ? msg("rendering.hint", { number: index + 1 }) : msg("common.hint"));
  const folds = [
    ...hints.map((hint, index) => fold("hint", hintName(index), renderMarkdown(hint, options))),
    fold("solution", msg("rendering.solution2"), keyOf(data, options) + (explanation ? renderMarkdown(explanation, options) : "")),
  ].join("");
  return `<div class="question"><p class="callout-title">${icon("questions")}<span class="callout-kind">${escapeHtml(msg("editor.question"))}</span></p><div class="callout-body">${promptOf(data, options)}${partsOf(data, options, id)}</div><div class="folds">${folds}</div></div>`;
}

const promptOf = ({ kind, markdown }: Question, options: MarkdownOptions): string =>
  renderMarkdown(kind === "gap" ? fillGaps(markdown, (gap) => `…${gap}…`) : markdown, options);

/** What there is to choose from or to put in order. */
function partsOf(data: Question, options: MarkdownOptions, id: string): string {
  const shown = withoutKey(data, id);
  if (shown.kind === "single" || shown.kind === "multiple")
    return list(
      "ul",
      shown.choices.map(({ markdown }) => markdown),
      options,
    );
  if (shown.kind === "order")
    return list(
      "ul",
      shown.items.map(({ markdown }) => markdown),
      options,
    );
  if (shown.kind !== "match") return "";
  return [shown.lefts, shown.rights]
    .map((side) =>
      list(
        "ul",
        side.map(({ markdown }) => markdown),
        options,
      ),
    )
    .join("");
}

function keyOf(data: Question, options: MarkdownOptions): string {
  switch (data.kind) {
    case "single":
    case "multiple":
      return list(
        "ul",
        data.choices.flatMap(({ markdown, correct }) => (correct ? [markdown] : [])),
        options,
      );
    case "text":
      return list("ul", data.accepted, options);
    case "number":
      return `<p>${escapeHtml([data.value, data.unit ?? ""].join(" ").trim())}</p>`;
    case "gap":
      return `<ol>${data.gaps.map(([first = ""]) => `<li><code>${escapeHtml(first)}</code></li>`).join("")}</ol>`;
    case "order":
      return list("ol", data.items, options);
    case "match":
      return list(
        "ul",
        data.pairs.map(({ left, right }) => `${left} → ${right}`),
        options,
      );
    case "free":
      return renderMarkdown(data.answer, options) + list("ul", data.rubric, options);
  }
}

const list = (tag: "ul" | "ol", items: readonly string[], options: MarkdownOptions): string =>
  `<${tag}>${items.map((item) => `<li>${renderMarkdown(item, options)}</li>`).join("")}</${tag}>`;
