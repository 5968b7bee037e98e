import { imageType } from "@colloquy/schemas/courses/image-type.ts";
import { expect } from "chai";
import fc from "fast-check";
import { AssetRefused, checkAsset, sha256Of, takeAsset } from "./assets.ts";
import { SvgRefused, sanitizeSvg } from "./svg.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const clean = (inside: string): string =>
  new TextDecoder().decode(
    sanitizeSvg(
      bytesOf(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:x="urn:x">${inside}</svg>`),
    ),
  );
const body = (inside: string): string =>
  clean(inside)
    .replace(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg">/, "")
    .replace(/<\/svg>\n$/, "");

describe("an SVG written anew", () => {
  it("keeps what draws", () => {
    const drawing =
      '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs><g transform="scale(2)"><rect fill="url(#g)" width="1"></rect><text x="1">a &lt; b</text></g>';
    expect(body(drawing)).to.equal(drawing);
    expect(body('<use xlink:href="#g"/>')).to.equal('<use href="#g"></use>');
    expect(body('<image href="data:image/png;base64,AAAA"/>')).to.equal('<image href="data:image/png;base64,AAAA"></image>');
    expect(body("<style>.a { fill: url(#g) }</style>")).to.equal("<style>.a { fill: url(#g) }</style>");
    expect(body("<text xml:space='preserve'>  x</text>")).to.equal('<text xml:space="preserve">  x</text>');
    expect(body("<a href='https://example.org'><rect/></a>")).to.equal("<rect></rect>");
  });

  const active: [string, string][] = [
    ["a script", "<script>alert(1)</script>"],
    ["a script in another case or namespace", "<SCRIPT>alert(1)</SCRIPT><x:script>alert(1)</x:script>"],
    ["a foreign object", "<foreignObject><div xmlns='http://www.w3.org/1999/xhtml'>alert<script>alert(1)</script></div></foreignObject>"],
    ["an event handler", "<rect onload='alert(1)' OnClick='alert(1)'/>"],
    ["a script as address", "<use href='javascript:alert(1)'/><use xlink:href=' &#x6a;avascript:alert(1)'/>"],
    ["animation of an address", "<animate attributeName='href' to='javascript:alert(1)'/><set attributeName='onload' to='alert(1)'/>"],
    ["a picture from elsewhere", "<image href='https://example.org/alert.png'/><image xlink:href='data:image/svg+xml;base64,alert'/>"],
    ["an address in a style", "<rect style='fill: url(https://example.org/alert)' fill='url(//example.org/alert)'/>"],
    ["an import in a style sheet", "<style>@import url(https://example.org/alert); .a{}</style>"],
    ["an escaped address in a style sheet", "<style>.alert { fill: \\75rl(https://example.org) }</style>"],
    ["hidden handlers of editors", "<rect x:onload='alert(1)'/><metadata>alert</metadata>"],
    ["a processing instruction", "<?xml-stylesheet href='alert'?>"],
    ["a comment", "<!-- alert -->"],
  ];
  for (const [name, inside] of active)
    it(`drops ${name}`, () => {
      expect(body(inside)).not.to.match(/alert|javascript|example\.org/i);
    });

  it("understands what drawing programs declare, and nothing that grows", () => {
    const declared =
      '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"><rect/></svg>';
    expect(new TextDecoder().decode(sanitizeSvg(bytesOf(declared)))).to.equal(
      '<svg xmlns="http://www.w3.org/2000/svg"><rect></rect></svg>\n',
    );
    const growing =
      '<!DOCTYPE svg [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>';
    expect(() => sanitizeSvg(bytesOf(growing))).to.throw(SvgRefused);
  });

  it("is refused when it is no well-formed SVG", () => {
    for (const text of [
      "",
      "<svg",
      "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
      "<html/>",
      "<svg/>",
      `${'<svg xmlns="http://www.w3.org/2000/svg">'.repeat(300)}${"</svg>".repeat(300)}`,
    ])
      expect(() => sanitizeSvg(bytesOf(text)), text.slice(0, 40)).to.throw(SvgRefused);
    expect(() => sanitizeSvg(Uint8Array.of(0x3c, 0xff, 0xfe))).to.throw(SvgRefused);
  });

  it("is read to its end, whatever its styles begin and do not end", () => {
    for (const begun of ["/* ", "@font-face", "@font-face{", "@import ", "url( "]) {
      // So much that what grows with its square would take longer than any test may.
      const css = begun.repeat(1_000_000 / begun.length);
      sanitizeSvg(new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg"><style>${css}</style><path style="${css}"/></svg>`));
    }
  });

  it("comes out the same when it is cleaned twice", () => {
    const part = fc.constantFrom(
      "<g>",
      "</g>",
      "<text>a&amp;b</text>",
      "<style>.a{fill:red}/*x*/@import 'y';</style>",
      "<a>",
      "</a>",
      "<script>x</script>",
      "<rect style='fill:red' id='a'/>",
      "\n",
      "&#9;",
      "<image xlink:href='#a'/>",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        let once: string;
        try {
          once = clean(parts.join(""));
        } catch (error) {
          expect(error).to.be.instanceOf(SvgRefused);
          return;
        }
        expect(new TextDecoder().decode(sanitizeSvg(bytesOf(once)))).to.equal(once);
      }),
      { numRuns: 500 },
    );
  });
});

describe("files of a course", () => {
  it("are known by their bytes", () => {
    const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    expect(imageType(latin("\x89PNG\r\n\x1a\n...."))).to.equal("image/png");
    expect(imageType(latin("\xff\xd8\xff\xe0"))).to.equal("image/jpeg");
    expect(imageType(latin("GIF89a.."))).to.equal("image/gif");
    expect(imageType(latin("RIFF....WEBPVP8 "))).to.equal("image/webp");
    expect(imageType(latin("....ftypavif"))).to.equal("image/avif");
    for (const svg of ["<svg>", "\ufeff <?xml version='1.0'?><!-- <html> --><!DOCTYPE svg [<!ENTITY a '<html>'>]>\n<svg:svg>"])
      expect(imageType(bytesOf(svg)), svg).to.equal("image/svg+xml");
    for (const other of ["", "<html><svg></svg></html>", "hello", "<?xml version='1.0'?><rss/>", "%PDF-1.4"])
      expect(imageType(bytesOf(other)), other).to.equal(null);
  });

  it("are refused when they are not what they say, with a reason", () => {
    expect(() => takeAsset("a.exe", bytesOf("MZ"))).to.throw(AssetRefused, /a\.exe is no picture/);
    expect(() => takeAsset("a.svg", bytesOf("<svg>"))).to.throw(AssetRefused, /a\.svg:/);
    const { asset, bytes } = takeAsset("a.svg", bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'));
    expect(checkAsset(asset, bytes)).to.equal(null);
    expect(checkAsset({ ...asset, type: "image/png" }, bytes)).to.match(/not image\/png/);
    expect(checkAsset(asset, bytesOf("other"))).to.match(/not the ones/);
    const raw = bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>');
    const { asset: rawAsset } = takeAsset("b.svg", raw);
    expect(checkAsset({ ...rawAsset, sha256: sha256Of(raw), bytes: raw.byteLength }, raw)).to.match(/must not hold/);
  });
});
