import { engines, loadHighlighter, loadMath } from "./engines.ts";
import { sanitizedFragment } from "./sanitize.ts";
import { reachScroller } from "./scrollers.ts";
import { heldSelection, keepingSelection } from "./selection.ts";

/** Work at a stretch, in milliseconds, before the page may breathe. */
const stretch = 8;
/** How much coloured code is made into elements at a stretch, in letters of HTML. */
const pieceLength = 6_000;

/** What finished elements were made of. */
const sources = new WeakMap<Element, string>();

/** The source of an element that `upgrade` has finished, and what it wrote there. */
export const finishedSource = (element: Element): string | undefined => sources.get(element);

/**
 * Finishes what a text holds as source: formulas and code (`data-pending`). Loads only the engines that are needed; where they are there,
 * it does so at once, as far as a page can do without noticing. Resolves when everything below `root` is finished; an engine that cannot be
 * loaded leaves the source as it is.
 */
export async function upgrade(root: Element | DocumentFragment): Promise<void> {
  const pending = pendingIn(root);
  const begun = performance.now();
  const has = (kind: string) => pending.some(({ dataset }) => dataset.pending === kind);
  const load = [...(has("math") && !engines.math ? [loadMath()] : []), ...(has("code") && !engines.code ? [loadHighlighter()] : [])];
  if (load.length) await Promise.allSettled(load);
  let since = load.length ? performance.now() : begun;
  for (const element of pending) {
    if (performance.now() - since > stretch) {
      await breath();
      since = performance.now();
    }
    if (element.dataset.pending === "math") setFormula(element);
    else if (element.dataset.pending === "code") await colour(element);
  }
}

function pendingIn(root: Element | DocumentFragment): HTMLElement[] {
  const below = [...root.querySelectorAll<HTMLElement>("[data-pending]")];
  return root instanceof HTMLElement && root.dataset.pending ? [root, ...below] : below;
}

const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Formulas that were set already; the same ones come again and again in a text. */
const formulas = new Map<string, DocumentFragment>();
const keptFormulas = 300;

function setFormula(element: HTMLElement): void {
  const source = element.textContent ?? "";
  const display = element.dataset.display !== undefined;
  const key = `${display} ${source}`;
  let formula = formulas.get(key);
  if (!formula) {
    if (!engines.math) return;
    formula = sanitizedFragment(engines.math(source, display));
    if (formulas.size >= keptFormulas) formulas.delete(formulas.keys().next().value ?? "");
    formulas.set(key, formula);
  }
  sources.set(element, source);
  element.replaceChildren(formula.cloneNode(true));
  delete element.dataset.pending;
  delete element.dataset.display;
  if (display) reachScroller(element);
}

const colouring = new WeakSet<Element>();

/** Colours code: short code at once, long code in pieces that are put in its place together. */
async function colour(element: HTMLElement): Promise<void> {
  if (!engines.code || colouring.has(element)) return;
  const source = element.textContent ?? "";
  const pieces = inPieces(engines.code(source, /language-([\w-]+)/.exec(element.className)?.[1] ?? ""));
  const coloured = document.createDocumentFragment();
  colouring.add(element);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await breath();
    coloured.append(sanitizedFragment(piece));
  }
  colouring.delete(element);
  if (!element.dataset.pending) return;
  // Written on while its colours were made.
  if (element.textContent !== source) return colour(element);
  coloured.normalize();
  sources.set(element, source);
  keepingSelection(heldSelection(element), [element], () => element.replaceChildren(coloured));
  delete element.dataset.pending;
}

/** Cuts coloured code at line ends that lie in no span. */
function inPieces(html: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  let depth = 0;
  for (const { 0: mark, index } of html.matchAll(/<span[^>]*>|<\/span>|\n/g)) {
    if (mark === "\n") {
      if (depth > 0 || index - from < pieceLength) continue;
      pieces.push(html.slice(from, index + 1));
      from = index + 1;
    } else depth += mark === "</span>" ? -1 : 1;
  }
  return [...pieces, html.slice(from)];
}
