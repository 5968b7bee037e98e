/**
 * What has the keyboard, as seen from where an element stands: in a shadow root that is what has it in there. Null when nothing has,
 * or nobody can tell.
 */
export function activeElementNear(element: Element): Element | null {
  const root = element.getRootNode();
  const near = root instanceof ShadowRoot ? root.activeElement : null;
  const { activeElement, body } = document;
  if (near || activeElement === body) return near;
  return root instanceof ShadowRoot && root.host === activeElement ? null : activeElement;
}
