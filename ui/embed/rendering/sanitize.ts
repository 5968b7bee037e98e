import { escapeHtml } from "../../rendering/escape.ts";
import { sanitizedFragment as cleaned, sanitizeDrawing as cleanedDrawing, staysInPlace } from "../../rendering/sanitize.ts";

/** Quotation marks in texts and attribute values are escaped, so this matches attributes only. */
const withheld = (html: string): string => html.replaceAll(' style="', ' data-css="');

/** A policy may forbid style attributes, but not styles set by a script. */
function styled<Fragment extends ParentNode>(fragment: Fragment): Fragment {
  for (const element of fragment.querySelectorAll<HTMLElement | SVGElement>("[data-css]")) {
    element.style.cssText = element.dataset.css ?? "";
    delete element.dataset.css;
  }
  return fragment;
}

/**
 * Sanitizes for an embedded element (the build replaces the other module with this). Two things differ on another site's page: a path would
 * resolve to that site, so pictures wait for `links.ts` to resolve them and never request from that site; and its policy may forbid style
 * attributes and elements, so a script sets the styles.
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
 * Moves a drawing's style rules into an attribute, because the page's policy also applies to style elements in markup that scripts parse.
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

/** The text of markup without elements. */
function plainText(markup: string): string {
  const field = document.createElement("textarea");
  field.innerHTML = markup;
  return field.value;
}

/** The stylesheets of drawings, by frame. */
const sheets = new WeakMap<HTMLElement, CSSStyleSheet>();

/** Turns a drawing's rules, all scoped by its id, into a constructed stylesheet of its root. */
export function placeDrawing(frame: HTMLElement, svg: string): void {
  const { body } = new DOMParser().parseFromString(svg, "text/html");
  frame.replaceChildren(...body.childNodes);
  // Only now, because styles set in another document count as inline once adopted here.
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
