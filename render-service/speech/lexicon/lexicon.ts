/** How signs of a formula are said: the words to say, and further ones that speech rules use for the same. */
type Saying = readonly [say: string, ...also: string[]];
/** A unit for one and for more of it. */
type Counted = readonly [one: string, many: string];

export interface Lexicon {
  signs: Readonly<Record<string, Saying>>;
  minus: RegExp;
  negation: RegExp;
  /** What says that a function is applied: f of x. */
  applied: RegExp;
  squared: RegExp;
  cubed: RegExp;
  half: RegExp;
  /** Signs outside of formulas, where a formula says them in another way or does not have them. */
  names: Readonly<Record<string, string>>;
  /** The same in a command of a shell. */
  shell: Readonly<Record<string, string>>;
  /** What the rules say, and what people say instead. */
  plainer: readonly (readonly [RegExp, string])[];
  power: string;
  /** What is said for an exponent instead of the power. */
  raised: Readonly<Record<string, string>>;
  brackets: Readonly<Record<string, string>>;
  /** Letters that a voice would take for a word, as they sound. */
  letters: Readonly<Record<string, string>>;
  greek: Readonly<Record<string, string>>;
  /** Two numbers with a cross between them: the size of a matrix. */
  by: string;
  units: {
    base: Readonly<Record<string, Counted>>;
    prefixes: Readonly<Record<string, string>>;
    per(above: string, below: string): string;
    /** A unit that is squared (2) or cubed (3). */
    raised(unit: string, exponent: 2 | 3, isBelow: boolean): string;
  };
  /** Words that begin a clause, before which a voice pauses. */
  clauses: RegExp;
}

/** Pairs such as `α=alpha`, apart by spaces; `_` stands for a space within a name. */
export const namesOf = (pairs: string): Readonly<Record<string, string>> =>
  Object.fromEntries(pairs.split(" ").map((pair) => pair.replaceAll("_", " ").split("=")));

/** The name of a Greek letter; any other letter as it is. */
export const letterOf = (letter: string, { greek }: Pick<Lexicon, "greek">): string => greek[letter.toLowerCase()] ?? letter;
