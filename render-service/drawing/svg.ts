import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { withOurFonts } from "../frames/svg-fonts.ts";
import { fontFiles } from "../layout/fonts.ts";

const { resolve } = createRequire(import.meta.url);

let ready: Promise<Uint8Array[]> | undefined;
const start = async (): Promise<Uint8Array[]> => {
  await initWasm(await readFile(resolve("@resvg/resvg-wasm/index_bg.wasm")));
  return fontFiles();
};

/** An SVG as a picture, and as paths, groups and matrices alone. */
interface DrawnSvg {
  png: Uint8Array;
  paths: string;
}

/** Draws an SVG. It runs in WebAssembly, which reaches neither files nor the network. @param width in pixels */
export async function drawSvg(svg: string, width: number): Promise<DrawnSvg> {
  ready ??= start();
  const fontBuffers = await ready;
  const drawing = new Resvg(withOurFonts(svg), {
    fitTo: { mode: "width", value: Math.max(1, Math.round(width)) },
    font: { fontBuffers, defaultFontFamily: "Literata" },
  });
  try {
    const image = drawing.render();
    try {
      return { png: image.asPng(), paths: drawing.toString() };
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}
