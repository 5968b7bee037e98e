import { rgbOf, tokens } from "./colours.ts";

/** The pixels of a picture: red, green, blue and alpha of each. */
export interface Pixels {
  readonly length: number;
  [at: number]: number;
}

const decoded = Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** The lightness and the hue of a colour, as oklab has them (Björn Ottosson's matrices). */
function oklabOf(red: number, green: number, blue: number): [lightness: number, a: number, b: number] {
  const [r = 0, g = 0, bl = 0] = [decoded[red], decoded[green], decoded[blue]];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * bl);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * bl);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * bl);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** What is white becomes the paper of figures, what is black has the lightness of ink. */
const [paper, paperChroma, paperHue] = tokens.raised.dark;
const [ink] = tokens.ink.dark;
const tint = { a: paperChroma * Math.cos((paperHue * Math.PI) / 180), b: paperChroma * Math.sin((paperHue * Math.PI) / 180) };
const turnedOf = (red: number, green: number, blue: number): readonly [number, number, number] => {
  const [lightness, a, b] = oklabOf(red, green, blue);
  const [across, down] = [a + lightness * tint.a, b + lightness * tint.b];
  return rgbOf([ink + (paper - ink) * lightness, Math.hypot(across, down), (Math.atan2(down, across) * 180) / Math.PI]);
};

/**
 * Draws lines that were made for light paper for dark paper: what was dark is light, and every colour keeps its hue. In place; what is
 * transparent stays so.
 */
export function turnLightness(pixels: Pixels): void {
  const known = new Map<number, readonly [number, number, number]>();
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] === 0) continue;
    const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    const key = (red << 16) | (green << 8) | blue;
    let turned = known.get(key);
    if (!turned) {
      turned = turnedOf(red, green, blue);
      known.set(key, turned);
    }
    [pixels[at], pixels[at + 1], pixels[at + 2]] = turned;
  }
}

/** Whether a picture can be drawn for dark paper: an SVG of lines and surfaces, without a photograph in it. Pure. */
export const isLineArt = (svg: string | null): boolean => svg !== null && !/<image\b/i.test(svg);
