import { createTranslator, type Translator } from "@colloquy/messages/translator.ts";
import { type Language, sourceLanguage } from "@colloquy/schemas/languages.ts";

/**
 * The translator of this page: what its elements show. It belongs to this bundle alone, so the pages of other sites, their translations and
 * another version of our elements do not meet it.
 */

let translator: Translator = createTranslator(sourceLanguage, {});
const listeners = new Set<() => void>();

export const msg: Translator["msg"] = (key, ...values) => translator.msg(key, ...values);
export const rich: Translator["rich"] = (key, values) => translator.rich(key, values);
export const fromEnglish: Translator["fromEnglish"] = (text) => translator.fromEnglish(text);
export const list: Translator["list"] = (items, type) => translator.list(items, type);
export const formatNumber: Translator["number"] = (value, options) => translator.number(value, options);
export const formatDate: Translator["date"] = (value, options) => translator.date(value, options);
export const formatRelative: Translator["relative"] = (value, unit, options) => translator.relative(value, unit, options);
export const languageName: Translator["languageName"] = (tag) => translator.languageName(tag);

export const pageLanguage = (): Language => translator.language;

/** Uses another translator from now on, and calls every listener. */
export function setPageTranslator(next: Translator): void {
  translator = next;
  for (const listener of listeners) listener();
}

/** Calls the listener after each change of the page's language, until the signal aborts. */
export function onLanguageChange(listener: () => void, signal: AbortSignal): void {
  listeners.add(listener);
  signal.addEventListener("abort", () => listeners.delete(listener));
}

/** Runs synchronous work with another translator than the page's: a course's text is labelled in its own language. */
export function withTranslator<Result>(other: Translator, work: () => Result): Result {
  const before = translator;
  translator = other;
  try {
    return work();
  } finally {
    translator = before;
  }
}
