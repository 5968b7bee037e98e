import type { ContainerRef } from "@colloquy/schemas/courses/authored.ts";
import type { RevisionManifest } from "@colloquy/schemas/courses/revision.ts";

/** A topic or collection where it stands in its course. */
export interface Entry {
  kind: ContainerRef["kind"];
  id: string;
  title: string;
  summary: string | undefined;
  /** Slugs from the top, parted by "/". */
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

/** The contents of a revision with every address resolved. */
export function contentsOf(manifest: RevisionManifest): Contents {
  const topics = new Map(manifest.topics.map((topic) => [topic.id, topic]));
  const collections = new Map(manifest.collections.map((collection) => [collection.id, collection]));
  const contents: Contents = { root: [], byPath: new Map(), byId: new Map(), topics: [] };
  const place = (refs: ContainerRef[], parent: Entry | null): Entry[] =>
    refs.flatMap(({ kind, id }) => {
      const found = kind === "topic" ? topics.get(id) : collections.get(id);
      if (!found || contents.byId.has(id)) return [];
      const path = parent ? `${parent.path}/${found.slug}` : found.slug;
      const href = `/courses/${manifest.courseId}/${path}`;
      const entry: Entry = { kind, id, title: found.title, summary: found.summary, path, href, parent, children: [] };
      contents.byId.set(id, entry);
      contents.byPath.set(path, entry);
      if (kind === "topic") contents.topics.push(entry);
      else entry.children = place(collections.get(id)?.children ?? [], entry);
      return [entry];
    });
  contents.root = place(manifest.root, null);
  return contents;
}

/** What contains an entry, outermost first. */
export function ancestorsOf(entry: Entry): Entry[] {
  return entry.parent ? [...ancestorsOf(entry.parent), entry.parent] : [];
}

/** The topics below an entry, itself included. */
export function topicsBelow(entry: Entry): Entry[] {
  return entry.kind === "topic" ? [entry] : entry.children.flatMap(topicsBelow);
}
