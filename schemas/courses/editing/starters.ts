import type { BlockType } from "../authored.ts";
import { promptTemplate, questionStarter } from "./question-templates.ts";

/** What a block holds when it is put into a topic: it passes its parser as it is (a test holds each to that) and shows its form. */
const starters = {
  "core.theory": "## A heading\n\nWrite the text here.",
  "core.key-points": "- The first thing to remember.\n- The second.",
  "core.callout": "---\nkind: note\n---\nWrite what readers should notice.",
  "core.code": "---\nrole: input\n---\n```text\ntype the code here\n```",
  "core.diagram": "---\ndescription: One step leads to the next\n---\n```mermaid\nflowchart LR\n  A[One step] --> B[The next]\n```",
  "core.math": "$$\na^2 + b^2 = c^2\n$$",
  "core.table": "| Name | Meaning |\n|---|---|\n| first | what it means |",
  "core.exercise": "Say what there is to do.\n\n::: hint\nWhere to begin.\n:::\n\n::: solution\nHow it goes.\n:::",
  "core.question": questionStarter,
} as const satisfies Partial<Record<BlockType, string>>;

export type InsertableType = keyof typeof starters;

/** What the insertion menu offers: every type but figures, which need a picture of the course before they can be (`formatBlock` writes one then). */
export const insertableTypes = Object.keys(starters) as InsertableType[];

/** The source a new block of a type begins with. */
export const starterSource = (type: InsertableType): string => starters[type];

/** What of a starter is written over first: its words, and none of the signs that its form needs. */
const words = {
  "core.theory": starters["core.theory"],
  "core.key-points": "The first thing to remember.\n- The second.",
  "core.callout": "Write what readers should notice.",
  "core.code": "type the code here",
  "core.diagram": "flowchart LR\n  A[One step] --> B[The next]",
  "core.math": "a^2 + b^2 = c^2",
  "core.table": "Name",
  "core.exercise": "Say what there is to do.",
  "core.question": promptTemplate,
} as const satisfies Record<InsertableType, string>;

/** The words of a starter that typing is to replace, as their beginning and end in its source. */
export function starterWords(type: InsertableType): readonly [number, number] {
  const from = starters[type].indexOf(words[type]);
  return [from, from + words[type].length];
}
