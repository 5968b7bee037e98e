import { countTokens as count } from "gpt-tokenizer/encoding/o200k_base";

/** A longer run without white space is counted in pieces: the tokenizer's time grows with the square of a run's length. */
const longestRun = 200;
const longRun = new RegExp(`\\S{${longestRun + 1},}`, "g");
const piece = new RegExp(`.{1,${longestRun}}`, "gsu");

/** Course text may contain the names of special tokens; they are text. */
const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/**
 * Tokens of a text by the encoding `o200k_base`. Models with other encodings count up to some 15 % more or less; budgets keep a margin for
 * that.
 */
export function countTokens(text: string): number {
  return count(
    text.replace(longRun, (run) => (run.match(piece) ?? []).join("\n")),
    asText,
  );
}
