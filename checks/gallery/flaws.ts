/**
 * What is wrong with a page as it stands, in words: it is wider than its window, text is cut off or too small to read, something to press is
 * too small. With `tryFocus`, and then only that: what can be reached by the keyboard and not be seen; to try moves the focus, which closes
 * what is open beside it. Runs in the page, so it stands by itself.
 */
export function findFlaws(tryFocus: boolean): string[] {
  const leastText = 12;
  /** WCAG 2.2, 2.5.8: this many pixels each way, or room as for as many around its middle. */
  const leastTarget = 24;
  const flaws: string[] = [];
  const elements: Element[] = [];
  const gather = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll("*")) {
      elements.push(element);
      if (element.shadowRoot) gather(element.shadowRoot);
    }
  };
  gather(document);
  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  const ancestors = function* (element: Element): Generator<Element> {
    for (let at: Element | null = element; at; at = parentOf(at)) yield at;
  };
  const within = (element: Element, selector: string): boolean => [...ancestors(element)].some((one) => one.matches(selector));
  const boxOf = (element: Element): DOMRect => element.getBoundingClientRect();
  const styleOf = (element: Element): CSSStyleDeclaration => getComputedStyle(element);
  const isHiddenForEyes = (element: Element): boolean =>
    [...ancestors(element)].some((one) => {
      const { clipPath, position, opacity } = styleOf(one);
      return (clipPath.startsWith("inset(50%") && position === "absolute") || opacity === "0";
    });
  const isSeen = (element: Element): boolean => {
    const { width, height } = boxOf(element);
    return width > 1 && height > 1 && element.checkVisibility({ checkVisibilityCSS: true }) && !isHiddenForEyes(element);
  };
  const nameOf = (element: Element): string => {
    const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    const classes = typeof element.className === "string" && element.className ? `.${element.className.trim().split(/\s+/).join(".")}` : "";
    const host = element.getRootNode() instanceof ShadowRoot ? `${((element.getRootNode() as ShadowRoot).host as Element).localName} ` : "";
    return `${host}${element.localName}${classes}${words ? ` “${words}”` : ""}`;
  };
  const say = (kind: string, found: readonly string[]): void => {
    const each = [...new Set(found)];
    if (each.length) flaws.push(`${kind}: ${each.slice(0, 6).join("; ")}${each.length > 6 ? `; and ${each.length - 6} more` : ""}`);
  };
  const scrollsDown = (element: Element): boolean =>
    /auto|scroll/.test(styleOf(element).overflowY) && element.scrollHeight > element.clientHeight;
  const scrollsAside = (element: Element): boolean =>
    /auto|scroll/.test(styleOf(element).overflowX) && element.scrollWidth > element.clientWidth;
  const isDrawn = (element: Element): boolean => within(element, "svg, .katex, canvas, video, colloquy-diagram");

  const pressable =
    "a[href], button, summary, select, textarea, input:not([type=hidden]), [role=button], [role=tab], [role=menuitem], [role=radio], [role=slider], [tabindex='0']";
  const targets = elements.filter((one) => one.matches(pressable) && isSeen(one));

  if (tryFocus) {
    const isOut = (one: Element): boolean => {
      const { left, right, bottom } = boxOf(one);
      return right <= 0 || left >= innerWidth || bottom + scrollY <= 0;
    };
    const out = targets.filter((one) => {
      if (
        !(one instanceof HTMLElement) ||
        one.tabIndex < 0 ||
        !isOut(one) ||
        [...ancestors(one)].some((at) => scrollsAside(at) || scrollsDown(at))
      )
        return false;
      // What comes into sight with the focus, as the way past the bar does, is where it should be.
      one.focus({ preventScroll: true });
      const root = one.getRootNode() as Document | ShadowRoot;
      // What a dialog keeps from the keyboard does not take it.
      const stays = root.activeElement === one && isOut(one);
      one.blur();
      return stays;
    });
    say("can be reached by the keyboard, but not be seen", out.map(nameOf));
    return flaws;
  }

  const wider = (document.scrollingElement?.scrollWidth ?? 0) - document.documentElement.clientWidth;
  if (wider > 0) {
    const guilty = elements.filter((one) => isSeen(one) && Math.max(boxOf(one).right - innerWidth, -boxOf(one).left) > 0.5);
    const last = guilty.filter((one) => !guilty.some((other) => other !== one && one.contains(other)));
    flaws.push(`wider than the window by ${wider} px: ${last.slice(0, 3).map(nameOf).join("; ")}`);
  }

  const texts = elements.filter(
    (one) =>
      [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()) && !isDrawn(one) && isSeen(one),
  );
  const small = texts.filter((one) => Number.parseFloat(styleOf(one).fontSize) < leastText - 0.01);
  say(
    `text below ${leastText} px`,
    small.map((one) => `${nameOf(one)} at ${Number.parseFloat(styleOf(one).fontSize)} px`),
  );

  const cut = texts.flatMap((one) => {
    for (const box of ancestors(one)) {
      const style = styleOf(box);
      // What scrolls can be read; so can what says the rest elsewhere.
      if (scrollsAside(box) || /auto|scroll/.test(style.overflowY)) return [];
      if (!/hidden|clip/.test(`${style.overflowX} ${style.overflowY}`)) continue;
      // An end with "…" is meant, unless it leaves not even a word.
      if (styleOf(box).textOverflow === "ellipsis" && /\s/.test((box.textContent ?? "").trim())) return [];
      // A link leads to where its words stand whole.
      const told = [...ancestors(one)].some((at) => at.matches("[title], a[href]"));
      // The "…" of several lines may hang over where they read the other way than what is around them.
      const hangs = style.webkitLineClamp === "none" ? 1 : Number.parseFloat(style.fontSize);
      const aside = style.overflowX !== "visible" && box.scrollWidth > box.clientWidth + hangs;
      const below = style.overflowY !== "visible" && box.scrollHeight > box.clientHeight + 3;
      const over = aside && (boxOf(one).right > boxOf(box).right + 1 || boxOf(one).left < boxOf(box).left - 1 || one === box);
      if (over && !told) return [`${nameOf(one)} aside in ${nameOf(box).split(" “")[0]}`];
      const isUnder = boxOf(one).bottom > boxOf(box).bottom + 3 || one === box;
      if (below && isUnder && style.webkitLineClamp === "none" && !told) return [`${nameOf(one)} below in ${nameOf(box).split(" “")[0]}`];
    }
    return [];
  });
  say("text cut off", cut);

  // What ends with "…" must not go on below it.
  const unclamped = elements.filter((one) => {
    const { webkitLineClamp, lineHeight, paddingTop, paddingBottom } = styleOf(one);
    const most = Number(webkitLineClamp) * Number.parseFloat(lineHeight) + Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom);
    return most > 0 && isSeen(one) && one.scrollHeight > most + 2 && one.clientHeight > most + 2;
  });
  say("more lines than it is to have", unclamped.map(nameOf));

  const areas = targets.map((one) => {
    const label = one instanceof HTMLInputElement ? one.closest("label") : null;
    return { one, box: boxOf(label ?? one) };
  });
  const isInText = (one: Element): boolean => {
    const isInline = (element: Element): boolean => styleOf(element).display === "inline";
    const around = [...ancestors(one)].find((element) => !isInline(element));
    return isInline(one) && (around?.textContent ?? "").trim().length > (one.textContent ?? "").trim().length;
  };
  const isSmall = ({ width, height }: DOMRect): boolean => Math.min(width, height) < leastTarget - 0.5;
  const middle = (box: DOMRect): [number, number] => [box.left + box.width / 2, box.top + box.height / 2];
  const touches = (box: DOMRect, [x, y]: [number, number], reach: number): boolean =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)) < reach;
  const crowded = areas.filter(({ one, box }) => {
    // What divides panes can be moved by keys, and by a menu's words.
    if (one.matches("[role=separator]")) return false;
    if (!isSmall(box) || isInText(one) || within(one, ".katex, svg") || one.matches("[tabindex='0']:not(a, button, [role])")) return false;
    return areas.some((other) => {
      if (other.one === one || other.one.contains(one) || one.contains(other.one)) return false;
      const [x, y] = middle(other.box);
      const [ownX, ownY] = middle(box);
      if (isSmall(other.box) && Math.hypot(x - ownX, y - ownY) < leastTarget) return true;
      return touches(other.box, middle(box), leastTarget / 2);
    });
  });
  say(
    `to be pressed, and below ${leastTarget} px without room around it`,
    crowded.map(({ one, box }) => `${nameOf(one)} ${Math.round(box.width)} × ${Math.round(box.height)}`),
  );
  return flaws;
}
