import { isLanguage, type Language, languages, sourceLanguage } from "@colloquy/schemas/languages.ts";
import { pageLanguage, speak } from "./page.ts";
import { type Catalogue, type Words, wordsIn } from "./words.ts";

/** Which catalogues a page needs: those of pages that are read, or all of the interface's. */
export type Extent = "reading" | "all";

type Module = Promise<{ catalogue: Catalogue }>;
const modules: Record<Exclude<Language, "en">, Record<Extent, () => Module>> = {
  de: { reading: () => import("./de/reading.ts"), all: () => import("./de/all.ts") },
  ar: { reading: () => import("./ar/reading.ts"), all: () => import("./ar/all.ts") },
};

const loadCatalogue = async (language: Language, extent: Extent): Promise<Catalogue> =>
  language === "en" ? {} : (await modules[language][extent]()).catalogue;

/** The words of a language, for what is said with others than the page's. @throws when they cannot be had. */
export const loadWords = async (language: Language, extent: Extent): Promise<Words> =>
  wordsIn(language, await loadCatalogue(language, extent));

/** Asked for last; what comes later than another choice is dropped. */
let wanted: Language = sourceLanguage;
/** How much of the page's language is here: English is written in the elements themselves. */
let spoken: Extent = "all";

/**
 * Speaks a language as soon as its words are here; until then, and when they cannot be had, things are said as before.
 * @returns whether it is spoken now
 */
export async function speakLanguage(language: Language, extent: Extent): Promise<boolean> {
  wanted = language;
  if (speaks(language, extent)) return true;
  try {
    const catalogue = await loadCatalogue(language, extent);
    if (wanted !== language) return false;
    // All words may have come before the fewer that were asked for first.
    if (speaks(language, extent)) return true;
    spoken = language === sourceLanguage ? "all" : extent;
    speak(language, catalogue);
    return true;
  } catch {
    return false;
  }
}

/** Whether a language is spoken already, with as many of its words. */
const speaks = (language: Language, extent: Extent): boolean => language === pageLanguage() && (spoken === "all" || extent === "reading");

/** Speaks the language the service sent this page in; nothing to wait for (null) when that is English. */
export function speakAsSent(extent: Extent): Promise<unknown> | null {
  const language = document.documentElement.lang;
  return isLanguage(language) && language !== sourceLanguage ? speakLanguage(language, extent) : null;
}

/** Says to the browser, and to who reads aloud, which language a root is in, and from which side it is read. */
export function markLanguage(root: HTMLElement, language: Language): void {
  root.lang = language;
  if (languages[language].direction === "rtl") root.dir = "rtl";
  else root.removeAttribute("dir");
}
