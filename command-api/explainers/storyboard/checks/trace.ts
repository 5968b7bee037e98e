import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { ellipsis, programsOf, runOf, withoutPrompt } from "@colloquy/schemas/explainers/trace.ts";
import { deniedAndShown, isBeside, isPrompt, linesOf, namesSpoken, unshown } from "./code.ts";
import type { CheckedPassage, Found } from "./found.ts";
import { bareWords, containsQuote, spaced } from "./quotes.ts";

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);

/** Whether lines stand in others, one after the other. */
const holds = (all: readonly string[], lines: readonly string[]): boolean =>
  lines.length > 0 && all.some((_, index) => same(all.slice(index, index + lines.length), lines));

/** Whether lines are all of others, or a stretch of them where a line says that some are left out. */
function isStretch(all: readonly string[], lines: readonly string[]): boolean {
  const [isCut, isCutAfter] = [lines[0] === ellipsis, lines.at(-1) === ellipsis];
  const bare = lines.slice(isCut ? 1 : 0, isCutAfter ? -1 : undefined);
  const places = isCut ? all.map((_, index) => index) : [0];
  return places.some((from) => bare.length > 0 && same(all.slice(from, isCutAfter ? from + bare.length : undefined), bare));
}

/** Whether a passage is what the code before it prints: so the course marks it, or nothing is typed in it after a shell's commands, or it is a table. */
const isPrinted = ({ role, code, text }: CheckedPassage, isShell: boolean): boolean =>
  role === "table" || (code ? code.role !== "input" : isShell && !linesOf(text).some(isPrompt));

/** Code of which a page says what it prints: all of a passage, what follows it, and beside it the words that speak of it. */
function sessionFindings({ content, sourceIds, narration }: SceneOf<"trace">, passages: readonly CheckedPassage[]): Found[] {
  const code = linesOf(content.code);
  const printed = linesOf(content.printed);
  const isOwn = ({ sourceId }: CheckedPassage): boolean => sourceIds.includes(sourceId);
  const isAll = ({ text, heading }: CheckedPassage): boolean => {
    const lines = linesOf(text);
    return same(lines, code) || (lines[0] === heading && same(lines.slice(1), code));
  };
  const places = passages.flatMap((one, place) => (isOwn(one) && isAll(one) ? [place] : []));
  if (places.length === 0) return [{ problem: "unsupported", detail: "The code is not all of a passage of the scene." }];
  const run = places.filter((place) => {
    const next = passages[place + 1];
    return next && isOwn(next) && isPrinted(next, isPrompt(code[0] ?? "")) && isStretch(linesOf(next.text), printed);
  });
  if (run.length === 0) return [{ problem: "unsupported", detail: "What the code prints does not follow it in the course." }];
  if (!run.some((place) => isBeside(place, { sourceIds, narration }, passages)))
    return [{ problem: "unclear", detail: "The words stand neither directly before nor directly after the code that is shown." }];
  const shown = `${content.code}\n${content.printed}`;
  const denied = deniedAndShown(narration, shown);
  if (denied !== undefined)
    return [{ problem: "unclear", detail: `The narration says that ${denied} is not shown, and what the command prints shows it.` }];
  const names = namesSpoken(narration, shown, passages);
  // The course's own sentence may compare what is shown with something else.
  const isCourses = names.shown.length > 0 && passages.some((one) => isOwn(one) && containsQuote(narration, one.text));
  return isCourses ? [] : names.missing.slice(0, 1).map(unshown);
}

/**
 * Code that is run stands in a passage of the scene; what it prints is the passage that follows; what its first command prints follows
 * that command elsewhere. The rest is computed, and has to end in what the course says is printed. Of other code nothing is computed.
 * @param passages all of the topic, in reading order
 */
export function traceFindings(scene: SceneOf<"trace">, passages: readonly CheckedPassage[]): Found[] {
  const { content, sourceIds, narration } = scene;
  const run = runOf(content);
  if (run.kind === "unknown") return [{ problem: "unclear", detail: run.problem }];
  if (run.kind === "session") return sessionFindings(scene, passages);
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
