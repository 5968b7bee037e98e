import { type Language, queryTerms } from "./tokens.ts";

/** One concept of a question: its terms, each with a share from 0 to 1, and the concept's weight in the question. */
export interface Concept {
  terms: ReadonlyMap<string, number>;
  weight: number;
}

/**
 * Shares of synonyms, of similarly spelt terms and of joined words in a concept; and the weight of words like "find" or "show", which are
 * common in questions but are also taught.
 */
const shares = { synonym: 0.65, misspelt: 0.3, joined: 0.3, weak: 0.55 };
/** Words of a question that no passage contains and for which similar spellings are searched, at most. */
const maxMisspelt = 8;

/**
 * The concepts of a question.
 * @param isKnown whether any passage contains a term
 * @param similar terms of passages with a similar spelling
 */
export function conceptsOf(
  question: string,
  language: Language,
  { isKnown, similar }: { isKnown: (term: string) => boolean; similar: (term: string) => string[] },
): Concept[] {
  let misspelt = 0;
  const words = queryTerms(question, language);
  return words.map((term, at) => {
    const terms = new Map([[term, 1]]);
    for (const other of language.synonyms.get(term) ?? []) terms.set(other, shares.synonym);
    // Two words in the question may be one word in a course, such as "file name".
    for (const joined of [`${words[at - 1]}${term}`, `${term}${words[at + 1]}`]) if (isKnown(joined)) terms.set(joined, shares.joined);
    if (!isKnown(term) && /^\p{L}{4,}$/u.test(term) && misspelt < maxMisspelt) {
      misspelt += 1;
      for (const other of similar(term)) terms.set(other, shares.misspelt);
    }
    return { terms, weight: language.weakWords.has(term) ? shares.weak : 1 };
  });
}
