let observer: ResizeObserver | null = null;

function check(element: Element): void {
  const scrolls = element.scrollWidth > element.clientWidth + 1;
  if (scrolls) element.setAttribute("tabindex", "0");
  else element.removeAttribute("tabindex");
}

/** Makes an element focusable while it scrolls sideways, and only then, to avoid a tab stop at every formula. */
export function makeFocusableWhenScrolling(element: Element): void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) check(target);
  });
  observer.observe(element);
}

/** The same for every formula and picture below `root`. */
export function makeScrollersFocusable(root: ParentNode): void {
  for (const element of root.querySelectorAll(".math-display, .picture-frame")) makeFocusableWhenScrolling(element);
}
