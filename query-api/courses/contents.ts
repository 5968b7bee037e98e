import type { ContainerRef } from "@colloquy/schemas/courses/authored.ts";
import type { RevisionManifest } from "@colloquy/schemas/courses/revision.ts";
import { walkCourse } from "@colloquy/schemas/courses/walk.ts";

/** A topic or collection with its place in the course. */
export interface Entry {
  kind: ContainerRef["kind"];
  id: string;
  title: string;
  summary: string | undefined;
  /** Slugs from the top, separated by "/". */
  path: string;
  href: string;
  parent: Entry | null;
  children: Entry[];
}

export interface Contents {
  root: Entry[];
  byPath: Map<string, Entry>;
  byId: Map<string, Entry>;
  /** The topics in reading order. */
  topics: Entry[];
}

/** The contents of a revision with every address resolved. @param hidden ids that are left out; nothing below them may remain */
export function contentsOf(manifest: RevisionManifest, hidden: ReadonlySet<string> = new Set()): Contents {
  const contents: Contents = { root: [], byPath: new Map(), byId: new Map(), topics: [] };
  for (const { kind, id, node, above } of walkCourse(manifest)) {
    if (hidden.has(id)) continue;
    const parent = contents.byId.get(above.at(-1)?.id ?? "") ?? null;
    const path = parent ? `${parent.path}/${node.slug}` : node.slug;
    const href = `/courses/${manifest.courseId}/${path}`;
    const entry: Entry = { kind, id, title: node.title, summary: node.summary, path, href, parent, children: [] };
    contents.byId.set(id, entry);
    contents.byPath.set(path, entry);
    if (kind === "topic") contents.topics.push(entry);
    (parent?.children ?? contents.root).push(entry);
  }
  return contents;
}

/** The collections that contain an entry, outermost first. */
export function ancestorsOf(entry: Entry): Entry[] {
  return entry.parent ? [...ancestorsOf(entry.parent), entry.parent] : [];
}

/** The topics below an entry, itself included. */
export function topicsBelow(entry: Entry): Entry[] {
  return entry.kind === "topic" ? [entry] : entry.children.flatMap(topicsBelow);
}
