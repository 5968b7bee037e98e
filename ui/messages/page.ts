import { type Language, sourceLanguage } from "@colloquy/schemas/languages.ts";
import { type Catalogue, type Words, wordsIn } from "./words.ts";

/**
 * The words of this page: what elements say things with. It belongs to this bundle alone, so pages of other sites, their own translations
 * and another version of our elements know nothing of it.
 */

export { marked } from "./words.ts";

let words: Words = wordsIn(sourceLanguage, {});
const listeners = new Set<() => void>();

export const msg: Words["msg"] = (text, ...values) => words.msg(text, ...values);
export const plural: Words["plural"] = (count, one, other, ...values) => words.plural(count, one, other, ...values);
export const rich: Words["rich"] = (text, values) => words.rich(text, values);
export const richPlural: Words["richPlural"] = (count, one, other, values) => words.richPlural(count, one, other, values) as never;
export const list: Words["list"] = (items, type) => words.list(items, type);
export const formatNumber: Words["number"] = (value, options) => words.number(value, options);
export const formatDate: Words["date"] = (value, options) => words.date(value, options);
export const formatRelative: Words["relative"] = (value, unit, options) => words.relative(value, unit, options);
/** What a language is called in the page's. */
export const languageName: Words["languageName"] = (tag) => words.languageName(tag);

export const pageLanguage = (): Language => words.language;

/** Speaks another language from now on, and tells whoever listens. */
export function speak(language: Language, catalogue: Catalogue): void {
  words = wordsIn(language, catalogue);
  for (const listener of listeners) listener();
}

/** Tells of each change of the language until the signal ends. */
export function onLanguage(listener: () => void, signal: AbortSignal): void {
  listeners.add(listener);
  signal.addEventListener("abort", () => listeners.delete(listener));
}

/** Says a message that was marked elsewhere, or comes from the service in English: what no catalogue knows stays as it is. */
export const said = (text: string): string => words.msg(text as never);

/** Says a message that was marked elsewhere, with more than text in it. */
export const saidRich = <Value>(text: string, values: Readonly<Record<string, Value>>): (string | Value)[] =>
  words.rich(text as never, values as never);

/** Does work that says things (at once, nothing awaited) with other words than the page's: a course's text is labelled in its own language. */
export function speaking<Result>(other: Words, work: () => Result): Result {
  const before = words;
  words = other;
  try {
    return work();
  } finally {
    words = before;
  }
}
