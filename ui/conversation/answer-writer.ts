import type { Citation } from "@colloquy/schemas/ai/citations.ts";
import { handleTextActions } from "../rendering/actions.ts";
import { drawDiagrams } from "../rendering/diagram.ts";
import { renderInline } from "../rendering/markdown.ts";
import { sanitize } from "../rendering/sanitize.ts";
import { advance, type StreamingState, startStreaming, withCitations } from "../rendering/streaming.ts";
import { upgrade } from "../rendering/upgrade.ts";
import { syncChildren } from "./sync-nodes.ts";

/** What is written so far, and the citations once they are known. */
export interface Writing {
  text: string;
  /** Null while the answer grows. */
  citations: Citation[] | null;
}

interface Written {
  html: string;
  /** How many elements it became. */
  count: number;
}

/**
 * Writes a growing answer into an element. What is final is never touched again; what may still change is compared with what stands
 * there, node by node, so that a selection, a scroll position or a copied code block survives every step, the last one too.
 * Loaded with the Markdown parser, after the workspace itself.
 */
export class AnswerWriter {
  readonly #container: HTMLElement;
  readonly #ended = new AbortController();
  #state: StreamingState = startStreaming({ citations: "pending", newTab: true, topHeadingLevel: 3 });
  #written: Written[] = [];
  #complete = false;

  constructor(container: HTMLElement) {
    this.#container = container;
    handleTextActions(container, this.#ended.signal);
  }

  write({ text, citations }: Writing): void {
    if (citations && !this.#complete) this.#state = withCitations(this.#state, citations);
    this.#complete = citations !== null;
    const { state, committed, tail } = advance(this.#state, text, this.#complete);
    this.#state = state;
    let at = 0;
    for (const [index, { html }] of committed.entries()) {
      const before = this.#written[index];
      if (before?.html !== html) {
        // A block that has just become final stands there already, as the beginning of what was the tail.
        const fresh = elementsOf(html);
        this.#written[index] = { html, count: fresh.length };
        syncChildren(this.#container, fresh, at, before?.count ?? Math.min(fresh.length, this.#container.children.length - at));
      }
      at += this.#written[index]?.count ?? 0;
    }
    this.#written.length = committed.length;
    syncChildren(this.#container, elementsOf(tail), at, this.#container.children.length - at);
    if (this.#container.querySelector("[data-pending]")) void upgrade(this.#container);
    if (this.#complete && this.#container.querySelector("figure.diagram"))
      this.#ended.signal.addEventListener("abort", drawDiagrams(this.#container), { once: true });
  }

  end(): void {
    this.#ended.abort();
  }
}

/** Writes one line of a course's text, formulas and all, without links. */
export function writeInline(element: HTMLElement, text: string): void {
  element.innerHTML = sanitize(renderInline(text, { resolveLink: () => null }));
  void upgrade(element);
}

function elementsOf(html: string): Element[] {
  const template = document.createElement("template");
  template.innerHTML = sanitize(html);
  return [...template.content.children];
}
