import type { AuthoredCourse } from "../courses/authored.ts";

/** The place in a course that an error names by its path: what the editor leads to. */
export interface ErrorPlace {
  kind: "course" | "collection" | "topic" | "block" | "objective" | "asset";
  /** Of the collection, topic, block or objective; an asset's path; null for the course. */
  id: string | null;
  /** The topic a block or objective stands in, or the topic itself. */
  topicId: string | null;
  /** Which field: `title`, `slug`, `id`, `source`, …; null for the thing itself. */
  field: string | null;
  /** In a block's source, from 1. */
  line: number | null;
}

/** Reads the path of an error (`topics.3.blocks.2.source:14`) of this very course. */
export function placeOfError(path: string, course: AuthoredCourse): ErrorPlace {
  const [, names = path, line] = /^(.*?)(?::(\d+))?$/s.exec(path) ?? [];
  const [list, first, inner, second, last] = names.replace(/^course\./, "").split(".");
  const at = (text: string | undefined): number => (text === undefined ? -1 : Number(text));
  const found = { id: null, topicId: null, field: null, line: line === undefined ? null : Number(line) };
  if (list === "topics" && first !== undefined) {
    const topic = course.topics[at(first)];
    const topicId = topic?.id ?? null;
    const block = inner === "blocks" ? topic?.blocks[at(second)] : undefined;
    if (block) return { ...found, kind: "block", id: block.id, topicId, field: last ?? null };
    const objective = inner === "objectives" ? topic?.objectives[at(second)] : undefined;
    if (objective) return { ...found, kind: "objective", id: objective.id, topicId, field: last ?? null };
    return { ...found, kind: "topic", id: topicId, topicId, field: inner ?? null };
  }
  if (list === "collections" && first !== undefined)
    return { ...found, kind: "collection", id: course.collections[at(first)]?.id ?? null, field: inner ?? null };
  if (list === "assets" && first !== undefined)
    return { ...found, kind: "asset", id: course.assets[at(first)]?.path ?? null, field: inner ?? null };
  return { ...found, kind: "course", field: (list === "manifest" ? first : list) || null };
}
