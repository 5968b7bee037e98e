import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { Placed } from "@colloquy/schemas/explainers/placed.ts";
import { type Storyboard, storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { type Canvas, createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { Theme } from "../frames/colours.ts";
import { type PlaceOptions, placesOf, timeline } from "../frames/timeline.ts";
import { metricsOf } from "../layout/metrics.ts";
import { placeScene } from "../layout/place.ts";
import { setType } from "../layout/text.ts";
import { drawFrame } from "./draw.ts";
import { loadPictures } from "./sample-pictures.ts";

/**
 * `npm run film:sheet -- <storyboard.json> --out <folder>`: a picture of a storyboard's scenes, each at some moments, for each aspect and
 * theme; with what can be measured of them. Pictures of the course lie in the folder `pictures` beside the storyboard. `--aspect 16:9|9:16`, `--theme light|dark`, `--moments 0.2,0.6,1` (shares of a scene) choose.
 */
const aspects: RenderSettings["aspect"][] = ["16:9", "9:16"];

interface Sheet {
  aspect: RenderSettings["aspect"];
  theme: Theme;
  /** Shares of each scene's time. */
  moments: readonly number[];
}

function frameOf(placed: Placed, timeMs: number, theme: Theme, scale: number): Canvas {
  const canvas = createCanvas(placed.width * scale, placed.height * scale);
  drawFrame(canvas.getContext("2d"), placed, timeMs, { theme, scale });
  return canvas;
}

function drawRefused(context: SKRSContext2D, findings: readonly string[], x: number, y: number): void {
  context.fillStyle = "#b00020";
  setType(context, "beside", 18);
  findings.forEach((finding, index) => {
    context.fillText(finding, x + 12, y + 36 + index * 26);
  });
}

/** Draws the sheet: a row for each scene, a column for each moment. */
function drawSheet(board: Storyboard, { aspect, theme, moments }: Sheet): { png: Buffer; lines: string[] } {
  const scale = aspect === "16:9" ? 0.5 : 0.4;
  const [width, height] = aspect === "16:9" ? [1280 * scale, 720 * scale] : [720 * scale, 1280 * scale];
  const gap = 12;
  const across = aspect === "16:9" ? moments.length : moments.length * 2;
  const down = Math.ceil((board.scenes.length * moments.length) / across);
  const sheet = createCanvas(across * (width + gap) + gap, down * (height + gap) + gap);
  const context = sheet.getContext("2d");
  context.fillStyle = "#7d8086";
  context.fillRect(0, 0, sheet.width, sheet.height);
  const lines: string[] = [];
  const places = placesOf(timeline(board.scenes), { ...board, aspect });
  board.scenes.forEach((scene, row) => {
    const placed = placeScene(scene, places[row] as PlaceOptions);
    const said = placed.kind === "placed" ? JSON.stringify(metricsOf(placed)) : placed.findings.join(" | ");
    lines.push(`${aspect} ${theme} ${scene.sceneId} ${scene.layout}: ${said}`);
    moments.forEach((moment, column) => {
      const cell = row * moments.length + column;
      const x = gap + (cell % across) * (width + gap);
      const y = gap + Math.floor(cell / across) * (height + gap);
      if (placed.kind === "refused") drawRefused(context, placed.findings, x, y);
      else context.drawImage(frameOf(placed, moment * placed.durationMs, theme, scale), x, y);
    });
  });
  return { png: sheet.toBuffer("image/png"), lines };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: "string", default: "." },
      aspect: { type: "string" },
      theme: { type: "string" },
      moments: { type: "string", default: "0.15,0.5,1" },
    },
  });
  await mkdir(values.out, { recursive: true });
  const moments = values.moments.split(",").map(Number);
  for (const file of positionals) {
    const board = storyboard.parse(JSON.parse(await readFile(file, "utf8")));
    await loadPictures(board.scenes, join(dirname(file), "pictures"));
    for (const aspect of aspects.filter((name) => !values.aspect || name === values.aspect)) {
      for (const theme of (["light", "dark"] as const).filter((name) => !values.theme || name === values.theme)) {
        const { png, lines } = drawSheet(board, { aspect, theme, moments });
        const path = join(values.out, `${basename(file, ".json")}-${aspect.replace(":", "x")}-${theme}.png`);
        await writeFile(path, png);
        console.log([path, ...lines].join("\n"));
      }
    }
  }
}
