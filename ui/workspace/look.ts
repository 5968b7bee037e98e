import { type Look, lookAttributes, lookCookie, lookOf, lookText } from "@colloquy/schemas/look.ts";
import type { PreferenceChoices } from "@colloquy/schemas/sync/changes.ts";

const yearSeconds = 365 * 24 * 3_600;

/** Shows this page as an account chose, and has the service send the next ones so. */
export function applyLook(choices: PreferenceChoices): void {
  const look: Look = lookOf(choices);
  for (const [name, value] of lookAttributes(look)) {
    if (value) document.documentElement.setAttribute(name, value);
    else document.documentElement.removeAttribute(name);
  }
  const text = lookText(look);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere, and answers later
  document.cookie = `${lookCookie}=${text}; path=/; max-age=${text ? yearSeconds : 0}; samesite=lax`;
}
