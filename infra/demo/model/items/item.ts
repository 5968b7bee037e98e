import { type Fact, seeded, shuffled } from "../facts.ts";
import type { Passage } from "../segments.ts";
import { related, stem, terms } from "../terms.ts";

/** A question with choices, made from one sentence or line of a course (or several). */
export interface Item {
  kind: "single" | "multiple";
  prompt: string;
  choices: { text: string; correct: boolean }[];
  explanation: string;
  passage: Passage;
  /** What it asks about, as the course has it. */
  text: string;
}

/** What wrong choices are taken from. */
export interface Material {
  facts: readonly Fact[];
  /** Words of the course that may fill a gap: those it says often, marks, or has in its headings. */
  gaps: readonly string[];
  /** What questions have shown so far, and how many of them there were. */
  seen?: { times: (fact: Fact) => number; turn: number };
}

/** Makes questions of a fact; none where it does not fit. */
export type Maker = (fact: Fact, material: Material) => Item[];

export function makeItem(
  kind: Item["kind"],
  prompt: string,
  right: readonly string[],
  wrong: readonly string[],
  { text, segment: { passage } }: Fact,
): Item {
  const choices = [
    ...right.map((one) => ({ text: withoutEmphasis(one), correct: true })),
    ...wrong.map((one) => ({ text: withoutEmphasis(one), correct: false })),
  ];
  return {
    kind,
    prompt: prompt.slice(0, 600),
    choices: shuffled(choices, seeded(prompt)),
    explanation: `The course says: “${text}”`,
    passage,
    text,
  };
}

/** A choice is a word of the course, however that stresses it. */
const withoutEmphasis = (text: string): string => /^(\*{1,2}|_{1,2})([^*_]+)\1$/.exec(text)?.[2] ?? text;

/** Texts that differ from each other and from those given, whatever their case and marks. */
export function distinct(texts: readonly string[], from: readonly string[]): string[] {
  const key = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}$|<>*~.-]/gu, "");
  const seen = new Set(from.map(key));
  return texts.filter((text) => {
    const own = key(text);
    if (!own || seen.has(own)) return false;
    seen.add(own);
    return true;
  });
}

export const clipped = (text: string): string => (text.length <= 400 ? text : `${text.slice(0, 397)}…`);

/** What a question sets between quotation marks or as code, without the marks of what is left out. */
export const quotedIn = (prompt: string): string[] =>
  [...prompt.matchAll(/“([^”]*)”|`([^`]*)`/g)].map((found) => (found[1] ?? found[2] ?? "").replace(/…|____/g, "").trim()).filter(Boolean);

/** Whether the words a question names stand together in one choice alone: then it gives its answer away, or leads astray. */
export function singlesOut({ prompt, choices }: Pick<Item, "prompt" | "choices">): boolean {
  const words = quotedIn(prompt).map((text) => text.toLowerCase());
  return words.length > 0 && choices.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word))).length === 1;
}

/** Whether two words may mean the same: one cannot be a wrong choice for the other. */
export const meanAlike = (a: string, b: string): boolean =>
  terms(a).some((one) => terms(b).some((other) => one === other || related(one).has(other))) ||
  stem(a.toLowerCase()) === stem(b.toLowerCase());
