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

/** Words that say what something is, and how they begin whatever their ending. */
const wordsOf = (text: string): string[] => bareWords(text).filter((word) => word.length > 2);
const stem = (word: string): string => word.slice(0, 4);

/** What time is measured in, from short to long. */
const measures = [
  /^(?:seconds?|sekunden?|ثانية|ثوان)$/,
  /^(?:minutes?|minuten?|دقيقة|دقائق)$/,
  /^(?:hours?|hourly|stunden?|stündlich|ساعة|ساعات)$/,
  /^(?:days?|daily|tage?n?|täglich|يوم|يوما|يومين|أيام)$/,
  /^(?:weeks?|weekly|wochen?|wöchentlich|أسبوع|أسبوعين|أسابيع)$/,
  /^(?:months?|monthly|monate?n?|monatlich|شهر|شهرين|أشهر|شهور)$/,
  /^(?:years?|yearly|jahre?n?|jährlich|سنة|سنتين|سنوات|عام|عامين|أعوام)$/,
];
const [days, weeks] = [3, 4];
const plainWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{M}]+|\d+(?:\.\d+)?/gu) ?? []).map((word) => word.replace(/^ال/u, "").normalize("NFC"));
/** Which measure a word is; -1 for none. */
const measureOf = (word: string): number => measures.findIndex((one) => one.test(word));

/** The numbers of texts, and how many days the weeks are that they speak of. */
function numbersIn(texts: readonly string[]): ReadonlySet<number> {
  const text = texts.join("\n").toLowerCase();
  const numberOf = (word: string): number | undefined => {
    if (/^\d/.test(word)) return Number(word);
    return words.map((list) => list.indexOf(word)).find((number) => number >= 0);
  };
  const said = (text.match(/\d+(?:\.\d+)?|\p{L}+/gu) ?? []).map((word) => ({ word, value: numberOf(word) }));
  const times = said.flatMap(({ value, word }, index) => {
    const measure = measureOf(said[index + 1]?.word ?? "");
    const count = value ?? (/^(?:an?|eine[mrn]?)$/.test(word) ? 1 : 0);
    return measure < 0 ? [] : measure === weeks ? [count, count * 7] : [count];
  });
  return new Set([0, ...said.flatMap(({ value }) => value ?? []), ...times]);
}

/** Whether the passages count so much of a measure: “three days”, but not “after three days”, which is a time. */
function counts(texts: readonly string[], number: number, measure: number): boolean {
  const isNumber = (word = ""): boolean => Number(word) === number || words.some((list) => list[number] === word);
  return texts
    .map(plainWords)
    .some((said) =>
      said.some(
        (word, index) =>
          measureOf(word) === measure && isNumber(said[index - 1]) && !/^(?:after|nach|بعد|in)$/u.test(said[index - 2] ?? ""),
      ),
    );
}

/** Marks one after the other from 1 on only say in which order things come. */
const isOrder = (marks: readonly { at: number }[]): boolean => marks.every(({ at }, index) => at === index + 1);

/**
 * Marks are in their order; where they are more than an order, each stands at a number of the passages, and what the axis counts is of them;
 * lanes and kinds are named by words of the page.
 */
export function timelineFindings(
  { content: { unit, until, kinds, lanes } }: SceneOf<"timeline">,
  texts: readonly string[],
  passages: readonly CheckedPassage[],
): Found[] {
  const found: Found[] = [];
  const numbers = numbersIn(texts);
  const measure = plainWords(unit)
    .map(measureOf)
    .find((one) => one >= 0);
  /** Days that go by one after the other are as many as the passages say. */
  const isOnlyOrder = (marks: readonly { at: number }[]): boolean =>
    isOrder(marks) && (measure === undefined || counts(texts, marks.length, measure));
  for (const { label, marks } of lanes) {
    if (marks.some(({ at }) => at > until)) found.push(unclear(`A mark of “${label}” lies behind the end of the axis.`));
    if (marks.some(({ at }, index) => at <= (marks[index - 1]?.at ?? -1))) found.push(unclear(`The marks of “${label}” are not in order.`));
    if (marks.some(({ kind }) => kind >= Math.max(1, kinds.length)))
      found.push(unclear(`A mark of “${label}” is of a kind without a name.`));
    // Marks of one time stand beside each other.
    const other = isOnlyOrder(marks) ? undefined : marks.find(({ at }) => !numbers.has(at) && !numbers.has(Math.round(at)));
    if (other) found.push(unsupported(`The passages of the scene do not have the number ${other.at}, at which “${label}” has a mark.`));
  }
  const named = new Set(texts.flatMap((text) => plainWords(text).map(measureOf)));
  const isMeasured = measure === undefined || named.has(measure) || (measure === days && named.has(weeks));
  if (!isMeasured) found.push(unsupported(`The passages of the scene give no time in “${unit}”.`));
  const stems = new Set(passages.flatMap(({ text }) => wordsOf(text).map(stem)));
  const isNamed = (label: string): boolean => wordsOf(label).length === 0 || wordsOf(label).some((word) => stems.has(stem(word)));
  const isPlain = measure === undefined && lanes.every(({ marks }) => isOrder(marks));
  for (const label of [...(isPlain || measure !== undefined ? [] : [unit]), ...kinds, ...lanes.map((lane) => lane.label)])
    if (!isNamed(label)) found.push(unsupported(`No word of “${label}” stands on the page.`));
  return found;
}
