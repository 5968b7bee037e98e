import { sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { instructorsParts, isBankQuestion, markAudience } from "@colloquy/schemas/courses/audience.ts";
import type { AuthoredCourse, Topic } from "@colloquy/schemas/courses/authored.ts";
import type { ParsedBlock } from "@colloquy/schemas/courses/blocks.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { coursePlaces } from "@colloquy/schemas/courses/places.ts";
import type { Passage, SearchIndex, Source } from "@colloquy/schemas/courses/revision.ts";
import type { SourceKind } from "@colloquy/schemas/sources/references.ts";
import { firstHeading, lastHeading, type Stretch, stretchesOf } from "./passages.ts";
import { plainLine } from "./plain-text.ts";

/**
 * The search index of a course: a source for the course and each collection, topic and block, and the words under each as passages.
 * The words of a passage stand on the rendered page as they are here, white space aside, so that a quote can be marked there.
 * @param course one that passed validation.
 */
export function buildSearchIndex(course: AuthoredCourse, revisionId: string): SearchIndex {
  const { courseId, title, summary, language } = course.manifest;
  const sources: Source[] = [];
  const passages: Passage[] = [];
  const places = coursePlaces(course);
  const hrefOf = (path: string): string => `/courses/${courseId}${path ? `/${path}` : ""}`;

  const addSource = (kind: SourceKind, entityId: string, more: Omit<Source, "sourceId" | "kind" | "entityId">): string => {
    const sourceId = sourceIdOf(courseId, entityId);
    sources.push({ sourceId, kind, entityId, ...more, title: clip(more.title) });
    return sourceId;
  };
  const addPassages = (sourceId: string, stretches: Stretch[]): void => {
    for (const [index, stretch] of stretches.entries()) passages.push({ passageId: `${sourceId}-${index}`, sourceId, ...stretch });
  };

  const courseSource = addSource("course", courseId, { topicId: null, href: hrefOf(""), title, trail: [] });
  addPassages(courseSource, prose(summary, title));
  const collections = new Map(course.collections.map((collection) => [collection.id, collection]));
  const topics = new Map(course.topics.map((topic) => [topic.id, topic]));
  for (const [entityId, { path, trail }] of places) {
    const collection = collections.get(entityId);
    if (collection) {
      const sourceId = addSource("collection", entityId, { topicId: null, href: hrefOf(path), title: collection.title, trail });
      addPassages(sourceId, prose(collection.summary ?? "", collection.title));
    }
    const topic = topics.get(entityId);
    if (!topic) continue;
    const sourceId = addSource("topic", entityId, { topicId: entityId, href: hrefOf(path), title: topic.title, trail });
    addPassages(sourceId, [...prose(topic.summary ?? "", topic.title), ...objectives(topic)]);
    let heading = topic.title;
    for (const block of topic.blocks) {
      const parsed = parseBlock(block);
      if (!parsed.ok || isBankQuestion(block)) continue;
      const own = titleOf(parsed.block) ?? firstHeading(parsed.block);
      const blockSource = addSource("block", block.id, {
        topicId: entityId,
        href: `${hrefOf(path)}#${block.id}`,
        title: own ?? heading,
        trail: [...trail, topic.title],
      });
      // Key points are of the whole page, not of the section that happens to precede them.
      addPassages(blockSource, stretchesOf(parsed.block, block.type === "core.key-points" ? topic.title : heading));
      heading = lastHeading(parsed.block) ?? heading;
    }
  }
  return markAudience({ schemaVersion: 1, courseId, revisionId, language, sources, passages }, instructorsParts(course));
}

/** What a block calls itself; null when the heading above it has to do. */
function titleOf({ type, data }: ParsedBlock): string | null {
  if (type === "core.key-points") return data.title ?? "Key points";
  return "title" in data && data.title !== undefined ? plainLine(data.title) : null;
}

const clip = (text: string): string => text.slice(0, bounds.course.titleLength);

function prose(text: string, heading: string): Stretch[] {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  return plain ? [{ heading, text: plain, role: "prose" }] : [];
}

/** What a topic teaches, one objective a line, as many lines to a passage as fit. */
function objectives(topic: Topic): Stretch[] {
  const texts: string[] = [];
  for (const { text } of topic.objectives) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + text.length < bounds.course.passageLength) texts[texts.length - 1] = `${last}\n${text}`;
    else texts.push(text);
  }
  return texts.map((text) => ({ heading: topic.title, text, role: "objectives" }));
}
