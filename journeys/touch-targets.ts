import type { Page } from "playwright-core";

/**
 * Controls of the shown page that a finger can hardly hit: neither are they 44 px high and wide, nor does a press 21 px off their centre
 * reach them. Links within running text are exempt. As "width×height name".
 */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const least = 43.5;
    const controls =
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role^=menuitem], [role=option], [role=switch], [role=slider]";
    const deep = (root: ParentNode): Element[] =>
      [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? deep(one.shadowRoot) : [])]);
    const deepest = (x: number, y: number): Element | null => {
      let found = document.elementFromPoint(x, y);
      for (
        let inner = found?.shadowRoot?.elementFromPoint(x, y);
        inner && inner !== found;
        inner = found?.shadowRoot?.elementFromPoint(x, y)
      )
        found = inner;
      return found;
    };
    const isWithin = (one: Node | null, target: Element): boolean => {
      for (let at: Node | null = one; at; at = at.parentNode ?? (at instanceof ShadowRoot ? at.host : null)) if (at === target) return true;
      return false;
    };
    const isInText = (one: Element): boolean =>
      one.matches("a") &&
      getComputedStyle(one).display === "inline" &&
      (one.matches(".cite") ||
        [...(one.parentElement?.childNodes ?? [])].some((node) => node.nodeType === 3 && (node.textContent ?? "").trim().length > 3));
    return deep(document).flatMap((one) => {
      if (!one.matches(controls) || isInText(one) || one.closest("[inert], [aria-hidden=true]") || one.matches(":disabled")) return [];
      if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
      const target = one.matches("input[type=radio], input[type=checkbox], input[type=file]") ? (one.closest("label") ?? one) : one;
      const { width, height } = target.getBoundingClientRect();
      if (width < 2 || height < 2 || (width >= least && height >= least)) return [];
      target.scrollIntoView({ block: "center" });
      const box = target.getBoundingClientRect();
      const isHit = (dx: number, dy: number): boolean => {
        const [x, y] = [box.x + box.width / 2 + dx, box.y + box.height / 2 + dy];
        return x < 0 || x >= innerWidth || isWithin(deepest(x, y), target);
      };
      const isHigh = height >= least || (isHit(0, -21) && isHit(0, 21));
      const isWide = width >= least || (isHit(-21, 0) && isHit(21, 0));
      const name = (one.getAttribute("aria-label") ?? one.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
      return isHigh && isWide ? [] : [`${Math.round(width)}×${Math.round(height)} ${name || one.localName}`];
    });
  });
