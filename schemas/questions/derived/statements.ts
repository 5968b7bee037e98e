/** A statement of a course without the name that it says something of. */
export interface NamedStatement {
  /** With `[[1]]` in the place of the name. */
  text: string;
  /** The name, and other ways to write it. */
  accepted: string[];
}

/** Words that a statement needs beside its name, and letters that it may have. */
const minWords = { code: 3, term: 5 };
const longestStatement = 260;

/** Code that can be typed from knowing it: a command, an operator, a function; not an example with names of its own. */
const typed = /^(?:[\w.$@*?|<>/&#!:=+~\\-]{1,20}|[\w.]{2,24}\(\w*\)|[a-z]+(?: [a-z-]+){1,2}|[A-Z]+(?: [A-Z]+){1,2})$/;
/** What follows a command stands for something: `cp [old] [new]`. */
const placeholders = /^([\w.$-]+)(?: (?:\[[^\]]*\]|<[^>]*>))+$/;
const code = /(?<!`)`([^`\n]{1,40})`(?!`)/g;
/** "Use GROUP BY to …", "a special value called NULL": a keyword as some languages write it. */
const keyword = /\b(?:[Uu]se|[Uu]sing|called|named) (?<name>[A-Z]{2,}(?: [A-Z]{2,}){0,2})(?!\.{3}|…|[\w`])/g;
/** "A primary key is a field …": an article, at most three words, and what they are. */
const defined = /^An? (?<name>\p{Ll}[\p{Ll}-]+(?: \p{Ll}[\p{Ll}-]+){0,2}) is (?:an?|the|any) /u;
const markedTerm = String.raw`(?:\*\*|[*_])(?<name>\p{L}[\p{L} -]{2,30})(?:\*\*|[*_])(?![\p{L}*_])`;
/** "**Ownership** is a set of rules …" */
const markedSubject = new RegExp(
  String.raw`^(?:An? |The )?${markedTerm}(?: \([^)]{1,40}\))? (?:is|are|means?|refers? to|describes?)\b(?! (?:where|not|also|now|still)\b)`,
  "u",
);
/** "… is called a *closure*." */
const markedPredicate = new RegExp(
  String.raw`\b(?:is|are)(?: (?:also|often|usually|sometimes))? (?:called|known as|termed)(?: an?| the)? ${markedTerm}`,
  "u",
);
/** Beginnings of sentences, and words before the name, that refer to another sentence. */
const beginsReferring =
  /^(?:it|its|they|their|there|then|so|but|and|or|however|also|another|both|each|he|she|as|we|you|note|remember|earlier)\b/iu;
const refersElsewhere = /\b(?:this|that we|these|those|such|here|above|below|following|previous|earlier|first|last|next|our|we|you)\b/iu;
/** One of several things that are named. */
const oneOfSeveral =
  /(?:including|such as|e\.g\.,?|like|`,|`,? (?:and|or)|[A-Z]{2},? (?:and|or)) \[\[1\]\]|\[\[1\]\](?:,? (?:and|or) |, |\/)[`A-Z]/;

/** A text without pictures, and with the words of its links alone. */
export const withoutLinks = (markdown: string): string =>
  markdown.replaceAll(/!\[[^[\]]*\]\([^()\s]*\)/g, "").replaceAll(/\[([^[\]]+)\]\([^()\s]*\)/g, "$1");

/** A name in code as it can be typed from knowing it: without brackets and what stands for something; null for an example. */
export function typedName(code: string): string | null {
  const bare = placeholders.exec(code)?.[1] ?? /^([\w.]+)\(\w*\)$/.exec(code)?.[1] ?? code;
  return typed.test(bare) && bare.length > 1 && !/\.\w{1,4}$/.test(bare) ? bare : null;
}

/** The name that a key point says something of: code, a keyword in capitals, or what it defines; null for none, or several. */
export function namedInPoint(point: string): NamedStatement | null {
  if (point.length > longestStatement) return null;
  const [first] = point.matchAll(code);
  if (first) return withGap(point, first[0], first[1] ?? "", minWords.code);
  const [named, ...others] = point.matchAll(keyword);
  const { name } = defined.exec(point)?.groups ?? (others.length === 0 ? named?.groups : undefined) ?? {};
  return name === undefined ? null : withGap(point, name, name, minWords.term);
}

/** The term that a sentence defines and marks. */
export function namedInSentence(sentence: string): NamedStatement | null {
  if (sentence.length > longestStatement || beginsReferring.test(sentence)) return null;
  const found = markedSubject.exec(sentence) ?? markedPredicate.exec(sentence);
  const { name } = found?.groups ?? {};
  if (!found || name === undefined || refersElsewhere.test(sentence.slice(0, sentence.indexOf(name)))) return null;
  const written = ["**", "*", "_"].map((mark) => `${mark}${name}${mark}`).find((one) => sentence.includes(one));
  return written === undefined ? null : withGap(sentence, written, name, minWords.term);
}

function withGap(statement: string, written: string, name: string, words: number): NamedStatement | null {
  const text = statement.trim();
  if (/[:?]$|\n|\[\[/.test(text)) return null;
  const bare = placeholders.exec(name)?.[1] ?? name;
  if (written.startsWith("`") && !typed.test(bare)) return null;
  const rest = text.replace(written, " ");
  if ((rest.match(/\p{L}+/gu) ?? []).length < words || isGivenAway(bare, rest)) return null;
  const gapped = text.replace(written, "[[1]]");
  if (oneOfSeveral.test(gapped)) return null;
  const called = /^([\w.]+)\(\w*\)$/.exec(bare)?.[1];
  return { text: gapped, accepted: called === undefined ? [bare] : [...new Set([bare, called, `${called}()`])] };
}

/** Whether the rest of a statement has its name, a word of it or the word's stem. */
export function isGivenAway(name: string, rest: string): boolean {
  const folded = rest.toLowerCase();
  const parts = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  if (parts.length === 0) return folded.includes(name);
  const words = folded.split(/[^\p{L}\p{N}]+/u);
  return parts.some((part) => words.includes(part) || (part.length > 3 && words.some((word) => word.startsWith(part.slice(0, -1)))));
}
