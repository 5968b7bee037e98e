/** What is selected in an element, by whoever reads it. */
export interface Held {
  element: Element;
  selection: Selection;
}

type WithSelection = (Document | ShadowRoot) & { getSelection?(): Selection | null };

/** What is selected in this element; null when nothing is. Asked before anything is changed: afterwards the answer would cost a layout. */
export function heldSelection(element: Element): Held | null {
  const selection = (element.getRootNode() as WithSelection).getSelection?.() ?? null;
  const { anchorNode = null, focusNode = null } = selection ?? {};
  if (!selection || !(element.contains(anchorNode) || element.contains(focusNode)) || selection.isCollapsed) return null;
  return { element, selection };
}

/**
 * Changes some nodes of an element whose words stay the same (colours, a paragraph around them) without losing what is selected there.
 * @param nodes what may be changed; a selection that does not touch them is left alone
 */
export function keepingSelection(held: Held | null, nodes: readonly Node[], change: () => void): void {
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
  const from = nodeAt(element, anchor, forwards ? "before" : "behind", blanks);
  const to = nodeAt(element, focus, forwards ? "behind" : "before", blanks);
  if (from && to) selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
}

/** A place outside the element stays as it is; one inside is counted in letters from its beginning, with and without the blanks. */
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

/** Where that many letters are over: right behind the last of them, or before the next. Blanks count where they stayed: some come and go with tags. */
function nodeAt(element: Element, place: Place, side: "before" | "behind", blanks: boolean): { node: Node; offset: number } | null {
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
