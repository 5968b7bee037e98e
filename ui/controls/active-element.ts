/** The focused element as seen from another element's root, within its shadow root if it has one. Null if none is focused there. */
export function activeElementNear(element: Element): Element | null {
  const root = element.getRootNode();
  const near = root instanceof ShadowRoot ? root.activeElement : null;
  const { activeElement, body } = document;
  if (near || activeElement === body) return near;
  return root instanceof ShadowRoot && root.host === activeElement ? null : activeElement;
}
