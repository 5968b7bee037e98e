import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sre from "speech-rule-engine";
import { levelOf, mathMl, piecesOf, tokensOf } from "./formulas.ts";
import { type Lexicon, letterName, lexicons } from "./lexicon.ts";
import { silentSigns } from "./silent-signs.ts";

const rules = join(dirname(createRequire(import.meta.url).resolve("speech-rule-engine/package.json")), "lib", "mathmaps");
/** The engine's settings hold for the whole process: one language after the other. */
let queue: Promise<unknown> = Promise.resolve();

async function sayFormulas(formulas: readonly string[], language: string): Promise<string[]> {
  const [domain, style] = language === "en" ? ["clearspeak", "Fraction_Over"] : ["mathspeak", "brief"];
  await sre.setupEngine({ locale: language, domain, style, modality: "speech", markup: "none", json: rules });
  await sre.engineReady();
  return formulas.map((formula) => sre.toSpeech(mathMl(formula)));
}

/** A formula sign by sign, where the rules leave one out. */
function signBySign(formula: string, lexicon: Lexicon): string {
  const { signs, power } = lexicon;
  const [open, close] = lexicon.brackets;
  const own: Readonly<Record<string, string>> = { "(": open, ")": close };
  return (tokensOf(formula) ?? [])
    .map((sign) => {
      const level = levelOf(sign);
      if (level) return level.raised ? `${power} ${signBySign(level.text, lexicon)}` : level.text;
      return signs[sign]?.[0] ?? own[sign] ?? letterName(sign);
    })
    .join(" ");
}

/**
 * A narration as it is spoken: formulas in words by MathJax's speech rules, options and pipes of a shell by name. Captions keep the signs.
 * A formula whose words would leave out or change a sign is read sign by sign. Languages without a lexicon are spoken as they stand.
 */
export async function spokenText(text: string, language: string): Promise<string> {
  const locale = language.toLowerCase().split("-")[0] ?? "";
  const lexicon = lexicons[locale];
  if (!lexicon) return text;
  const pieces = piecesOf(text);
  const formulas = pieces.flatMap((piece) => (piece.kind === "formula" ? piece.text : []));
  const turn = queue.then(() => (formulas.length > 0 ? sayFormulas(formulas, locale) : []));
  queue = turn.catch(() => undefined);
  const said = await turn;
  let next = 0;
  const spoken = pieces.map((piece) => {
    if (piece.kind === "words") return spokenWords(piece.text, lexicon);
    const words = plainly(said[next++] ?? "", piece.text, lexicon);
    return asSounds(silentSigns(piece.text, words, lexicon).length > 0 ? signBySign(piece.text, lexicon) : words, lexicon);
  });
  return spoken.join("").replace(/[ \t]+/g, " ");
}

function plainly(said: string, formula: string, { plainer, by }: Lexicon): string {
  const words = plainer.reduce((text, [from, to]) => text.replace(from, to), said);
  return /^\d+ × \d+$/u.test(formula) ? words.replace(/\b(?:times|mal)\b/, by) : words;
}

const asSounds = (words: string, { letters }: Lexicon): string =>
  words.replace(/(?<!\p{L})(?!a (?:member|subset|superset|element))\p{L}(?!\p{L})/gu, (letter) =>
    Object.hasOwn(letters, letter) ? (letters[letter] ?? letter) : letter,
  );

/** Words of a sentence: a capital letter that is no article, and what belongs to a shell. */
function spokenWords(text: string, lexicon: Lexicon): string {
  const { dash, pipe, redirect, append } = lexicon;
  return text
    .replace(/(?<=[\p{Ll},] )A(?=[\s,.;:!?’'])/gu, (letter) => asSounds(letter, lexicon))
    .replace(/(?<=^|\s)--?(?=\p{L})/gu, `${dash} `)
    .replace(/ \| /g, ` ${pipe} `)
    .replace(/ >> /g, ` ${append} `)
    .replace(/ > /g, ` ${redirect} `);
}
