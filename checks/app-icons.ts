import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type AppIcon, appIcons, paperColours } from "@colloquy/query-api/pages/app.ts";
import { mark } from "@colloquy/query-api/pages/shell.ts";
import { type Canvas, createCanvas, Path2D } from "@napi-rs/canvas";

/** `npm run icons`: draws the icons of the installed app from the brand. */

export const iconFile = (name: AppIcon): string => fileURLToPath(new URL(`../query-api/pages/icons/${name}.png`, import.meta.url));

/** Width of the mark, as a share of the icon. What systems leave of a maskable icon is a circle of four fifths of its width. */
const share = { any: 0.6, maskable: 0.48 };
/** Radius of the corners, as a share of the width. */
const corner = 0.22;

/** An icon: the mark in the colour of paper on a tile of its own colour, which stands out on light and dark grounds. */
export function drawIcon(name: AppIcon): Canvas {
  const { size, purpose } = appIcons[name];
  const canvas = createCanvas(size, size);
  const context = canvas.getContext("2d");
  context.fillStyle = mark.light;
  context.beginPath();
  context.roundRect(0, 0, size, size, purpose === "any" ? size * corner : 0);
  context.fill();
  const width = size * share[purpose];
  context.translate((size - width) / 2, (size - width) / 2);
  // The outline stands in a square of 32 with margins of 2.
  context.scale(width / 28, width / 28);
  context.translate(-2, -2);
  context.fillStyle = paperColours.light;
  context.fill(new Path2D(mark.path));
  return canvas;
}

if (import.meta.main) {
  mkdirSync(new URL("../query-api/pages/icons", import.meta.url), { recursive: true });
  for (const name of Object.keys(appIcons) as AppIcon[]) writeFileSync(iconFile(name), drawIcon(name).toBuffer("image/png"));
}
