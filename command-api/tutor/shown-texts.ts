import { sha256 } from "@colloquy/infra/ledger/chain.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";

/** What a learner was shown: by it a question that only asks for remembering, and an answer that only repeats, are recognised. */
export interface ShownTexts {
  /** Statements of the session's questions, and of those before it, with their ids. */
  statements: readonly Statement[];
  /** Texts that were read: lessons, explanations, model answers. */
  texts: readonly string[];
  /** Statements shown outside of the session with their truth: by quizzes, and by self-checks on pages. */
  revealed?: readonly Statement[];
}
export interface Statement {
  id: string;
  text: string;
}

/** Two statements are the same from this share of common words on: one that was made false by a word or two included. */
const sameShare = 0.75;
/** A text shows a statement when one of its sentences has this share of its words. */
const containedShare = 0.85;
/** Fewer words state nothing by themselves: a choice of fewer is read together with its question. */
const leastWords = 5;

/**
 * A formula, displayed or within a line, or a tuple in plain signs. Two amounts of money, or variables of a shell in quotes, are none.
 */
const formula = /\$\$[^$"`]+\$\$|\$(?!\s)[^$\n"`]+(?<!\s)\$|\((?:[-\u2212]?[\p{L}\p{N}.]+, ?)+[-\u2212]?[\p{L}\p{N}.]+\)/gu;
const formulaMark = "\u27e6";
const wordOrSign = /[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}.,;:!?"'“”„‘’()]+/gu;

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
const withoutMarks = (text: string): string => text.replace(/\[\^?\d+\]|\]\([^)]*\)/g, " ").replace(/[*_`[\]]/g, " ");

/** Each formula as one word without spaces and its final full stop or comma: other matrices have the same signs. */
const withFormulas = (text: string): string =>
  text.replace(formula, (found) => ` ${formulaMark}${found.replaceAll(/[\s$]/g, "").replace(/[.,]$/, "")} `);

/** Words, formulas, numbers and signs of code, folded; marks of Markdown and citations are left out. */
export function wordsOf(text: string): string[] {
  return withFormulas(folded(text))
    .split(new RegExp(`(${formulaMark}\\S+)`, "u"))
    .flatMap((part) => (part.startsWith(formulaMark) ? part : (withoutMarks(part).match(wordOrSign) ?? [])));
}

/** How many different words and signs a text has, with those within its formulas: which statements a question has hangs on it. */
const countOf = (text: string): number => new Set(withoutMarks(folded(text)).match(wordOrSign)).size;

/** Whether a sentence has a word; a formula can stand in a longer one. */
const hasWord = (sentence: ReadonlySet<string>, word: string): boolean =>
  sentence.has(word) ||
  (word.startsWith(formulaMark) && [...sentence].some((one) => one.startsWith(formulaMark) && one.includes(word.slice(1))));

/** Items and statements do not change, and the same ones are compared with every question. */
const wordsIn = new WeakMap<Statement, ReadonlySet<string>>();
const statementsByItem = new WeakMap<TutorItem, Statement[]>();

function setOfWords(statement: Statement): ReadonlySet<string> {
  const words = wordsIn.get(statement) ?? new Set(wordsOf(statement.text));
  wordsIn.set(statement, words);
  return words;
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (Math.min(one.size, other.size) / Math.max(one.size, other.size) < sameShare) return false;
  if (Math.min(one.size, other.size) < leastWords) return one.size === other.size && one.isSubsetOf(other);
  return one.intersection(other).size / Math.max(one.size, other.size) >= sameShare;
}

/** The statements that a question shows once it is answered, one text each. */
export function statementsOf({ prompt, selection, choices, right, modelAnswer }: Questioned): string[] {
  const isLong = (text: string): boolean => countOf(text) >= leastWords;
  if (selection === "text") return [isLong(modelAnswer) ? modelAnswer : `${prompt} ${modelAnswer}`];
  if (selection === "gap") return [modelAnswer];
  if (selection !== "single" && selection !== "multiple") return [`${prompt} ${modelAnswer}`];
  const long = choices.filter(({ text }) => isLong(text)).map(({ text }) => text);
  const short = choices.filter(({ choiceId, text }) => right.includes(choiceId) && !isLong(text));
  return [...long, ...(short.length > 0 ? [`${prompt} ${short.map(({ text }) => text).join(" ")}`] : [])];
}
type Questioned = Pick<TutorItem, "prompt" | "selection" | "choices" | "right" | "modelAnswer">;

/** Ids of the statements of a question, and whether one of them, or its right answer, was shown outside of the session's questions. */
export function shownOf(item: Questioned, { statements, texts, revealed = [] }: ShownTexts): { statements: string[]; shown?: true } {
  const ids = identified(statementsOf(item), [...statements, ...revealed]).map(({ id }) => id);
  const outside = new Set(revealed.map(({ id }) => id));
  const isShown = ids.some((id) => outside.has(id)) || isReadOff(item, texts);
  return { statements: ids, ...(isShown && { shown: true as const }) };
}

/** Statements with ids: that of a known one which says the same, else one of their own. */
export function identified(texts: readonly string[], known: readonly Statement[]): Statement[] {
  const candidates = known.map((one) => ({ id: one.id, words: setOfWords(one) }));
  return texts.slice(0, bounds.tutor.statements).map((text) => {
    const words = new Set(wordsOf(text));
    const id = candidates.find((one) => isSame(one.words, words))?.id ?? sha256([...words].join(" ")).slice(0, 16);
    candidates.push({ id, words });
    return { id, text };
  });
}

/** The statements of a question with their ids, as far as it has any. */
export function statementsIn(item: TutorItem): Statement[] {
  const known = statementsByItem.get(item);
  if (known) return known;
  const texts = statementsOf(item);
  const statements = (item.statements ?? []).map((id, index) => ({ id, text: texts[index] ?? "" }));
  statementsByItem.set(item, statements);
  return statements;
}

/** The questions of a session whose keys were shown: those that were answered or explained. */
export const itemsWithShownKeys = ({ items, answers, explained }: TutorState): TutorItem[] =>
  Object.values(items).filter(({ itemId }) => answers[itemId] !== undefined || explained.includes(itemId));

/**
 * What the learner of a session was shown so far, and will be by questions that are made already. `replies`: what they were answered when
 * they asked back, which is kept apart.
 */
export function shownIn(state: TutorState, replies: readonly string[] = [], revealed: readonly Statement[] = []): ShownTexts {
  return {
    statements: [
      ...(state.askedBefore ?? []).flatMap(({ statements = [] }) => statements),
      ...Object.values(state.items).flatMap(statementsIn),
    ],
    texts: [
      ...state.messages.flatMap((message) => (message.kind === "teaching" ? message.text : [])),
      ...itemsWithShownKeys(state).flatMap(({ explanation, modelAnswer }) => [explanation, modelAnswer]),
      ...replies,
    ],
    revealed,
  };
}

/** The texts of all statements that were shown, those of this session last. */
export const statementsShown = ({ statements, revealed = [] }: ShownTexts): string[] =>
  [...revealed, ...statements].map(({ text }) => text);

/** Fewer words of a pair or an item to put in order are found in many sentences. */
const leastPartWords = 3;

/**
 * Whether the right answer of a question stands in a text that was read: each right choice, each sentence with a gap, each pair in one
 * sentence or row, or the items in their order. Then answering shows no more than reading.
 */
export function isReadOff({ prompt, selection, choices, right: ids, modelAnswer }: Questioned, texts: readonly string[]): boolean {
  const hasParts = selection === "match" || selection === "order";
  const answers = hasParts
    ? modelAnswer.split("\n").map((line) => line.replace(/^(?:-|\d+\.) /, "").replace(" → ", " "))
    : selection === "gap"
      ? sentencesOf(modelAnswer).filter((sentence) => !sentencesOf(prompt).includes(sentence))
      : choices.flatMap(({ choiceId, text }) => (ids.includes(choiceId) ? [text] : []));
  const isEnough = (text: string): boolean => countOf(text) >= (hasParts ? leastPartWords : leastWords);
  if (answers.length === 0 || !answers.every(isEnough)) return false;
  const right = answers.map((text) => new Set(wordsOf(text)));
  const sentences = texts.flatMap((text) => sentencesOf(withFormulas(folded(text)))).map((sentence) => new Set(wordsOf(sentence)));
  const isIn = (words: ReadonlySet<string>, sentence: ReadonlySet<string>): boolean =>
    [...words].filter((word) => hasWord(sentence, word)).length / words.size >= containedShare;
  let from = 0;
  return right.every((words) => {
    const place = sentences.findIndex((sentence, at) => at >= from && isIn(words, sentence));
    if (selection === "order") from = place + 1;
    return place >= 0;
  });
}

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?؟。])\s+|\n+/);

/** So many words in a row that also stand in a shown text are taken from it, not put together anew. */
const runLength = 5;
/** From this share of taken words on, an answer is a copy. */
const copiedShare = 0.6;

/**
 * Whether an answer in own words is a near-copy of shown texts: most of its words stand in runs of five or more that a text has, too, also
 * where words between them were changed. Short answers are none: there are few ways to say something briefly.
 */
export function isCopied(answer: string, texts: readonly string[]): boolean {
  const words = wordsOf(answer);
  if (words.length < 8) return false;
  const runs = new Set<string>();
  for (const text of texts) {
    const own = wordsOf(text);
    for (let at = 0; at + runLength <= own.length; at += 1) runs.add(own.slice(at, at + runLength).join(" "));
  }
  const taken = new Set<number>();
  for (let at = 0; at + runLength <= words.length; at += 1)
    if (runs.has(words.slice(at, at + runLength).join(" "))) for (let place = at; place < at + runLength; place += 1) taken.add(place);
  return taken.size / words.length >= copiedShare;
}
