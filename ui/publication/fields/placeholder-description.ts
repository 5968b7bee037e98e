import { type Language, languageNames } from "@colloquy/schemas/languages.ts";
import { pageLanguage } from "../../messages/page.ts";

/** Placeholder for a picture's description. The next editor may use another language, so all are recognised. */
const placeholders: Record<Language, string> = {
  en: "Describe the picture",
  de: "Beschreiben Sie das Bild",
  ar: "صف الصورة",
};

export const placeholderDescription = (): string => placeholders[pageLanguage()];

/** Placeholders in a line, in any language. */
export const placeholdersIn = (line: string): { at: number; words: string }[] =>
  languageNames
    .map((language) => placeholders[language])
    .flatMap((words) => [...line.matchAll(new RegExp(`!\\[${words}\\]\\(`, "g"))].map(({ index }) => ({ at: index + 2, words })))
    .sort((one, other) => one.at - other.at);
