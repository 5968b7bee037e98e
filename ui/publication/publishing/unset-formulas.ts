import type { AuthoredCourse, Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import { formulaWarnings, lineWarnings, type Warning } from "../fields/block-warnings.ts";

/** A formula that readers see as its source: where it stands, as the paths of errors have it, and why, in the reader's language. */
export interface UnsetFormula {
  path: string;
  message: unknown;
}

/** No more than a person can use. */
const most = 200;

/** Blocks never change, so each is looked through once. */
const known = new WeakMap<Block, Warning[]>();

async function warningsOfBlock(block: Block): Promise<Warning[]> {
  const warnings = known.get(block) ?? (await formulaWarnings(block));
  known.set(block, warnings);
  return warnings;
}

/**
 * The formulas that cannot be set in what a publication changes: its own lines, and the whole of each page it touches.
 * @param base what was published before
 */
export async function unsetFormulas(base: AuthoredCourse, course: AuthoredCourse): Promise<UnsetFormula[]> {
  const found: UnsetFormula[] = [];
  const add = (path: string, warnings: readonly Warning[], inSource = false): void => {
    for (const { line, message } of warnings) found.push({ path: inSource ? `${path}:${line}` : path, message });
  };
  if (course.manifest.summary !== base.manifest.summary) add("manifest.summary", await lineWarnings(course.manifest.summary));
  const parts = new Set(base.collections);
  for (const [at, part] of course.collections.entries())
    if (!parts.has(part)) add(`collections.${at}.summary`, await lineWarnings(part.summary ?? ""));
  const pages = new Set<Topic>(base.topics);
  for (const [at, topic] of course.topics.entries()) {
    if (pages.has(topic) || found.length >= most) continue;
    add(`topics.${at}.summary`, await lineWarnings(topic.summary ?? ""));
    for (const [index, { text }] of topic.objectives.entries()) add(`topics.${at}.objectives.${index}.text`, await lineWarnings(text));
    for (const [index, block] of topic.blocks.entries()) add(`topics.${at}.blocks.${index}.source`, await warningsOfBlock(block), true);
  }
  return found.slice(0, most);
}
