import { engines, loadHighlighter, loadMath } from "./engines.ts";
import { sanitize } from "./sanitize.ts";

/**
 * Finishes what a text holds as source because its engine was not there yet: formulas and code (`data-pending`). Loads only the
 * engines that are needed. Resolves when everything below `root` is finished; an engine that cannot be loaded leaves the source as it is.
 */
export async function upgrade(root: ParentNode): Promise<void> {
  const has = (kind: string) => root.querySelector(`[data-pending="${kind}"]`) !== null;
  await Promise.allSettled([has("math") && loadMath(), has("code") && loadHighlighter()]);
  for (const element of root.querySelectorAll<HTMLElement>("[data-pending]")) finish(element);
}

function finish(element: HTMLElement): void {
  const source = element.textContent ?? "";
  const html =
    element.dataset.pending === "math"
      ? engines.math?.(source, element.dataset.display !== undefined)
      : engines.code?.(source, /language-([\w-]+)/.exec(element.className)?.[1] ?? "");
  if (html === undefined) return;
  element.innerHTML = sanitize(html);
  delete element.dataset.pending;
  delete element.dataset.display;
}
