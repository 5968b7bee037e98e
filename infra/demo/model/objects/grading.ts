import type { GeneratedGrading } from "@colloquy/schemas/generation/tutor.ts";
import { z } from "zod";
import { type Prompt, taggedJson } from "../prompt.ts";
import { related, terms } from "../terms.ts";

const rubric = z.array(z.string()).min(1).max(6);

/** Said of the answer, the grader or the rubric rather than of the matter. */
const ofGrading =
  /\b(?:ignore|disregard|forget|skip|override)\b[^.!?]{0,60}\b(?:rubric|criteri\w+|instructions?|rules?|above|grad\w+|system|prompt)\b|\b(?:mark|grade|count|accept|score|treat|consider|rate)\b[^.!?]{0,40}\b(?:as )?(?:met|correct|right|passed|full|true)\b|\b(?:this|my) answer (?:is|meets|satisfies|deserves)\b|\b(?:rubric|criterion|criteria)\b/i;
/** The whole of what follows is denied. */
const denied =
  /\b(?:it|this|that) (?:is|'s|would be) (?:wrong|false|untrue|incorrect|not (?:true|so|right|correct|the case))\b|\b(?:wrong|false|untrue|incorrect|a myth|a lie) (?:that|to say)\b|\b(?:deny|denies|disagree|doubt)\b|\bthe (?:opposite|contrary|reverse)\b|\b(?:is|are) (?:wrong|false|untrue|incorrect)\b/gi;
const negation = /\b(?:not|never|no|none|nothing|cannot|without|neither|nor|hardly|nowhere)\b|n['’]t\b/gi;
const quoted = /“[^”]*”|"[^"]*"|`[^`]*`/g;

const sentencesIn = (text: string): string[] => text.split(/(?<=[.!?;])\s+|\n+/).filter((sentence) => sentence.trim());
/** How often a text denies; what is denied as a whole counts once, however it is said. */
const negations = (text: string): number => {
  const plain = text.replace(quoted, " ");
  return (plain.match(denied)?.length ?? 0) + (plain.replace(denied, " ").match(negation)?.length ?? 0);
};
const holds = (said: ReadonlySet<string>, term: string): boolean => said.has(term) || [...related(term)].some((other) => said.has(other));

/** Pairs of words that follow each other: what is left of a sentence when its words are shuffled. */
const pairs = (text: string): Set<string> => {
  const words = terms(text);
  return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`));
};

/** Stems as the words that a text has them in, each word once. */
function asWritten(stems: readonly string[], text: string): string[] {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  return [...new Set(stems.map((stem) => words.find((word) => terms(word).includes(stem)) ?? stem))];
}

/** Words that only join others: a sentence has some, a heap of key words has none. */
const joins = (text: string): number =>
  text.match(/\b(?:the|an?|of|is|are|to|and|in|that|it|with|for|on|as|by|so|which|because|when|if|one|they|you|we|from|into|at|can)\b/gi)
    ?.length ?? 0;

/**
 * Whether an answer says a criterion, by rule: half of its words stand in the answer's sentences (or words that mean the same), what it
 * denies is what the criterion denies, and it is a sentence, neither a heap of the criterion's words nor those words in another order.
 */
export function judgeCriterion(answer: string, criterion: string): { met: boolean; reason: string } {
  const sentences = sentencesIn(answer).filter((sentence) => !ofGrading.test(sentence));
  const wanted = [...new Set(terms(criterion))];
  const bearing = sentences.filter((sentence) => terms(sentence).some((term) => holds(new Set(wanted), term)));
  const text = bearing.join(" ");
  const said = new Set(terms(text));
  const missing = wanted.filter((term) => !holds(said, term));
  if (wanted.length === 0 || said.size === 0 || missing.length * 2 > wanted.length)
    return { met: false, reason: `The answer says nothing of: ${asWritten(missing.slice(0, 6), criterion).join(", ")}.` };
  // A denial beside the matter does no harm; one of the whole answer stands in a sentence of its own.
  const central = sentences.filter((sentence) => {
    const own = new Set(terms(sentence));
    return wanted.filter((term) => holds(own, term)).length * 3 >= wanted.length || sentence.replace(denied, "") !== sentence;
  });
  if (negations(central.join(" ")) % 2 !== negations(criterion) % 2)
    return { met: false, reason: "The answer denies what the course says, or says what the course denies." };
  const own = terms(text);
  if (joins(text) * 6 < own.length) return { met: false, reason: "The answer is a row of words; say it in a sentence." };
  const given = pairs(criterion);
  const kept = [...pairs(text)].filter((pair) => given.has(pair)).length;
  // Nearly all of the criterion's words, nothing else, and hardly two of them still side by side.
  const onlyTheirs = own.filter((term) => wanted.includes(term)).length >= own.length * 0.9;
  if (wanted.length >= 5 && missing.length * 5 <= wanted.length && onlyTheirs && kept * 4 < given.size)
    return { met: false, reason: "These are the course's words in an order that says something else." };
  return { met: true, reason: "The answer has the words that matter here." };
}

/** Each criterion is judged by rule, and said so; a rule does not understand what is meant. */
export function makeGrading(prompt: Prompt): GeneratedGrading | null {
  const criteria = rubric.safeParse(taggedJson(prompt, "rubric"));
  const answer = z.string().safeParse(taggedJson(prompt, "answer"));
  if (!criteria.success || !answer.success) return null;
  return { criteria: criteria.data.map((criterion, index) => ({ criterion: index + 1, ...judgeCriterion(answer.data, criterion) })) };
}
