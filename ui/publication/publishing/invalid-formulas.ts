import type { AuthoredCourse, Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import { formulaWarnings, lineWarnings, type Warning } from "../fields/block-warnings.ts";

/** A formula that cannot be typeset: its path, as in errors, and the reason in the reader's language. */
export interface InvalidFormula {
  path: string;
  message: unknown;
}

/** Upper bound of listed formulas. */
const maxListed = 200;

/** Blocks are immutable, so each is checked once. */
const known = new WeakMap<Block, Warning[]>();

async function warningsOfBlock(block: Block): Promise<Warning[]> {
  const warnings = known.get(block) ?? (await formulaWarnings(block));
  known.set(block, warnings);
  return warnings;
}

/**
 * The formulas that cannot be typeset in changed summaries and on changed pages.
 * @param base the course that was published before
 */
export async function invalidFormulas(base: AuthoredCourse, course: AuthoredCourse): Promise<InvalidFormula[]> {
  const found: InvalidFormula[] = [];
  const add = (path: string, warnings: readonly Warning[], inSource = false): void => {
    for (const { line, message } of warnings) found.push({ path: inSource ? `${path}:${line}` : path, message });
  };
  if (course.manifest.summary !== base.manifest.summary) add("manifest.summary", await lineWarnings(course.manifest.summary));
  const parts = new Set(base.collections);
  for (const [at, part] of course.collections.entries())
    if (!parts.has(part)) add(`collections.${at}.summary`, await lineWarnings(part.summary ?? ""));
  const pages = new Set<Topic>(base.topics);
  for (const [at, topic] of course.topics.entries()) {
    if (pages.has(topic) || found.length >= maxListed) continue;
    add(`topics.${at}.summary`, await lineWarnings(topic.summary ?? ""));
    for (const [index, { text }] of topic.objectives.entries()) add(`topics.${at}.objectives.${index}.text`, await lineWarnings(text));
    for (const [index, block] of topic.blocks.entries()) add(`topics.${at}.blocks.${index}.source`, await warningsOfBlock(block), true);
  }
  return found.slice(0, maxListed);
}
