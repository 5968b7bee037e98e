import { seen } from "@colloquy/schemas/text/strip-invisible.ts";
import { isLight, isPronoun, isWhole, negations, quantityOf } from "./words.ts";

/** A word, number or sign of a sentence. */
export interface Token {
  text: string;
  kind: "negation" | "quantity" | "number" | "content" | "light" | "symbol";
  /** A comma, bracket, dash or the like precedes it. */
  opens: boolean;
  /** Its weight when two sentences are aligned. */
  weight: number;
}

const sentenceEnd = /[.!?…。！？؟]+["'”’»)\]]*(?=\s|$)/gu;
const abbreviated = /(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|bzw|z\. ?B|d\. ?h|ca|Fig|Eq|No|Dr|Nr|Abb))\.$/u;

/**
 * The sentences of a passage, as they stand there. Each line is a paragraph, an entry of a list or a line of code of its own; formulas are
 * not cut.
 */
export function sentencesOf(text: string): string[] {
  return seen(text)
    .split("\n")
    .flatMap((line) => {
      const masked = line.replace(/\$[^$]+\$|\\\(.+?\\\)|`[^`]+`/g, (span) => "x".repeat(span.length));
      const found: string[] = [];
      let from = 0;
      for (const match of masked.matchAll(sentenceEnd)) {
        const end = match.index + match[0].length;
        const next = /^\s+(\S)/u.exec(masked.slice(end))?.[1];
        // A lower-case letter continues the sentence, unless it begins the name of code after a complete word.
        const goesOn =
          next !== undefined &&
          /[\p{Ll},;]/u.test(next) &&
          !/^\s+x/.test(masked.slice(end)) &&
          !/\p{L}{3}[.!?]$/u.test(line.slice(from, end));
        if (goesOn || abbreviated.test(masked.slice(from, end))) continue;
        found.push(line.slice(from, end));
        from = end;
      }
      found.push(line.slice(from));
      return found.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
    });
}

const pairs = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split("=") as [string, string]),
  );
const numberWords = pairs(`
  zero=0 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90
  hundred=100 thousand=1000 twice=2 thrice=3
  null=0 zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwölf=12 zwanzig=20 dreißig=30 vierzig=40 fünfzig=50 sechzig=60 siebzig=70 achtzig=80 neunzig=90
  hundert=100 tausend=1000 zweimal=2
  صفر=0 اثنان=2 اثنين=2 ثلاثة=3 ثلاث=3 أربعة=4 أربع=4 خمسة=5 خمس=5 ستة=6 سبعة=7 ثمانية=8 تسعة=9 عشرة=10 عشرون=20 عشرين=20 ثلاثون=30 ثلاثين=30 أربعون=40 أربعين=40 خمسون=50 خمسين=50 مئة=100 مائة=100 ألف=1000
`);

const formula = /\$\$?([^$]+)\$\$?|\\\((.+?)\\\)|\\\[([\s\S]+?)\\\]/g;
const greek = pairs(`
  alpha=α beta=β gamma=γ delta=δ epsilon=ε theta=θ kappa=κ lambda=λ mu=μ pi=π rho=ρ sigma=σ tau=τ phi=φ omega=ω Sigma=Σ Lambda=Λ Delta=Δ
`);
const named = /^(?:det|ker|dim|sin|cos|tan|log|ln|exp|max|min|lim|im)$/;
/** TeX without commands that only change its look. */
const bareTex = (tex: string): string =>
  tex
    .replace(/\\(?:begin|end)\{[^}]*\}/g, " ")
    // A half is often set without brackets.
    .replace(/\\[dt]?frac\s*(\d)(\d)/g, " $1 $2 ")
    .replace(/\\([a-zA-Z]+)/g, (_, name: string) => ` ${greek.get(name) ?? (named.test(name) ? name : "")} `);

/** A sentence as tokens; what is between dollars or in TeX's brackets are signs of a formula. */
export function tokensOf(sentence: string): Token[] {
  const plain = seen(sentence)
    .replaceAll("−", "-")
    .replace(/[\u00bc-\u00be\u2150-\u215e]/gu, (sign) => ` ${sign.normalize("NFKC").replace("\u2044", " ")} `);
  const tokens: Token[] = [];
  let from = 0;
  for (const match of plain.matchAll(formula)) {
    tokens.push(...wordsIn(plain.slice(from, match.index), false));
    tokens.push(...wordsIn(bareTex(match[1] ?? match[2] ?? match[3] ?? ""), true));
    from = match.index + match[0].length;
  }
  tokens.push(...wordsIn(plain.slice(from), false));
  return tokens;
}

const unit = /([\p{N}]+(?:[.,]\p{N}+)*)|(\p{L}[\p{L}\p{M}\p{No}]*(?:[’'](?:s|re|ve|ll|d|m|t)\b)?)|([,;:()[\]{}—–…/"“”„«»]|\s-\s)/gu;
/** Letters that are raised, lowered or have a hat, words with capitals within, and what is shorter than three, are signs of a formula. */
const isSigns = (word: string): boolean =>
  /[\p{M}\p{No}\p{Lm}](?![\u064b-\u0652])|\p{Ll}\p{Lu}|^\p{L}{1,2}$/u.test(word.normalize("NFC")) && !/\p{Script=Arabic}/u.test(word);

function wordsIn(text: string, isFormula: boolean): Token[] {
  const tokens: Token[] = [];
  let opens = false;
  for (const [, number, word, mark] of text.matchAll(unit)) {
    if (mark !== undefined) opens = !isFormula;
    else {
      const made =
        number === undefined
          ? ofWord(word ?? "", isFormula)
          : [{ kind: "number" as const, text: number.normalize("NFKC").replace(",", "."), weight: 3 }];
      for (const one of made) {
        tokens.push({ ...one, opens });
        opens = false;
      }
    }
  }
  return tokens;
}

function ofWord(raw: string, isFormula: boolean): Omit<Token, "opens">[] {
  const word = raw.toLowerCase().replaceAll("’", "'");
  // "isn't", "can't"
  if (/n't$/.test(word) || word === "cannot")
    return [
      ...ofWord(word === "cannot" || word === "can't" ? "can" : word === "won't" ? "will" : word.slice(0, -3), false),
      { kind: "negation", text: "not", weight: 3 },
    ];
  const text = arabicBare(word.replace(/'(?:s|re|ve|ll|d|m)$/, "").replace(/[\u064b-\u0652]/g, ""));
  const isName = isFormula && !named.test(raw);
  if (!isName) {
    const number = numberWords.get(text);
    if (number !== undefined) return [{ kind: "number", text: number, weight: 3 }];
    // A narration spells out the signs of formulas.
    const letter = greek.get(text);
    if (letter !== undefined) return [{ kind: "symbol", text: letter, weight: 1.5 }];
    if (negations.has(text)) return [{ kind: "negation", text, weight: 3 }];
    if (quantityOf(text)) return [{ kind: "quantity", text, weight: 2.5 }];
    if (isLight(text) || isPronoun(text)) return [{ kind: "light", text, weight: 0.6 }];
  }
  if (isName || isSigns(raw))
    return [...raw.normalize("NFKD").replace(/\p{M}/gu, "")].map((sign) => ({
      kind: /\p{N}/u.test(sign) ? ("number" as const) : ("symbol" as const),
      text: sign,
      weight: 1.5,
    }));
  return [{ kind: "content", text, weight: 3 }];
}

/** Arabic "and" and "so" are written onto the word that follows. */
const arabicBare = (word: string): string =>
  /^[وف]/u.test(word) && [word.slice(1)].some((rest) => negations.has(rest) || quantityOf(rest) !== null || isLight(rest))
    ? word.slice(1)
    : word;

const endings = /^(?:s|es|ed|d|ing|ly|e|er|en|n|em|t|st|te|ten|ung|ungen|ies|y|ied|al|ally|ة|ات|ان|ين|ون|ها|ه|هم)?$/u;

const article = /^(?:وال|فال|بال|كال|لل|ال)(?=\p{L}{2})/u;
/** The first letters, which forms of a word share. */
export const stemOf = (word: string): string => word.replace(article, "").slice(0, 3);

/** Whether two words are forms of one: equal except for an ending, the Arabic article and doubled letters. */
function sameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [one, other].map((word) => word.replace(article, ""));
  if (a === undefined || b === undefined || a === b) return a !== undefined && a === b;
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared += 1;
  if (shared < 3 || (shared < 4 && Math.max(a.length, b.length) > shared + 2)) return false;
  const rest = (word: string): string => {
    const tail = word.slice(shared);
    // "mapping" and "map", "running" and "run"
    return tail.length > 1 && tail[0] === word[shared - 1] ? tail.slice(1) : tail;
  };
  return endings.test(rest(a)) && endings.test(rest(b));
}

export const isSameToken = (one: Token, other: Token): boolean =>
  one.kind === "number" || other.kind === "number"
    ? one.kind === other.kind && one.text === other.text
    : one.kind === "symbol" || other.kind === "symbol"
      ? one.text.toLowerCase() === other.text.toLowerCase()
      : one.kind === "negation" && other.kind === "negation"
        ? true
        : (isWhole(one.text) && isWhole(other.text)) || sameWord(one.text, other.text);
