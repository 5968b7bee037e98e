import { createHash } from "node:crypto";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Asset } from "@colloquy/schemas/courses/authored.ts";
import { imageType } from "@colloquy/schemas/courses/image-type.ts";
import { SvgRefused, sanitizeSvg } from "./svg.ts";

export const sha256Of = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** A file that cannot be shown; the message says why, in words for its author. */
export class AssetRefused extends Error {
  override name = "AssetRefused";
}

const megabytes = (bytes: number): number => Math.ceil((bytes / 1_048_576) * 10) / 10;

/**
 * Takes a file into a course: its type by its bytes, an SVG written anew without anything active.
 * @throws {AssetRefused} for a file that is too large, of no known type, or a broken SVG.
 */
export function takeAsset(path: string, given: Uint8Array): { asset: Asset; bytes: Uint8Array } {
  if (given.byteLength > bounds.course.assetBytes)
    throw new AssetRefused(
      `${path} has ${megabytes(given.byteLength)} MB, at most ${megabytes(bounds.course.assetBytes)} MB are possible: save it with fewer pixels, or as JPEG or WebP`,
    );
  const type = imageType(given);
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
  const type = imageType(bytes);
  if (type !== asset.type) return `the file is ${type ?? "of an unknown type"}, not ${asset.type}`;
  if (type === "image/svg+xml" && sha256Of(cleanSvg(asset.path, bytes)) !== asset.sha256)
    return "the SVG holds what a picture must not hold: upload it anew";
  return null;
}
