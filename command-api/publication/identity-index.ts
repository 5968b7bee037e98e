import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type { IdentityIndex } from "@colloquy/schemas/courses/revision.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";
import { coursePlaces } from "./places.ts";

type Entry = IdentityIndex["entries"][number];
export interface IdentityChanges {
  renamedIds: { from: string; to: string }[];
  /** From a path that was live to the id of the topic or collection that stood there, or to its present path. */
  aliases: { from: string; to: string }[];
}

/**
 * The identity index of the next revision: every id that is or ever was, old addresses of what moved (also those nobody
 * named), and renames followed to their present end.
 * @param before the course and index of the live revision; null at the first publication.
 */
export function nextIdentity(
  course: AuthoredCourse,
  before: { course: AuthoredCourse; identity: IdentityIndex } | null,
  changes: IdentityChanges,
  sequence: number,
): IdentityIndex {
  const earlier = new Map(before?.identity.entries.map((entry) => [entry.id, entry]));
  const entries = entriesOf(course).map((entry): Entry => {
    const old = earlier.get(entry.id);
    earlier.delete(entry.id);
    return { ...entry, state: "live", since: old?.state === "live" ? old.since : sequence };
  });
  for (const old of earlier.values()) entries.push(old.state === "tombstone" ? old : { ...old, state: "tombstone", since: sequence });
  const present = followRenames(changes.renamedIds);
  const renames = new Map<string, string>();
  for (const { from, to } of [...(before?.identity.renames ?? []), ...changes.renamedIds]) renames.set(from, present(to));
  return {
    schemaVersion: 1,
    courseId: course.manifest.courseId,
    entries,
    aliases: nextAliases(course, before, changes, present),
    renames: [...renames].filter(([from, to]) => from !== to).map(([from, to]) => ({ from, to })),
  };
}

/** Follows the renames of this publication to where an id is now. */
function followRenames(renames: IdentityChanges["renamedIds"]): (id: string) => string {
  const next = new Map(renames.map(({ from, to }) => [from, to]));
  return (id) => {
    let now = id;
    for (let steps = 0; steps <= next.size; steps += 1) {
      const to = next.get(now);
      if (to === undefined || to === now) break;
      now = to;
    }
    return now;
  };
}

function nextAliases(
  course: AuthoredCourse,
  before: { course: AuthoredCourse; identity: IdentityIndex } | null,
  changes: IdentityChanges,
  present: (id: string) => string,
): IdentityIndex["aliases"] {
  const places = coursePlaces(course);
  const livePaths = new Set([...places.values()].map((place) => place.path));
  const idAt = new Map([...places].map(([id, place]) => [place.path, id]));
  const aliases = new Map<string, string>();
  const add = (from: string, id: string): void => {
    if (places.has(id) && places.get(id)?.path !== from && !livePaths.has(from)) aliases.set(from, id);
  };
  for (const { from, to } of before?.identity.aliases ?? []) add(from, present(to));
  if (before) for (const [id, { path }] of coursePlaces(before.course)) add(path, present(id));
  for (const { from, to } of changes.aliases) add(plainPath(from), idAt.get(plainPath(to)) ?? present(to));
  return [...aliases].map(([from, to]) => ({ from, to }));
}

const plainPath = (path: string): string => path.replace(/^\/+/, "").replace(/\/+$/, "");

function entriesOf(course: AuthoredCourse): Pick<Entry, "id" | "kind" | "parent">[] {
  const parents = new Map<string, string>();
  for (const collection of course.collections) for (const { id } of collection.children) parents.set(id, collection.id);
  const parentOf = (id: string): string | null => parents.get(id) ?? null;
  return [
    ...course.collections.map(({ id }) => ({ id, kind: "collection" as const, parent: parentOf(id) })),
    ...course.topics.flatMap((topic) => [
      { id: topic.id, kind: "topic" as const, parent: parentOf(topic.id) },
      ...topic.objectives.map(({ id }) => ({ id, kind: "objective" as const, parent: topic.id })),
      ...topic.blocks.map(({ id }) => ({ id, kind: "block" as const, parent: topic.id })),
    ]),
  ];
}

/** Renames and aliases a publication asks for that do not fit the course. */
export function checkIdentityChanges(course: AuthoredCourse, changes: IdentityChanges, before: IdentityIndex | null): FieldError[] {
  const now = new Set(entriesOf(course).map((entry) => entry.id));
  const ever = new Set(before?.entries.map((entry) => entry.id));
  const places = coursePlaces(course);
  const paths = new Set([...places.values()].map((place) => place.path));
  const errors: FieldError[] = [];
  for (const [index, { from, to }] of changes.renamedIds.entries()) {
    if (!now.has(to)) errors.push({ path: `renamedIds.${index}.to`, message: `the course has nothing with the id "${to}"` });
    if (!ever.has(from)) errors.push({ path: `renamedIds.${index}.from`, message: `the id "${from}" was never published` });
    else if (now.has(from)) errors.push({ path: `renamedIds.${index}.from`, message: `the id "${from}" is still in the course` });
  }
  for (const [index, { to }] of changes.aliases.entries())
    if (!places.has(to) && !paths.has(plainPath(to)))
      errors.push({
        path: `aliases.${index}.to`,
        message: `"${to}" is neither the id nor the path of a topic or collection of the course`,
      });
  return errors;
}
