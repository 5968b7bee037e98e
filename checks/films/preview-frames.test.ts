import { fileURLToPath } from "node:url";
import { drawFrame } from "@colloquy/render-service/drawing/draw.ts";
import { loadPictures } from "@colloquy/render-service/drawing/sample-pictures.ts";
import { fontNamed } from "@colloquy/render-service/fonts/files.ts";
import { allFontFiles } from "@colloquy/render-service/frames/faces.ts";
import { placesOf, timeline } from "@colloquy/render-service/frames/timeline.ts";
import { placeScene } from "@colloquy/render-service/layout/place.ts";
import { aspects, samples } from "@colloquy/render-service/layout/testing/scenes.ts";
import type { Placed } from "@colloquy/schemas/explainers/placed.ts";
import { createCanvas } from "@napi-rs/canvas";
import { expect } from "chai";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../../journeys/browser.ts";

const home = fileURLToPath(new URL("../..", import.meta.url));
const scale = 0.5;
/** Shares of a scene's time: while things come, and when all is there; the dark only has other colours, the upright only other places. */
const moments = { "16:9": { light: [0.13, 0.37, 0.62, 1], dark: [1] }, "9:16": { light: [0.37, 1], dark: [1] } };
/** The most that frames may differ, of 255: letters are smoothed in other ways. A block is 16 pixels wide, less than a letter is high. */
const mostDifference = { mean: 1.5, block: 15 };

/** What the browser runs: the preview's drawing, and a comparison with a picture. */
const program = `
import { canvasDrawer } from "./ui/explainers/preview/canvas.ts";
import { Pictures } from "./ui/explainers/preview/pictures.ts";
const pictures = new Pictures();
const draw = canvasDrawer(pictures.picture);
const block = 16;
const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
const context = (width, height) => Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
window.load = async (fonts, files) => {
  for (const [alias, base64] of fonts) document.fonts.add(await new FontFace(alias, bytesOf(base64)).load());
  const font = async (alias) => bytesOf(new Map(fonts).get(alias)).buffer;
  for (const [picture, base64, drawnWidth] of files) await pictures.add(picture, new Blob([bytesOf(base64)]), { drawnWidth, font });
};
window.difference = async (placed, timeMs, theme, scale, png) => {
  const [width, height] = [placed.width * scale, placed.height * scale];
  const drawn = context(width, height);
  draw(drawn, placed, timeMs, { theme, scale });
  const image = new Image();
  image.src = png;
  await image.decode();
  const other = context(width, height);
  other.drawImage(image, 0, 0);
  const [one, two] = [drawn, other].map((each) => each.getImageData(0, 0, width, height).data);
  let [sum, most] = [0, 0];
  for (let top = 0; top < height; top += block)
    for (let left = 0; left < width; left += block) {
      let signed = 0;
      for (let y = top; y < Math.min(height, top + block); y += 1)
        for (let x = left; x < Math.min(width, left + block); x += 1)
          for (let at = (y * width + x) * 4; at % 4 < 3; at += 1) {
            sum += Math.abs(one[at] - two[at]);
            signed += one[at] - two[at];
          }
      most = Math.max(most, Math.abs(signed) / (block * block * 3));
    }
  return { mean: sum / (width * height * 3), most };
};`;

type Load = (fonts: unknown, pictures: unknown) => Promise<void>;
type Difference = (placed: Placed, timeMs: number, theme: string, scale: number, png: string) => Promise<{ mean: number; most: number }>;

describe("a preview's frames in a browser", function () {
  this.timeout(300_000);
  let browser: Browser;
  let page: Page;
  before(async () => {
    const pictures = await loadPictures(
      samples.flatMap(({ scenes }) => scenes),
      `${home}/render-service/drawing/samples/pictures`,
    );
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: home },
      bundle: true,
      format: "iife",
      write: false,
      target: "es2022",
    });
    browser = await openBrowser();
    page = await browser.newPage();
    await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
    const fonts = allFontFiles().map(({ alias }) => [alias, fontNamed(alias)?.toString("base64")]);
    const files = pictures.map(({ picture, bytes, width }) => [picture, Buffer.from(bytes).toString("base64"), width]);
    await page.evaluate(([all, some]) => (globalThis as unknown as { load: Load }).load(all, some), [fonts, files] as const);
  });
  after(() => browser?.close());

  for (const aspect of aspects)
    for (const theme of ["light", "dark"] as const)
      it(`are those of the film at ${aspect}, ${theme}`, async () => {
        const far: string[] = [];
        for (const { scenes, sources, language } of samples)
          for (const [index, place] of placesOf(timeline(scenes), { language, sources, aspect }).entries()) {
            const scene = scenes[index];
            if (!scene) continue;
            const placed = placeScene(scene, place);
            if (placed.kind !== "placed") continue;
            for (const moment of moments[aspect][theme]) {
              const timeMs = moment * placed.durationMs;
              const canvas = createCanvas(placed.width * scale, placed.height * scale);
              drawFrame(canvas.getContext("2d"), placed, timeMs, { theme, scale });
              const png = canvas.toDataURL("image/png");
              const { mean, most } = await page.evaluate(
                ([one, at, colours, size, other]) =>
                  (globalThis as unknown as { difference: Difference }).difference(one, at, colours, size, other),
                [placed, timeMs, theme, scale, png] as const,
              );
              if (mean > mostDifference.mean || most > mostDifference.block)
                far.push(`${scene.layout} ${scene.sceneId} at ${moment}: ${mean.toFixed(2)}, ${most.toFixed(1)}`);
            }
          }
        expect(far).to.deep.equal([]);
      });
});
