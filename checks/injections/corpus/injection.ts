/** Where a hostile text enters. */
export const entryPoints = {
  course: "the text of a course",
  learner: "what a learner sends",
  model: "what a model answers",
  assistant: "what an assistant calls at `/mcp`",
} as const;
export type EntryPoint = keyof typeof entryPoints;

/** One hostile text; `How` is what else its test needs to bring it in. */
export type Injection<How = unknown> = { id: string; text: string } & How;

/** Texts that come in at one place and must not bring about the same things. */
export interface Group<How = unknown> {
  name: string;
  enters: EntryPoint;
  /** What must not happen, for a reader. */
  mustNot: string;
  injections: Injection<How>[];
}

/** A group of texts that need nothing more; their ids are numbered. */
export function texts(enters: EntryPoint, name: string, prefix: string, mustNot: string, list: readonly string[]): Group {
  return { enters, name, mustNot, injections: list.map((text, index) => ({ id: `${prefix}-${index + 1}`, text })) };
}

/** A text in letters that nobody sees: Unicode's tags. */
export const inTags = (text: string): string =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");

/** The bits of a text in two marks that have no width. */
export const inZeroWidthMarks = (text: string, zero: string, one: string): string =>
  [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0").replaceAll("0", zero).replaceAll("1", one)).join("");

/** A text's bytes as variation selectors. */
export const inVariationSelectors = (text: string): string =>
  [...Buffer.from(text)].map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16)).join("");
