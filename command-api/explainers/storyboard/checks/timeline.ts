import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import type { CheckedPassage, Found } from "./found.ts";
import { bareWords } from "./quotes.ts";

const unclear = (detail: string): Found => ({ problem: "unclear", detail });
const unsupported = (detail: string): Found => ({ problem: "unsupported", detail });

/** Numbers as words, from zero on. */
const words = [
  "zero one two three four five six seven eight nine ten eleven twelve",
  "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
].map((list) => list.split(" "));

/** The numbers of texts, and how many days the weeks are that they speak of. */
function numbersIn(texts: readonly string[]): ReadonlySet<number> {
  const text = texts.join("\n").toLowerCase();
  const numberOf = (word: string): number | undefined => {
    if (/^\d/.test(word)) return Number(word);
    return words.map((list) => list.indexOf(word)).find((number) => number >= 0);
  };
  const said = (text.match(/\d+(?:\.\d+)?|\p{L}+/gu) ?? []).map((word) => ({ word, value: numberOf(word) }));
  const days = said.flatMap(({ value, word }, index) =>
    /^(?:weeks?|wochen?)$/.test(said[index + 1]?.word ?? "") ? (value ?? (/^(?:a|eine[rn]?)$/.test(word) ? 1 : 0)) * 7 : [],
  );
  return new Set([0, ...said.flatMap(({ value }) => value ?? []), ...days]);
}

/** Words that say what something is, and how they begin whatever their ending. */
const wordsOf = (text: string): string[] => bareWords(text).filter((word) => word.length > 2);
const stem = (word: string): string => word.slice(0, 4);

/** Marks one after the other from 1 on only say in which order things come. */
const isOrder = (marks: readonly { at: number }[]): boolean => marks.every(({ at }, index) => at === index + 1);

/**
 * Marks are in their order; where they are more than an order, each stands at a number of the passages; lanes and kinds are named by words of
 * the page.
 */
export function timelineFindings(
  { content: { until, kinds, lanes }, narration }: SceneOf<"timeline">,
  texts: readonly string[],
  passages: readonly CheckedPassage[],
): Found[] {
  const found: Found[] = [];
  const numbers = numbersIn(texts);
  for (const { label, marks } of lanes) {
    if (marks.some(({ at }) => at > until)) found.push(unclear(`A mark of “${label}” lies behind the end of the axis.`));
    if (marks.some(({ at }, index) => at <= (marks[index - 1]?.at ?? -1))) found.push(unclear(`The marks of “${label}” are not in order.`));
    if (marks.some(({ kind }) => kind >= Math.max(1, kinds.length)))
      found.push(unclear(`A mark of “${label}” is of a kind without a name.`));
    // Marks of one time stand beside each other.
    const other = isOrder(marks) ? undefined : marks.find(({ at }) => !numbers.has(at) && !numbers.has(Math.round(at)));
    if (other) found.push(unsupported(`The passages of the scene do not have the number ${other.at}, at which “${label}” has a mark.`));
  }
  const stems = new Set([narration, ...passages.map(({ text }) => text)].flatMap((text) => wordsOf(text).map(stem)));
  const isNamed = (label: string): boolean => wordsOf(label).length === 0 || wordsOf(label).some((word) => stems.has(stem(word)));
  for (const label of [...kinds, ...lanes.map((lane) => lane.label)])
    if (!isNamed(label)) found.push(unsupported(`No word of “${label}” stands on the page.`));
  return found;
}
