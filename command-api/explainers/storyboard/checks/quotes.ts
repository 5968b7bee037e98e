import { seen } from "@colloquy/schemas/text/strip-invisible.ts";

/** Text with every run of white space as one space: what a quote is compared in. */
export const spaced = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** Whether words stand in a text exactly so, white space and what cannot be seen aside. */
export const standsIn = (quote: string, text: string): boolean => spaced(seen(text)).includes(spaced(seen(quote)));

/** Shorter, and a quote would stand nearly everywhere. */
export const leastQuoteLength = 6;

/** Words alone, in small letters: for telling whether two texts say the same. */
export const bareWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
