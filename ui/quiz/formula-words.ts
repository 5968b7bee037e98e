import { loweredSigns, raisedSigns, shifted } from "@colloquy/schemas/text/superscripts.ts";

/** A MathML formula as one line of text for accessible names: layout becomes brackets and signs, never TeX. */
export function formulaWords(math: Element): string {
  return textOf(math)
    .replaceAll(/[\u2061-\u2064\u200b]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function textOf(node: Element): string {
  const parts = [...node.children].map(textOf);
  const [first = "", second = "", third = ""] = parts;
  switch (node.localName) {
    case "semantics":
      return first;
    case "mfrac":
      return `${bracketed(first)} / ${bracketed(second)}`;
    case "msup":
      return `${bracketed(first)}${raised(second)}`;
    case "msub":
      return `${bracketed(first)}${lowered(second)}`;
    case "msubsup":
      return `${bracketed(first)}${lowered(second)}${raised(third)}`;
    case "msqrt":
      return `√${bracketed(parts.join(" "))}`;
    case "mroot":
      return `${raised(second)}√${bracketed(first)}`;
    case "mtable":
      return parts.join("; ");
    case "mtr":
      return parts.join(", ");
    default:
      return node.childElementCount ? parts.join(" ") : (node.textContent ?? "");
  }
}

/** Adds brackets if there is more than one sign or word. */
const bracketed = (text: string): string => (/\s/.test(text.trim()) ? `(${text.trim()})` : text.trim());
const raised = (text: string): string => shifted(text.replaceAll(" ", ""), raisedSigns) ?? `^${bracketed(text)}`;
const lowered = (text: string): string => shifted(text.replaceAll(" ", ""), loweredSigns) ?? `_${bracketed(text)}`;
