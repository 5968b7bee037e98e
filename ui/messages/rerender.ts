import { onLanguageChange } from "./page.ts";

/** Requests an update of every Lit element below a root, inside shadow roots too: the page's language has changed. */
export function rerender(root: ParentNode): void {
  for (const element of [...(root instanceof Element ? [root] : []), ...root.querySelectorAll("*")]) {
    if ("requestUpdate" in element && typeof element.requestUpdate === "function") element.requestUpdate();
    if (element.shadowRoot) rerender(element.shadowRoot);
  }
}

/** Rerenders a root after each change of the page's language, until the signal aborts. */
export const rerenderOnLanguageChange = (root: ParentNode, signal: AbortSignal): void => onLanguageChange(() => rerender(root), signal);
