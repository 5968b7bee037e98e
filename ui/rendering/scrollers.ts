/** Lets the keyboard reach formulas and drawings that scroll sideways, and only those: a stop at every formula would be a nuisance. */
export function reachScrollers(root: ParentNode): () => void {
  const check = (element: Element): void => {
    const scrolls = element.scrollWidth > element.clientWidth + 1;
    if (scrolls) element.setAttribute("tabindex", "0");
    else element.removeAttribute("tabindex");
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) check(target);
  });
  for (const element of root.querySelectorAll(".math-display, .picture-frame")) observer.observe(element);
  return () => observer.disconnect();
}
