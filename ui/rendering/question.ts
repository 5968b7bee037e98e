import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { cutAtGapSigns, promptMarkdown } from "@colloquy/schemas/questions/gaps.ts";
import { partId, withoutKey } from "@colloquy/schemas/questions/shown.ts";
import { solutionOf } from "@colloquy/schemas/questions/solution.ts";
import { msg } from "../messages/page.ts";
import { attribute, escapeHtml } from "./escape.ts";
import { icon } from "./icons.ts";
import { type MarkdownOptions, renderMarkdown } from "./markdown.ts";

/**
 * A question as it is read without a script: prompt and choices, then its hints and its solution, each folded. One of the page carries its
 * data for a self-check, which finds each rendered text by the id of its source (`data-text`).
 */
export function question(data: Question, options: MarkdownOptions, id: string): string {
  const text = (markdown: string): string => withText(markdown, options);
  const fold = (kind: "hint" | "solution", word: string, inner: string) =>
    `<details class="fold fold-${kind}"><summary>${icon("chevron")}<span>${escapeHtml(word)}</span></summary><div class="fold-body">${inner}</div></details>`;
  const { hints, explanation, place } = data;
  const hintName = (index: number) => (hints.length > 1 ? msg("rendering.hint", { number: index + 1 }) : msg("common.hint"));
  const folds = [
    ...hints.map((hint, index) => fold("hint", hintName(index), text(hint))),
    fold("solution", msg("rendering.solution2"), keyOf(data, text) + (explanation ? text(explanation) : "")),
  ].join("");
  const source = attribute("data-question", place === "bank" ? null : JSON.stringify(data));
  return `<div class="question"${source}><p class="callout-title">${icon("questions")}<span class="callout-kind">${escapeHtml(msg("editor.question"))}</span></p><div class="question-static"><div class="callout-body">${text(promptMarkdown(data))}${partsOf(data, text, id)}</div><div class="folds">${folds}</div></div></div>`;
}

/** Headings within a question are no sections of the page. */
function withText(markdown: string, options: MarkdownOptions): string {
  const html = renderMarkdown(markdown, { ...options, headingIds: false });
  // Only text is replaced: a private character in an attribute stays.
  const shown = html.replaceAll(/<[^>]*>|[^<]+/g, (part) =>
    part.startsWith("<")
      ? part
      : cutAtGapSigns(part)
          .map((one) => (typeof one === "string" ? one : `<span class="gap" data-gap="${one}">__${one}__</span>`))
          .join(""),
  );
  return `<div data-text="${partId(markdown)}">${shown}</div>`;
}

type Text = (markdown: string) => string;

/** What there is to choose from, to put in order or to match. */
function partsOf(data: Question, text: Text, id: string): string {
  const shown = withoutKey(data, id);
  const listOf = (parts: readonly { markdown: string }[]) =>
    list(
      "ul",
      parts.map(({ markdown }) => text(markdown)),
    );
  if (shown.kind === "single" || shown.kind === "multiple") return listOf(shown.choices);
  if (shown.kind === "order") return listOf(shown.items);
  return shown.kind === "match" ? listOf(shown.lefts) + listOf(shown.rights) : "";
}

function keyOf(data: Question, text: Text): string {
  switch (data.kind) {
    case "single":
    case "multiple":
      return list(
        "ul",
        data.choices.map(
          ({ markdown, correct, feedback }) =>
            `<p><b>${escapeHtml(correct ? msg("common.right") : msg("common.notRight"))}:</b></p>${text(markdown)}${feedback ? text(feedback) : ""}`,
        ),
      );
    case "gap":
      return list(
        "ol",
        data.gaps.map(([first = ""]) => `<code>${escapeHtml(first)}</code>`),
      );
    case "order":
      return list("ol", data.items.map(text));
    case "match":
      return list(
        "ul",
        data.pairs.map(({ left, right }) => `${text(left)}<div class="question-arrow" aria-hidden="true">↓</div>${text(right)}`),
      );
    case "free":
      return text(data.answer) + list("ul", data.rubric.map(text));
    default: {
      const solution = solutionOf(data);
      return "text" in solution ? text(solution.text) : "";
    }
  }
}

const list = (tag: "ul" | "ol", items: readonly string[]): string => `<${tag}>${items.map((item) => `<li>${item}</li>`).join("")}</${tag}>`;
