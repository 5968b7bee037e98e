/**
 * Makes `replaced` children of `parent`, from `start` on, look like `fresh`, keeping every node that need not change.
 * Nodes are compared by their place: a text that grows only changes at its end.
 */
export function syncChildren(parent: Element, fresh: readonly Element[], start: number, replaced: number): void {
  for (const [index, node] of fresh.entries()) {
    const old = index < replaced ? parent.children[start + index] : undefined;
    if (old) syncNode(old, node);
    else parent.insertBefore(node, parent.children[start + index] ?? null);
  }
  for (let surplus = replaced - fresh.length; surplus > 0; surplus--) parent.children[start + fresh.length]?.remove();
}

function syncNode(old: ChildNode, fresh: ChildNode): void {
  if (old.isEqualNode(fresh)) return;
  if (old instanceof Text && fresh instanceof Text) {
    syncText(old, fresh.data);
    return;
  }
  if (!(old instanceof HTMLElement && fresh instanceof HTMLElement && old.nodeName === fresh.nodeName)) {
    old.replaceWith(fresh);
    return;
  }
  if (isFinished(old, fresh)) return;
  syncAttributes(old, fresh);
  const children = [...fresh.childNodes];
  for (const [index, child] of children.entries()) {
    const before = old.childNodes[index];
    if (before) syncNode(before, child);
    else old.append(child);
  }
  while (old.childNodes.length > children.length) old.lastChild?.remove();
}

/** What something else has gone on with: a drawn diagram, a formula or code already set, a button that says "Copied". */
function isFinished(old: HTMLElement, fresh: HTMLElement): boolean {
  if (old instanceof HTMLButtonElement) return true;
  if (fresh.dataset.pending && !old.dataset.pending) return old.textContent === fresh.textContent;
  const source = (element: HTMLElement) => element.querySelector(".diagram-source")?.textContent;
  return old.dataset.drawn !== undefined && source(old) === source(fresh);
}

/** Changes only what differs, so that a selection before it stands. */
function syncText(old: Text, data: string): void {
  let same = 0;
  while (same < old.data.length && old.data[same] === data[same]) same += 1;
  if (same === old.data.length) old.appendData(data.slice(same));
  else old.replaceData(same, old.data.length - same, data.slice(same));
}

function syncAttributes(old: Element, fresh: Element): void {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}
