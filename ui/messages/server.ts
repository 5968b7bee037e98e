import { type Language, languageNames } from "@colloquy/schemas/languages.ts";
import { catalogue as arabic } from "./ar/all.ts";
import { pages as arabicPages } from "./ar/pages.ts";
import { catalogue as german } from "./de/all.ts";
import { pages as germanPages } from "./de/pages.ts";
import { type Catalogue, type Words, wordsIn } from "./words.ts";

/** Every catalogue whole: a service speaks to each reader in their own language, so nothing here is current. */
export const catalogues: Readonly<Record<Language, Catalogue>> = {
  en: {},
  de: { ...german, ...germanPages },
  ar: { ...arabic, ...arabicPages },
};

const words = Object.fromEntries(languageNames.map((language) => [language, wordsIn(language, catalogues[language])])) as Record<
  Language,
  Words
>;

/** What a page is said with in a language. */
export const wordsFor = (language: Language): Words => words[language];
