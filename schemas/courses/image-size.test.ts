import { expect } from "chai";
import { imageSize } from "./image-size.ts";
import { imageType } from "./image-type.ts";

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));
const svg = (text: string) => new TextEncoder().encode(text);

describe("imageSize", () => {
  const cases: [string, Uint8Array, string, { width: number; height: number } | null][] = [
    ["PNG", hex("89504e470d0a1a0a 0000000d49484452 00000140 000000f0 08060000"), "image/png", { width: 320, height: 240 }],
    ["GIF", hex("474946383961 4001 f000 800000"), "image/gif", { width: 320, height: 240 }],
    [
      "JPEG behind an APP segment",
      hex("ffd8 ffe0 0006 4a464946 ffc0 0011 08 00f0 0140 03012200"),
      "image/jpeg",
      { width: 320, height: 240 },
    ],
    [
      "JPEG that was taken upright",
      hex("ffd8 ffe1 0022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 00060000 00000000 ffc0 0011 08 00f0 0140 03012200"),
      "image/jpeg",
      { width: 240, height: 320 },
    ],
    [
      "JPEG that was taken upside down, in the other byte order",
      hex("ffd8 ffe1 0022 457869660000 49492a0008000000 0100 1201 0300 01000000 03000000 00000000 ffc0 0011 08 00f0 0140 03012200"),
      "image/jpeg",
      { width: 320, height: 240 },
    ],
    ["lossy WebP", hex("52494646 00000000 57454250 56503820 00000000 000000 9d012a 4001 f000"), "image/webp", { width: 320, height: 240 }],
    [
      "extended WebP",
      hex("52494646 00000000 57454250 56503858 0a000000 00000000 3f0100 ef0000"),
      "image/webp",
      { width: 320, height: 240 },
    ],
    ["SVG with a size", svg('<?xml version="1.0"?><svg width="320px" height="240">'), "image/svg+xml", { width: 320, height: 240 }],
    ["SVG with a view box", svg('<svg viewBox="0 0 320 240" width="100%">'), "image/svg+xml", { width: 320, height: 240 }],
    ["SVG in millimetres", svg('<svg width="254mm" height="127mm" viewBox="0 0 10 5">'), "image/svg+xml", { width: 960, height: 480 }],
    ["SVG in points", svg('<svg width="240pt" height="180.0pt">'), "image/svg+xml", { width: 320, height: 240 }],
    ["SVG in ems", svg('<svg width="20em" height="15em">'), "image/svg+xml", { width: 320, height: 240 }],
    ["SVG with one side and a view box", svg('<svg width="4in" viewBox="0 0 40 20">'), "image/svg+xml", { width: 384, height: 192 }],
    [
      "SVG in its style",
      svg('<svg style="max-width: 9px; width: 320px; height:6cm" viewBox="0 0 4 3">'),
      "image/svg+xml",
      { width: 320, height: 227 },
    ],
    ["SVG in quarter-millimetres", svg('<svg width="1016Q" height="508Q">'), "image/svg+xml", { width: 960, height: 480 }],
    [
      "SVG behind a comment that shows a tag",
      svg('<!-- was <svg width="9" height="9"> --><svg width="320" height="240">'),
      "image/svg+xml",
      { width: 320, height: 240 },
    ],
    [
      "SVG behind a document type with entities",
      svg('<!DOCTYPE svg PUBLIC "x" "y" [<!ENTITY a "<svg width=\'9\' height=\'9\'>]">]><svg width="320" height="240">'),
      "image/svg+xml",
      { width: 320, height: 240 },
    ],
    [
      "SVG with a greater-than sign in an attribute",
      svg(`<svg aria-label="a > b, width='9'" height = '240' width="320">`),
      "image/svg+xml",
      { width: 320, height: 240 },
    ],
    [
      "SVG with a namespace's prefix and a long attribute",
      svg(`<svg:svg width="320" height="240" content="${"x".repeat(5_000)}">`),
      "image/svg+xml",
      { width: 320, height: 240 },
    ],
    ["SVG without either", svg("<svg>"), "image/svg+xml", null],
    ["a PNG cut short", hex("89504e470d0a1a0a"), "image/png", null],
    ["a JPEG without a frame", hex("ffd8 ffe0 0002 ffd9"), "image/jpeg", null],
  ];
  for (const [name, bytes, type, size] of cases)
    it(`reads ${name}`, () => {
      expect(imageType(bytes)).to.equal(type);
      expect(imageSize(bytes)).to.deep.equal(size);
    });

  it("returns null for other files", () => {
    expect(imageType(svg("<html><script>"))).to.equal(null);
    expect(imageType(new Uint8Array())).to.equal(null);
  });
});
