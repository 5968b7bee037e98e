import { imageHeadBytes, imageType, withoutProlog } from "./image-type.ts";

export interface Size {
  width: number;
  height: number;
}

/** A picture's size in CSS pixels, so that the page can reserve its space. Null if the file does not state it. */
export function imageSize(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (imageType(bytes)) {
      case "image/png":
        return { width: view.getUint32(16), height: view.getUint32(20) };
      case "image/gif":
        return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
      case "image/jpeg":
        return jpegSize(view);
      case "image/webp":
        return webpSize(view);
      case "image/svg+xml":
        return svgSize(new TextDecoder().decode(bytes.subarray(0, imageHeadBytes)));
      default:
        return null;
    }
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The first frame header among a JPEG's segments; a photograph that was taken upright states its sides in the other order. */
function jpegSize(view: DataView): Size | null {
  let isTurned = false;
  for (let at = 2; at < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [down, across] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return isTurned ? { width: down, height: across } : { width: across, height: down };
    }
    if (marker === 0xe1 && view.getUint32(at + 4) === exifName) isTurned = exifOrientation(view, at + 10) >= turnedOrientations;
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** "Exif", and the first of the orientations that exchange width and height (Exif 2.3, tag 0x0112). */
const exifName = 0x45786966;
const turnedOrientations = 5;

/** The orientation in an Exif segment; 1 where it says none. @param start of its TIFF header */
function exifOrientation(view: DataView, start: number): number {
  const isLittle = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, isLittle);
  const entries = view.getUint16(directory, isLittle);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (view.getUint16(at, isLittle) === 0x0112) return view.getUint16(at + 8, isLittle);
  }
  return 1;
}

function webpSize(view: DataView): Size | null {
  const kind = String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + 12, 4));
  const three = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1;
  if (kind === "VP8X") return { width: three(24), height: three(27) };
  if (kind === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind !== "VP8L") return null;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** CSS pixels of the units of CSS and SVG; `em`, `rem` and `ex` at the browser's default font size. */
const pixelsPer: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  em: 16,
  rem: 16,
  ex: 8,
};

/** Width and height of the root element; one that is missing or relative (`100%`) follows from the proportions of its view box. */
function svgSize(text: string): Size | null {
  const attributes = rootAttributes(text);
  const style = attributes.get("style") ?? "";
  const length = (name: string): number => {
    const given = new RegExp(`(?:^|;)\\s*${name}\\s*:([^;]*)`, "i").exec(style)?.[1] ?? attributes.get(name);
    const [, value, unit = ""] = /^\s*([\d.]+(?:e[-+]?\d+)?)\s*([a-z]*)\s*(?:!important\s*)?$/i.exec(given ?? "") ?? [];
    return Number(value ?? 0) * (pixelsPer[unit.toLowerCase()] ?? 0);
  };
  const [, , boxWidth = 0, boxHeight = 0] = (attributes.get("viewbox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [width, height] = [length("width"), length("height")];
  const size = {
    width: Math.round(width || (height * boxWidth) / boxHeight || boxWidth),
    height: Math.round(height || (width * boxHeight) / boxWidth || boxHeight),
  };
  return size.width > 0 && size.height > 0 ? size : null;
}

/** The attributes of the first element, by their names in lower case. Its tag may be cut short, behind a long attribute. */
function rootAttributes(text: string): Map<string, string> {
  const tag = /<(?:[A-Za-z_][\w.-]*:)?svg\b(?:[^>"']|"[^"]*"|'[^']*')*/i.exec(withoutProlog(text))?.[0] ?? "";
  const pairs = [...tag.matchAll(/\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return new Map(pairs.map(([, name = "", double, single = ""]) => [name.toLowerCase(), double ?? single]));
}
