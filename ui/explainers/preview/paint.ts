import type { DrawFrame, Drawing } from "@colloquy/render-service/frames/draw.ts";
import type { Placed } from "@colloquy/schemas/explainers/placed.ts";

/** Draws a frame as large as a canvas is on screen, in its pixels. */
export function paint(
  canvas: HTMLCanvasElement,
  draw: DrawFrame<CanvasRenderingContext2D>,
  { placed, timeMs, theme }: { placed: Placed; timeMs: number } & Pick<Drawing, "theme">,
): void {
  const context = canvas.getContext("2d", { alpha: false });
  const { clientWidth, clientHeight } = canvas;
  if (!context || clientWidth === 0) return;
  // In full screen the picture is fitted into the canvas.
  const scale = Math.min(clientWidth / placed.width, clientHeight / placed.height) * devicePixelRatio;
  const [width, height] = [Math.round(placed.width * scale), Math.round(placed.height * scale)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  draw(context, placed, timeMs, { theme, scale: width / placed.width });
}
