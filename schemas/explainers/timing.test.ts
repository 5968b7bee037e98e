import { expect } from "chai";
import fc from "fast-check";
import { filmBounds } from "../film-bounds.ts";
import {
  filmSeconds,
  type Speech,
  saidWords,
  sceneSeconds,
  screenSeconds,
  silentSpeech,
  spokenScenes,
  type Timed,
  unreadSeconds,
} from "./timing.ts";

const words = (count: number): string => `${Array.from({ length: count }, () => "word").join(" ")}.`;
const code = (text: string, narration = words(10)): Timed => ({
  layout: "code",
  narration,
  content: { heading: "Code", language: "", code: text, steps: [{ from: 1, to: 1, label: "" }] },
});
const title: Timed = { layout: "title", narration: words(10), content: { heading: "Pipes", subtitle: "" } };

describe("when words are said", () => {
  const narration = "One two. Three four.";
  const times = (speech: Speech) => saidWords(narration, speech).map(({ text, ms }) => [text, Math.round(ms)]);

  it("is even by their length where nothing is known", () => {
    expect(times({ from: 100, to: 2_200 })).to.deep.equal([
      ["One", 100],
      ["two", 557],
      ["Three", 1_013],
      ["four", 1_652],
    ]);
  });

  it("is between the places whose time the voice told", () => {
    const places = [
      { at: 0, ms: 100 },
      { at: 8, ms: 1_000 },
      { at: 9, ms: 2_000 },
    ];
    expect(times({ from: 100, to: 3_300, places })).to.deep.equal([
      ["One", 100],
      ["two", 550],
      ["Three", 2_000],
      ["four", 2_700],
    ]);
  });
});

describe("how long a scene takes", () => {
  it("is what its words take and a hold, where little is to be read", () => {
    expect(sceneSeconds(title)).to.equal(5.5);
    expect(sceneSeconds({ ...title, narration: "Two words." })).to.equal(filmBounds.timing.sceneSecondsLeast);
  });

  it("grows with the signs of code and the cells of a comparison: 238 words a minute, five signs a word", () => {
    // 238 words of five signs, with the heading's four and the code's.
    expect(screenSeconds(code("x".repeat(238 * 5 - 4)))).to.be.closeTo(60, 1e-9);
    expect(sceneSeconds(code("x".repeat(200)))).to.equal(12.8);
    expect(screenSeconds(code(`a\n${" ".repeat(80)}b`))).to.equal(screenSeconds(code("a b")));
    const side = (cells: number) => ({ title: "Side", points: Array.from({ length: cells }, () => "some twenty signs in") });
    const compare = (cells: number): Timed => ({
      layout: "compare",
      narration: words(10),
      content: { heading: "Both", left: side(cells), right: side(cells) },
    });
    expect(sceneSeconds(compare(4)) - sceneSeconds(compare(3))).to.be.closeTo((40 / 5 / 238) * 60, 0.11);
  });

  it("counts a command of TeX as one sign", () => {
    const formula = (tex: string): Timed => ({
      layout: "formula",
      narration: "So.",
      content: { heading: "F", terms: [{ tex, label: "" }] },
    });
    expect(screenSeconds(formula("\\frac{a}{b}"))).to.equal(screenSeconds(formula("xab")));
  });

  it("gives the closing question at most 17 signs a second, whatever is said over it", () => {
    const question = (signs: number, narration = "Which?"): Timed => ({
      layout: "question",
      narration,
      content: { question: "x".repeat(signs), choices: ["x".repeat(40), "x".repeat(40)] },
    });
    for (const signs of [20, 90, 200]) {
      const one = question(signs);
      expect(sceneSeconds(one)).to.be.at.least((signs + 80) / 17);
      const [spoken] = spokenScenes([one], [1]);
      expect(spoken?.seconds).to.be.at.least((signs + 80) / 17);
      expect(unreadSeconds(one)).to.equal(0);
    }
    expect(sceneSeconds(question(10, words(30))), "its words are said whole").to.equal(15);
  });

  it("leaves what comes last in a silent film the time it takes to read it", () => {
    const { from, to } = silentSpeech(code("x".repeat(200)), 12_800);
    expect(from).to.equal(250);
    expect(12_800 - to).to.be.within(2_500, 2_600);
    expect(silentSpeech(title, 5_500)).to.deep.equal({ from: 250, to: 4_000 });
  });

  it("is told where more is shown than can be read in a film that is heard", () => {
    expect(unreadSeconds(code("x".repeat(100)))).to.equal(0);
    expect(unreadSeconds(code("x".repeat(400)))).to.be.greaterThan(10);
    expect(unreadSeconds(code("x".repeat(400), words(60)))).to.equal(0);
  });

  it("in a film that is heard is enough for its picture, whenever the scenes beside it are light", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 40 }), (signs, count) => {
        const scene = code("x".repeat(signs), words(count));
        fc.pre(unreadSeconds(scene) === 0);
        const [, spoken] = spokenScenes([title, scene, title], [6, (count / 150) * 60, 6]);
        expect((spoken?.seconds ?? 0) + 0.25).to.be.at.least(screenSeconds(scene));
      }),
    );
  });

  it("adds up", () => {
    expect(filmSeconds([title, title, title])).to.equal(16.5);
  });
});
