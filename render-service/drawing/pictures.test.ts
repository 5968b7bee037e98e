import { createHash } from "node:crypto";
import type { Picture } from "@colloquy/schemas/explainers/storyboard.ts";
import { createCanvas } from "@napi-rs/canvas";
import { expect } from "chai";
import { drawPicture } from "../frames/draw-picture.ts";
import { withOurFonts } from "../frames/svg-fonts.ts";
import { skia } from "./draw.ts";
import { loadPicture, PictureUnreadable, pictureOf } from "./pictures.ts";

const bytesOf = (svg: string): Uint8Array => new TextEncoder().encode(svg);
const pictureFor = (bytes: Uint8Array, more: Partial<Picture> = {}): Picture => ({
  sourceId: "source-0001",
  sha256: createHash("sha256").update(bytes).digest("hex"),
  type: "image/svg+xml",
  width: 100,
  height: 50,
  alt: "",
  textSize: 0,
  signs: "",
  ...more,
});
const svg = (inner: string): string => `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">${inner}</svg>`;

/** The colour of a pixel of a loaded picture, at a place of the 100 by 50 it is written for. */
async function pixelAt(inner: string, x: number, y: number, theme: "light" | "dark" = "light"): Promise<number[]> {
  const bytes = bytesOf(svg(inner));
  const picture = pictureFor(bytes);
  await loadPicture(picture, bytes, { width: 200, theme });
  const { data } = pictureOf(picture.sha256, theme)
    .image.getContext("2d")
    .getImageData(x * 2, y * 2, 1, 1);
  return [...data.slice(0, 3)];
}
const isInk = ([red = 255]: number[]): boolean => red < 128;

describe("pictures of the course", () => {
  it("are drawn as they are on light paper", async () => {
    expect(await pixelAt('<rect width="50" height="50" fill="#00f"/>', 25, 25)).to.deep.equal([0, 0, 255]);
  });

  it("are light lines on dark paper in the dark, and every colour keeps its hue", async () => {
    const paper = await pixelAt("", 25, 25, "dark");
    expect(Math.max(...paper)).to.be.below(60);
    expect(await pixelAt('<rect width="100" height="50" fill="#fff"/>', 25, 25, "dark")).to.deep.equal(paper);
    expect(Math.min(...(await pixelAt('<rect width="100" height="50" fill="#000"/>', 25, 25, "dark")))).to.be.above(200);
    const [red = 0, green = 0, blue = 0] = await pixelAt('<rect width="100" height="50" fill="#046"/>', 25, 25, "dark");
    expect(blue).to.be.above(green);
    expect(green).to.be.above(red);
    expect(green).to.be.above(130);
  });

  it("are multiplied with grey paper in the dark where they may be photographs", async () => {
    const pixel = createCanvas(1, 1);
    const context = pixel.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, 1, 1);
    const photograph = `<image href="${pixel.toDataURL("image/png")}" width="100" height="50"/>`;
    const [red = 0, , blue = 0] = await pixelAt(photograph, 25, 25, "dark");
    expect(red).to.be.within(150, 200);
    expect(blue).to.be.within(150, 200);
  });

  it("have arrows that point along their lines", async () => {
    const marker =
      '<defs><marker id="a" viewBox="0 0 10 10" refX="0" refY="5" markerWidth="20" markerHeight="20" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z"/></marker></defs>';
    const line = `${marker}<line x1="50" y1="5" x2="50" y2="20" stroke="#000" marker-end="url(#a)"/>`;
    // It points down: its broad side is at the end of the line, its tip 20 below.
    expect(isInk(await pixelAt(line, 50, 36))).to.equal(true);
    expect(isInk(await pixelAt(line, 65, 20))).to.equal(false);
  });

  it("have letters of our fonts alone", async () => {
    expect(withOurFonts('<text font-family="Courier New, monospace" style="font-family:Arial">font-family:Arial</text>')).to.equal(
      '<text font-family="JetBrains Mono" style="font-family:Instrument Sans">font-family:Arial</text>',
    );
    const bytes = bytesOf(svg('<text x="5" y="40" font-size="40" font-family="Georgia">III</text>'));
    const picture = pictureFor(bytes);
    await loadPicture(picture, bytes, { width: 200, theme: "light" });
    const { data } = pictureOf(picture.sha256, "light").image.getContext("2d").getImageData(0, 0, 200, 100);
    expect(data.filter((value, index) => index % 4 === 0 && value < 128).length).to.be.above(300);
  });

  it("have their lines in order, with groups and view box, for drawing one after the other", async () => {
    const bytes = bytesOf(
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 200 100"><defs><clipPath id="c"><path d="M0 0h9v9z" stroke="#000"/></clipPath></defs><path d="M0 0H200" stroke="#000" stroke-width="4"/><rect width="9" height="9"/><g transform="translate(100 0)"><g transform="scale(0.5)"><line x1="0" y1="0" x2="0" y2="200" stroke="red"/></g></g></svg>',
    );
    const picture = pictureFor(bytes);
    await loadPicture(picture, bytes, { width: 100, theme: "light" });
    const { strokes } = pictureOf(picture.sha256, "light");
    expect(strokes).to.have.length(2);
    const [first, second] = strokes;
    expect(first?.box.width).to.be.closeTo(1, 0.001);
    expect(first?.width).to.be.closeTo(0.02, 0.001);
    expect(second?.box.x).to.be.closeTo(0.5, 0.001);
    expect(second?.box.height).to.be.closeTo(1, 0.001);
  });

  /** Where a picture has ink when a share of the time in which it is drawn has gone by. */
  async function drawnInk(inner: string, share: number, points: readonly (readonly [number, number])[]): Promise<boolean[]> {
    const bytes = bytesOf(svg(inner));
    const picture = pictureFor(bytes);
    await loadPicture(picture, bytes, { width: 200, theme: "light" });
    const whole = { x: 0, y: 0, width: 100, height: 50 };
    const shown = { whole, box: whole, part: "figure", from: 0, motion: "draw", takes: 1_000 } as const;
    const canvas = createCanvas(100, 50);
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, 100, 50);
    const { sha256 } = picture;
    drawPicture({ context, tools: skia, theme: "light" }, { kind: "picture", sha256, ...shown }, { share, pose: null });
    return points.map(([x, y]) => isInk([...context.getImageData(x, y, 1, 1).data]));
  }

  it("are drawn line by line, and the rest of them last", async () => {
    const line = (y: number): string => `<path d="M5 ${y}H95" stroke="#000" stroke-width="4"/>`;
    const inkAt = (share: number): Promise<boolean[]> =>
      drawnInk(`${line(10)}${line(40)}<rect x="45" y="20" width="10" height="10"/>`, share, [
        [10, 10],
        [90, 10],
        [10, 40],
        [90, 40],
        [50, 25],
      ]);
    expect(await inkAt(0.2)).to.deep.equal([true, false, false, false, false]);
    expect(await inkAt(0.6)).to.deep.equal([true, true, true, false, false]);
    expect(await inkAt(0.8)).to.deep.equal([true, true, true, true, false]);
    expect(await inkAt(1)).to.deep.equal([true, true, true, true, true]);
  });

  it("are uncovered from the start where they have no lines", async () => {
    const surface = '<rect width="100" height="50"/>';
    expect(
      await drawnInk(surface, 0.5, [
        [25, 25],
        [75, 25],
      ]),
    ).to.deep.equal([true, false]);
  });

  it("reach no file and no address", async () => {
    const outside =
      '<image href="file:///etc/hostname" width="100" height="50"/><image href="http://127.0.0.1:9/x.png" width="100" height="50"/>';
    const [red] = await pixelAt(outside, 50, 25);
    expect(red).to.be.above(240);
  });

  it("are refused if they cannot be decoded or are of another size than stated", async () => {
    const canvas = createCanvas(20, 10);
    const png = canvas.toBuffer("image/png");
    const refused = async (bytes: Uint8Array, more: Partial<Picture>): Promise<unknown> =>
      loadPicture(pictureFor(bytes, more), bytes, { width: 100, theme: "light" }).then(
        () => null,
        (error: unknown) => error,
      );
    expect(await refused(png, { type: "image/png", width: 20, height: 10 })).to.equal(null);
    expect(await refused(png, { type: "image/png", width: 40, height: 10 })).to.be.instanceOf(PictureUnreadable);
    expect(await refused(bytesOf("no picture"), { type: "image/png" })).to.be.instanceOf(PictureUnreadable);
    expect(await refused(bytesOf("<svg"), {})).to.be.instanceOf(PictureUnreadable);
    expect(await refused(bytesOf(svg("")), { width: 50 })).to.be.instanceOf(PictureUnreadable);
    expect(() => pictureOf("0".repeat(64), "light")).to.throw(PictureUnreadable);
  });
});
