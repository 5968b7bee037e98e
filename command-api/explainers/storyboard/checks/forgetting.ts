import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import type { Found } from "./found.ts";

const numbersIn = (text: string): number[] => (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
/** The curve of the model, or the gap that follows from it. */
const model = /e\s*\^\s*\{?\s*-|\bexp\s*\(\s*-|\\exp|\blog\s*\(/;
/** What a line speaks of that says how lasting a memory is, and what makes it more so. */
const lasting = /stab|\bS\b|days?\b|hours?\b|weeks?\b|tage?n?\b|أيام|يوم/iu;
const growing = /\*|×|\\times|\\cdot|times|factor|faktor|mal\b|ضعف/iu;

/** The model of forgetting and its numbers stand in the passages, each where they speak of it. */
export function forgettingFindings({ content }: SceneOf<"forgetting">, texts: readonly string[]): Found[] {
  const { stability, growth, target, recalls, marks } = content;
  const unsupported = (detail: string): Found => ({ problem: "unsupported", detail });
  if (!texts.some((text) => model.test(text))) return [unsupported("The passages of the scene write no curve of forgetting.")];
  const lines = texts.flatMap((text) => text.split(/\n|(?<=[.!?])\s/u));
  const says = (number: number, about: RegExp): boolean => lines.some((line) => about.test(line) && numbersIn(line).includes(number));
  const percent = new RegExp(`(?<![\\d.])${Math.round(target * 1_000) / 10} ?%`);
  const isShare = lines.some((line) => percent.test(line) || numbersIn(line).includes(target));
  const missing = [
    ...(says(stability, lasting) ? [] : [stability]),
    ...(recalls.length === 0 || says(growth, growing) ? [] : [growth]),
    ...(recalls.length === 0 || isShare ? [] : [target]),
    ...marks.map(({ at }) => at).filter((at) => at !== 0 && at !== stability && !says(at, lasting)),
  ];
  return missing.map((number) => unsupported(`The passages of the scene do not give the model the number ${number}.`));
}
