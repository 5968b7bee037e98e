import type { Language } from "@colloquy/schemas/languages.ts";
import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { createTranslator, type Messages, type Translator } from "./translator.ts";

/** Every language whole, for services: each reader has their own. Pages load one language, and only the messages they need. */
export const messagesOf: Readonly<Record<Language, Messages>> = { en, de, ar };

const translators: Readonly<Record<Language, Translator>> = {
  en: createTranslator("en", en),
  de: createTranslator("de", de),
  ar: createTranslator("ar", ar),
};

export const translatorFor = (language: Language): Translator => translators[language];
