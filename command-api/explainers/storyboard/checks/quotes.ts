import { seen } from "@colloquy/schemas/text/strip-invisible.ts";

/** Text with each run of white space as one space, for comparing quotes. */
export const spaced = (text: string): string => text.replace(/\s+/gu, " ").trim();

/** Whether a text contains a quote, apart from white space and invisible characters. */
export const containsQuote = (quote: string, text: string): boolean => spaced(seen(text)).includes(spaced(seen(quote)));

/** A shorter quote would occur nearly everywhere. */
export const minQuoteLength = 6;

/** The words of a text in lower case, for comparison. */
export const bareWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
