import { cutAtGapSigns } from "@colloquy/schemas/questions/gaps.ts";
import { handleTextActions } from "../rendering/actions.ts";
import { type MarkdownOptions, renderMarkdown } from "../rendering/markdown.ts";
import { sanitizedFragment } from "../rendering/sanitize.ts";
import { upgrade } from "../rendering/upgrade.ts";
import type { QuestionTexts } from "./fields.ts";

/** Renders the Markdown of a question in the browser, formulas and code typeset. */
export const markdownTexts =
  (options: MarkdownOptions = {}): QuestionTexts =>
  (markdown, onReady) => {
    const element = document.createElement("div");
    element.className = "prose";
    element.append(sanitizedFragment(renderMarkdown(markdown, { newTab: true, topHeadingLevel: 5, ...options, leaves: "wait" })));
    handleTextActions(element);
    void upgrade(element).then(() => {
      showGaps(element);
      onReady();
    });
    return element;
  };

/** Puts a place (`[data-gap]`) where a private character stands for a gap. */
function showGaps(root: HTMLElement): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const parts = cutAtGapSigns(text.data);
    if (parts.every((part) => typeof part === "string")) continue;
    if (text.parentElement?.closest(".katex")) {
      text.data = parts.map((part) => (typeof part === "string" ? part : `□${part}`)).join("");
      continue;
    }
    text.replaceWith(...parts.map((part) => (typeof part === "string" ? part : placeOf(part))));
  }
}

function placeOf(gap: number): HTMLElement {
  const place = document.createElement("span");
  place.className = "gap";
  place.dataset.gap = String(gap);
  return place;
}
