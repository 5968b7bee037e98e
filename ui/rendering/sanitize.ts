import DOMPurify, { type Config } from "dompurify";

/**
 * Defence in depth in the browser: every HTML string is sanitised before it becomes elements. Correct output of the renderer passes
 * unchanged.
 */
const markup: Config = {
  USE_PROFILES: { html: true, svg: true, mathMl: true },
  // KaTeX keeps the formula's source in its MathML.
  ADD_TAGS: ["semantics", "annotation"],
  ADD_ATTR: ["target", "encoding", "aria-current"],
  FORBID_TAGS: [
    "style",
    "form",
    "textarea",
    "select",
    "option",
    "iframe",
    "video",
    "audio",
    "source",
    "track",
    "dialog",
    "template",
    "slot",
    "map",
    "area",
    // Our icons are lines.
    "image",
    "feimage",
    "animatemotion",
    "animatetransform",
  ],
  FORBID_ATTR: ["srcset", "action", "formaction", "ping", "popovertarget", "is"],
  ALLOW_DATA_ATTR: true,
  ALLOW_UNKNOWN_PROTOCOLS: false,
};

/** Drawings: SVG alone, with the style element that diagrams carry. */
const drawing: Config = {
  USE_PROFILES: { svg: true, svgFilters: true },
  ADD_TAGS: ["style"],
  ADD_ATTR: ["dominant-baseline", "aria-roledescription", "role", "aria-labelledby", "aria-describedby"],
  FORBID_TAGS: ["a", "image", "feimage", "use", "animate", "set"],
};

const addresses = ["href", "xlink:href", "src", "cite", "background", "poster", "longdesc"];
const allowedAddress = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#|\?)/i;
/** Pictures come from our own site only; a remote one is loaded by an element that `loadImage` makes after a click. */
const allowedPicture = /^(?:\/(?![/\\])|data:image\/(?:png|gif|jpeg|webp);)/;

/** One purifier per configuration: parsing a configuration takes longer than sanitising a paragraph. */
function createPurifier(config: Config): (html: string) => unknown {
  const purifier = DOMPurify(window);
  purifier.addHook("afterSanitizeAttributes", judgeAddresses);
  purifier.setConfig(config);
  return (html) => purifier.sanitize(html);
}

function judgeAddresses(node: Element): void {
  const allowed = node instanceof SVGElement ? /^#/ : node.nodeName === "IMG" ? allowedPicture : allowedAddress;
  for (const name of addresses) if (node.hasAttribute(name) && !allowed.test(node.getAttribute(name) ?? "")) node.removeAttribute(name);
  if (node.nodeName === "IMG" && !node.hasAttribute("src")) node.remove();
  if (node.nodeName === "INPUT" && (node.getAttribute("type") !== "checkbox" || !node.hasAttribute("disabled"))) node.remove();
  if (node.nodeName === "BUTTON") node.setAttribute("type", "button");
  if (node.nodeName === "A" && /^(?:https?|mailto):/i.test(node.getAttribute("href") ?? ""))
    node.setAttribute("rel", "noopener noreferrer");
}

const toText = createPurifier(markup);
const toNodes = createPurifier({ ...markup, RETURN_DOM_FRAGMENT: true });
const toPage = createPurifier({ ...markup, SANITIZE_DOM: false, RETURN_DOM_FRAGMENT: true });
const toDrawing = createPurifier({ ...drawing, RETURN_DOM_FRAGMENT: true });

/** Rendered Markdown and blocks, safe to become elements. */
export function sanitize(html: string): string {
  return toText(html) as string;
}

/** The same as nodes, without parsing twice. */
export function sanitizedFragment(html: string): DocumentFragment {
  return toNodes(html) as DocumentFragment;
}

/** A page for a shadow root. Ids and names cannot clobber the document's properties there, so they stay. */
export function sanitizedPage(html: string): DocumentFragment {
  return toPage(html) as DocumentFragment;
}

/** Whether a drawing's CSS can neither load resources nor cover the page. */
export const staysInPlace = (css: string): boolean =>
  !/@import|url\(\s*['"]?(?!#)|expression\(|position\s*:\s*fixed|[<>]\/?(?:script|svg|style)/i.test(css);

/** Sanitises a drawing's SVG. Style elements that could load resources or cover the page are removed. */
export function sanitizeDrawing(svg: string): string {
  const clean = toDrawing(svg) as DocumentFragment;
  for (const style of clean.querySelectorAll("style")) if (!staysInPlace(style.textContent)) style.remove();
  const holder = document.createElement("div");
  holder.append(clean);
  return holder.innerHTML;
}

/** Inserts a sanitised drawing. */
export function placeDrawing(frame: HTMLElement, svg: string): void {
  frame.innerHTML = svg;
}
