import { type Passage, segmentsOf } from "../segments.ts";
import { overlap, wordsOf } from "../select.ts";
import { terms } from "../terms.ts";
import { capital, isBalanced, setInFormulas } from "./labels.ts";
import type { Line } from "./lines.ts";
import { spoken } from "./plain-math.ts";
import { headingOf } from "./points.ts";
import { type Candidate, candidate, placeOf } from "./scene.ts";

/** What the course itself wrote to be kept, short enough to be read at a glance. */
export interface Statement {
  passage: Passage;
  text: string;
  quote: string;
  terms: readonly string[];
}

const short = { words: { least: 3, most: 12 }, wordLength: 7, shown: 2 };
/** Less in common, and a key point does not belong to what is said. */
const related = { share: 0.4, terms: 2 };

/** Scenes in which the course's own key points stand on screen, whole, while the text that explains them is said. */
export function statementScenes(lines: readonly Line[], passages: readonly Passage[]): Candidate[] {
  const statements = passages.flatMap((passage) => statementsOf(passage));
  return lines.flatMap((line): Candidate[] => {
    if (line.passage.kind === "key-points") return [];
    const spokenOf = terms(`${line.said} ${line.next?.said ?? ""}`);
    const fitting = statements
      .map((statement) => ({ statement, worth: overlap(statement.terms, spokenOf) }))
      .filter(
        ({ statement, worth }) =>
          worth >= related.share &&
          isOfName(statement.text, `${line.said} ${line.next?.said ?? ""}`) &&
          new Set(statement.terms.filter((term) => spokenOf.includes(term))).size >= related.terms &&
          !repeats(statement.text, line.said),
      )
      .toSorted((a, b) => b.worth - a.worth)
      .slice(0, short.shown)
      .map(({ statement }) => statement);
    const [best] = fitting;
    if (!best) return [];
    const { next } = line;
    const long = next && line.words + next.words <= 34 ? [`${line.said} ${next.said}`] : [];
    return [line.said, ...long].flatMap((narration) =>
      [fitting, ...(fitting.length > 1 ? [[best]] : [])].map((shown) =>
        candidate({
          layout: "points",
          heading: headingOf(line),
          content: { points: shown.map(({ text }) => text) },
          narration,
          quotes: [
            { passage: line.passage, quote: line.quote },
            ...(next && narration !== line.said ? [{ passage: line.passage, quote: next.quote }] : []),
            ...shown.map(({ passage, quote }) => ({ passage, quote })),
          ],
          at: placeOf(passages, line.passage, line.order),
          says: [line.fact.text, ...shown.map(({ text }) => text)],
          whole: true,
        }),
      ),
    );
  });
}

/** A key point on names of code belongs to words that have them. */
export function isOfName(statement: string, said: string): boolean {
  const [first = ""] = statement.split(" ");
  const names = statement.match(/[\p{L}_][\p{L}\d_.]*(?=\(\))|\p{L}+_[\p{L}_]+/gu) ?? [];
  return (/^\p{Lu}\p{Ll}*$|^\p{Lu}$/u.test(first) || said.includes(first)) && names.every((name) => said.includes(name));
}

/** The key points of a passage: each as it stands, or the parts of it that are whole by themselves. */
export function statementsOf(passage: Passage, mostWords: number = short.words.most): Statement[] {
  const isStatement = (text: string): boolean => isWhole(text, mostWords);
  if (passage.kind !== "key-points") return [];
  return segmentsOf(passage).flatMap((segment): Statement[] => {
    if (segment.kind !== "item" && segment.kind !== "sentence") return [];
    const quote = segment.raw
      .replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, "")
      .replace(/\s+/g, " ")
      .trim();
    if (quote.length > 300) return [];
    const whole = spoken(quote)?.replace(/\.$/, "");
    if (!whole) return [];
    // A whole key point that begins in small letters begins with a name of code; a part of another only goes on with it.
    const name = /^\p{Ll}\S*/u.exec(whole)?.[0];
    const texts = isStatement(whole)
      ? [whole]
      : whole
          .split(/[;:]\s+/)
          .filter(isStatement)
          .map((part) => (name !== undefined && part.split(" ")[0] === name ? part : capital(part)));
    return texts.map((text) => ({ passage, text, quote, terms: terms(text) }));
  });
}

/** Begins with what only means something beside another sentence. */
const leaning = /^(?:once|it|its|they|their|this|that|these|those|then|so|but|and|or|which|such|there)\b/i;

function isWhole(text: string, mostWords: number): boolean {
  const words = wordsOf(text);
  return (
    words >= short.words.least &&
    words <= mostWords &&
    text.length <= mostWords * short.wordLength &&
    !leaning.test(text) &&
    !/[.!?]\s/.test(text) &&
    !setInFormulas.test(text) &&
    isBalanced(text) &&
    terms(text).length >= 2
  );
}

/** Whether a sentence says a statement as it stands, so that both would be heard and read. */
export function repeats(statement: string, said: string): boolean {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  return bare(said).includes(bare(statement)) || bare(statement).includes(bare(said));
}
