/** Highlights the present heading in the list beside the text. @returns stops it */
export function followHeadings(rail: HTMLElement): () => void {
  const links = new Map<Element, HTMLAnchorElement>();
  for (const link of rail.querySelectorAll<HTMLAnchorElement>("a[href^='#']")) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (heading) links.set(heading, link);
  }
  let current: HTMLAnchorElement | undefined;
  const show = (): void => {
    const line = innerHeight * 0.28;
    let next: HTMLAnchorElement | undefined;
    for (const [heading, link] of links) if (heading.getBoundingClientRect().top <= line) next = link;
    if (next === current) return;
    current?.removeAttribute("aria-current");
    next?.setAttribute("aria-current", "location");
    current = next;
  };
  let asked = false;
  const ask = (): void => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      show();
    });
  };
  addEventListener("scroll", ask, { passive: true });
  show();
  return () => removeEventListener("scroll", ask);
}
