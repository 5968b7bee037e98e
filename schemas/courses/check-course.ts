import { bounds } from "../bounds.ts";
import type { AuthoredCourse, ContainerRef, Topic } from "./authored.ts";
import type { ParsedBlock } from "./blocks.ts";
import { checkFields } from "./check-fields.ts";
import { parseBlock } from "./parse.ts";
import { type CourseError, remark } from "./remarks.ts";
import { reservedSlugs } from "./slugs.ts";
import { checkLinks } from "./validate-links.ts";
import { checkQuestions } from "./validate-questions.ts";

/** No more errors than a person can use; the rest come back after these are mended. */
export const mostErrors = 200;

/**
 * What is wrong with a course whose types are right: the same that `validateCourse` finds, without zod, so that a browser may load it.
 * A path names the place the way JSON does, and a line within a block's source follows after a colon: `topics.3.blocks.2.source:14`.
 */
export function checkCourse(course: AuthoredCourse): CourseError[] {
  const fields = [...checkFields(course), ...checkIds(course), ...checkContainers(course), ...checkSlugs(course), ...checkAssets(course)];
  const { parsed, errors } = parseTopics(course.topics);
  fields.push(...errors, ...checkLinks(course, parsed), ...checkQuestions(course.topics, parsed));
  return fields.slice(0, mostErrors);
}

function* everyId(course: AuthoredCourse): Generator<{ id: string; path: string }> {
  for (const [c, collection] of course.collections.entries()) yield { id: collection.id, path: `collections.${c}.id` };
  for (const [t, topic] of course.topics.entries()) {
    yield { id: topic.id, path: `topics.${t}.id` };
    for (const [o, objective] of topic.objectives.entries()) yield { id: objective.id, path: `topics.${t}.objectives.${o}.id` };
    for (const [b, block] of topic.blocks.entries()) yield { id: block.id, path: `topics.${t}.blocks.${b}.id` };
  }
}

function checkIds(course: AuthoredCourse): CourseError[] {
  const first = new Map<string, string>();
  const errors: CourseError[] = [];
  for (const { id, path } of everyId(course)) {
    const earlier = first.get(id);
    if (earlier) errors.push({ path, ...remark("id-taken", { id, place: earlier }) });
    else first.set(id, path);
  }
  return errors;
}

function checkContainers(course: AuthoredCourse): CourseError[] {
  const errors: CourseError[] = [];
  const collections = new Map(course.collections.map((collection) => [collection.id, collection]));
  const topics = new Set(course.topics.map((topic) => topic.id));
  const containedAt = new Map<string, string>();
  const lists: { path: string; refs: ContainerRef[] }[] = [
    { path: "manifest.root", refs: course.manifest.root },
    ...course.collections.map((collection, index) => ({ path: `collections.${index}.children`, refs: collection.children })),
  ];
  for (const { path, refs } of lists)
    for (const [index, ref] of refs.entries()) {
      const at = `${path}.${index}`;
      const exists = ref.kind === "topic" ? topics.has(ref.id) : collections.has(ref.id);
      const earlier = containedAt.get(ref.id);
      if (!exists) errors.push({ path: at, ...remark(`${ref.kind}-missing`, { id: ref.id }) });
      else if (earlier) errors.push({ path: at, ...remark(`${ref.kind}-twice`, { id: ref.id, place: earlier }) });
      else containedAt.set(ref.id, at);
    }
  const depths = depthsFromRoot(course);
  for (const [index, collection] of course.collections.entries()) {
    const depth = depths.get(collection.id);
    const path = `collections.${index}.id`;
    const { title } = collection;
    if (!containedAt.has(collection.id)) errors.push({ path, ...remark("collection-loose", { title }) });
    else if (depth === undefined && isOnCircle(collection.id, collections))
      errors.push({ path, ...remark("collection-in-itself", { title }) });
    else if (depth !== undefined && depth > bounds.course.containerDepth)
      errors.push({ path, ...remark("collection-deep", { most: bounds.course.containerDepth, depth }) });
  }
  for (const [index, topic] of course.topics.entries())
    if (!containedAt.has(topic.id)) errors.push({ path: `topics.${index}.id`, ...remark("topic-loose", { title: topic.title }) });
  if (course.topics.length === 0) errors.push({ path: "topics", ...remark("no-topic") });
  return errors;
}

/** How deep each collection stands that the root leads to; circles are walked once. */
function depthsFromRoot(course: AuthoredCourse): Map<string, number> {
  const collections = new Map(course.collections.map((collection) => [collection.id, collection]));
  const depths = new Map<string, number>();
  let level = course.manifest.root;
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: ContainerRef[] = [];
    for (const ref of level) {
      if (ref.kind !== "collection" || depths.has(ref.id)) continue;
      depths.set(ref.id, depth);
      next.push(...(collections.get(ref.id)?.children ?? []));
    }
    level = next;
  }
  return depths;
}

function isOnCircle(start: string, collections: Map<string, AuthoredCourse["collections"][number]>): boolean {
  const seen = new Set<string>();
  const ahead = [start];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop())
    for (const child of collections.get(id)?.children ?? []) {
      if (child.kind !== "collection" || seen.has(child.id)) continue;
      if (child.id === start) return true;
      seen.add(child.id);
      ahead.push(child.id);
    }
  return false;
}

function checkSlugs(course: AuthoredCourse): CourseError[] {
  interface Place {
    slug: string;
    title: string;
    path: string;
  }
  const places = new Map<string, Place>();
  for (const [index, { id, slug, title }] of course.collections.entries())
    places.set(`collection ${id}`, { slug, title, path: `collections.${index}.slug` });
  for (const [index, { id, slug, title }] of course.topics.entries())
    places.set(`topic ${id}`, { slug, title, path: `topics.${index}.slug` });
  const errors: CourseError[] = [];
  for (const [siblings, atRoot] of [
    [course.manifest.root, true] as const,
    ...course.collections.map(({ children }) => [children, false] as const),
  ]) {
    const taken = new Map<string, Place>();
    for (const ref of siblings) {
      const place = places.get(`${ref.kind} ${ref.id}`);
      if (!place) continue;
      const other = taken.get(place.slug);
      if (other && other !== place) errors.push({ path: place.path, ...remark("slug-taken", { title: other.title, slug: place.slug }) });
      else taken.set(place.slug, place);
      if (atRoot && reservedSlugs.includes(place.slug)) errors.push({ path: place.path, ...remark("slug-reserved", { slug: place.slug }) });
    }
  }
  return errors;
}

function checkAssets(course: AuthoredCourse): CourseError[] {
  const first = new Map<string, number>();
  const errors: CourseError[] = [];
  for (const [index, { path }] of course.assets.entries()) {
    const earlier = first.get(path);
    if (earlier === undefined) first.set(path, index);
    else errors.push({ path: `assets.${index}.path`, ...remark("file-twice", { path, place: `assets.${earlier}` }) });
  }
  return errors;
}

function parseTopics(topics: Topic[]): { parsed: Map<string, ParsedBlock>; errors: CourseError[] } {
  const parsed = new Map<string, ParsedBlock>();
  const errors: CourseError[] = [];
  for (const [t, topic] of topics.entries())
    for (const [b, block] of topic.blocks.entries()) {
      const result = parseBlock(block);
      if (result.ok) parsed.set(block.id, result.block);
      else for (const { line, ...wrong } of result.errors) errors.push({ path: `topics.${t}.blocks.${b}.source:${line}`, ...wrong });
    }
  return { parsed, errors };
}
