import type { PlainMessageKey } from "@colloquy/messages/translator.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { BankQuestion } from "@colloquy/schemas/publication/questions.ts";

const { few, easy, hard, discrimination } = bounds.publication.questions;

/** `generated`: only the questions that models wrote. */
export type Filter = "all" | "few" | "easy" | "hard" | "flat" | "retired" | "generated";

/** The names of the filters, in their order. */
export const filterNames: Record<Filter, PlainMessageKey> = {
  all: "bank.allQuestions",
  few: "bank.fewAnswers",
  easy: "bank.tooEasy",
  hard: "bank.tooHard",
  flat: "bank.doesNotDiscriminate",
  retired: "bank.retired",
  generated: "bank.generated",
};

/** Whether texts have every word that is searched for, as a part of a word. */
export function hasWords(searched: string, texts: readonly (string | undefined)[]): boolean {
  const all = texts.join("\n").toLowerCase();
  return searched
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** Whether a question is in a filter's list. Only those that are still asked can be too easy, and so on. */
export function isIn(filter: Filter, { retired, figures }: BankQuestion): boolean {
  if (filter === "all") return true;
  if (filter === "generated") return false;
  if (filter === "retired") return retired;
  if (retired) return false;
  if (filter === "few") return (figures?.learners ?? 0) < few;
  if (!figures) return false;
  const share = figures.right / figures.learners;
  if (filter === "easy") return share >= easy;
  if (filter === "hard") return share <= hard;
  return figures.discrimination !== null && figures.discrimination < discrimination;
}
