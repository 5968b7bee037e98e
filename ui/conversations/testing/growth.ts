import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { AnswerWriter, answerOptions } from "../../answers/answer-writer.ts";
import { loadHighlighter, loadMath } from "../../rendering/engines.ts";
import { renderMarkdown } from "../../rendering/markdown.ts";
import { sanitize } from "../../rendering/sanitize.ts";

/**
 * A page that lets an answer grow and measures each step: the script's time, then the layout that it causes. The control renders all of the
 * text at every step, sanitises it the same way and sets `innerHTML`; it is spared formulas and colours.
 */

export interface Growth {
  text: string;
  step: number;
  strategy: "writer" | "control";
  /** Only every nth step is done: a step of the control costs the same without those before it. */
  every: number;
}

export interface Measured {
  /** Milliseconds of each step. */
  script: number[];
  layout: number[];
  nodesAdded: number;
  nodes: number;
  /** Whether what stands at the end is what a fresh rendering of the whole text gives. */
  equal: boolean;
  selectionKept: boolean;
  scrollKept: boolean;
  /** Tasks over 50 ms while it grew, in milliseconds. */
  longTasks: number[];
}

const citations: Citation[] = Array.from({ length: 6 }, (_, index) => ({
  number: index + 1,
  sourceId: `source-000${index}`,
  href: `/courses/c/t#b${index}`,
  title: `Source ${index}`,
  trail: [],
  revisionId: "revision-1",
  quote: "words of the source",
}));

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });
const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function countNodes(node: Node): number {
  let count = 1;
  for (const child of node.childNodes) count += countNodes(child);
  return count;
}

const scrolled = 10;

/** Lets one answer grow from nothing to its end. */
async function grow({ text, step, strategy, every }: Growth): Promise<Measured> {
  await Promise.all([loadMath(), loadHighlighter()]);
  const scroller = document.createElement("div");
  scroller.style.cssText = "block-size: 800px; overflow-y: auto; overflow-anchor: none; inline-size: 640px";
  const container = document.createElement("div");
  container.className = "prose";
  scroller.append(container);
  document.body.replaceChildren(scroller);
  const writer = strategy === "writer" ? new AnswerWriter(container) : null;
  const write = (written: string, complete: boolean) => {
    if (writer) writer.write({ text: written, citations: complete ? citations : null });
    else container.innerHTML = sanitize(renderMarkdown(written, { ...answerOptions, leaves: "wait", incomplete: !complete }));
  };

  let nodesAdded = 0;
  const nodes = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) nodesAdded += countNodes(node);
  });
  nodes.observe(container, { childList: true, subtree: true });
  const longTasks: number[] = [];
  const tasks = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)));
  tasks.observe({ entryTypes: ["longtask"] });

  const script: number[] = [];
  const layout: number[] = [];
  let selected = "";
  for (let at = step * every; at < text.length + step * every; at += step * every) {
    const complete = at >= text.length;
    const written = text.slice(0, at);
    await turn();
    const begun = performance.now();
    write(written, complete);
    const done = performance.now();
    container.getBoundingClientRect();
    script.push(done - begun);
    layout.push(performance.now() - done);
    if (!selected && at > 200) selected = select(container);
    if (scroller.scrollTop === 0 && scroller.scrollHeight > scroller.clientHeight + 2 * scrolled) scroller.scrollTop = scrolled;
  }
  await rest(300);
  while (container.querySelector("[data-pending]") && writer) await rest(20);
  nodes.disconnect();
  tasks.disconnect();
  const fresh = document.createElement("div");
  fresh.innerHTML = sanitize(renderMarkdown(text, { ...answerOptions, citations }));
  writer?.end();
  return {
    script,
    layout,
    nodesAdded,
    nodes: countNodes(container) - 1,
    equal: fresh.isEqualNode(sameWithout(container)),
    selectionKept: selected !== "" && String(getSelection()) === selected,
    scrollKept: scroller.scrollTop === scrolled,
    longTasks,
  };
}

/** The container's nodes in a plain element. */
function sameWithout(container: Element): Element {
  const plain = document.createElement("div");
  plain.append(...[...container.childNodes].map((node) => node.cloneNode(true)));
  return plain;
}

/** Selects some letters of the first words there are; gives back what. */
function select(container: Element): string {
  const texts = document.createTreeWalker(container, NodeFilter.SHOW_TEXT, (node) =>
    (node.textContent ?? "").trim().length > 6 && !node.parentElement?.closest("figcaption")
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_SKIP,
  );
  const text = texts.nextNode();
  if (!text) return "";
  getSelection()?.setBaseAndExtent(text, 1, text, 6);
  return String(getSelection());
}

declare global {
  interface Window {
    grow: typeof grow;
  }
}
window.grow = grow;
