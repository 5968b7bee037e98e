import type { Emphasis, Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { emphasisFindings } from "./emphasis.ts";

const scene = (layout: Scene["layout"], narration = "Words are said.", quote = "words"): Scene =>
  ({
    sceneId: `scene-${layout}`,
    layout,
    narration,
    quotes: [{ sourceId: "s", quote }],
    sourceIds: ["s"],
    seconds: 5,
    content: {},
  }) as never;
const film = (...between: Scene[]): Scene[] => [scene("title"), ...between, scene("question")];
const found = (scenes: Scene[], emphasis: Emphasis, language = "en", passage: object = {}) =>
  emphasisFindings(scenes, emphasis, { language, passages: [{ sourceId: "s", text: "words", ...passage }] });
const details = (...of: Parameters<typeof found>): string[] => found(...of).map(({ detail }) => detail);

describe("the emphasis of a video", () => {
  it("is no intuition where a formula comes before any picture", () => {
    const both = found(film(scene("points"), scene("formula"), scene("plane")), "intuition");
    expect(both).to.have.length(1);
    expect(both[0]).to.include({ sceneId: "scene-formula", problem: "off_topic" });
  });

  it("is an intuition where a picture comes first, or no formula at all", () => {
    expect(details(film(scene("plane"), scene("derive")), "intuition", "en")).to.deep.equal([]);
    expect(details(film(scene("points"), scene("compare")), "intuition", "en")).to.deep.equal([]);
  });

  it("is no intuition without any picture", () => {
    expect(details(film(scene("points"), scene("code"), scene("points")), "intuition").join()).to.match(/no scene has one/);
  });

  it("is no worked example where nothing is worked through", () => {
    expect(details(film(scene("points"), scene("compare")), "worked-example", "en")).to.have.length(1);
    expect(details(film(scene("points"), scene("code")), "worked-example", "en")).to.deep.equal([]);
  });

  for (const [language, warning, other] of [
    ["en", "Avoid rereading: it teaches little.", "Rereading is not writing, but only reading."],
    ["de-AT", "Ein Irrtum: Wer liest, lernt.", "Lesen ist nicht Schreiben."],
    ["ar", "تجنب حذف الملف.", "احفظ الملف."],
  ] as const)
    it(`shows a mistake where a scene quotes a warning, or speaks of what the page marks as one (${language})`, () => {
      expect(details(film(scene("points", "Words are said.", warning)), "common-mistakes", language)).to.deep.equal([]);
      const said = film(scene("points", warning));
      expect(details(said, "common-mistakes", language, { role: "callout" })).to.deep.equal([]);
      expect(details(said, "common-mistakes", language, { heading: warning })).to.deep.equal([]);
      expect(details(said, "common-mistakes", language), "only the teacher warns").to.have.length(1);
      expect(details(film(scene("points", other, other)), "common-mistakes", language, { role: "callout" })).to.have.length(1);
    });

  it("is no recap before an examination where nothing that must be known is said", () => {
    expect(details(film(scene("code"), scene("points")), "exam-recap").join()).to.match(/No scene gathers up/);
    expect(details(film(scene("code"), scene("recap")), "exam-recap")).to.deep.equal([]);
    expect(details(film(scene("plane"), scene("formula")), "exam-recap")).to.deep.equal([]);
    expect(details(film(scene("code"), scene("points")), "exam-recap", "en", { role: "key-points" })).to.deep.equal([]);
  });

  it("takes a warning that a scene quotes", () => {
    expect(details(film(scene("code", "Look here.", "never do this")), "common-mistakes", "en")).to.deep.equal([]);
  });

  it("leaves mistakes in other languages to the reviewer", () => {
    expect(details(film(scene("points", "Otsikko.")), "common-mistakes", "fi")).to.deep.equal([]);
  });
});
