import type { Asset } from "./authored.ts";

/** So many bytes hold what tells a picture's type, and the first element of an SVG. */
export const imageHeadBytes = 4_096;

/** The type of a picture by its first bytes, whatever its name says; null when it is none we show. */
export function imageType(bytes: Uint8Array): Asset["type"] | null {
  const head = bytes.subarray(0, imageHeadBytes);
  const latin = (from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));
  if (latin(0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (latin(0, 3) === "\xff\xd8\xff") return "image/jpeg";
  if (/^GIF8[79]a/.test(latin(0, 6))) return "image/gif";
  if (latin(0, 4) === "RIFF" && latin(8, 12) === "WEBP") return "image/webp";
  if (latin(4, 8) === "ftyp" && /^(?:avif|avis)/.test(latin(8, 12))) return "image/avif";
  return rootElement(new TextDecoder().decode(head)) === "svg" ? "image/svg+xml" : null;
}

/** The name of the first element of a text that begins like XML. */
function rootElement(text: string): string | undefined {
  if (!/^\ufeff?\s*</.test(text)) return undefined;
  return /<(?:[A-Za-z_][\w.-]*:)?([A-Za-z][\w.-]*)/.exec(withoutProlog(text))?.[1];
}

/** XML without its comments, processing instructions and document type, which may hold tags of their own. */
export const withoutProlog = (text: string): string =>
  text
    .replaceAll(/<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)/g, "")
    .replace(/<!DOCTYPE(?:[^[>"']|"[^"]*"|'[^']*')*(?:\[(?:[^\]"']|"[^"]*"|'[^']*')*\]\s*)?>/i, "");
