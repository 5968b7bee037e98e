import { finishedSource } from "./upgrade.ts";

/**
 * Makes a run of neighbouring nodes look like `fresh`, keeping every node that need not change. Nodes are compared by their place: a text
 * that grows only changes at its end. Returns the nodes that stand there now.
 * @param old the nodes to be changed, in order
 * @param before what stands behind them
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

/** What something else has gone on with: a formula or code already set, a drawn diagram, a button that says "Copied". */
function isFinished(old: HTMLElement, fresh: HTMLElement): boolean {
  if (old instanceof HTMLButtonElement) return true;
  if (isCitation(old, fresh)) return true;
  // The same letters may be another thing by then: a formula in the line or on its own, code of another language.
  if (fresh.dataset.pending && !old.dataset.pending) return old.className === fresh.className && finishedSource(old) === fresh.textContent;
  const source = (element: HTMLElement) => element.querySelector(".diagram-source")?.textContent;
  return old.dataset.drawn !== undefined && source(old) === source(fresh);
}

/** A number that already leads to its source, where the text says the number alone. */
const isCitation = (old: ChildNode, fresh: ChildNode): boolean =>
  old instanceof HTMLElement &&
  fresh instanceof HTMLElement &&
  old.matches("a.cite, .cite-unresolved") &&
  fresh.matches("span.cite:not(.cite-unresolved)") &&
  old.dataset.citation === fresh.dataset.citation;

/** Changes only what differs, so that a selection before it stands. */
export function syncText(old: Text, data: string, from = 0): void {
  // Asked for once: each time it is handed over from the document.
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
