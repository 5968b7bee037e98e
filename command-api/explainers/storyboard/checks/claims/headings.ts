import { isSignificant, type Reference } from "./compare.ts";
import { isSameToken, type Token, tokensOf } from "./tokens.ts";
import { contrary, isModal, quantityOf } from "./words.ts";

const listed = (words: string): ReadonlySet<string> => new Set(words.split(" "));
/** What is said in headings of how things are and stay, with its opposites; in other places these words are no opposites. */
const states: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [
    listed("unmoved unchanged untouched fixed unverändert unbewegt"),
    listed(
      "leans lean leant moves move moved changes change changed turns turn turned stretches stretch stretched shrinks shrink bends bend rotates rotate tilts tilt distorts distort verändert bewegt dreht streckt neigt",
    ),
  ],
  [listed("stable steady settles settled stays stabil"), listed("unstable unsteady wavers swings instabil")],
];
const isOpposite = (one: string, other: string): boolean =>
  contrary(one, other) || states.some(([left, right]) => (left.has(one) && right.has(other)) || (left.has(other) && right.has(one)));

/** "Leaves the grid alone" is one property of the grid. */
const alone = /\b(?:leaves?|left|leaving|lets?)\b((?:\s+[\p{L}\p{N}_$\\]+){0,4}?)\s+alone\b/giu;
const withoutAlone = (text: string): string => text.replace(alone, "$1 unmoved");

const has = (tokens: readonly Token[], word: Token): boolean => tokens.some((one) => isSameToken(one, word));
const isDenied = (tokens: readonly Token[]): boolean => tokens.some(({ kind }) => kind === "negation");

/** How often words deny something that other words name, too. */
const denials = (tokens: readonly Token[], others: readonly Token[]): number =>
  tokens.filter(({ kind }, index) => {
    const denied = tokens.slice(index + 1).find(isSignificant) ?? tokens.slice(0, index).findLast(isSignificant);
    return kind === "negation" && denied !== undefined && has(others, denied);
  }).length;
const isTurned = (one: readonly Token[], other: readonly Token[]): boolean => (denials(one, other) + denials(other, one)) % 2 === 1;

/** A sentence of a source, with the words it may refer to. */
interface Held extends Reference {
  text: string;
}

/** Where a heading says the contrary of a sentence about the same things, and no sentence there says what it does. */
interface Contrary {
  kind: "contrary" | "opposite" | "quantity";
  words: [said: string, held: string];
  text: string;
}

/**
 * What of a heading is contrary to its sources: an opposite in the place of a word, a negation that only one of them has, all for some. Only
 * where the same things are spoken of; a heading may say anything else in its own words. Null for nothing. Pure.
 */
export function contraryHeading(heading: string, sources: readonly Held[]): Contrary | null {
  const said = tokensOf(withoutAlone(heading));
  const own = said.filter(isSignificant);
  if (own.length < 2) return null;
  const held = sources.map((source) => ({
    ...source,
    tokens: /alone/i.test(source.text) ? tokensOf(withoutAlone(source.text)) : source.tokens,
  }));
  const about = (words: readonly Token[], least: number) =>
    held.filter(
      ({ tokens, named }) =>
        words.every((word) => has(tokens, word) || has(named, word)) && words.filter((word) => has(tokens, word)).length >= least,
    );
  const denied = isDenied(said);
  for (const word of own) {
    const others = own.filter((one) => one !== word);
    const near = about(others, 1);
    if (near.some(({ tokens }) => has(tokens, word))) continue;
    for (const { tokens, text } of near) {
      const other = tokens.find((token) => isOpposite(word.text, token.text));
      // "Not unstable" is no opposite of "stable".
      if (other && denied === isDenied(tokens)) return { kind: "opposite", words: [word.text, other.text], text };
    }
  }
  const whole = about(own, own.length);
  const [first] = whole;
  // What is no sentence claims nothing, and two negations cancel.
  if (first && own.length >= 3 && /[.!?]["'”)]*$/u.test(first.text) && whole.every(({ tokens }) => isTurned(said, tokens)))
    return { kind: "contrary", words: ["", ""], text: first.text };
  const isAll = said.some(({ text }) => quantityOf(text) === "all");
  const some = (tokens: readonly Token[]): Token | undefined => tokens.find(({ text }) => quantityOf(text) === "some" && !isModal(text));
  const restricted = first && some(first.tokens);
  if (first && restricted && isAll && whole.every(({ tokens }) => some(tokens)))
    return {
      kind: "quantity",
      words: [said.find(({ text }) => quantityOf(text) === "all")?.text ?? "", restricted.text],
      text: first.text,
    };
  return null;
}
