import { isLanguage, type Language, languageFor } from "@colloquy/schemas/languages.ts";
import { type Look, lookAttributes, lookCookie, lookOf, lookText, readLook } from "@colloquy/schemas/pages/look.ts";
import type { PreferenceChoices } from "@colloquy/schemas/sync/changes.ts";

const yearSeconds = 365 * 24 * 3_600;

/** Applies the account's appearance to this page, and by a cookie to the next pages that the service renders. */
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

/** The account's choices; without a chosen language, the one that this device chose before signing in. */
export function effectiveChoices(choices: PreferenceChoices): PreferenceChoices {
  const cookie = document.cookie.split("; ").find((one) => one.startsWith(`${lookCookie}=`));
  const { language } = readLook(cookie?.slice(lookCookie.length + 1));
  return choices.language === undefined && language ? { ...choices, language } : choices;
}

/** The chosen language; if none or an unknown one was chosen, the browser's first supported language. */
export const languageOf = (choices: PreferenceChoices): Language => {
  const { language } = effectiveChoices(choices);
  return isLanguage(language) ? language : languageFor(navigator.languages);
};
