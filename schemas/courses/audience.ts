import type { AuthoredCourse, Block, ContainerRef } from "./authored.ts";
import { parseBlock } from "./parse.ts";
import type { SearchIndex } from "./revision.ts";
import { walkCourse } from "./walk.ts";

/** Titles of collections and pages that only instructors are meant to read, such as "For instructors" or "Instructor notes". */
const instructorsTitle =
  /^(?:(?:notes |guide )?for (?:the )?(?:instructor|teacher|trainer|lecturer)s?|(?:instructor|teacher|trainer|lecturer)(?:[’']s|s[’']?)? (?:notes?|guides?|manual|material)|für (?:lehrende|lehrkräfte|dozierende|lehrpersonen)|hinweise für (?:lehrende|lehrkräfte|dozierende|lehrpersonen))$/i;

/** What `instructorsPlaces` reads of a course or of a revision's manifest. */
interface TitledCourse {
  root: ContainerRef[];
  topics: readonly { id: string; title: string }[];
  collections: readonly { id: string; title: string; children: ContainerRef[] }[];
}

/** The ids of the collections and topics that have such a title, together with all they contain. */
export function instructorsPlaces(course: TitledCourse): Set<string> {
  const ids = new Set<string>();
  for (const { id, node, above } of walkCourse(course))
    if (instructorsTitle.test(node.title.trim()) || above.some((collection) => ids.has(collection.id))) ids.add(id);
  return ids;
}

/** Whether a block is a callout of the kind "instructor". */
export function isForInstructors(block: Block): boolean {
  const parsed = block.type === "core.callout" ? parseBlock(block) : null;
  return Boolean(parsed?.ok && parsed.block.type === "core.callout" && parsed.block.data.kind === "instructor");
}

/** Whether a block is a question that readers never receive. One that is not understood counts as such. */
export function isBankQuestion(block: Block): boolean {
  if (block.type !== "core.question") return false;
  const parsed = parseBlock(block);
  return !parsed.ok || parsed.block.type !== "core.question" || parsed.block.data.place === "bank" || parsed.block.data.retired === true;
}

/** The ids of what a course holds for instructors only: `instructorsPlaces` with their blocks, and callouts of the kind "instructor". */
export function instructorsParts(course: AuthoredCourse): ReadonlySet<string> {
  const ids = instructorsPlaces({ ...course, root: course.manifest.root });
  for (const topic of course.topics) for (const block of topic.blocks) if (ids.has(topic.id) || isForInstructors(block)) ids.add(block.id);
  return ids;
}

/** Marks the sources of a search index that are for instructors. @param ids of `instructorsParts` */
export function markAudience(index: SearchIndex, ids: ReadonlySet<string>): SearchIndex {
  const sources = index.sources.map((source) => (ids.has(source.entityId) ? { ...source, audience: "instructors" as const } : source));
  return { ...index, audienceMarked: true, sources };
}

/**
 * A search index without the text for instructors. Its places stay, so that their addresses still lead somewhere.
 * @param index with its audience marked
 */
export function passagesForLearners(index: SearchIndex): SearchIndex {
  const hidden = new Set(index.sources.flatMap(({ sourceId, audience }) => (audience === undefined ? [] : [sourceId])));
  return hidden.size === 0 ? index : { ...index, passages: index.passages.filter(({ sourceId }) => !hidden.has(sourceId)) };
}
