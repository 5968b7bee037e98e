import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import type { Lexicon } from "./lexicon.ts";

/** By language; where there is none, texts are spoken as they stand. */
export const lexicons: Readonly<Record<string, Lexicon>> = { en, de, ar };
