import { loweredSigns, raisedSigns, shifted } from "@colloquy/schemas/text/superscripts.ts";

/** A set formula (MathML) as one line in signs, where a name has to be said: its layout is told by brackets and signs, never by TeX. */
export function formulaWords(math: Element): string {
  return said(math)
    .replaceAll(/[\u2061-\u2064\u200b]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function said(node: Element): string {
  const parts = [...node.children].map(said);
  const [first = "", second = "", third = ""] = parts;
  switch (node.localName) {
    case "semantics":
      return first;
    case "mfrac":
      return `${held(first)} / ${held(second)}`;
    case "msup":
      return `${held(first)}${raised(second)}`;
    case "msub":
      return `${held(first)}${lowered(second)}`;
    case "msubsup":
      return `${held(first)}${lowered(second)}${raised(third)}`;
    case "msqrt":
      return `√${held(parts.join(" "))}`;
    case "mroot":
      return `${raised(second)}√${held(first)}`;
    case "mtable":
      return parts.join("; ");
    case "mtr":
      return parts.join(", ");
    default:
      return node.childElementCount ? parts.join(" ") : (node.textContent ?? "");
  }
}

/** In brackets where it is more than one sign or word. */
const held = (text: string): string => (/\s/.test(text.trim()) ? `(${text.trim()})` : text.trim());
const raised = (text: string): string => shifted(text.replaceAll(" ", ""), raisedSigns) ?? `^${held(text)}`;
const lowered = (text: string): string => shifted(text.replaceAll(" ", ""), loweredSigns) ?? `_${held(text)}`;
