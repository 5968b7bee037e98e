import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { programsOf, runOf, withoutPrompt } from "@colloquy/schemas/explainers/trace.ts";
import { isPrompt, linesOf, namesSpoken, unshown } from "./code.ts";
import type { CheckedPassage, Found } from "./found.ts";
import { bareWords, spaced } from "./quotes.ts";

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);

/** Whether lines stand in others, one after the other. */
const holds = (all: readonly string[], lines: readonly string[]): boolean =>
  lines.length > 0 && all.some((_, index) => same(all.slice(index, index + lines.length), lines));

/**
 * Code that is run stands in a passage of the scene; what it prints is the passage that follows; what its first command prints follows
 * that command elsewhere. The rest is computed, and has to end in what the course says is printed.
 * @param passages all of the topic, in reading order
 */
export function traceFindings({ content, sourceIds, narration }: SceneOf<"trace">, passages: readonly CheckedPassage[]): Found[] {
  const run = runOf(content);
  if (run.kind === "unknown") return [{ problem: "unclear", detail: run.problem }];
  const unsupported = (detail: string): Found[] => [{ problem: "unsupported", detail }];
  const texts = passages.map(({ sourceId, text }) => ({ own: sourceIds.includes(sourceId), lines: linesOf(text) }));
  const code = linesOf(content.code);
  const printed = linesOf(content.printed);
  /** The places whose passage is followed by exactly these lines. */
  const followed = (lines: readonly string[]) => (index: number) => {
    const next = texts[index + 1];
    return next?.own === true && !next.lines.some(isPrompt) && same(next.lines, lines);
  };
  const places = texts.flatMap(({ own, lines }, index) => (own && holds(lines, code) ? [index] : []));
  if (places.length === 0) return unsupported("The code does not stand in the passages of the scene.");
  if (printed.length > 0 && !places.some(followed(printed))) return unsupported("What the code prints does not follow it in the course.");
  const other = namesSpoken(narration, content.code, passages).missing[0];
  if (run.kind === "loop") return other ? [unshown(other)] : [];
  const first = run.stages[0]?.command ?? "";
  const begins = texts.flatMap(({ lines }, index) => {
    const last = lines.at(-1) ?? "";
    return isPrompt(last) && withoutPrompt(last) === spaced(first) ? [index] : [];
  });
  if (!begins.some(followed(linesOf(content.start)))) return unsupported(`The course does not say that “${first}” prints this.`);
  const said = new Set(bareWords(narration));
  const shown = new Set(programsOf(content.code));
  if (![...shown].some((program) => said.has(program.toLowerCase())))
    return [{ problem: "unclear", detail: "The narration speaks of none of the commands that are shown." }];
  return other ? [unshown(other)] : [];
}
