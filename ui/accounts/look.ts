import { isLanguage, type Language, languageFor } from "@colloquy/schemas/languages.ts";
import { type Look, lookAttributes, lookCookie, lookOf, lookText, readLook } from "@colloquy/schemas/pages/look.ts";
import type { PreferenceChoices } from "@colloquy/schemas/sync/changes.ts";

const yearSeconds = 365 * 24 * 3_600;

/** Shows this page as an account chose, and has the service send the next ones so. */
export function applyLook(choices: PreferenceChoices): void {
  const look: Look = lookOf(effectiveChoices(choices));
  for (const [name, value] of lookAttributes(look)) {
    if (value) document.documentElement.setAttribute(name, value);
    else document.documentElement.removeAttribute(name);
  }
  const text = lookText(look);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere, and answers later
  document.cookie = `${lookCookie}=${text}; path=/; max-age=${text ? yearSeconds : 0}; samesite=lax`;
}

/** What an account chose; one that never chose a language keeps the one this device was asked to speak before anybody signed in. */
export function effectiveChoices(choices: PreferenceChoices): PreferenceChoices {
  const cookie = document.cookie.split("; ").find((one) => one.startsWith(`${lookCookie}=`));
  const { language } = readLook(cookie?.slice(lookCookie.length + 1));
  return choices.language === undefined && language ? { ...choices, language } : choices;
}

/** The language that holds here; where none was chosen, or one from a later version, the first of the browser's that is spoken. */
export const languageOf = (choices: PreferenceChoices): Language => {
  const { language } = effectiveChoices(choices);
  return isLanguage(language) ? language : languageFor(navigator.languages);
};
