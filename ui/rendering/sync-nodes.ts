import { finishedSource } from "./upgrade.ts";

/**
 * Patches sibling nodes to match `fresh`, keeping nodes that need no change. Nodes are compared by index: a streamed text only changes at its end.
 * @param old the nodes to change, in order
 * @param before the node after them
 * @returns the resulting nodes
 */
export function syncNodes(parent: Node, old: readonly ChildNode[], fresh: readonly ChildNode[], before: Node | null): ChildNode[] {
  const now = fresh.map((node, index) => {
    const stands = old[index];
    if (stands) return syncNode(stands, node);
    parent.insertBefore(node, before);
    return node;
  });
  for (const surplus of old.slice(fresh.length)) surplus.remove();
  return now;
}

function syncNode(old: ChildNode, fresh: ChildNode): ChildNode {
  if (old.isEqualNode(fresh)) return old;
  if (old instanceof Text && fresh instanceof Text) {
    syncText(old, fresh.data);
    return old;
  }
  if (!(old instanceof HTMLElement && fresh instanceof HTMLElement && old.nodeName === fresh.nodeName)) {
    if (isCitation(old, fresh)) return old;
    old.replaceWith(fresh);
    return fresh;
  }
  if (isFinished(old, fresh)) return old;
  syncAttributes(old, fresh);
  syncNodes(old, [...old.childNodes], [...fresh.childNodes], null);
  return old;
}

/** Whether a script has finished the element: a typeset formula, highlighted code, a drawn diagram, a pressed button. */
function isFinished(old: HTMLElement, fresh: HTMLElement): boolean {
  if (old instanceof HTMLButtonElement) return true;
  if (isCitation(old, fresh)) return true;
  // The same source may now be something else: a display formula, code in another language.
  if (fresh.dataset.pending && !old.dataset.pending) return old.className === fresh.className && finishedSource(old) === fresh.textContent;
  const source = (element: HTMLElement) => element.querySelector(".diagram-source")?.textContent;
  return old.dataset.drawn !== undefined && source(old) === source(fresh);
}

/** A resolved citation where the text has only the number. */
const isCitation = (old: ChildNode, fresh: ChildNode): boolean =>
  old instanceof HTMLElement &&
  fresh instanceof HTMLElement &&
  old.matches("a.cite, .cite-unresolved") &&
  fresh.matches("span.cite:not(.cite-unresolved)") &&
  old.dataset.citation === fresh.dataset.citation;

/** Changes only the part that differs, so that a selection before it stays. */
export function syncText(old: Text, data: string, from = 0): void {
  // Read once: each access copies the text from the document.
  const before = old.data;
  let same = data.startsWith(before) ? before.length : from;
  while (same < before.length && before[same] === data[same]) same += 1;
  if (same === before.length) {
    if (data.length > same) old.appendData(data.slice(same));
  } else old.replaceData(same, before.length - same, data.slice(same));
}

function syncAttributes(old: Element, fresh: Element): void {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}
