import type { Asset } from "@colloquy/schemas/courses/authored.ts";
import { imageSize } from "@colloquy/schemas/courses/image-size.ts";
import { imageType } from "@colloquy/schemas/courses/image-type.ts";
import { type Picture, picture } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { type SvgPart, svgFacts } from "./svg-facts.ts";

const limits = filmBounds.figure;

/** A picture, and the words in it that can be pointed at. */
export interface ReadPicture {
  picture: Picture;
  parts: readonly SvgPart[];
}

/**
 * A figure's picture as a film can show it, from what its file says of itself: nothing is decoded here.
 * @returns null for a file that is missing, too large, of another type, or an SVG that would be drawn wrongly
 */
export async function readPicture(
  { sourceId, alt, asset }: { sourceId: string; alt: string; asset: Asset },
  read: () => Promise<Uint8Array | null>,
): Promise<ReadPicture | null> {
  if (asset.bytes > limits.bytes) return null;
  const bytes = await read();
  const size = bytes && imageSize(bytes);
  if (!bytes || !size || bytes.byteLength > limits.bytes || imageType(bytes) !== asset.type) return null;
  const facts = asset.type === "image/svg+xml" ? svgFacts(new TextDecoder().decode(bytes), size) : { textSize: 0, signs: "", parts: [] };
  if (!facts) return null;
  const { parts, ...letters } = facts;
  const { success, data } = picture.safeParse({
    sourceId,
    sha256: asset.sha256,
    type: asset.type,
    ...size,
    alt: alt.length <= limits.altLength ? alt : `${alt.slice(0, limits.altLength - 1).trimEnd()}…`,
    ...letters,
  });
  return success ? { picture: data, parts } : null;
}
