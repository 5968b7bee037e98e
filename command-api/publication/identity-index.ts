import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { type CourseOutline, coursePlaces } from "@colloquy/schemas/courses/places.ts";
import { type Remark, remark } from "@colloquy/schemas/courses/remarks.ts";
import type { IdentityIndex } from "@colloquy/schemas/courses/revision.ts";
import type { FieldError } from "@colloquy/schemas/errors.ts";

type Entry = IdentityIndex["entries"][number];
export interface IdentityChanges {
  renamedIds: { from: string; to: string }[];
  /** From a path that was live to the id of the topic or collection that stood there, or to its present path. */
  aliases: { from: string; to: string }[];
}

/** The live revision: where everything stood, and what its index holds. */
export interface Before {
  course: CourseOutline;
  identity: IdentityIndex;
}

/**
 * The identity index of the next revision: every id that is or ever was, old addresses of what moved (also those nobody
 * named), and renames followed to their present end.
 * @param before the course and index of the live revision; null at the first publication.
 */
export function nextIdentity(course: AuthoredCourse, before: Before | null, changes: IdentityChanges, sequence: number): IdentityIndex {
  const earlier = new Map(before?.identity.entries.map((entry) => [entry.id, entry]));
  const entries = entriesOf(course).map((entry): Entry => {
    const old = earlier.get(entry.id);
    earlier.delete(entry.id);
    return { ...entry, state: "live", since: old?.state === "live" ? old.since : sequence };
  });
  for (const old of earlier.values()) entries.push(old.state === "tombstone" ? old : { ...old, state: "tombstone", since: sequence });
  const live = new Set(entriesOf(course).map(({ id }) => id));
  const renames = presentIds([...(before?.identity.renames ?? []), ...changes.renamedIds], live);
  return {
    schemaVersion: 1,
    courseId: course.manifest.courseId,
    entries,
    aliases: nextAliases(course, before, changes, (id) => renames.get(id) ?? id),
    renames: [...renames].map(([from, to]) => ({ from, to })),
  };
}

/**
 * Where everything that was renamed is now, in one step. What is live under an id is found there and nowhere else: where a rollback or an
 * import brings an earlier id back, the rename is turned round, so that what people keep under the later one follows.
 * @param renames the earlier ones first
 */
function presentIds(renames: readonly IdentityChanges["renamedIds"][number][], live: ReadonlySet<string>): Map<string, string> {
  const next = new Map(renames.map(({ from, to }) => [from, to]));
  const endOf = (id: string): string => {
    const passed = new Set<string>();
    let now = id;
    for (let to = next.get(now); to !== undefined && !passed.has(to); to = next.get(now)) {
      passed.add(now);
      now = to;
    }
    return now;
  };
  for (const id of [...next.keys()].filter((from) => live.has(from))) {
    const end = endOf(id);
    next.delete(id);
    if (end !== id && !live.has(end)) next.set(end, id);
  }
  return new Map([...next.keys()].map((from) => [from, endOf(from)] as const).filter(([from, to]) => from !== to));
}

function nextAliases(
  course: AuthoredCourse,
  before: Before | null,
  changes: IdentityChanges,
  present: (id: string) => string,
): IdentityIndex["aliases"] {
  const places = coursePlaces(course);
  const livePaths = new Set([...places.values()].map((place) => place.path));
  const idAt = new Map([...places].map(([id, place]) => [place.path, id]));
  const aliases = new Map<string, string>();
  // What is deleted keeps its old addresses: it may come back, and an address that is not live leads nowhere until then.
  const known = new Set([...places.keys(), ...(before?.identity.entries.map(({ id }) => id) ?? [])]);
  const add = (from: string, id: string): void => {
    if (known.has(id) && !livePaths.has(from)) aliases.set(from, id);
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

/**
 * Renames and aliases a publication asks for that do not fit. A rename leads from what is live and goes away to what is new and of its
 * kind: one that led to something readers know already would mix up what they keep with the two.
 */
export function checkIdentityChanges(course: AuthoredCourse, changes: IdentityChanges, before: Before | null): FieldError[] {
  const now = new Map(entriesOf(course).map((entry) => [entry.id, entry]));
  const ever = new Map(before?.identity.entries.map((entry) => [entry.id, entry]));
  const earlier = new Map(before?.identity.renames.map(({ from, to }) => [from, to]));
  const errors: FieldError[] = [];
  const seen = { from: new Set<string>(), to: new Set<string>() };
  for (const [index, { from, to }] of changes.renamedIds.entries()) {
    const wrong = (end: "from" | "to", why: string | Remark): void =>
      void errors.push({ path: `renamedIds.${index}.${end}`, ...(typeof why === "string" ? { message: why } : why) });
    const [old, made] = [ever.get(from), now.get(to)];
    if (!old) wrong("from", `the id "${from}" was never published`);
    else if (now.has(from)) wrong("from", `the id "${from}" is still in the course`);
    else if (old.state === "tombstone") wrong("from", `what had the id "${from}" was deleted before`);
    else if (seen.from.has(from)) wrong("from", `the id "${from}" is renamed twice`);
    if (!made) wrong("to", `the course has nothing with the id "${to}"`);
    else if (seen.to.has(to)) wrong("to", `two ids cannot both become "${to}"`);
    else if (ever.has(to) && earlier.get(to) !== from) wrong("to", remark("rename-known", { id: to }));
    else if (old && old.kind !== made.kind) wrong("to", `a ${old.kind} cannot become a ${made.kind}`);
    seen.from.add(from);
    seen.to.add(to);
  }
  const places = coursePlaces(course);
  const paths = new Set([...places.values()].map((place) => place.path));
  const published = new Set(before?.identity.aliases.map(({ from }) => from));
  if (before) for (const { path } of coursePlaces(before.course).values()) published.add(path);
  for (const [index, { from, to }] of changes.aliases.entries()) {
    if (!published.has(plainPath(from)))
      errors.push({ path: `aliases.${index}.from`, message: `"${from}" was never an address of the course` });
    if (!places.has(to) && !paths.has(plainPath(to)))
      errors.push({
        path: `aliases.${index}.to`,
        message: `"${to}" is neither the id nor the path of a topic or collection of the course`,
      });
  }
  return errors;
}
