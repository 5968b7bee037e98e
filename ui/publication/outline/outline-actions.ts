import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import {
  addCollection,
  addTopic,
  type Container,
  childrenOf,
  containerOf,
  deleteContained,
  editCollection,
  editTopic,
  moveContained,
  within,
} from "@colloquy/schemas/courses/editing/edit.ts";
import { composedRenames, renameContainer } from "@colloquy/schemas/courses/editing/rename.ts";
import { freeSlug, reservedSlugs } from "@colloquy/schemas/courses/slugs.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { formatNumber, msg } from "../../messages/page.ts";
import type { EditingSession } from "../session.ts";
import { neighbours } from "./page-problems.ts";

/** What an author does with pages and parts: each is one step of the session, and gives back what there is to say. */

export const titleOf = (course: AuthoredCourse, id: string | null): string =>
  (id === null ? course.manifest : [...course.topics, ...course.collections].find((one) => one.id === id))?.title ?? "";

const isPart = (course: AuthoredCourse, id: string): boolean => course.collections.some((one) => one.id === id);

/** Moves among what stands in the same container. */
export function moveBy(session: EditingSession, id: string, by: number): string | null {
  const { course } = session.state;
  const container = containerOf(course, id);
  if (container === undefined) return null;
  const refs = childrenOf(course, container);
  const at = refs.findIndex((ref) => ref.id === id);
  const to = at + by;
  const count = formatNumber(refs.length);
  if (to < 0) return msg("editor.alreadyTheFirstOf", { count });
  if (to >= refs.length) return msg("editor.alreadyTheLastOf", { count });
  move(session, id, container, to);
  return msg("editor.movedToOf", { place: formatNumber(to + 1), count });
}

/** Into the part that stands before it, at its end. */
export function moveIn(session: EditingSession, id: string): string | null {
  const { course } = session.state;
  const container = containerOf(course, id);
  if (container === undefined) return null;
  const refs = childrenOf(course, container);
  const before = refs
    .slice(
      0,
      refs.findIndex((ref) => ref.id === id),
    )
    .findLast((ref) => ref.kind === "collection");
  if (!before) return msg("editor.partStandsBefore");
  return moveInto(session, id, before.id);
}

/** Out of the part it stands in, behind that. */
export function moveOut(session: EditingSession, id: string): string | null {
  const { course } = session.state;
  const container = containerOf(course, id);
  if (container === undefined || container === null) return msg("editor.standsPart");
  const outer = containerOf(course, container);
  if (outer === undefined) return null;
  move(session, id, outer, childrenOf(course, outer).findIndex((ref) => ref.id === container) + 1);
  return movedInto(session, outer);
}

/** To the end of another container. */
export function moveInto(session: EditingSession, id: string, container: Container): string | null {
  const count = childrenOf(session.state.course, container).length;
  move(session, id, container, count);
  return containerOf(session.state.course, id) === container ? movedInto(session, container) : msg("editor.cannotStandItself");
}

/** To a place of a container, which may be its own. @param to among what stands there besides it */
export function moveTo(session: EditingSession, id: string, container: Container, to: number): string | null {
  const { course } = session.state;
  const from = containerOf(course, id);
  if (from === container && childrenOf(course, container).findIndex((ref) => ref.id === id) === to) return null;
  move(session, id, container, to);
  if (from !== container) return movedInto(session, container);
  return msg("editor.movedToOf", { place: formatNumber(to + 1), count: formatNumber(childrenOf(course, container).length) });
}

const movedInto = ({ state: { course } }: EditingSession, container: Container): string =>
  msg("editor.movedInto", { title: titleOf(course, container) });

/** With another address where its neighbours have its own already. */
function move(session: EditingSession, id: string, container: Container, to: number): void {
  session.apply({ label: msg("editor.movedInTheCourse"), coalesce: `outline ${id}` }, (course) => {
    const moved = moveContained(course, id, container, to);
    const node = [...moved.topics, ...moved.collections].find((one) => one.id === id);
    const taken = neighbours(moved, id).map(({ slug }) => slug);
    if (!node || moved === course) return course;
    const slug = freeSlug(node.slug, taken, container === null);
    // A slug that is wrong by itself stays as its author wrote it.
    if (slug === node.slug || !(taken.includes(node.slug) || (container === null && reservedSlugs.includes(node.slug)))) return moved;
    return isPart(moved, id) ? editCollection(moved, id, { slug }) : editTopic(moved, id, { slug });
  });
}

/** What a container may be moved into: the course and every part that does not stand in it. */
export function containersFor(course: AuthoredCourse, id: string): { id: string; title: string; trail: string }[] {
  const inside = within(course, id);
  const now = containerOf(course, id);
  const parts = course.collections
    .filter((one) => !inside.has(one.id) && one.id !== now)
    .map((one) => ({ id: one.id, title: one.title, trail: trailOf(course, one.id) }));
  return now === null ? parts : [{ id: courseItself, title: course.manifest.title, trail: "" }, ...parts];
}
/** Stands for the course among its parts: no id is so short. */
export const courseItself = "course";

function trailOf(course: AuthoredCourse, id: string): string {
  const titles: string[] = [];
  for (let at = containerOf(course, id); at && titles.length < course.collections.length; at = containerOf(course, at))
    titles.unshift(titleOf(course, at));
  return titles.join(" › ");
}

/** A new page or part: in the part that is chosen, or behind the page that is. @returns its id */
export function add(session: EditingSession, kind: "topic" | "collection", chosen: string | null): string {
  const { course } = session.state;
  const inPart = chosen === null || isPart(course, chosen);
  const container = inPart ? chosen : (containerOf(course, chosen) ?? null);
  const refs = childrenOf(course, container);
  const at = inPart ? refs.length : refs.findIndex((ref) => ref.id === chosen) + 1;
  const id = uuidv7();
  const title = kind === "topic" ? msg("editor.newPage") : msg("editor.newPart");
  const known = new Map([...course.topics, ...course.collections].map((one) => [one.id, one.slug]));
  const slug = freeSlug(
    title,
    refs.map((ref) => known.get(ref.id) ?? ""),
    container === null,
  );
  session.apply(
    { label: kind === "topic" ? msg("editor.pageAdded") : msg("editor.partAdded"), ...(kind === "topic" && { place: { topicId: id } }) },
    (before) =>
      kind === "topic"
        ? addTopic(before, container, at, { id, slug, title, objectives: [], blocks: [] })
        : addCollection(before, container, at, { id, slug, title, children: [] }),
  );
  return id;
}

/** Deletes a page, or a part with all it holds. @returns what to say, and what is chosen next; a course keeps at least one page */
export function remove(session: EditingSession, id: string): { words: string; next: string | null; done: boolean } {
  const { course } = session.state;
  const gone = within(course, id);
  const pages = course.topics.filter((topic) => gone.has(topic.id)).length;
  if (pages === course.topics.length) return { words: msg("editor.courseNeedsLeastOne"), next: id, done: false };
  const container = containerOf(course, id) ?? null;
  const refs = childrenOf(course, container);
  const at = refs.findIndex((ref) => ref.id === id);
  const next = (refs[at + 1] ?? refs[at - 1])?.id ?? container;
  const title = titleOf(course, id);
  session.apply({ label: isPart(course, id) ? msg("editor.partDeleted") : msg("editor.pageDeleted") }, (before) =>
    deleteContained(before, id),
  );
  const words = isPart(course, id)
    ? msg("editor.pagesDeletedUndoBrings", { n: pages, title })
    : msg("editor.deletedUndoBringsBack2", { title });
  return { words, next, done: true };
}

/** Gives a page or part another id, and all it holds with it. @returns whether that could be */
export function rename(session: EditingSession, from: string, to: string): boolean {
  const renamed = renameContainer(session.state.course, from, to, uuidv7);
  if (!renamed) return false;
  session.apply(
    { label: msg("editor.idChanged") },
    () => renamed.course,
    (before) => composedRenames(before, renamed.renamedIds, renamed.course),
  );
  return true;
}
