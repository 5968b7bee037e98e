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
import { composedRenames, idsOf, renameContainer } from "@colloquy/schemas/courses/editing/rename.ts";
import { freeSlug, reservedSlugs } from "@colloquy/schemas/courses/slugs.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { formatNumber, msg } from "../../messages/page.ts";
import type { EditingSession } from "../session.ts";
import { neighbours } from "./page-problems.ts";

/** Actions on pages and parts. Each is one undo step and returns what to announce. */

export const titleOf = (course: AuthoredCourse, id: string | null): string =>
  (id === null ? course.manifest : [...course.topics, ...course.collections].find((one) => one.id === id))?.title ?? "";

const isPart = (course: AuthoredCourse, id: string): boolean => course.collections.some((one) => one.id === id);

/** Moves within the container. */
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

/** Moves to the end of the preceding part. */
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
  if (!before) return msg("editor.noPartBefore");
  return moveInto(session, id, before.id);
}

/** Moves out of its part, to the place after it. */
export function moveOut(session: EditingSession, id: string): string | null {
  const { course } = session.state;
  const container = containerOf(course, id);
  if (container === undefined || container === null) return msg("editor.notAnyPart");
  const outer = containerOf(course, container);
  if (outer === undefined) return null;
  move(session, id, outer, childrenOf(course, outer).findIndex((ref) => ref.id === container) + 1);
  return movedInto(session, outer);
}

/** Moves to the end of another container. */
export function moveInto(session: EditingSession, id: string, container: Container): string | null {
  const count = childrenOf(session.state.course, container).length;
  move(session, id, container, count);
  return containerOf(session.state.course, id) === container ? movedInto(session, container) : msg("editor.cannotStandItself");
}

/** Moves to an index of a container, which may be its own. @param to index among the other children */
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

/** Moves, with a new slug if a new sibling has the same one. */
function move(session: EditingSession, id: string, container: Container, to: number): void {
  session.apply({ label: msg("editor.movedInTheCourse"), coalesce: `outline ${id}` }, (course) => {
    const moved = moveContained(course, id, container, to);
    const node = [...moved.topics, ...moved.collections].find((one) => one.id === id);
    const taken = neighbours(moved, id).map(({ slug }) => slug);
    if (!node || moved === course) return course;
    const slug = freeSlug(node.slug, taken, container === null);
    // An invalid slug stays as its author wrote it.
    if (slug === node.slug || !(taken.includes(node.slug) || (container === null && reservedSlugs.includes(node.slug)))) return moved;
    return isPart(moved, id) ? editCollection(moved, id, { slug }) : editTopic(moved, id, { slug });
  });
}

/** Where a page or part can be moved: the course and every part outside it. */
export function containersFor(course: AuthoredCourse, id: string): { id: string; title: string; trail: string }[] {
  const inside = within(course, id);
  const now = containerOf(course, id);
  const parts = course.collections
    .filter((one) => !inside.has(one.id) && one.id !== now)
    .map((one) => ({ id: one.id, title: one.title, trail: trailOf(course, one.id) }));
  return now === null ? parts : [{ id: courseItself, title: course.manifest.title, trail: "" }, ...parts];
}
/** Value for the course itself in a list of parts; real ids are longer. */
export const courseItself = "course";

function trailOf(course: AuthoredCourse, id: string): string {
  const titles: string[] = [];
  for (let at = containerOf(course, id); at && titles.length < course.collections.length; at = containerOf(course, at))
    titles.unshift(titleOf(course, at));
  return titles.join(" › ");
}

/** Adds a page or part: in the selected part, or after the selected page. @returns its id */
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

/** Deletes a page, or a part with its contents; the last page stays. @returns what to announce, and what to select next */
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

/** Changes the id of a page or part. @returns why not: the id is taken, or was published for something else; null once it is changed */
export function rename(session: EditingSession, from: string, to: string): "taken" | "known" | null {
  const { course } = session.state;
  const renamed = renameContainer(course, from, to, uuidv7, session.state);
  if (!renamed) return [...idsOf(course)].includes(to) ? "taken" : "known";
  session.apply(
    { label: msg("editor.idChanged") },
    () => renamed.course,
    (before) => composedRenames(before, renamed.renamedIds, renamed.course),
  );
  return null;
}
