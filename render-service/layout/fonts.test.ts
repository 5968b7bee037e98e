import { readFileSync } from "node:fs";
import type { Face } from "@colloquy/schemas/explainers/placed.ts";
import { createCanvas } from "@napi-rs/canvas";
import { expect } from "chai";
import { colourOf, contrastOf, tokens } from "../frames/colours.ts";
import { filesOf, fontOf } from "../frames/faces.ts";
import { missingSigns } from "./fonts.ts";

const faces: Face[] = ["read", "read-strong", "beside", "beside-strong", "code", "code-strong"];

function pixels(text: string, font: string): string {
  const canvas = createCanvas(160, 60);
  const context = canvas.getContext("2d");
  context.lang = "en";
  context.font = font;
  context.fillText(text, 10, 44);
  return canvas.data().toString("base64");
}

describe("the fonts of films", () => {
  for (const face of faces)
    it(`${face} has what courses are written in`, () => {
      expect(missingSigns("Grüße, Straße „Übung“ – café Łódź Ťuk αβγΔΩ Привет →⇒↦ ∑∫√∞≤≠∈∀ x² 100 % … 'a' “b”", face)).to.deep.equal([]);
      expect(missingSigns("الأوامر تعمل معًا؟ (١٢٣)", face)).to.deep.equal([]);
    });

  // A canvas would silently take these from whatever fonts the machine has; so they must be known before anything is drawn.
  for (const sign of ["漢", "😀", "☃", "ก", "𓀀", "q\u0363"])
    it(`${sign} is missed, not taken from the machine`, () => {
      for (const face of faces) expect(missingSigns(`a ${sign} b`, face)).to.deep.equal([sign]);
    });

  it("draws what it has with the shipped file alone, whatever else there is", () => {
    for (const sign of ["a", "Ł", "β", "Ж", "ش", "∑", "→"]) {
      const alone = filesOf("read").map(({ alias }) => pixels(sign, `40px ${alias}`));
      expect(alone).to.include(pixels(sign, fontOf("read", 40)));
    }
  });
});

describe("the colours of films", () => {
  const css = readFileSync(new URL("../../ui/theme/tokens.css", import.meta.url), "utf8");

  for (const [name, { light, dark }] of Object.entries(tokens))
    it(`${name} is the interface's`, () => {
      const [, of] = new RegExp(`--${name}: light-dark\\((.+)\\);`, "u").exec(css) ?? [];
      const written = (of?.match(/[\d.]+(?=[% )])/gu) ?? []).map(Number);
      const token = ([lightness, ...rest]: readonly number[]) => [Math.round((lightness ?? 0) * 1000) / 10, ...rest];
      expect([...token(light), ...token(dark)]).to.deep.equal(written);
    });

  it("reckons colours as browsers do", () => {
    // Chromium's own answer for the accent of the light theme.
    expect(colourOf("raised", "light")).to.equal("rgb(255,255,255)");
    expect(colourOf("accent", "light")).to.match(/^rgb\(0,10\d,1[01]\d\)$/u);
    expect(contrastOf("ink", "paper")).to.be.above(12);
  });
});
