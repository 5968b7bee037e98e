import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { fontFiles } from "../layout/fonts.ts";

const { resolve } = createRequire(import.meta.url);

let ready: Promise<Uint8Array[]> | undefined;
const start = async (): Promise<Uint8Array[]> => {
  await initWasm(await readFile(resolve("@resvg/resvg-wasm/index_bg.wasm")));
  return fontFiles();
};

/** Our font for a list of families: no other is there, so the same picture is drawn on every machine. */
const familyFor = (families: string): string =>
  /mono|courier|consol|menlo|code/i.test(families)
    ? "JetBrains Mono"
    : /sans|arial|helvetica|verdana|calibri|roboto|system-ui/i.test(families)
      ? "Instrument Sans"
      : "Literata";

/**
 * A sanitised SVG with our fonts. A marker that turns around at the start of a line is one that does not, which the program that draws
 * does not know: `svgFacts` refuses pictures for which this matters. Pure.
 */
export const withOurFonts = (svg: string): string =>
  svg.replaceAll(/<style[^>]*>[\s\S]*?<\/style>|<[^>]*>/g, (tag) =>
    tag
      .replaceAll(/\bfont-family\s*=\s*"([^"]*)"/g, (_, families: string) => `font-family="${familyFor(families)}"`)
      .replaceAll(/\bfont-family\s*:\s*((?:&quot;|[^;"}])*)/g, (_, families: string) => `font-family:${familyFor(families)}`)
      .replaceAll(/\borient\s*=\s*"auto-start-reverse"/g, 'orient="auto"'),
  );

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
