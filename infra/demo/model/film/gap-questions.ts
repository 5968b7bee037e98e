import { seeded, shuffled } from "../facts.ts";
import { type Passage, segmentsOf, sentencesOf } from "../segments.ts";
import { terms } from "../terms.ts";
import { isCode } from "./code-names.ts";
import { type Of, onSentence } from "./question-scene.ts";
import type { Candidate } from "./scene.ts";
import { filmWords } from "./words.ts";

/** Keywords that SQL writes in capitals; other words of two letters are names of columns. */
const keywordsIn = (text: string): string[] => text.match(/\b(?:\p{Lu}{3,}(?: BY)?|IN|OR|ON|AS|IS|BY)\b(?!\()/gu) ?? [];
/** Functions that are called, or named with brackets. */
const functionsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\p{L}\d_.])([\p{L}_][\p{L}\d_.]*)\(/gu)].map(([, name]) => `${name}()`);

/** Names that sentences and code have in common. */
const kinds: readonly { inWords(text: string): string[]; inCode(text: string): string[]; isIn(passage: Passage): boolean }[] = [
  {
    inWords: keywordsIn,
    inCode: (text) => keywordsIn(text.replace(/(["']).*?\1/g, "")),
    isIn: ({ code }) => code?.language === "sql",
  },
  { inWords: (text) => text.match(/(?<![\p{L}\d_.])[\p{L}_][\p{L}\d_.]*\(\)/gu) ?? [], inCode: functionsIn, isIn: isCode },
];

/** Says one way of several: the names of the code before this are as right. */
const isOneOfSeveral = /\b(?:alternatively|also|another|either|instead)\b/i;

interface Gap {
  sentence: string;
  right: string;
  /** Other names of the code on the page. */
  others: readonly string[];
}

/** Words that are said of any code; with fewer others than these a sentence does not tell which name is meant. */
const ofAnyCode = new Set(terms("add use need query clause keyword command function statement column table code we can our"));
const leastTelling = 2;
const tells = (sentence: string, name: string): boolean =>
  terms(sentence.replace(name, " ")).filter((term) => !ofAnyCode.has(term)).length >= leastTelling;

/** The gaps that sentences leave whose only name of code is one that is shown. */
const gapsIn = (sentence: string, shown: string, passages: readonly Passage[]): Gap[] =>
  kinds.flatMap(({ inWords, inCode, isIn }): Gap[] => {
    const all = new Set(passages.filter(isIn).flatMap(({ text }) => inCode(text)));
    const [right = "", ...more] = [...new Set(inWords(sentence))].filter((word) => all.has(word));
    const own = new Set(inCode(shown));
    if (right === "" || more.length > 0 || !own.has(right) || sentence.split(right).length !== 2 || !tells(sentence, right)) return [];
    return [{ sentence, right, others: [...all].filter((word) => !own.has(word) && !sentence.includes(word)) }];
  });

function asked({ sentence, right, others }: Gap, scene: Candidate, of: Of): Candidate | null {
  const question = filmWords(of.language).nameGap(sentence.replace(right, "____"));
  const wrong = shuffled(
    others.filter((word) => !scene.narration.includes(word)),
    seeded(question),
  ).slice(0, 3);
  return wrong.length < 2 ? null : onSentence(sentence, { question, right, wrong }, scene, of);
}

/** Which name of code the film spoke of in a sentence, or in two that belong together. */
export function ofGap(said: readonly Candidate[], passages: readonly Passage[], of: Of): Candidate | null {
  for (const scene of said) {
    const { narration, quotes, content } = scene;
    const own = quotes.find(({ passage }) => isCode(passage))?.passage;
    const before = own && passages.slice(0, passages.indexOf(own)).findLast((one) => isCode(one) && !one.code?.isPrinted);
    const asRight = quotes.some(({ quote }) => isOneOfSeveral.test(quote)) ? (before?.text ?? "") : "";
    for (const text of [sentencesOf(narration)[0]?.trim() ?? "", narration])
      for (const gap of gapsIn(text, content.code ?? "", passages)) {
        const others = gap.others.filter((name) => !asRight.includes(name.replace("()", "")));
        const found = asked({ ...gap, others }, scene, of);
        if (found) return found;
      }
  }
  return null;
}

/** Which name of code that the film showed a key point speaks of; the others are those that other key points are about. */
export function ofKeyPoint(said: readonly Candidate[], passages: readonly Passage[], of: Of): Candidate | null {
  const points = passages
    .filter(({ kind }) => kind === "key-points")
    .flatMap((passage) =>
      segmentsOf(passage).map(({ raw }) => ({
        passage,
        text: raw
          .replace(/^\s*[-*+]\s+/, "")
          .replace(/\s+/g, " ")
          .trim(),
      })),
    )
    .filter(({ text }) => /^\p{Lu}.*\.$/su.test(text) && text.length <= 160);
  const code = passages.flatMap((one) => (isCode(one) ? [one.text] : [])).join("\n");
  const about = new Set(points.flatMap(({ text }) => gapsIn(text, code, passages).map(({ right }) => right)));
  for (const scene of said)
    for (const { passage, text } of points)
      for (const gap of gapsIn(text, scene.content.code ?? "", passages)) {
        const others = gap.others.filter((name) => about.has(name));
        const found = asked({ ...gap, others }, { ...scene, says: [text], quotes: [{ passage, quote: text }] }, of);
        if (found) return found;
      }
  return null;
}
