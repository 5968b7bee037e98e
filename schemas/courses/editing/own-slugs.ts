import type { AuthoredCourse, ContainerRef } from "../authored.ts";
import { type Remark, remark } from "../remarks.ts";
import { freeSlug, reservedSlugs } from "../slugs.ts";
import { type Container, childrenOf } from "./edit.ts";

const containersOf = ({ collections }: AuthoredCourse): Container[] => [null, ...collections.map(({ id }) => id)];

/** Where each topic and collection is found, by id: its container and its own segment of the address. */
function addressesOf(course: AuthoredCourse): Map<string, string> {
  const slugs = slugsOf(course);
  const refs = (container: Container): readonly ContainerRef[] => childrenOf(course, container);
  return new Map(containersOf(course).flatMap((home) => refs(home).map(({ id }) => [id, `${home ?? ""}/${slugs.get(id)}`] as const)));
}

const slugsOf = ({ topics, collections }: AuthoredCourse): Map<string, string> =>
  new Map([...topics, ...collections].map(({ id, slug }) => [id, slug]));

/**
 * The course with an address of its own for each neighbour: two who each add a page begin from the same free slug. What is found where it is
 * published keeps its slug, whatever came beside it; the same course where there is no such pair.
 */
export function withOwnSlugs(course: AuthoredCourse, live: AuthoredCourse, notes: Remark[]): AuthoredCourse {
  const [published, here, slugs] = [addressesOf(live), addressesOf(course), slugsOf(course)];
  const titles = new Map([...course.topics, ...course.collections].map(({ id, title }) => [id, title]));
  const own = new Map<string, string>();
  for (const container of containersOf(course)) {
    const atRoot = container === null;
    const ids = childrenOf(course, container).map(({ id }) => id);
    const stays = (id: string): boolean => here.get(id) === published.get(id);
    const neighbours = new Set(ids.map((id) => slugs.get(id) ?? ""));
    const taken = new Set<string>(atRoot ? reservedSlugs : []);
    for (const id of [...ids.filter(stays), ...ids.filter((one) => !stays(one))]) {
      const slug = slugs.get(id) ?? "";
      const free = taken.has(slug) ? freeSlug(slug, neighbours, atRoot) : slug;
      taken.add(free);
      neighbours.add(free);
      if (free === slug) continue;
      own.set(id, free);
      notes.push(remark("merged-slug", { title: titles.get(id) ?? "", slug: free }));
    }
  }
  if (own.size === 0) return course;
  const renamed = <Node extends { id: string; slug: string }>(node: Node): Node => ({ ...node, slug: own.get(node.id) ?? node.slug });
  return { ...course, topics: course.topics.map(renamed), collections: course.collections.map(renamed) };
}
