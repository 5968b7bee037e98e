import { demonstrationFilms } from "@colloquy/infra/demo/films.ts";
import { expect } from "chai";
import { caseSets, isSaid, type SpokenCase, spokenCases } from "./cases/cases.ts";
import { lexicons } from "./lexicon/lexicons.ts";
import { spokenText } from "./spoken-text.ts";

/** Signs that a voice leaves out or only pauses at. */
const silentlyRead = /[^\p{L}\p{M}\p{N}\s.,;:!?،؛؟'"“”„’‘()…–-]/u;
const raised: Readonly<Record<string, RegExp>> = {
  en: /\b(?:squared|square|cubed|cubic)\b/g,
  de: /Quadrat|Kubik/g,
  ar: /تربيع|تكعيب|مربع|مكعب/g,
};
const fractions = /[½⅓⅔¼¾]|\d\/\d/u;

const numbersIn = (text: string): string[] =>
  (text.replace(/[⁰¹²³⁴-⁹₀-₉]+/gu, (run) => ` ${run.normalize("NFKC")}`).match(/\d+(?:[.,]\d+)*/g) ?? []).toSorted();

/** The numbers that are shown and not said, or said and not shown; squares and cubes are words. */
function otherNumbers(shown: string, spoken: string, language: string): string[] {
  const [wanted, heard] = [numbersIn(shown), numbersIn(spoken)];
  let powers = spoken.match(raised[language] ?? /(?!)/g)?.length ?? 0;
  const missing = wanted.filter((number) => {
    const at = heard.indexOf(number);
    if (at >= 0) heard.splice(at, 1);
    else if (/^[23]$/.test(number) && powers > 0) powers -= 1;
    else return true;
    return false;
  });
  return [...missing, ...heard];
}

const all = caseSets.flatMap((set) => spokenCases(set).map((one) => ({ ...one, set })));

describe("how texts of courses are said", () => {
  it("is written down for 300 of them, 100 from courses nobody here wrote, a third held out", () => {
    expect(all.length).to.be.at.least(300);
    const real = all.filter(({ from }) => from !== "other");
    expect(real.length).to.be.at.least(100);
    for (const cases of [all, real]) expect(cases.filter(({ set }) => set === "held-out").length * 3.1).to.be.above(cases.length);
  });

  for (const set of caseSets)
    for (const [name, cases] of Map.groupBy(spokenCases(set), ({ language, from }) => `${language}, ${from}`))
      it(`is what a teacher would say (${set}: ${name}, ${cases.length})`, async () => {
        const wrong: string[] = [];
        for (const one of cases) {
          const spoken = await spokenText(one.shown, one.language);
          if (!isSaid(one, spoken)) wrong.push(`${one.shown}: ${spoken}`);
        }
        expect(wrong).to.deep.equal([]);
      });

  it("leaves no sign silent and changes no number", async () => {
    const narrations = (await demonstrationFilms()).flatMap(({ scenes }) => scenes.map(({ narration }) => narration));
    for (const { shown, language } of [...all, ...narrations.map((shown) => ({ shown, language: "en" }))]) {
      const spoken = await spokenText(shown, language);
      expect(silentlyRead.exec(spoken), `${shown}: ${spoken}`).to.equal(null);
      if (!fractions.test(shown) && !shown.includes("2>&1"))
        expect(otherNumbers(shown, spoken, language), `${shown}: ${spoken}`).to.deep.equal([]);
    }
  });

  for (const language of ["en", "de", "ar"])
    it(`has a word for every sign between two names, wherever it stands (${language})`, async () => {
      for (const sign of [
        "=",
        "+",
        "*",
        "<",
        ">",
        "|",
        "&",
        "^",
        "%",
        "$",
        "#",
        "@",
        "~",
        "\\",
        "_",
        "≤",
        "⊢",
        "∅",
        "λ",
        "→",
        "⟨b⟩",
        "&&",
        ">>",
        ":=",
      ])
        for (const text of [`size ${sign} width`, `size${sign} width`, `size ${sign}width`, `cat ${sign} a.txt`]) {
          const spoken = await spokenText(text, language);
          expect(/[^\p{L}\p{N}\s,]|\p{Script=Greek}/u.exec(spoken.replace(/\.(?=txt)/, "")), `${text}: ${spoken}`).to.equal(null);
          expect(spoken.split(" ").length, spoken).to.be.above(text.replace(sign, " ").trim().split(/\s+/).length);
        }
    });

  it("is compared word by word", () => {
    const of = (said: string): SpokenCase => ({ language: "en", from: "other", shown: "", said });
    expect(isSaid(of("x times/ ( y"), "X, open paren y.")).to.equal(true);
    expect(isSaid(of("x times/ ( y"), "x times y")).to.equal(false);
    expect(isSaid(of("x minus 1"), "x 1")).to.equal(false);
    expect(isSaid(of("x minus 1"), "x minus 1 more")).to.equal(false);
    expect(Object.keys(lexicons)).to.include.members(["en", "de", "ar"]);
  });
});
