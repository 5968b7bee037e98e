import { createTranslator, type Messages, type Translator } from "@colloquy/messages/translator.ts";
import { isLanguage, type Language, languages, sourceLanguage } from "@colloquy/schemas/languages.ts";
import { pageLanguage, setPageTranslator } from "./page.ts";

/** Which messages a page needs: those of reading pages, or all of the interface's. The build derives both from the module graph. */
export type Extent = "reading" | "all";

type Module = Promise<{ messages: Partial<Messages> }>;
const modules: Record<Exclude<Language, "en">, Record<Extent, () => Module>> = {
  de: { reading: () => import("./reading/de.ts"), all: () => import("./all/de.ts") },
  ar: { reading: () => import("./reading/ar.ts"), all: () => import("./all/ar.ts") },
};

/** The translator of a language. English needs no loading: each module brings its own. @throws when the messages cannot be loaded. */
export const loadTranslator = async (language: Language, extent: Extent): Promise<Translator> =>
  createTranslator(language, language === "en" ? {} : (await modules[language][extent]()).messages);

/** The language that was asked for last; an earlier one that arrives later is dropped. */
let wanted: Language = sourceLanguage;
/** How many of the page language's messages are loaded. */
let loaded: Extent = "all";

/**
 * Switches the page to a language once its messages are loaded. Until then, and where that fails, the page keeps its language.
 * @returns whether the page has the language now
 */
export async function setPageLanguage(language: Language, extent: Extent): Promise<boolean> {
  wanted = language;
  if (hasMessages(language, extent)) return true;
  try {
    const translator = await loadTranslator(language, extent);
    if (wanted !== language) return false;
    // All messages may have arrived before the few that were asked for first.
    if (hasMessages(language, extent)) return true;
    loaded = language === sourceLanguage ? "all" : extent;
    setPageTranslator(translator);
    return true;
  } catch {
    return false;
  }
}

const hasMessages = (language: Language, extent: Extent): boolean =>
  language === pageLanguage() && (loaded === "all" || extent === "reading");

/** Switches to the language in which the service sent this document; null, with nothing to wait for, when that is English. */
export function loadDocumentLanguage(extent: Extent): Promise<unknown> | null {
  const language = document.documentElement.lang;
  return isLanguage(language) && language !== sourceLanguage ? setPageLanguage(language, extent) : null;
}

/** Loads the document's language as far as reading pages need it. */
export const loadReadingMessages = (): Promise<unknown> | null => loadDocumentLanguage("reading");

/** Sets the language and direction of a root element. */
export function setLanguageAttributes(root: HTMLElement, language: Language): void {
  root.lang = language;
  if (languages[language].direction === "rtl") root.dir = "rtl";
  else root.removeAttribute("dir");
}
