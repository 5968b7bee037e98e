/** A reader's selection in an element. */
export interface SavedSelection {
  element: Element;
  selection: Selection;
}

type WithSelection = (Document | ShadowRoot) & { getSelection?(): Selection | null };

/** The selection in this element, or null. Read it before changing the DOM: afterwards it would force a layout. */
export function saveSelection(element: Element): SavedSelection | null {
  const selection = (element.getRootNode() as WithSelection).getSelection?.() ?? null;
  const { anchorNode = null, focusNode = null } = selection ?? {};
  if (!selection || !(element.contains(anchorNode) || element.contains(focusNode)) || selection.isCollapsed) return null;
  return { element, selection };
}

/**
 * Runs a change that keeps the text of an element (highlighting, wrapping) and restores the selection afterwards.
 * @param nodes the nodes that may change; a selection that does not touch them is left alone
 */
export function preserveSelection(held: SavedSelection | null, nodes: readonly Node[], change: () => void): void {
  const { anchorNode = null, anchorOffset = 0, focusNode = null, focusOffset = 0 } = held?.selection ?? {};
  if (!held || !nodes.some((node) => node.contains(anchorNode) || node.contains(focusNode))) {
    change();
    return;
  }
  const { element, selection } = held;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  const forwards = startContainer === anchorNode && startOffset === anchorOffset;
  const text = element.textContent;
  const anchor = placeOf(element, anchorNode, anchorOffset);
  const focus = placeOf(element, focusNode, focusOffset);
  change();
  const stands = selection.anchorNode === anchorNode && selection.focusNode === focusNode;
  if (stands && selection.anchorOffset === anchorOffset && selection.focusOffset === focusOffset) return;
  const blanks = element.textContent === text;
  const from = resolvePosition(element, anchor, forwards ? "before" : "behind", blanks);
  const to = resolvePosition(element, focus, forwards ? "behind" : "before", blanks);
  if (from && to) selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
}

/** A position outside the element is kept; one inside is counted in characters, with and without whitespace. */
type Place = { node: Node; offset: number } | { all: number; letters: number } | null;

function placeOf(element: Element, node: Node | null, offset: number): Place {
  if (!node) return null;
  if (!element.contains(node)) return { node, offset };
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(node, offset);
  const text = range.toString();
  return { all: text.length, letters: text.replace(/\s/g, "").length };
}

/** The position after that many characters: behind the last one or before the next. Whitespace counts only if it did not change. */
function resolvePosition(
  element: Element,
  place: Place,
  side: "before" | "behind",
  blanks: boolean,
): { node: Node; offset: number } | null {
  if (!place || "node" in place) return place;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = (blanks ? place.all : place.letters) + (side === "before" ? 1 : 0);
  for (let text = texts.nextNode(); text instanceof Text; text = texts.nextNode())
    for (let at = 0; at < text.length; at++) {
      if (!blanks && /\s/.test(text.data[at] ?? "")) continue;
      left -= 1;
      if (left === 0) return { node: text, offset: side === "before" ? at : at + 1 };
    }
  return null;
}
