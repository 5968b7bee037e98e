import type { Affine, Box, Face } from "@colloquy/schemas/explainers/placed.ts";
import type { Theme } from "./colours.ts";

/** What drawing uses of a canvas's context, in browsers and in the renderer. */
export interface Pen<Path, Image> {
  fillStyle: unknown;
  strokeStyle: unknown;
  lineWidth: number;
  lineCap: string;
  lineJoin: string;
  globalAlpha: number;
  imageSmoothingQuality: string;
  font: string;
  direction: string;
  textAlign: string;
  fontKerning: string;
  save(): void;
  restore(): void;
  setTransform(a: number, b: number, c: number, d: number, e: number, f: number): void;
  transform(a: number, b: number, c: number, d: number, e: number, f: number): void;
  translate(x: number, y: number): void;
  setLineDash(segments: number[]): void;
  beginPath(): void;
  closePath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  roundRect(x: number, y: number, width: number, height: number, radii: number | number[]): void;
  clip(rule?: "evenodd"): void;
  fill(): void;
  fill(path: Path): void;
  stroke(): void;
  stroke(path: Path): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  strokeText(text: string, x: number, y: number): void;
  drawImage(image: Image, x: number, y: number, width: number, height: number): void;
}

/** A drawn line of a picture, in shares of the picture's width and height. */
export interface Stroke<Path> {
  path: Path;
  /** As a share of the picture's width. */
  width: number;
  box: Box;
}

/** A picture on the paper of a theme, as frames show it. */
export interface LoadedPicture<Path, Image> {
  image: Image;
  /** Of an SVG. */
  strokes: readonly Stroke<Path>[];
}

export interface Outline<Path> {
  addPath(path: Path, map?: { a: number; b: number; c: number; d: number; e: number; f: number }): void;
}

/** What canvases do in ways of their own. */
export interface Tools<Path extends Outline<Path>, Image, Context extends Pen<Path, Image>> {
  newPath(d?: string): Path;
  /** The first share of a line. `path`: the line `d` where its moves have brought it, `pose`. Leaves `path` as it is. */
  trimmed(line: { d: string; path: Path; pose: Affine | null }, share: number): Path;
  /** Sets the font: our files alone, with kerning, in code without ligatures. */
  setType(context: Context, face: Face, size: number): void;
  /** Null while it is not there yet. */
  picture(sha256: string, theme: Theme): LoadedPicture<Path, Image> | null;
  /** Draws by `drawAll` within the first share of lines, which are `wider` than they are, in pixels of the design. */
  drawAlong(
    context: Context,
    lines: readonly { stroke: Stroke<Path>; share: number }[],
    within: { whole: Box; wider: number },
    drawAll: (context: Context) => void,
  ): void;
}
