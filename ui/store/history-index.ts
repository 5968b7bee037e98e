import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { searchText } from "@colloquy/schemas/search/text.ts";
import { wordsOf } from "@colloquy/schemas/search/words.ts";

/** Most words of a query that are searched. */
const termsAtMost = 8;
/** New words that are scanned one by one before the vocabulary is sorted again. */
const looseAtMost = 400;
/** Scores of a word in the title and in the text, and the factor for a word that only begins with the term. */
const weights = { title: 6, text: 1, beginning: 0.6 };

export const termsOf = (query: string): string[] => [...new Set(wordsOf(query))].slice(0, termsAtMost);

/**
 * An inverted index in memory: for each word an array of document numbers. Ten thousand conversations take tens of megabytes, a search a
 * few milliseconds. Titles are compared directly.
 */
export class HistoryIndex {
  readonly #postings = new Map<string, number[]>();
  /** The conversation of each document number; "" once it was replaced. */
  readonly #documents: string[] = [];
  readonly #numbers = new Map<string, number>();
  #vocabulary: string[] = [];
  #unsorted: string[] = [];
  readonly #titles = new Map<string, { title: string; folded: string }>();

  get size(): number {
    return this.#numbers.size;
  }

  /** Sets a conversation's words, separated by spaces; null removes it. */
  set(conversationId: string, words: string | null): void {
    const before = this.#numbers.get(conversationId);
    if (before !== undefined) this.#documents[before] = "";
    if (words === null) {
      this.#numbers.delete(conversationId);
      this.#titles.delete(conversationId);
      return;
    }
    const number = this.#documents.push(conversationId) - 1;
    this.#numbers.set(conversationId, number);
    if (words)
      for (const word of words.split(" ")) {
        const posting = this.#postings.get(word);
        if (posting) posting.push(number);
        else {
          this.#postings.set(word, [number]);
          this.#unsorted.push(word);
        }
      }
  }

  /** The conversations in which every term occurs or begins a word, best first; equal ones keep their order. */
  search(terms: readonly string[], conversations: readonly ConversationSummary[]): ConversationSummary[] {
    if (terms.length === 0) return [];
    this.#sortVocabulary(terms.length);
    const found: { summary: ConversationSummary; score: number }[] = [];
    const scores = terms.map((term) => this.#scores(term));
    for (const summary of conversations) {
      const number = this.#numbers.get(summary.conversationId);
      const title = this.#titleOf(summary);
      let total = 0;
      for (const [index, term] of terms.entries()) {
        const inText = number === undefined ? 0 : (scores[index]?.[number] ?? 0);
        const score = inText + inTitle(title, term);
        if (score === 0) {
          total = 0;
          break;
        }
        total += score;
      }
      if (total > 0) found.push({ summary, score: total });
    }
    found.sort((one, other) => other.score - one.score);
    return found.map(({ summary }) => summary);
  }

  /** The score of a term in each document: rare words score higher. */
  #scores(term: string): Float32Array {
    const scores = new Float32Array(this.#documents.length);
    const all = this.#documents.length;
    for (const word of this.#wordsFrom(term)) {
      const posting = this.#postings.get(word) ?? [];
      const rarity = Math.log(1 + all / posting.length);
      const score = weights.text * rarity * (word === term ? 1 : weights.beginning);
      for (const number of posting) if (score > (scores[number] ?? 0)) scores[number] = score;
    }
    return scores;
  }

  *#wordsFrom(term: string): Generator<string> {
    // A single letter begins too many words; it matches only itself, and titles.
    if (term.length === 1) {
      if (this.#postings.has(term)) yield term;
      return;
    }
    const words = this.#vocabulary;
    let [low, high] = [0, words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((words[middle] ?? "") < term) low = middle + 1;
      else high = middle;
    }
    for (let at = low; words[at]?.startsWith(term); at += 1) yield words[at] as string;
    for (const word of this.#unsorted) if (word.startsWith(term)) yield word;
  }

  #sortVocabulary(terms: number): void {
    if (this.#unsorted.length * terms <= looseAtMost) return;
    this.#vocabulary = [...this.#vocabulary, ...this.#unsorted].sort();
    this.#unsorted = [];
  }

  #titleOf({ conversationId, title }: ConversationSummary): string {
    const known = this.#titles.get(conversationId);
    if (known?.title === title) return known.folded;
    const folded = ` ${wordsOf(title).join(" ")} ${searchText(title)} `;
    this.#titles.set(conversationId, { title, folded });
    return folded;
  }
}

function inTitle(folded: string, term: string): number {
  if (folded.includes(` ${term} `)) return weights.title;
  return folded.includes(` ${term}`) ? weights.title * weights.beginning : 0;
}
