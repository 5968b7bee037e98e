import { z } from "zod";
import { sha256 } from "./film.ts";

/** The colours of videos by what they are for (`render-service/frames/colours.ts`). */
export const colourRoles = [
  "paper",
  "raised",
  "sunken",
  "ink",
  "ink-soft",
  "ink-faint",
  "line",
  "line-strong",
  "accent",
  "accent-ink",
  "accent-wash",
  "good",
  "warn",
  "picture-paper",
  "figure-paper",
] as const;
const colour = z.enum(colourRoles);
export type ColourRole = z.infer<typeof colour>;

/** What text is set in: what is read, what stands beside it, code. */
const face = z.enum(["read", "read-strong", "beside", "beside-strong", "code", "code-strong"]);
export type Face = z.infer<typeof face>;

/** In pixels of the design: 1280×720 or 720×1280. */
const box = z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
export type Box = z.infer<typeof box>;

/** How an item appears: at once, faded in, faded in while rising, drawn along its line, or uncovered from its start. */
const motion = z.enum(["still", "fade", "rise", "draw", "wipe"]);
export type Motion = z.infer<typeof motion>;

/** An affine map of the picture, as a canvas takes it. */
const affine = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()]);
export type Affine = [a: number, b: number, c: number, d: number, e: number, f: number];

const point = z.strictObject({ x: z.number(), y: z.number() });

/** A continuous movement: from where the item was to `to`, which maps its first place. Texts and boxes are only shifted. `about`: a point that all of it leaves where it is. */
const move = z.strictObject({ from: z.number(), takes: z.number(), to: affine, about: point.exactOptional() });
export type Move = z.infer<typeof move>;

const shown = {
  /** Where its ink is. */
  box,
  /** Things of one part belong together and may touch one another. */
  part: z.string(),
  /** When it appears and disappears, in milliseconds of the scene. */
  from: z.number(),
  until: z.number().exactOptional(),
  motion,
  /** The duration of its animation, in milliseconds. */
  takes: z.number(),
  /** In their order. */
  moves: z.array(move).readonly().exactOptional(),
  /** The moves are those of a camera: strokes grow with the picture. */
  camera: z.boolean().exactOptional(),
  /**
   * Its middle stays so far beyond the tip of an arrow that the moves carry; farther where half of its width and height would reach the tip.
   * `turn`: to the side of the arrow's direction, in radians.
   */
  beyond: z
    .strictObject({
      origin: point,
      tip: point,
      away: z.number(),
      half: z.strictObject({ width: z.number(), height: z.number() }).exactOptional(),
      turn: z.number().exactOptional(),
    })
    .exactOptional(),
  /** Nothing of it is drawn outside of this. */
  clip: box.exactOptional(),
  /** It only draws attention to something: no object of the scene. Drawn evenly, as words are spoken. */
  mark: z.boolean().exactOptional(),
  /** It was in the scene before, and only goes. */
  leaves: z.boolean().exactOptional(),
};

/** One line of text. */
const textItem = z.strictObject({
  ...shown,
  kind: z.literal("text"),
  text: z.string(),
  face,
  size: z.number(),
  /** Its left end, whatever its direction. */
  x: z.number(),
  baseline: z.number(),
  direction: z.enum(["ltr", "rtl"]),
  colour,
  /** A rim of paper about its letters, where lines pass beneath it. */
  rim: z.boolean().exactOptional(),
});
export type TextItem = z.infer<typeof textItem>;

/** A set formula: outlines in pixels of the design. `size`: of its smallest letters, as a font size. */
const glyphsItem = z.strictObject({
  ...shown,
  kind: z.literal("glyphs"),
  d: z.string(),
  size: z.number(),
  colour,
  rim: z.boolean().exactOptional(),
});
export type GlyphsItem = z.infer<typeof glyphsItem>;

/** A drawn line; `tip`: it ends in an arrow head, which is never longer than an arrow that is straight from its `tail`. */
const lineItem = z.strictObject({
  ...shown,
  kind: z.literal("line"),
  d: z.string(),
  width: z.number(),
  colour,
  dash: z.tuple([z.number(), z.number()]).exactOptional(),
  /** The surface within it. */
  fill: colour.exactOptional(),
  tip: z.strictObject({ ...point.shape, angle: z.number(), tail: point.exactOptional() }).exactOptional(),
});
export type LineItem = z.infer<typeof lineItem>;

/** A surface: text may stand on it. */
const boxItem = z.strictObject({
  ...shown,
  kind: z.literal("box"),
  radius: z.union([z.number(), z.tuple([z.number(), z.number(), z.number(), z.number()])]),
  fill: colour.exactOptional(),
  stroke: colour.exactOptional(),
  strokeWidth: z.number().exactOptional(),
});
export type BoxItem = z.infer<typeof boxItem>;

/** A picture of the course, or a part of it. */
const pictureItem = z.strictObject({
  ...shown,
  kind: z.literal("picture"),
  sha256,
  /** Where all of the picture stands, whatever part of it this is. */
  whole: box,
  /** Parts that other items show. */
  without: z.array(box).readonly().exactOptional(),
});
export type PictureItem = z.infer<typeof pictureItem>;

export type Item = TextItem | GlyphsItem | LineItem | BoxItem | PictureItem;

/** A scene ready to be drawn. Later items lie above earlier ones. */
export const placed = z.strictObject({
  kind: z.literal("placed"),
  width: z.number(),
  height: z.number(),
  /** What must stay free of everything lies outside of it. */
  safe: box,
  durationMs: z.number(),
  items: z.array(z.discriminatedUnion("kind", [textItem, glyphsItem, lineItem, boxItem, pictureItem])),
});
export type Placed = z.infer<typeof placed>;

/** Why a scene cannot be drawn well. */
export const refused = z.strictObject({ kind: z.literal("refused"), findings: z.array(z.string()) });
export type Refused = z.infer<typeof refused>;
