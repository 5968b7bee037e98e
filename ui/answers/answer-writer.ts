import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { handleTextActions } from "../rendering/actions.ts";
import { citationChip } from "../rendering/citations.ts";
import { drawDiagrams } from "../rendering/diagram.ts";
import { blockHtml } from "../rendering/growing.ts";
import { renderInline } from "../rendering/markdown.ts";
import { sanitizedFragment } from "../rendering/sanitize.ts";
import { preserveSelection, type SavedSelection, saveSelection } from "../rendering/selection.ts";
import { advance, type RenderedBlock, type StreamingState, startStreaming } from "../rendering/streaming.ts";
import { syncNodes, syncText } from "../rendering/sync-nodes.ts";
import { upgrade } from "../rendering/upgrade.ts";
import { SteadyColumns } from "./steady-columns.ts";
import { markUnsupported } from "./unsupported-citations.ts";

/** What is written so far, and the citations once they are known. */
export interface Writing {
  text: string;
  /** Null while the answer grows. */
  citations: Citation[] | null;
}

/** How every answer is rendered; the citations come into their places afterwards. */
export const answerOptions = { citations: "pending", newTab: true, topHeadingLevel: 3 } as const;

/** A block on the page. */
interface Shown {
  block: RenderedBlock;
  /** Its nodes on the top level. */
  nodes: ChildNode[];
  /** Where its parts stand: in this element, the settled ones up to this node. */
  inside: { parent: Element; last: ChildNode | null } | null;
}

/**
 * Writes a growing answer into an element. What is final is never touched again; what may still change is compared with what stands
 * there, node by node, so that a selection, a scroll position or a copied code block survives every step, the last one too.
 * Loaded with the Markdown parser, after the workspace itself.
 */
export class AnswerWriter {
  readonly #container: Element;
  readonly #ended = new AbortController();
  readonly #columns: SteadyColumns;
  #state: StreamingState = startStreaming(answerOptions);
  #shown: Shown[] = [];
  #citations: string | null = null;
  /** What a reader has selected here, in this step. */
  #held: SavedSelection | null = null;

  constructor(container: HTMLElement) {
    this.#container = container;
    this.#columns = new SteadyColumns(container);
    handleTextActions(container, this.#ended.signal);
  }

  write({ text, citations }: Writing): void {
    const { state, committed, tail } = advance(this.#state, text, citations !== null);
    this.#state = state;
    this.#held = saveSelection(this.#container);
    for (const [index, block] of committed.entries()) if (this.#shown[index]?.block !== block) this.#show(index, block);
    for (const [index, block] of tail.entries()) this.#show(committed.length + index, block);
    for (const { nodes } of this.#shown.splice(committed.length + tail.length)) for (const node of nodes) node.remove();
    if (citations) this.#cite(citations);
  }

  end(): void {
    this.#ended.abort();
    this.#columns.end();
  }

  #show(index: number, block: RenderedBlock): void {
    const shown = this.#shown[index];
    if (shown && isContinuation(shown.block, block)) {
      this.#grow(shown, block);
      return;
    }
    const html = blockHtml(block);
    if (shown?.block.kind === "whole" && blockHtml(shown.block) === html) shown.block = block;
    else this.#rewrite(index, block, html);
  }

  /** Makes a block's nodes look like this HTML. */
  #rewrite(index: number, block: RenderedBlock, html: string): void {
    const shown = this.#shown[index];
    const fresh = [...sanitizedFragment(html).childNodes];
    const before = this.#shown.slice(index + 1).find(({ nodes }) => nodes.length)?.nodes[0] ?? null;
    let nodes: ChildNode[] = [];
    const sync = () => {
      nodes = syncNodes(this.#container, shown?.nodes ?? [], fresh, before);
    };
    preserveSelection(this.#held, shown?.nodes ?? [], sync);
    this.#shown[index] = { block, nodes, inside: insideOf(block, nodes) };
    this.#finish(nodes, html);
  }

  /** Adds to a block whose settled parts stand already. */
  #grow(shown: Shown, block: RenderedBlock): void {
    const { block: before, inside } = shown;
    shown.block = block;
    if (!inside || block.kind === "whole" || before.kind === "whole") return;
    if (block.kind === "code") {
      const text = inside.parent.firstChild;
      const from = before.settled.length;
      if (text instanceof Text) syncText(text, block.settled + block.live, Math.min(from, text.length));
      return;
    }
    if (before.kind === "code") return;
    const added = block.settled.slice(before.settled.length);
    const html = added.join("") + block.live.join("");
    if (html === before.live.join("")) {
      settle(inside, added.length);
      return;
    }
    const old: ChildNode[] = [];
    for (let node = inside.last?.nextSibling ?? null; node; node = node.nextSibling) old.push(node);
    const nodes = syncNodes(inside.parent, old, partNodes(block.kind, html), null);
    settle(inside, added.length);
    if (inside.parent.parentElement instanceof HTMLTableElement) this.#columns.grew(inside.parent.parentElement, block.settled.length);
    this.#finish(nodes, html);
  }

  /** Formulas, colours and drawings of what was just written. */
  #finish(nodes: readonly ChildNode[], html: string): void {
    const pending = html.includes("data-pending=");
    const diagrams = html.includes("data-diagram=");
    if (!pending && !diagrams) return;
    for (const node of nodes) {
      if (!(node instanceof HTMLElement)) continue;
      if (pending) void upgrade(node);
      if (diagrams) drawDiagrams(node, { signal: this.#ended.signal });
    }
  }

  /** Gives the numbers their sources. */
  #cite(citations: Citation[]): void {
    const key = JSON.stringify(citations);
    const chips = this.#citations === key ? "span.cite:not(.cite-unresolved)" : ".cite[data-citation]";
    this.#citations = key;
    for (const chip of this.#container.querySelectorAll<HTMLElement>(chips))
      chip.replaceWith(sanitizedFragment(citationChip(Number(chip.dataset.citation), citations)));
    markUnsupported(this.#container, citations);
  }
}

/** Whether a block is one that stands already, with more in it. */
function isContinuation(before: RenderedBlock, block: RenderedBlock): boolean {
  if (before.kind === "whole" || block.kind === "whole" || before.id !== block.id || before.head !== block.head) return false;
  if (before.kind === "code" || block.kind === "code")
    return before.kind === block.kind && String(block.settled).startsWith(String(before.settled));
  return before.kind === block.kind && before.settled.every((part, index) => part === block.settled[index]);
}

/** Whether a line is TeX and nothing else: a quote has lines of a displayed formula without its dollar signs. */
const isOfFormula = (text: string): boolean =>
  /\\[a-zA-Z]/.test(text) &&
  /[=<>^_{]/.test(text) &&
  !/[$`]/.test(text) &&
  !/\p{L}{3}/u.test(text.replaceAll(/\\(?:text|mathrm|operatorname)\{[^{}]*\}|\\(?:begin|end)\{[a-z*]*\}|\\[a-zA-Z]+/g, ""));

/** Whether all that a formula opens is closed in it: part of one cannot be set. */
const isBalanced = (tex: string): boolean =>
  countOf(tex, /\{/g) === countOf(tex, /\}/g) && countOf(tex, /\\begin/g) === countOf(tex, /\\end/g);
const countOf = (text: string, part: RegExp): number => text.match(part)?.length ?? 0;

const containers = { list: "ul, ol", table: "tbody", code: "code" } as const;

function insideOf(block: RenderedBlock, nodes: readonly ChildNode[]): Shown["inside"] {
  const element = nodes[0];
  if (block.kind === "whole" || !(element instanceof Element)) return null;
  const list = block.kind === "list" && block.inner ? element.lastElementChild?.lastElementChild : element;
  const parent = block.kind === "list" ? list : element.querySelector(containers[block.kind]);
  if (!parent) return null;
  const inside: Shown["inside"] = { parent, last: null };
  // The line end behind the opening tag stands before the first part.
  if (block.kind !== "code" && parent.firstChild instanceof Text) inside.last = parent.firstChild;
  if (block.kind !== "code") settle(inside, block.settled.length);
  return inside;
}

/** Moves past parts that are settled now: each is an element and the line end behind it. */
function settle(inside: { parent: Element; last: ChildNode | null }, parts: number): void {
  for (let left = parts * 2; left > 0; left--) inside.last = inside.last ? inside.last.nextSibling : inside.parent.firstChild;
}

function partNodes(kind: "list" | "table", html: string): ChildNode[] {
  const fragment = sanitizedFragment(kind === "list" ? `<ul>${html}</ul>` : `<table><tbody>${html}</tbody></table>`);
  return [...(fragment.querySelector(containers[kind])?.childNodes ?? [])];
}

/** Writes one line of a course's text, formulas and all, without links. */
export function writeInline(element: HTMLElement, text: string): void {
  const shown = !isOfFormula(text) ? text : isBalanced(text) ? `$${text}$` : `\`${text}\``;
  element.replaceChildren(sanitizedFragment(renderInline(shown, { resolveLink: () => null, leaves: "wait" })));
  void upgrade(element);
}
