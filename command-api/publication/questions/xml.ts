import { SaxesParser } from "saxes";

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

/** A file that is no XML this program reads; the message says why. */
export class XmlRefused extends Error {
  override name = "XmlRefused";
}

const limits = { characters: 8_000_000, depth: 60, elements: 200_000 };

/** Reads an XML document into elements. Files come from anywhere: document types, and with them entities, are refused. @throws {XmlRefused} */
export function readXml(text: string): XmlElement {
  if (text.length > limits.characters) throw new XmlRefused(`The file has more than ${limits.characters} characters. Divide it.`);
  const parser = new SaxesParser();
  const root: XmlElement = { name: "", attributes: {}, children: [] };
  const open = [root];
  let elements = 0;
  parser.on("error", (error) => {
    throw new XmlRefused(`The file is not well-formed XML: ${error.message}`);
  });
  parser.on("doctype", () => {
    throw new XmlRefused("The file declares a document type. Remove the line that begins with <!DOCTYPE.");
  });
  parser.on("opentag", ({ name, attributes }) => {
    elements += 1;
    if (open.length > limits.depth || elements > limits.elements) throw new XmlRefused("The file has too many elements, or too deep ones.");
    const element: XmlElement = { name, attributes: { ...attributes }, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => {
    open.pop();
  });
  const add = (content: string): void => {
    open.at(-1)?.children.push(content);
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.write(text.replace(/^\uFEFF/, "")).close();
  const [document] = root.children.filter((child) => typeof child !== "string");
  if (!document) throw new XmlRefused("The file holds no XML element.");
  return document;
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  (element?.children ?? []).filter((child): child is XmlElement => typeof child !== "string" && child.name === name);

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined => childrenOf(element, name)[0];

/** All elements of a name, however deep. */
export function findAll(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) =>
    typeof child === "string" ? [] : [...(child.name === name ? [child] : []), ...findAll(child, name)],
  );
}

export const textOf = (element: XmlElement | undefined): string =>
  (element?.children ?? []).map((child) => (typeof child === "string" ? child : textOf(child))).join("");

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** A text as it may stand in an element or an attribute; characters that XML cannot hold are left out. */
export const escapeXml = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** What an element holds, as HTML. `replace` may give the HTML of an element that is no HTML. */
export function innerHtml(element: XmlElement, replace: (element: XmlElement) => string | null = () => null): string {
  return element.children
    .map((child) => {
      if (typeof child === "string") return escapeXml(child);
      const given = replace(child);
      if (given !== null) return given;
      const attributes = Object.entries(child.attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
      const inner = innerHtml(child, replace);
      return inner === "" && /^(?:br|img|hr)$/.test(child.name)
        ? `<${child.name}${attributes.join("")}/>`
        : `<${child.name}${attributes.join("")}>${inner}</${child.name}>`;
    })
    .join("");
}
