import { loweredSigns, raisedSigns } from "@colloquy/schemas/text/superscripts.ts";
import { tokensOf } from "./formulas.ts";
import { type Lexicon, letterOf } from "./lexicon/lexicon.ts";

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** What of a formula its spoken form leaves out or changes: signs, letters, numbers, a minus, a negation. Empty where it is whole. Pure. */
export function silentSigns(formula: string, spoken: string, lexicon: Lexicon): string[] {
  const { signs, minus, negation, squared, cubed, half, brackets, applied } = lexicon;
  // An exponent is a number of its own.
  const plain = formula.replace(shifted, (run) => ` ${[...run].map((sign) => shiftedBack[sign] ?? sign).join("")}`);
  const tokens =
    tokensOf(plain.replace(/½/g, "1/2").replace(/⅓/g, "1/3").replace(/⅔/g, "2/3").replace(/¼/g, "1/4").replace(/¾/g, "3/4")) ?? [];
  const low = spoken.toLowerCase();
  const silent: string[] = [];
  const minuses = tokens.filter((sign) => sign === "−" || sign === "±").length;
  if (count(spoken, minus) !== minuses) silent.push("−");
  const negations = tokens.filter((sign) => /[¬≠∉≢]/u.test(sign)).length;
  if (count(spoken, negation) !== negations) silent.push("¬");
  // Only those about what a function is applied to need no words.
  const groups = tokens.filter((sign) => sign === "(").length;
  if (groups > low.split(brackets["("]?.toLowerCase() ?? "(").length - 1 + count(low, applied)) silent.push("(");
  const numbers = tokens.filter((sign) => /^\d/.test(sign));
  const heard: string[] = spoken.match(/\d+(?:[.,]\d+)?/g) ?? [];
  const inWords = { "2": count(spoken, squared), "3": count(spoken, cubed) };
  const missing: string[] = [];
  for (const number of numbers) {
    const at = heard.indexOf(number);
    if (at >= 0) heard.splice(at, 1);
    else if ((number === "2" || number === "3") && inWords[number] > 0) inWords[number] -= 1;
    else missing.push(number);
  }
  // A simple fraction is said in words: one half.
  if (missing.length > 2 * count(spoken, half)) silent.push(...missing);
  if (heard.length > 0) silent.push(...heard);
  for (const sign of new Set(tokens)) {
    const said = signs[sign];
    if (said && !said.some((words) => low.includes(words.toLowerCase()))) silent.push(sign);
    if (said || !/^\p{L}/u.test(sign)) continue;
    const wanted = tokens.filter((other) => other === sign).length;
    const letter = letterOf(sign.normalize("NFD").charAt(0), lexicon);
    const known = new RegExp(`(?<!\\p{L})(?:${letter}|${letter === "lambda" ? "lamda" : letter})(?!\\p{L})`, "giu");
    const isName = sign.length > 1 && /^[a-z]+$/.test(sign);
    if (!isName && count(spoken, known) < wanted && !/transpos|transpon/.test(low)) silent.push(sign);
  }
  return [...new Set(silent)];
}

const shiftedBack: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.entries(raisedSigns), ...Object.entries(loweredSigns)].map(([sign, shifted]) => [shifted, sign === "-" ? "−" : sign]),
);
const shifted = new RegExp(`[${Object.keys(shiftedBack).join("")}]+`, "gu");
