import { searchText } from "./text.ts";

/** Scripts that are written without spaces: each of their signs is a word of its own. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]|[\p{L}\p{N}]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]|[^\p{L}\p{N}]|$)/gu;
/** Longer ones (addresses, hashes) are found by their beginning. */
const lengthAtMost = 32;

/** The words of a text as the search compares them, in their order, repeated ones included. */
export const wordsOf = (text: string): string[] => (searchText(text).match(word) ?? []).map((one) => one.slice(0, lengthAtMost));
