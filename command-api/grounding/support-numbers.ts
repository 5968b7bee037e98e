/** Numbers, and literals that learners type: options, variables, signs, keys. */

const units = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(" ");
const numberOf = new Map([
  ...units.map((word, value) => [word, String(value)] as const),
  ...["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"].map(
    (word, at) => [word, String(20 + 10 * at)] as const,
  ),
  ["hundred", "100"] as const,
  ["thousand", "1000"] as const,
  ["million", "1000000"] as const,
  ["half", "1/2"] as const,
  ["quarter", "1/4"] as const,
  ["fifth", "1/5"] as const,
  ["tenth", "1/10"] as const,
]);
/** Words for smaller numbers are more often pronouns and articles ("one of them", "the two"). */
const leastNumberWord = 3;

/** The numbers of a text as digits, those in words included. */
export function numbersOf(text: string): string[] {
  const digits = [...text.matchAll(/\d+(?:[.,]\d+)*/g)].map(([number]) => number.replace(/,(?=\d{3}\b)/g, "").replace(",", "."));
  const inWords = [...text.toLowerCase().matchAll(/\p{L}+/gu)].flatMap(([word]) => numberOf.get(word) ?? []);
  return [...digits, ...inWords];
}

/** The numbers that a claim states: without the number of a list item and counts of what the answer itself lists. */
export function numbersClaimedIn(claim: string): string[] {
  const text = claim.replace(/^\s*\d+[.)]\s+/, "").replace(listed, " ");
  return numbersOf(text.replace(/\p{L}+/gu, (word) => (isSmall(word) ? " " : word)));
}

const listed =
  /\b(?:there are|these|the following|in)\s+(?:three|four|five|six)\s+(?:\w+\s+)?(?:ways|steps|things|reasons|parts|kinds|types|points|options|commands|cases|ideas|rules|examples)\b/gi;
const isSmall = (word: string): boolean => {
  const value = numberOf.get(word.toLowerCase());
  return value !== undefined && Number(value) < leastNumberWord;
};

/** Placeholders in code. */
const placeholder = /^(?:file|files|dir|path|name|names|word|text|old|new|from|to|user|data|foo|bar|x|y|n)$/;

/** The literals of a claim: options, variables, signs and names of commands in code, key combinations. */
export function literalsIn(claim: string): string[] {
  const spans = [...claim.matchAll(/`([^`\n]{1,200})`/g)].map(([, code = ""]) => code.trim());
  const options = [...claim.matchAll(/(?<![\w-])--?[A-Za-z][\w-]*/g)].map(([option]) => option);
  const variables = spans.flatMap((code) => [...code.matchAll(/\$[\d@#*?]/g)].map(([variable]) => variable));
  const signs = spans.filter((code) => /^[|<>&*~?!]{1,3}$/.test(code));
  const commands = spans.filter((code) => /^[a-z]{2,6}$/.test(code) && !placeholder.test(code));
  return [...new Set([...options, ...variables, ...signs, ...commands, ...keysOf(claim)])];
}

/** Whether a text contains a literal as a whole. */
export function hasLiteral(typed: string, text: string): boolean {
  if (/^ctrl-/.test(typed)) return keysOf(text).includes(typed);
  const escaped = typed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const edge = /^[|<>&*~?!]/.test(typed) ? "|<>&~!" : "\\w-";
  return new RegExp(`(?<![${edge}])${escaped}(?![${edge}])`).test(text);
}

const keysOf = (text: string): string[] =>
  [...text.matchAll(/(?:\b(?:ctrl|control)[-+ ]|\^)([a-z])\b/gi)].map(([, key = ""]) => `ctrl-${key.toLowerCase()}`);
