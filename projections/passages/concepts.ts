import { type Language, queryTerms } from "./tokens.ts";

/** One thing a question names: the terms that stand for it, each with how far it does (0 to 1), and how much it counts in the question. */
export interface Concept {
  terms: ReadonlyMap<string, number>;
  weight: number;
}

/**
 * How far another word for the same thing, and a word spelt nearly alike, stand for a term; and what a word counts that questions are
 * made with ("find", "show") but courses also teach.
 */
const shares = { synonym: 0.65, misspelt: 0.3, joined: 0.3, weak: 0.55 };
/** A misspelt word is looked for when no passage has it as it is written; so many of a question at most. */
const mostMisspelt = 8;

/**
 * What a question names.
 * @param known whether any passage has a term
 * @param alike the terms of passages that are spelt nearly alike
 */
export function conceptsOf(
  question: string,
  language: Language,
  { known, alike }: { known: (term: string) => boolean; alike: (term: string) => string[] },
): Concept[] {
  let misspelt = 0;
  const asked = queryTerms(question, language);
  return asked.map((term, at) => {
    const terms = new Map([[term, 1]]);
    for (const other of language.synonyms.get(term) ?? []) terms.set(other, shares.synonym);
    // What is two words in the question can be one in a course, such as "file name".
    for (const joined of [`${asked[at - 1]}${term}`, `${term}${asked[at + 1]}`]) if (known(joined)) terms.set(joined, shares.joined);
    if (!known(term) && /^\p{L}{4,}$/u.test(term) && misspelt < mostMisspelt) {
      misspelt += 1;
      for (const other of alike(term)) terms.set(other, shares.misspelt);
    }
    return { terms, weight: language.weakWords.has(term) ? shares.weak : 1 };
  });
}
