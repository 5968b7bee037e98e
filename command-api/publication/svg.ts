import { SaxesParser, type SaxesTagNS } from "saxes";

/** A picture that is no well-formed SVG; the message says where. */
export class SvgRefused extends Error {
  override name = "SvgRefused";
}

const svgNamespace = "http://www.w3.org/2000/svg";
const xlinkNamespace = "http://www.w3.org/1999/xlink";
const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** Elements that draw. What is not here is left out with all it holds: scripts, foreign objects, animation (it can change links), metadata. */
const drawing = new Set(
  (
    "svg g defs symbol use title desc switch path rect circle ellipse line polyline polygon text tspan textPath image style " +
    "linearGradient radialGradient stop clipPath mask pattern marker view filter " +
    "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow " +
    "feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence"
  ).split(" "),
);
/** Elements that are left out while what they hold stays: a link in a picture is only its drawing. */
const transparent = new Set(["a"]);
const embeddedPicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/;
/** A shorthand that drawing programs declare for namespaces; it stands for plain text only, so it cannot grow. */
const plainEntity = /<!ENTITY\s+([A-Za-z_][\w.-]{0,60})\s+"([^"<&%]{0,300})"\s*>/g;
const deepest = 200;

/**
 * Writes an SVG anew from what it may hold: drawing elements, plain attributes, references within itself and embedded pictures.
 * Applying it twice gives the same text as once.
 * @throws {SvgRefused} for what is not a well-formed SVG document.
 */
export function sanitizeSvg(bytes: Uint8Array): Uint8Array {
  return new TextEncoder().encode(sanitizeText(decode(bytes)));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SvgRefused("The picture is not UTF-8 text");
  }
}

function sanitizeText(text: string): string {
  const parser = new SaxesParser({ xmlns: true });
  const written: string[] = [];
  const open: { name: string; kept: boolean }[] = [];
  /** Depth within something left out; 0 outside. */
  let hidden = 0;
  let style: string | null = null;

  parser.on("error", (error) => {
    throw new SvgRefused(error.message);
  });
  parser.on("doctype", (declaration) => {
    for (const [, name = "", value = ""] of declaration.matchAll(plainEntity)) parser.ENTITIES[name] = value;
  });
  parser.on("opentag", (tag) => {
    if (open.length === 0 && (tag.local !== "svg" || tag.uri !== svgNamespace))
      throw new SvgRefused("The picture's outermost element is not an SVG element");
    if (open.length >= deepest) throw new SvgRefused("The picture is nested too deeply");
    const known = tag.uri === svgNamespace && drawing.has(tag.local);
    if (hidden > 0 || (!known && !(tag.uri === svgNamespace && transparent.has(tag.local)))) hidden += 1;
    const kept = hidden === 0 && known;
    open.push({ name: tag.local, kept });
    if (!kept) return;
    if (tag.local === "style") style = "";
    written.push(openTag(tag, open.length === 1));
  });
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed?.kept) {
      if (style !== null) written.push(escapeText(safeStyle(style) ?? ""));
      style = null;
      written.push(`</${closed.name}>`);
    }
    if (hidden > 0) hidden -= 1;
  });
  const addText = (content: string): void => {
    if (hidden > 0 || open.length === 0) return;
    if (style !== null) style += content;
    else written.push(escapeText(content));
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(text).close();
  return `${written.join("")}\n`;
}

function openTag(tag: SaxesTagNS, outermost: boolean): string {
  const attributes = Object.values(tag.attributes).flatMap(({ local, uri, value }) => {
    const name = uri === "" ? local : uri === xlinkNamespace && local === "href" ? "href" : uri === xmlNamespace ? `xml:${local}` : null;
    if (name === null || local === "xmlns" || (uri === "" && tag.attributes["xlink:href"] && name === "href")) return [];
    const safe = safeAttribute(tag.local, name, value);
    return safe === null ? [] : [` ${name}="${escapeAttribute(safe)}"`];
  });
  return `<${tag.local}${outermost ? ` xmlns="${svgNamespace}"` : ""}${attributes.join("")}>`;
}

function safeAttribute(element: string, name: string, value: string): string | null {
  const lower = name.toLowerCase();
  if (!/^(?:xml:)?[a-z][a-z0-9_.-]*$/.test(lower) || lower.startsWith("on") || lower === "xml:base") return null;
  if (lower === "href") {
    const inside = value.trim();
    if (element === "image") return embeddedPicture.test(inside) ? inside : null;
    return inside.startsWith("#") ? inside : null;
  }
  if (["src", "target", "ping", "formaction", "action", "begin", "attributename"].includes(lower)) return null;
  if (lower === "style") return safeStyle(value);
  return refersOutside(value) ? null : value;
}

/** Style without imports and fonts from elsewhere; null when anything left could still reach outside. */
function safeStyle(css: string): string | null {
  const kept = css
    // What is not closed goes to the end, so that each place is looked at once.
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, "")
    .replaceAll(/@import[^;]*(?:;|$)/gi, "")
    .replaceAll(/@font-face\s*\{[^{}]*\}/gi, "");
  return /[\\@<]|expression|behavior|-moz-binding/i.test(kept) || refersOutside(kept) ? null : kept;
}

function refersOutside(value: string): boolean {
  if (/javascript\s*:|data\s*:|image-set|\bsrc\s*\(/i.test(value)) return true;
  return [...value.matchAll(/url\s*\(\s*(["']?)\s*(.?)/gi)].some((match) => match[2] !== "#");
}

const escapeText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const escapeAttribute = (text: string): string =>
  escapeText(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\r", "&#13;").replaceAll("\t", "&#9;");
