import { bounds } from "../bounds.ts";
import { type Remark, remark } from "./remarks.ts";
import { slugPattern } from "./slugs.ts";

/** What the single fields of a course keep to, without zod: `authored.ts` makes its schemas of these, `check-fields.ts` tells authors. */

export const idPattern = new RegExp(`^[A-Za-z0-9_-]{${bounds.idLength.min},${bounds.idLength.max}}$`);

interface TextRule {
  min: number;
  max: number;
  /** White space at its ends does not count, and is taken away by the schema. */
  trimmed?: true;
  /** Something in it must be seen: characters that show nothing do not name anything. */
  visible?: true;
  pattern?: RegExp;
  /** Said when the pattern does not fit. */
  expected?: Remark;
}

const { titleLength, summaryLength, objectiveLength, slugLength, blockLength, assetPathLength, licenseLength } = bounds.course;

export const textRules = {
  title: { min: 1, max: titleLength, trimmed: true, visible: true },
  summary: { min: 0, max: summaryLength },
  objective: { min: 1, max: objectiveLength, trimmed: true, visible: true },
  license: { min: 0, max: licenseLength },
  source: { min: 0, max: blockLength },
  language: { min: 2, max: 60, pattern: /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, expected: remark("language-form") },
  slug: { min: 1, max: slugLength, pattern: slugPattern, expected: remark("slug-form") },
  id: {
    min: bounds.idLength.min,
    max: bounds.idLength.max,
    pattern: idPattern,
    expected: remark("id-form", bounds.idLength),
  },
  assetPath: {
    min: 1,
    max: assetPathLength,
    pattern: /^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[\p{L}\p{N} ._/@+()-]+$/u,
    expected: remark("path-form"),
  },
} as const satisfies Record<string, TextRule>;
export type TextField = keyof typeof textRules;

/** Spaces, controls, marks of direction, joiners, fillers and the empty braille pattern. */
const unseen = /[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a text has a character that is seen. */
export const isSeen = (text: string): boolean => text.replace(unseen, "") !== "";

/** What is wrong with a text by itself, in words for its author; null when nothing is. */
export function wrongText(field: TextField, text: string): Remark | null {
  const { min, max, trimmed, visible, pattern, expected }: TextRule = textRules[field];
  const counted = trimmed ? text.trim() : text;
  if (counted.length > max) return remark("text-long", { max, count: counted.length });
  if (pattern && !pattern.test(text)) return expected ?? null;
  return counted.length < min || (visible && !isSeen(text)) ? remark("text-empty") : null;
}
