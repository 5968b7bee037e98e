import { type Language, languageNames } from "@colloquy/schemas/languages.ts";
import { pageLanguage } from "../../messages/page.ts";

/** Stands in a text for a picture's description until its author writes one. Whoever edits next may read another language. */
const standIns: Record<Language, string> = {
  en: "Describe the picture",
  de: "Beschreiben Sie das Bild",
  ar: "صف الصورة",
};

export const standIn = (): string => standIns[pageLanguage()];

/** Where in a line descriptions stand in, in whatever language they were put there. */
export const standInsOf = (line: string): { at: number; words: string }[] =>
  languageNames
    .map((language) => standIns[language])
    .flatMap((words) => [...line.matchAll(new RegExp(`!\\[${words}\\]\\(`, "g"))].map(({ index }) => ({ at: index + 2, words })))
    .sort((one, other) => one.at - other.at);
