import { createHash } from "node:crypto";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Asset } from "@colloquy/schemas/courses/authored.ts";
import { SvgRefused, sanitizeSvg } from "./svg.ts";

export const sha256Of = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** The type of a picture by its first bytes, whatever its name says; null when it is none we show. */
export function sniffType(bytes: Uint8Array): Asset["type"] | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4_096));
  const ascii = (from: number, to: number): string => head.toString("latin1", from, to);
  if (ascii(0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (ascii(0, 3) === "\xff\xd8\xff") return "image/jpeg";
  if (/^GIF8[79]a/.test(ascii(0, 6))) return "image/gif";
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP") return "image/webp";
  if (ascii(4, 8) === "ftyp" && /^(?:avif|avis)/.test(ascii(8, 12))) return "image/avif";
  return rootElement(head.toString("utf8")) === "svg" ? "image/svg+xml" : null;
}

/** The name of the first element of a text that begins like XML. */
function rootElement(text: string): string | undefined {
  if (!/^\ufeff?\s*</.test(text)) return undefined;
  const plain = text.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "").replace(/<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/i, "");
  return /<(?:[A-Za-z_][\w.-]*:)?([A-Za-z][\w.-]*)/.exec(plain)?.[1];
}

/** A file that cannot be shown; the message says why, in words for its author. */
export class AssetRefused extends Error {
  override name = "AssetRefused";
}

/**
 * Takes a file into a course: its type by its bytes, an SVG written anew without anything active.
 * @throws {AssetRefused} for a file that is too large, of no known type, or a broken SVG.
 */
export function takeAsset(path: string, given: Uint8Array): { asset: Asset; bytes: Uint8Array } {
  if (given.byteLength > bounds.course.assetBytes)
    throw new AssetRefused(`${path} has ${given.byteLength} bytes, ${bounds.course.assetBytes} are allowed`);
  const type = sniffType(given);
  if (!type) throw new AssetRefused(`${path} is no picture a browser shows: use SVG, PNG, JPEG, GIF, WebP or AVIF`);
  const bytes = type === "image/svg+xml" ? cleanSvg(path, given) : given;
  return { asset: { path, sha256: sha256Of(bytes), bytes: bytes.byteLength, type }, bytes };
}

function cleanSvg(path: string, bytes: Uint8Array): Uint8Array {
  try {
    return sanitizeSvg(bytes);
  } catch (error) {
    if (error instanceof SvgRefused) throw new AssetRefused(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Why bytes are not the asset that a course names; null when they are, and safe to serve. */
export function checkAsset(asset: Asset, bytes: Uint8Array): string | null {
  if (bytes.byteLength !== asset.bytes || sha256Of(bytes) !== asset.sha256) return "the bytes are not the ones the course names";
  const type = sniffType(bytes);
  if (type !== asset.type) return `the file is ${type ?? "of an unknown type"}, not ${asset.type}`;
  if (type === "image/svg+xml" && sha256Of(cleanSvg(asset.path, bytes)) !== asset.sha256)
    return "the SVG holds what a picture must not hold: upload it anew";
  return null;
}
