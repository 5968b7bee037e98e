/**
 * Resolves an embedded element's links and pictures against the service. Links open in a new tab; a fragment link scrolls the text without
 * changing the host page's address.
 */
export function handleLinks(root: HTMLElement, service: () => string, open: (href: string) => boolean, signal: AbortSignal): void {
  const mend = (element: Element): void => {
    if (element instanceof HTMLAnchorElement) rewriteLink(element, service());
    else if (element instanceof HTMLImageElement && element.dataset.path) {
      // Requested with CORS, which the service allows to permitted sites only.
      element.crossOrigin = "anonymous";
      element.src = service() + element.dataset.path;
      delete element.dataset.path;
    }
  };
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      if (type === "attributes") mend(target as Element);
      else
        for (const node of addedNodes)
          if (node instanceof Element) for (const found of [node, ...node.querySelectorAll("a, img")]) mend(found);
  });
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["href"] });
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
  for (const found of root.querySelectorAll("a, img")) mend(found);
  root.addEventListener("click", (event) => onLinkClick(event, root, open), { signal });
}

function rewriteLink(link: HTMLAnchorElement, service: string): void {
  const href = link.getAttribute("href");
  if (href === null || href.startsWith("#")) return;
  if (href.startsWith("/")) link.setAttribute("href", service + href);
  if (link.target === "_blank" || /^(?:blob|data|mailto):/.test(link.href)) return;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
}

function onLinkClick(event: MouseEvent, root: HTMLElement, open: (href: string) => boolean): void {
  const [target] = event.composedPath();
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link) return;
  const href = link.getAttribute("href") ?? "";
  if (href.startsWith("#")) {
    event.preventDefault();
    const place = (root.getRootNode() as ShadowRoot).getElementById(decodeURIComponent(href.slice(1)));
    place?.scrollIntoView({ block: "start" });
    if (place) {
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    }
  } else if (!open(link.href)) event.preventDefault();
}
