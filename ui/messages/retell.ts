/** Has everything in a root that knows how (Lit's elements) draw itself anew, inside shadow roots too: its words have changed. */
export function retell(root: ParentNode): void {
  for (const element of [...(root instanceof Element ? [root] : []), ...root.querySelectorAll("*")]) {
    if ("requestUpdate" in element && typeof element.requestUpdate === "function") element.requestUpdate();
    if (element.shadowRoot) retell(element.shadowRoot);
  }
}
