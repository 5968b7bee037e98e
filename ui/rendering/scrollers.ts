let observer: ResizeObserver | null = null;

function check(element: Element): void {
  const scrolls = element.scrollWidth > element.clientWidth + 1;
  if (scrolls) element.setAttribute("tabindex", "0");
  else element.removeAttribute("tabindex");
}

/** Lets the keyboard reach an element while it scrolls sideways, and only then: a stop at every formula would be a nuisance. */
export function reachScroller(element: Element): void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) check(target);
  });
  observer.observe(element);
}

/** The same for every formula and drawing that stands below `root`. */
export function reachScrollers(root: ParentNode): void {
  for (const element of root.querySelectorAll(".math-display, .picture-frame")) reachScroller(element);
}
