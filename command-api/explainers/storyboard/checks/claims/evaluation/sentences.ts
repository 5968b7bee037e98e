import { readFileSync } from "node:fs";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";

export const sentenceSets = ["tuning", "held-out"] as const;
export type SentenceSet = (typeof sentenceSets)[number];

/** True, false in words of its passage, or false in other words. */
export type SentenceKind = "true" | "false" | "false in other words";

const kinds: Readonly<Record<string, SentenceKind>> = { "+": "true", "-": "false", "~": "false in other words" };

/** A sentence as a teacher would narrate it, with the passages of its source. */
export interface NarratedSentence {
  text: string;
  kind: SentenceKind;
  passages: readonly { sourceId: string; heading: string; text: string }[];
}

const spaced = (text: string): string => text.replace(/[*`]/g, "").replace(/\s+/g, " ");

/**
 * The sentences of a set; the form of the file is explained in `tuning.txt`. Those of courses that are not there are left out.
 * @throws for a line that cannot be read, and for words that do not name one block
 */
export function readSentences(set: SentenceSet, courses: readonly SearchIndex[]): NarratedSentence[] {
  const sentences: NarratedSentence[] = [];
  let course: SearchIndex | undefined;
  let passages: NarratedSentence["passages"] = [];
  const lines = readFileSync(new URL(`${set}.txt`, import.meta.url), "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    const [mark, text] = [line.slice(0, 1), line.slice(2)];
    const kind = kinds[mark];
    if (mark === "#" || line === "") continue;
    if (mark === "@" && text) course = courses.find(({ courseId }) => courseId === text);
    else if (mark === '"' && text) passages = [{ sourceId: "own", heading: "", text }];
    else if (mark === "2" && text) passages = course ? blockWith(text, course) : [];
    else if (kind && text) sentences.push({ text, kind, passages });
    else throw new Error(`${set}.txt, line ${index + 1}: ${line}`);
  }
  return sentences.filter((sentence) => sentence.passages.length > 0);
}

/** The passages of the one block that has the words. */
function blockWith(words: string, { passages }: SearchIndex): NarratedSentence["passages"] {
  const found = [...new Set(passages.filter(({ text }) => spaced(text).includes(spaced(words))).map(({ sourceId }) => sourceId))];
  if (found.length !== 1) throw new Error(`${found.length} blocks have “${words}”`);
  return passages.filter(({ sourceId }) => sourceId === found[0]);
}
