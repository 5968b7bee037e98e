import { escapeHtml } from "../../rendering/escape.ts";
import { sanitizedFragment as cleaned, sanitizeDrawing as cleanedDrawing, staysInPlace } from "../../rendering/sanitize.ts";

/** Texts and attribute values have their quotation marks escaped, so this finds attributes alone. */
const withheld = (html: string): string => html.replaceAll(' style="', ' data-css="');

/** A policy may forbid style attributes, not what a script sets. */
function styled<Fragment extends ParentNode>(fragment: Fragment): Fragment {
  for (const element of fragment.querySelectorAll<HTMLElement | SVGElement>("[data-css]")) {
    element.style.cssText = element.dataset.css ?? "";
    delete element.dataset.css;
  }
  return fragment;
}

/**
 * The same in an embedded element (the build puts this in the other's place). Two things differ in a page that is not ours: a path means
 * another site, so pictures wait until they are told which (`links.ts`), and never ask that page's own server for anything; and a policy
 * may forbid style attributes and elements, not what a script sets.
 */
export function sanitizedFragment(html: string): DocumentFragment {
  const fragment = cleaned(withheld(html));
  for (const image of fragment.querySelectorAll<HTMLImageElement>("img[src^='/']")) {
    image.dataset.path = image.getAttribute("src") ?? "";
    image.removeAttribute("src");
  }
  return styled(fragment);
}

/**
 * A drawing's own rules travel in an attribute: a page's policy counts for everything that is parsed by its scripts, shown or not, so
 * there may be no element of style even there.
 */
export function sanitizeDrawing(svg: string): string {
  const rules: string[] = [];
  const bare = withheld(svg).replace(/<style\b[^>]*>([\s\S]*?)<\/style>/gi, (_, css: string) => {
    const text = plainText(css);
    if (staysInPlace(text)) rules.push(text);
    return "";
  });
  return cleanedDrawing(bare.replace("<svg", () => `<svg data-rules="${escapeHtml(rules.join("\n"))}"`));
}

/** What a piece of markup without elements says. */
function plainText(markup: string): string {
  const field = document.createElement("textarea");
  field.innerHTML = markup;
  return field.value;
}

/** The sheets of drawings, by their place. */
const sheets = new WeakMap<HTMLElement, CSSStyleSheet>();

/** A drawing's own rules, all under its id, become a constructed sheet of the root it stands in. */
export function placeDrawing(frame: HTMLElement, svg: string): void {
  const { body } = new DOMParser().parseFromString(svg, "text/html");
  frame.replaceChildren(...body.childNodes);
  // Not before: what was set in another document counts as written there once it is moved here.
  styled(frame);
  const drawing = frame.querySelector("svg");
  const root = frame.getRootNode();
  if (!drawing || !(root instanceof ShadowRoot)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(drawing.dataset.rules ?? "");
  delete drawing.dataset.rules;
  const before = sheets.get(frame);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets.filter((other) => other !== before), sheet];
  sheets.set(frame, sheet);
}
