/** Names that make CSS load something: functions, and rules after `@`. */
const functionNames = ["url", "src", "image", "image-set", "cross-fade", "element"];
const ruleNames = ["import", "font-face"];

/** A zero-width space makes a word of CSS harmless and does not show in a label. */
const zeroWidth = "\u200b";

/**
 * A letter as itself or as an escape of CSS, JSON or YAML (`u`, `\u`, `\75 `, `\000055`, `\x75`, `\u0075`). Parsers may take some of the
 * backslashes away first.
 */
function anySpelling(letter: string): string {
  const codes = [letter.toLowerCase(), letter.toUpperCase()].map((one) => one.charCodeAt(0).toString(16));
  const asItself = /[a-f]/.test(letter) ? letter : `\\\\{0,4}${letter}`;
  return `(?:${asItself}|\\\\{1,4}[xu]?0{0,6}(?:${codes.join("|")})[ \\t\\n\\f]?)`;
}

const spellings = (names: readonly string[]): string => names.map((name) => [...name].map(anySpelling).join("")).join("|");

/** The name begins a word, or is escaped: `curl(` loads nothing. */
const calls = new RegExp(`(\\b(?:${spellings(functionNames)})|(?=\\\\)(?:${spellings(functionNames)}))\\((?=([^()]*))`, "gi");
const rules = new RegExp(`@(?=${spellings(ruleNames)})`, "gi");

/** Text in which CSS loads nothing, however its functions are spelled, except for calls that `stays` lets stand. */
export function withoutLoading(text: string, stays: (name: string, argument: string) => boolean): string {
  return text
    .replace(calls, (whole, name: string, argument: string) => (stays(name, argument) ? whole : `${name}${zeroWidth}(`))
    .replace(rules, `@${zeroWidth}`);
}

/** Whether a call names a part of the same drawing, as `url(#arrow)` does. */
export const isOwnPart = (name: string, argument: string): boolean =>
  /^url$/i.test(name) && /^\s*(["']|&quot;|)#[^"'\\&]*\1\s*$/.test(argument);
