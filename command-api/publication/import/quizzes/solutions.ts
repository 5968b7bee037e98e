import { createCodeWatch, type SourceLine } from "../markdown/lines.ts";
import type { Page } from "../markdown/page.ts";

interface Part {
  /** The label that an exercise has, or that a solution names. */
  label: string;
  from: number;
  /** The index of its closing line. */
  to: number;
}

/**
 * Puts each solution of MyST and Sphinx (`{solution} label`) into the exercise with that label, wherever it stands on the page; both are
 * containers already.
 */
export function withSolutionsInExercises(lines: readonly SourceLine[], page: Page): SourceLine[] {
  const { exercises, solutions } = partsOf(lines);
  const moved = new Map<number, SourceLine[]>();
  const taken = new Set<number>();
  const titles = new Map<number, SourceLine>();
  for (const { label, from, to } of solutions) {
    const opened = lines[from];
    if (!opened) continue;
    const plain = { ...opened, text: "::: solution" };
    const exercise = exercises.find((one) => one.label === label);
    if (!exercise) {
      page.note(opened.number, `a solution to “${label}”, which is no exercise of this page`, "stays where it is");
      titles.set(from, plain);
      continue;
    }
    for (let at = from; at <= to; at += 1) taken.add(at);
    moved.set(exercise.to, [...(moved.get(exercise.to) ?? []), plain, ...lines.slice(from + 1, to + 1)]);
  }
  return lines.flatMap((line, index) => (taken.has(index) ? [] : [...(moved.get(index) ?? []), titles.get(index) ?? line]));
}

/** The exercises with labels and the solutions that name one, none of them within another part. */
function partsOf(lines: readonly SourceLine[]): { exercises: Part[]; solutions: Part[] } {
  const exercises: Part[] = [];
  const solutions: Part[] = [];
  const isCode = createCodeWatch();
  let open: { name: string; label: string | undefined; from: number }[] = [];
  for (const [index, { text }] of lines.entries()) {
    if (isCode(text)) continue;
    const [, name, title] = /^:{3,}\s*([a-z][\w-]*)(?:\s+(.*?))?\s*$/i.exec(text) ?? [];
    if (name !== undefined) {
      const above = lines.slice(Math.max(0, index - 2), index).findLast((line) => line.text.trim());
      const label = name === "solution" ? title : /^<a id="([^"]+)"><\/a>$/.exec(above?.text ?? "")?.[1];
      open = [...open, { name, label, from: index }];
    } else if (/^:{3,}\s*$/.test(text)) {
      const last = open.at(-1);
      open = open.slice(0, -1);
      if (open.length > 0 || last?.label === undefined) continue;
      const part = { label: last.label, from: last.from, to: index };
      if (last.name === "exercise") exercises.push(part);
      if (last.name === "solution" && /^[\w:.-]+$/.test(last.label)) solutions.push(part);
    }
  }
  return { exercises, solutions };
}
