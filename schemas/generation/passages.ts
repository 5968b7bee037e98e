import { z } from "zod";

/**
 * Schemas of the structured output of models. They use the subset of JSON Schema that every provider
 * accepts: objects with all fields required and none besides, lists, strings, numbers, booleans, enums; no unions.
 * Sources are named by the ids of the passages in the prompt (`s1`, `s2`, …); the application turns those into
 * source ids and mints every other id itself.
 *
 * Around the passages a prompt may hold further material for a task, one JSON value each:
 * `<objectives>[{"id","text"}]</objectives>`, `<answers>[{"objectiveId","prompt","correct"}]</answers>`,
 * `<asked>["prompt"]</asked>` with the questions a quiz or a learner has had already, `<teach>{"title","angle"}</teach>` when a step
 * is taught in running text, `<focus>["s1"]</focus>` with the passages to stay with,
 * `<proposal>{…}</proposal>` with the plan or storyboard that `verification` and `review` judge, and for a storyboard
 * `<topic>{"title","course","emphasis"}</topic>` and, when an earlier one was refused, that as `<proposal>` with
 * `<found>[{"scene","problem","detail"}]</found>`.
 */

/** The id of a passage in the prompt. */
export const passageId = z.string().regex(/^s[1-9][0-9]{0,2}$/, "expected the id of a passage, such as s1");

/** The sources of a text: at least one. */
export const passages = z.array(passageId).min(1).max(6);

export const shortText = z.string().trim().min(1).max(200);
/** Characters of a prompt, a hint or an explanation. */
export const textLength = 600;
export const text = z.string().trim().min(1).max(textLength);
export const longText = z.string().trim().min(1).max(4_000);

/** A text that may be empty where a field does not apply. */
export const optionalText = z.string().max(600);

/** The id of a learning objective, as the prompt gives it. */
export const objectiveId = z.string().min(1).max(64);

/** Indexes of texts that repeat an earlier one, ignoring spacing and, outside code and formulas, letter case. */
export function repeated(texts: readonly string[]): number[] {
  const seen = new Set<string>();
  return texts.flatMap((entry, index) => {
    const folded = entry.trim().replace(/\s+/g, " ");
    const key = /[`$\\<>|*^=~]|(?:^|\s)-/.test(folded) ? folded : folded.toLowerCase();
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}
