import type { ColourRole } from "./colours.ts";
import type { Face } from "./fonts.ts";

/** In pixels of the design: 1280×720 or 720×1280. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How an item appears: at once, faded in, faded in while rising, drawn along its line, or uncovered from its start. */
export type Motion = "still" | "fade" | "rise" | "draw" | "wipe";

/** An affine map of the picture, as a canvas takes it. */
export type Affine = [a: number, b: number, c: number, d: number, e: number, f: number];
interface Point {
  x: number;
  y: number;
}
/** A continuous movement: from where the item was to `to`, which maps its first place. Texts and boxes are only shifted. `about`: a point that all of it leaves where it is. */
export interface Move {
  from: number;
  takes: number;
  to: Affine;
  about?: Point;
}

interface Shown {
  /** Where its ink is. */
  box: Box;
  /** Things of one part belong together and may touch one another. */
  part: string;
  /** When it appears and disappears, in milliseconds of the scene. */
  from: number;
  until?: number;
  motion: Motion;
  /** The duration of its animation, in milliseconds. */
  takes: number;
  /** In their order. */
  moves?: readonly Move[];
  /** The moves are those of a camera: strokes grow with the picture. */
  camera?: boolean;
  /** It stays so far beyond the tip of an arrow that the moves carry. */
  beyond?: { origin: Point; tip: Point; away: number };
  /** Nothing of it is drawn outside of this. */
  clip?: Box;
}

/** One line of text. */
export interface TextItem extends Shown {
  kind: "text";
  text: string;
  face: Face;
  size: number;
  /** Its left end, whatever its direction. */
  x: number;
  baseline: number;
  direction: "ltr" | "rtl";
  colour: ColourRole;
  /** A rim of paper about its letters, where lines pass beneath it. */
  rim?: boolean;
}
/** A set formula: outlines in pixels of the design. `size`: of its smallest letters, as a font size. */
export interface GlyphsItem extends Shown {
  kind: "glyphs";
  d: string;
  size: number;
  colour: ColourRole;
  rim?: boolean;
}
/** A drawn line; `tip`: it ends in an arrow head. */
export interface LineItem extends Shown {
  kind: "line";
  d: string;
  width: number;
  colour: ColourRole;
  dash?: [on: number, off: number];
  /** The surface within it. */
  fill?: ColourRole;
  tip?: { x: number; y: number; angle: number };
}
/** A surface: text may stand on it. */
export interface BoxItem extends Shown {
  kind: "box";
  radius: number | [number, number, number, number];
  fill?: ColourRole;
  stroke?: ColourRole;
  strokeWidth?: number;
}
/** A picture of the course, or a part of it. */
export interface PictureItem extends Shown {
  kind: "picture";
  sha256: string;
  /** Where all of the picture stands, whatever part of it this is. */
  whole: Box;
  /** Parts that other items show. */
  without?: readonly Box[];
}
export type Item = TextItem | GlyphsItem | LineItem | BoxItem | PictureItem;

/** A scene ready to be drawn. Later items lie above earlier ones. */
export interface Placed {
  kind: "placed";
  width: number;
  height: number;
  /** What must stay free of everything lies outside of it. */
  safe: Box;
  durationMs: number;
  items: Item[];
}
/** Why a scene cannot be drawn well. */
export interface Refused {
  kind: "refused";
  findings: string[];
}

/** The smallest text on screen, at 720p: 12 pixels of an upright film that is 350 wide. */
export const minTextSize = 25;
export const minContrast = 4.5;
