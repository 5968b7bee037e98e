const quotes = /^["'`“”„«»‘’‹›]+|["'`“”„«»‘’‹›]+$/g;

/** Typed text as it is compared: without case, quotes around it, a full stop at its end, and surplus spaces. */
export const comparableText = (text: string): string => comparableCode(text).toLowerCase();

/** Typed code as it is compared: its case counts. Quotes and dashes that a keyboard "corrected" are the plain ones. */
export const comparableCode = (text: string): string =>
  bare(text)
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’‹›]/g, "'")
    .replaceAll(/[\u2010-\u2013\u2212]/g, "-")
    .replaceAll("\u2014", "--");

function bare(text: string): string {
  const spaced = text.normalize("NFC").replaceAll(/\s+/g, " ").trim();
  const unquoted = withoutQuotes(spaced);
  const unstopped = unquoted.length > 1 && !/\.\.$/.test(unquoted) ? unquoted.replace(/(?<=.)[.。]$/, "").trimEnd() : unquoted;
  return withoutQuotes(unstopped);
}

/** Quotes belong to the text if there is nothing else. */
function withoutQuotes(text: string): string {
  const found = text.replaceAll(quotes, "").trim();
  return found === "" ? text : found;
}

/** Equal for texts that differ only in spacing, final punctuation or, outside code and formulas, letter case. */
export function normalizedText(text: string): string {
  const folded = text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[.!?…]+$/, "")
    .trim();
  return /[`$\\<>|*^=~]|(?:^|\s)-/.test(folded) ? folded : folded.toLowerCase();
}
