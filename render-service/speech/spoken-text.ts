import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sre from "speech-rule-engine";
import { levelOf, mathMl, piecesOf, tokensOf } from "./formulas.ts";
import { type Lexicon, letterOf } from "./lexicon/lexicon.ts";
import { lexicons } from "./lexicon/lexicons.ts";
import { withPauses } from "./pauses.ts";
import { type Said, SpokenParts } from "./segments.ts";
import { commandsIn, saySigns } from "./signs.ts";
import { silentSigns } from "./silent-signs.ts";
import { sayUnits } from "./units.ts";

const rules = join(dirname(createRequire(import.meta.url).resolve("speech-rule-engine/package.json")), "lib", "mathmaps");
/** The engine's settings hold for the whole process: one language after the other. */
let queue: Promise<unknown> = Promise.resolve();

/** Languages that the speech rules have. */
const ruled = new Set(["en", "de"]);

async function sayFormulas(formulas: readonly string[], language: string): Promise<string[]> {
  const [domain, style] = language === "en" ? ["clearspeak", "Fraction_Over"] : ["mathspeak", "brief"];
  await sre.setupEngine({ locale: language, domain, style, modality: "speech", markup: "none", json: rules });
  await sre.engineReady();
  return formulas.map((formula) => sre.toSpeech(mathMl(formula)));
}

/** A formula sign by sign, where the rules leave one out. */
function signBySign(formula: string, lexicon: Lexicon): string {
  const { signs, power, brackets } = lexicon;
  return (tokensOf(formula) ?? [])
    .map((sign) => {
      const level = levelOf(sign);
      if (level) return level.raised ? (lexicon.raised[level.text] ?? `${power} ${signBySign(level.text, lexicon)}`) : level.text;
      return signs[sign]?.[0] ?? brackets[sign] ?? letterOf(sign, lexicon);
    })
    .join(" ");
}

/**
 * A narration as it is spoken: formulas in words by MathJax's speech rules, commands, code, signs and units by a lexicon. Captions keep
 * the signs. A formula whose words would leave out or change a sign is read sign by sign. Languages without a lexicon are spoken as they
 * stand.
 */
export async function spokenText(text: string, language: string): Promise<string> {
  return (await spoken(text, language)).text;
}

/** A spoken text, and the parts of the shown one with their words, in their order. */
export async function spoken(text: string, language: string): Promise<{ text: string; parts: readonly Said[] }> {
  const locale = language.toLowerCase().split("-")[0] ?? "";
  const lexicon = lexicons[locale];
  if (!lexicon) return { text, parts: [{ at: 0, end: text.length, words: text }] };
  const parts = await partsOf(text, locale, lexicon);
  const words = parts.map((part) => part.words).join("");
  return { text: withPauses(words.replace(/[ \t]+/g, " ").replace(/ (?=[,.;:!?])/g, ""), lexicon), parts };
}

async function partsOf(text: string, locale: string, lexicon: Lexicon): Promise<Said[]> {
  const parts = new SpokenParts(text);
  const marked = [...text.matchAll(/`([^`\n]+)`/g)].map(({ 0: code, index }) => ({ at: index + 1, end: index + code.length - 1 }));
  for (const { at, end } of marked) {
    parts.say(at - 1, at, "");
    parts.say(end, end + 1, "");
  }
  const commands = commandsIn(parts.rest);
  sayUnits(parts, lexicon);
  const hidden = commands.reduce((rest, { at, end }) => rest.slice(0, at) + "\ue000".repeat(end - at) + rest.slice(end), parts.rest);
  let at = 0;
  const formulas = piecesOf(hidden).flatMap((piece) => {
    const from = at;
    at += piece.text.length;
    return piece.kind === "formula" ? { at: from, text: piece.text } : [];
  });
  const said = await inTurn(
    formulas.map((formula) => formula.text),
    locale,
    lexicon,
  );
  for (const [index, formula] of formulas.entries()) {
    const words = plainly(said[index] ?? "", formula.text, lexicon);
    const whole = silentSigns(formula.text, words, lexicon).length > 0 ? signBySign(formula.text, lexicon) : words;
    parts.say(formula.at, formula.at + formula.text.length, asSounds(whole, lexicon));
  }
  saySigns(parts, lexicon, { commands, marked });
  // A capital letter that is no article.
  parts.sayAll(/(?<=[\p{Ll},] )A(?=[\s,.;:!?’'])/gu, ([letter]) => asSounds(letter, lexicon));
  return parts.all();
}

/** What the rules say of formulas, one language after the other. */
function inTurn(formulas: readonly string[], locale: string, lexicon: Lexicon): Promise<readonly string[]> {
  if (!ruled.has(locale)) return Promise.resolve(formulas.map((formula) => signBySign(formula, lexicon)));
  const turn = queue.then(() => (formulas.length > 0 ? sayFormulas(formulas, locale) : []));
  queue = turn.catch(() => undefined);
  return turn;
}

function plainly(said: string, formula: string, { plainer, by }: Lexicon): string {
  const words = plainer.reduce((text, [from, to]) => text.replace(from, to), said);
  if (/^\d+ × \d+$/u.test(formula)) return words.replace(/\b(?:times|mal)\b/, by);
  // What stands before a bracket may be a function of it as well as a factor.
  return /[×·*]/u.test(formula) ? words : words.replace(/ times (?=open paren)/g, " ");
}

const asSounds = (words: string, { letters }: Lexicon): string =>
  words.replace(/(?<!\p{L})(?!a (?:member|subset|superset|element))\p{L}(?!\p{L})/gu, (letter) =>
    Object.hasOwn(letters, letter) ? (letters[letter] ?? letter) : letter,
  );
