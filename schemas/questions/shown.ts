import type { Question } from "../courses/blocks.ts";
import { seededRandom, shuffledChoices } from "./choice-order.ts";
import type { ShownPart, ShownQuestion } from "./response.ts";

/** The id of a choice, item or side: of its text alone, so that it says nothing of the key and stays while the text does. */
export function partId(markdown: string): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (const letter of markdown) {
    const code = letter.codePointAt(0) ?? 0;
    one = Math.imul(one ^ code, 0x9e3779b1);
    two = Math.imul(two ^ code, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
  two = Math.imul(two ^ (two >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return (4_294_967_296 * (two & 0x1fffff) + (one >>> 0)).toString(36);
}

/**
 * The question without its key. Choices, items and right sides are shuffled; items never come in the right order.
 * @param seed the same seed gives the same order: the id of the question for one order for everybody
 */
export function withoutKey(question: Question, seed: string): ShownQuestion {
  const { kind, markdown } = question;
  const random = seededRandom(seed);
  switch (kind) {
    case "single":
    case "multiple":
      return {
        kind,
        markdown,
        choices: shuffled(
          question.choices.map((choice) => choice.markdown),
          random,
        ),
      };
    case "order": {
      const items = shuffled(question.items, random);
      const isRight = items.every((item, index) => item.markdown === question.items[index]);
      return { kind, markdown, items: isRight ? [...items.slice(1), ...items.slice(0, 1)] : items };
    }
    case "match": {
      const rights = [...question.pairs.map(({ right }) => right), ...question.extra];
      return { kind, markdown, lefts: question.pairs.map(({ left }) => part(left)), rights: shuffled(rights, random) };
    }
    case "gap":
      return { kind, markdown, gaps: question.gaps.length };
    case "number":
      return { kind, markdown, ...(question.unit !== undefined && { unit: question.unit }) };
    case "text":
    case "free":
      return { kind, markdown };
  }
}

const part = (markdown: string): ShownPart => ({ id: partId(markdown), markdown });

const shuffled = (texts: readonly string[], random: () => number): ShownPart[] =>
  shuffledChoices(
    texts.map((text) => ({ text })),
    random,
  ).map(({ text }) => part(text));
