import { readFileSync } from "node:fs";
import type { RewrittenQuestion } from "@colloquy/command-api/grounding/rewrite-question.ts";

/** In a learner's own words, with nothing attached, the same rewritten by a model, with the course attached, or on some page of it; about an attached page or block; in a conversation; in another language. */
export const questionKinds = [
  "own-words",
  "rewritten",
  "in-course",
  "on-page",
  "vague",
  "selection",
  "follow-up",
  "follow-up rewritten",
  "language",
] as const;
export type QuestionKind = (typeof questionKinds)[number];

export const questionSets = ["tuning", "held-out"] as const;
export type QuestionSet = (typeof questionSets)[number];

/** A block by words that stand in it and in no other. 2: it answers the question, or a part of it; 1: it helps. */
export interface GradedBlock {
  phrase: string;
  grade: 1 | 2;
}

export interface AskedTurn {
  text: string;
  /** What a model made of the question: in the course's language, with key terms; null if none was asked. */
  rewrite: RewrittenQuestion | null;
  relevant: GradedBlock[];
}

/** One question, or a conversation whose last turn is the question. */
export interface AskQuestion {
  kind: QuestionKind;
  set: QuestionSet;
  courseId: string;
  /** Path of the attached page or course without `/courses/`; null if nothing is attached. */
  attached: string | null;
  /** Words of the attached block. */
  selection: string | null;
  turns: AskedTurn[];
}

/**
 * The questions of a set; the form of the file is explained in `questions/tuning.txt`. Those in own words are asked
 * four times, once as a model rewrote them, once with their course attached and once from a page of it, mostly another than the one that answers; of a conversation only the later turns are questions. @throws for a line that cannot be read
 */
export function readQuestions(set: QuestionSet): AskQuestion[] {
  const questions: AskQuestion[] = [];
  let kind: QuestionKind | undefined;
  let place = "";
  let selection: string | null = null;
  /** Questions that share the blocks that follow. */
  let open: AskQuestion[] = [];
  let isOpen = false;
  const lines = readFileSync(new URL(`questions/${set}.txt`, import.meta.url), "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    const [mark, text] = [line.slice(0, 1), line.slice(2)];
    const known = questionKinds.find((name) => name === text);
    if (mark === "#" || line === "") continue;
    if (mark === "=" && known) kind = known;
    else if (mark === "@" && text) [place, selection] = [text, null];
    else if (mark === '"' && text) selection = text;
    else if (mark === "?" && kind && place) {
      const isPage = place.includes("/");
      const turn = { text, rewrite: null, relevant: [] };
      const question = { kind, set, courseId: place.split("/")[0] ?? "", attached: isPage ? place : null, selection, turns: [turn] };
      questions.push(question);
      open = isOpen ? [...open, question] : [question];
      isOpen = true;
    } else if (mark === ">" && open[0] && kind) {
      const earlier = open[0];
      const next = { ...earlier, turns: [...earlier.turns, { text, rewrite: null, relevant: [] }] };
      questions.push(next);
      [open, isOpen] = [[next], false];
    } else if (mark === "~" && open.length > 0)
      for (const { turns } of open) Object.assign(turns.at(-1) ?? {}, { rewrite: { question: text, terms: "" } });
    else if ((mark === "1" || mark === "2") && open.length > 0) {
      for (const { turns } of open) turns.at(-1)?.relevant.push({ phrase: text, grade: mark === "1" ? 1 : 2 });
      isOpen = false;
    } else throw new Error(`questions/${set}.txt:${index + 1} cannot be read: ${line}`);
  }
  const rewrites = readRewrites();
  const asked = questions.filter(({ kind, turns }) => kind !== "follow-up" || turns.length > 1);
  const again = asked.flatMap((question, at): AskQuestion[] => {
    if (question.kind !== "own-words" && question.kind !== "follow-up") return [];
    const rewrite = rewrites.get(question.turns.map(({ text }) => text).join(" > ")) ?? null;
    const turns = [...question.turns.slice(0, -1), { ...lastTurn(question), rewrite }];
    const rewritten: AskQuestion[] =
      rewrite === null ? [] : [{ ...question, kind: question.kind === "own-words" ? "rewritten" : "follow-up rewritten", turns }];
    if (question.kind !== "own-words") return rewritten;
    const pages = [...new Set(questions.flatMap((one) => (one.courseId === question.courseId && one.attached ? one.attached : [])))];
    const page = pages[at % pages.length];
    return [
      ...rewritten,
      { ...question, kind: "in-course", attached: question.courseId },
      ...(page ? [{ ...question, kind: "on-page" as const, attached: page }] : []),
    ];
  });
  return [...asked, ...again];
}

/** What a model made of questions in own words and in a conversation, by the learner's turns: `questions/rewrites.txt` says how it was asked. */
function readRewrites(): Map<string, RewrittenQuestion> {
  const text = readFileSync(new URL("questions/rewrites.txt", import.meta.url), "utf8");
  return new Map(
    [...text.matchAll(/^\? (.+)\n~ (.+)\n\+ (.+)$/gm)].map(([, asked = "", question = "", terms = ""]) => [asked, { question, terms }]),
  );
}

/** The turn that is asked. */
export function lastTurn({ turns }: AskQuestion): AskedTurn {
  const turn = turns.at(-1);
  if (!turn) throw new Error("a question without a turn");
  return turn;
}

/** A text without its markup, so that a phrase is found in Markdown, in plain text and in a prompt alike. */
export const folded = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
