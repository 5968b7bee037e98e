import type { z } from "zod";
import { bounds } from "../bounds.ts";
import type { FieldError } from "../errors.ts";
import { type AuthoredCourse, authoredCourse, type ContainerRef, type Topic } from "./authored.ts";
import type { ParsedBlock } from "./blocks.ts";
import { parseBlock } from "./parse.ts";
import { checkLinks } from "./validate-links.ts";

/** First segments of a course's addresses that are not for topics and collections: the product may need them itself. */
export const reservedSlugs: readonly string[] = ["api", "assets", "draw", "edit", "revisions", "search"];

/** No more errors than a person can use; the rest come back after these are mended. */
const mostErrors = 200;

/**
 * Checks a whole course: its shape, then everything its parts must agree on. A path names the place the way JSON does,
 * and a line within a block's source follows after a colon: `topics.3.blocks.2.source:14`.
 */
export function validateCourse(course: unknown): { ok: true; course: AuthoredCourse } | { ok: false; fields: FieldError[] } {
  const shape = authoredCourse.safeParse(course);
  if (!shape.success) return { ok: false, fields: shape.error.issues.flatMap(fieldsOfIssue).slice(0, mostErrors) };
  const fields = [...checkIds(shape.data), ...checkContainers(shape.data), ...checkSlugs(shape.data), ...checkAssets(shape.data)];
  const { parsed, errors } = parseTopics(shape.data.topics);
  fields.push(...errors, ...checkLinks(shape.data, parsed));
  return fields.length ? { ok: false, fields: fields.slice(0, mostErrors) } : { ok: true, course: shape.data };
}

function fieldsOfIssue(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: "this field is not known" }));
}

function* everyId(course: AuthoredCourse): Generator<{ id: string; path: string }> {
  for (const [c, collection] of course.collections.entries()) yield { id: collection.id, path: `collections.${c}.id` };
  for (const [t, topic] of course.topics.entries()) {
    yield { id: topic.id, path: `topics.${t}.id` };
    for (const [o, objective] of topic.objectives.entries()) yield { id: objective.id, path: `topics.${t}.objectives.${o}.id` };
    for (const [b, block] of topic.blocks.entries()) yield { id: block.id, path: `topics.${t}.blocks.${b}.id` };
  }
}

function checkIds(course: AuthoredCourse): FieldError[] {
  const first = new Map<string, string>();
  const errors: FieldError[] = [];
  for (const { id, path } of everyId(course)) {
    const earlier = first.get(id);
    if (earlier) errors.push({ path, message: `the id "${id}" is already used at ${earlier}` });
    else first.set(id, path);
  }
  return errors;
}

function checkContainers(course: AuthoredCourse): FieldError[] {
  const errors: FieldError[] = [];
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
      if (!exists) errors.push({ path: at, message: `there is no ${ref.kind} with the id "${ref.id}"` });
      else if (earlier) errors.push({ path: at, message: `"${ref.id}" is already contained at ${earlier}: a ${ref.kind} has one place` });
      else containedAt.set(ref.id, at);
    }
  const depths = depthsFromRoot(course);
  for (const [index, collection] of course.collections.entries()) {
    const depth = depths.get(collection.id);
    const path = `collections.${index}.id`;
    if (!containedAt.has(collection.id))
      errors.push({ path, message: `the collection "${collection.title}" is in no container: add it to one, or delete it` });
    else if (depth === undefined && isOnCircle(collection.id, collections))
      errors.push({ path, message: `the collection "${collection.title}" contains itself, directly or by way of others` });
    else if (depth !== undefined && depth > bounds.course.containerDepth)
      errors.push({ path, message: `collections may be nested ${bounds.course.containerDepth} deep, this one stands ${depth} deep` });
  }
  for (const [index, topic] of course.topics.entries())
    if (!containedAt.has(topic.id))
      errors.push({ path: `topics.${index}.id`, message: `the topic "${topic.title}" is in no container: add it to one, or delete it` });
  if (course.topics.length === 0) errors.push({ path: "topics", message: "a course needs at least one topic" });
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

function checkSlugs(course: AuthoredCourse): FieldError[] {
  const places = new Map<string, { slug: string; path: string }>();
  for (const [index, { id, slug }] of course.collections.entries())
    places.set(`collection ${id}`, { slug, path: `collections.${index}.slug` });
  for (const [index, { id, slug }] of course.topics.entries()) places.set(`topic ${id}`, { slug, path: `topics.${index}.slug` });
  const errors: FieldError[] = [];
  for (const [siblings, atRoot] of [
    [course.manifest.root, true] as const,
    ...course.collections.map(({ children }) => [children, false] as const),
  ]) {
    const taken = new Map<string, string>();
    for (const ref of siblings) {
      const place = places.get(`${ref.kind} ${ref.id}`);
      if (!place) continue;
      const other = taken.get(place.slug);
      if (other && other !== place.path)
        errors.push({ path: place.path, message: `its neighbour ${other} has the same slug "${place.slug}"` });
      else taken.set(place.slug, place.path);
      if (atRoot && reservedSlugs.includes(place.slug))
        errors.push({ path: place.path, message: `"${place.slug}" is kept for the product's own pages: choose another slug` });
    }
  }
  return errors;
}

function checkAssets(course: AuthoredCourse): FieldError[] {
  const first = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, { path }] of course.assets.entries()) {
    const earlier = first.get(path);
    if (earlier === undefined) first.set(path, index);
    else errors.push({ path: `assets.${index}.path`, message: `"${path}" is already listed at assets.${earlier}` });
  }
  return errors;
}

function parseTopics(topics: Topic[]): { parsed: Map<string, ParsedBlock>; errors: FieldError[] } {
  const parsed = new Map<string, ParsedBlock>();
  const errors: FieldError[] = [];
  for (const [t, topic] of topics.entries())
    for (const [b, block] of topic.blocks.entries()) {
      const result = parseBlock(block);
      if (result.ok) parsed.set(block.id, result.block);
      else for (const error of result.errors) errors.push({ path: `topics.${t}.blocks.${b}.source:${error.line}`, message: error.message });
    }
  return { parsed, errors };
}
