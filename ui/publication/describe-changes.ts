import type { AuthoredCourse, Block, Topic } from "@colloquy/schemas/courses/authored.ts";
import { compareCourses, sameValue, type UnitComparison } from "@colloquy/schemas/courses/editing/units.ts";
import { list, msg } from "../messages/page.ts";

/** A changed page and a description of the change. */
export interface PageChange {
  /** Title of the page, or of the course for its manifest. */
  title: string;
  what: string;
}

/** Describes what a draft changes, page by page. */
export function describeChanges(base: AuthoredCourse, draft: AuthoredCourse): PageChange[] {
  return compareCourses(base, base, draft)
    .filter(({ own }) => own === "changed" || own === "added" || own === "deleted")
    .map((unit) => ({ title: unit.title, what: whatChanged(unit) }));
}

function whatChanged({ kind, own, base, draft }: UnitComparison): string {
  if (own === "added") return msg("editor.new");
  if (own === "deleted") return msg("editor.removed");
  if (kind === "manifest") return msg("editor.theCoursesOwnPage");
  if (base?.kind !== "topic" || draft?.kind !== "topic") return msg("editor.titleOrContents");
  return list(topicParts(base.topic, draft.topic));
}

function topicParts(before: Topic, after: Topic): string[] {
  const old = new Map(before.blocks.map((block) => [block.id, block]));
  const now = new Set(after.blocks.map(({ id }) => id));
  const changed = after.blocks.filter((block) => differs(old.get(block.id), block)).length;
  const added = after.blocks.filter(({ id }) => !old.has(id)).length;
  const gone = before.blocks.filter(({ id }) => !now.has(id)).length;
  const order = (blocks: readonly Block[]) => blocks.map(({ id }) => id).filter((id) => old.has(id) && now.has(id));
  const moved = changed + added + gone === 0 && !sameValue(order(before.blocks), order(after.blocks));
  const head = !sameValue({ ...before, blocks: [] }, { ...after, blocks: [] });
  return [
    ...(changed ? [msg("editor.blocksChanged", { n: changed })] : []),
    ...(added ? [msg("editor.newBlocks", { n: added })] : []),
    ...(gone ? [msg("editor.blocksRemoved", { n: gone })] : []),
    ...(moved ? [msg("editor.blocksInAnotherOrder")] : []),
    ...(head ? [msg("editor.titleOrSummary")] : []),
  ];
}

const differs = (before: Block | undefined, after: Block): boolean => before !== undefined && !sameValue(before, after);
