import { createCanvas } from "@napi-rs/canvas";
import { expect } from "chai";
import { Rational } from "node-av";
import { PictureConverter, type Size } from "./picture-converter.ts";

const timeBase = new Rational(1, 30);
const sizes: Size[] = [
  { width: 1280, height: 720 },
  { width: 1080, height: 1920 },
];

/** A picture of slanted bands of colour, with a box of another one on it. */
function drawn({ width, height }: Size, box: { x: number; y: number; size: number } | null): Buffer {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  for (let at = -height; at < width; at += 37) {
    context.fillStyle = `hsl(${(at * 7) % 360} 70% 50%)`;
    context.beginPath();
    context.moveTo(at, 0);
    context.lineTo(at + 37, 0);
    context.lineTo(at + 37 + height, height);
    context.lineTo(at + height, height);
    context.fill();
  }
  context.fillStyle = "#0a5";
  if (box) context.fillRect(box.x, box.y, box.size, box.size);
  return canvas.data();
}

/** The planes after some pictures were converted, one after the other. */
async function planesAfter(size: Size, pictures: readonly Buffer[]): Promise<Buffer[]> {
  const converter = new PictureConverter(size, timeBase);
  try {
    for (const picture of pictures) await converter.convert(picture);
    const { data, linesize, width } = converter.picture;
    // Behind each row there may be room that means nothing.
    return (data ?? []).map((plane, index) => {
      const [stride = 1, used] = [linesize[index], index === 0 ? width : width / 2];
      return Buffer.concat(
        Array.from({ length: Math.floor(plane.length / stride) }, (_, row) => plane.subarray(row * stride, row * stride + used)),
      );
    });
  } finally {
    converter.close();
  }
}

describe("pictures for the encoder", () => {
  for (const size of sizes)
    it(`are the same whether all of ${size.width} by ${size.height} is converted or only what changed`, async () => {
      const before = drawn(size, null);
      for (const box of [
        { x: 100, y: 0, size: 40 },
        { x: 301, y: 333, size: 51 },
        { x: 17, y: size.height - 9, size: 9 },
        { x: 0, y: 1, size: size.height - 2 },
      ]) {
        const after = drawn(size, box);
        const [whole, parts] = [await planesAfter(size, [after]), await planesAfter(size, [before, after])];
        expect(whole).to.have.length(3);
        expect(whole.map((plane, index) => plane.equals(parts[index] ?? Buffer.of()))).to.deep.equal([true, true, true]);
      }
    });

  it("stay as they are where nothing changed", async () => {
    const [size = { width: 2, height: 2 }] = sizes;
    const picture = drawn(size, { x: 5, y: 5, size: 5 });
    const [once, twice] = [await planesAfter(size, [picture]), await planesAfter(size, [picture, Buffer.from(picture)])];
    expect(once.map((plane, index) => plane.equals(twice[index] ?? Buffer.of()))).to.deep.equal([true, true, true]);
  });
});
