import { BoundedMap } from "./bounded-map.ts";
import { engines, loadHighlighter, loadMath } from "./engines.ts";
import { languageLabel } from "./languages.ts";
import { sanitizedFragment } from "./sanitize.ts";
import { makeFocusableWhenScrolling } from "./scrollers.ts";
import { preserveSelection, saveSelection } from "./selection.ts";

/** Milliseconds of work before yielding to the browser. */
const sliceMs = 8;
/** Length of highlighted HTML that is parsed at once. */
const pieceLength = 6_000;

/** The sources of finished elements. */
const sources = new WeakMap<Element, string>();

/** The source of an element that `upgrade` has finished. */
export const finishedSource = (element: Element): string | undefined => sources.get(element);

/**
 * Typesets formulas and highlights code that are still source (`data-pending`). Loads only the needed engines; if they are loaded, it works
 * synchronously within a time slice. Resolves when everything below `root` is finished; if an engine cannot be loaded, the source stays.
 */
export async function upgrade(root: Element | DocumentFragment): Promise<void> {
  const pending = pendingIn(root);
  const begun = performance.now();
  const has = (kind: string) => pending.some(({ dataset }) => dataset.pending === kind);
  const grammars = new Set(pending.flatMap((element) => (element.dataset.pending === "code" ? [grammarIn(element)] : [])));
  const missing = [...grammars].filter((grammar) => !engines.code || engines.code("", grammar) === null);
  const load = [...(has("math") && !engines.math ? [loadMath()] : []), ...(missing.length ? [loadHighlighter(missing)] : [])];
  if (load.length) await Promise.allSettled(load);
  let since = load.length ? performance.now() : begun;
  for (const element of pending) {
    if (performance.now() - since > sliceMs) {
      await yieldToBrowser();
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

const yieldToBrowser = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Typeset formulas: the same ones repeat within a text. */
const formulas = new BoundedMap<string, DocumentFragment>(300);

function setFormula(element: HTMLElement): void {
  const source = element.textContent ?? "";
  const display = element.dataset.display !== undefined;
  const key = `${display} ${source}`;
  let formula = formulas.get(key);
  if (!formula) {
    if (!engines.math) return;
    formula = sanitizedFragment(engines.math(source, display));
    formulas.set(key, formula);
  }
  sources.set(element, source);
  element.replaceChildren(formula.cloneNode(true));
  delete element.dataset.pending;
  delete element.dataset.display;
  if (display) makeFocusableWhenScrolling(element);
}

const grammarIn = (element: Element): string => /language-(\S+)/.exec(element.className)?.[1] ?? "";

const colouring = new WeakSet<Element>();

/** Highlights code: short code at once, long code in slices that are inserted together. */
async function colour(element: HTMLElement): Promise<void> {
  if (!engines.code || colouring.has(element)) return;
  const source = element.textContent ?? "";
  const html = engines.code(source, grammarIn(element));
  if (html === null) return;
  const pieces = inPieces(html);
  const coloured = document.createDocumentFragment();
  colouring.add(element);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await yieldToBrowser();
    coloured.append(sanitizedFragment(piece));
  }
  colouring.delete(element);
  if (!element.dataset.pending) return;
  // The text changed while it was highlighted.
  if (element.textContent !== source) return colour(element);
  coloured.normalize();
  sources.set(element, source);
  nameLanguage(element);
  preserveSelection(saveSelection(element), [element], () => element.replaceChildren(coloured));
  delete element.dataset.pending;
}

/** The names of rare languages come with the highlighter. */
function nameLanguage(element: Element): void {
  const figure = element.closest<HTMLElement>("figure.code-input");
  const label = figure?.querySelector(".code-language");
  if (figure && label) label.textContent = languageLabel(figure.dataset.language ?? "");
}

/** Splits highlighted code at line ends outside spans. */
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
