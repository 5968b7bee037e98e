import type { Theme } from "@colloquy/render-service/frames/colours.ts";
import { drawOnPaper } from "@colloquy/render-service/frames/draw-picture.ts";
import { isLineArt } from "@colloquy/render-service/frames/in-the-dark.ts";
import type { LoadedPicture } from "@colloquy/render-service/frames/pen.ts";
import type { Picture } from "@colloquy/schemas/explainers/storyboard.ts";
import { svgStrokes, withFonts } from "./svg.ts";

type FetchFont = (alias: string) => Promise<ArrayBuffer>;
type Shown = LoadedPicture<Path2D, CanvasImageSource>;

/** The pictures of the course that a storyboard shows. */
export class Pictures {
  readonly #images = new Map<
    string,
    { image: HTMLImageElement; strokes: Shown["strokes"]; lines: boolean; width: number; height: number }
  >();
  readonly #shown = new Map<string, Shown>();

  has(sha256: string): boolean {
    return this.#images.has(sha256);
  }

  /** Decodes a picture. @param options.drawnWidth in pixels: how wide an SVG is drawn. Throws if it cannot be decoded. */
  async add(picture: Picture, bytes: Blob, { drawnWidth, font }: { drawnWidth: number; font: FetchFont }): Promise<void> {
    const { sha256, type, width, height } = picture;
    const isSvg = type === "image/svg+xml";
    const svg = isSvg ? await withFonts(await bytes.text(), picture, font) : "";
    const address = URL.createObjectURL(new Blob([isSvg ? svg : bytes], { type }));
    try {
      const image = new Image();
      image.src = address;
      await image.decode();
      const wide = isSvg ? Math.round(drawnWidth) : width;
      const strokes = isSvg ? svgStrokes(svg, picture) : [];
      this.#images.set(sha256, {
        image,
        strokes,
        lines: isLineArt(isSvg ? svg : null),
        width: wide,
        height: Math.round((wide * height) / width),
      });
      // Drawn now, while its address is there.
      for (const theme of ["light", "dark"] as const) this.picture(sha256, theme);
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  /** A picture on the paper of a theme; null while it is not loaded. */
  readonly picture = (sha256: string, theme: Theme): Shown | null => {
    const key = `${sha256} ${theme}`;
    const before = this.#shown.get(key);
    if (before) return before;
    const loaded = this.#images.get(sha256);
    const context = loaded && document.createElement("canvas").getContext("2d");
    if (!context) return null;
    const { width, height, lines } = loaded;
    Object.assign(context.canvas, { width, height });
    drawOnPaper<CanvasImageSource, ImageData>(context, loaded.image, { width, height, lines }, theme);
    const shown: Shown = { image: context.canvas, strokes: loaded.strokes };
    this.#shown.set(key, shown);
    return shown;
  };
}
