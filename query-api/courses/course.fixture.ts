import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { AuthoredCourse, Topic } from "@colloquy/schemas/courses/authored.ts";
import type { CourseListing, RevisionUnit } from "@colloquy/schemas/courses/revision.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80"><path d="M0 0h120v80H0z" fill="#ccc"/></svg>';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hashOf = (data: Uint8Array): string => createHash("sha256").update(data).digest("hex");

const everyKind: Topic = {
  id: "topic-pipes",
  slug: "pipes",
  title: "Pipes & <Filters>",
  summary: "Joining small programs.",
  objectives: [{ id: "objective-1", text: "Join two programs with a pipe." }],
  blocks: [
    {
      id: "block-theory",
      type: "core.theory",
      source:
        "## What a pipe is\n\nA `|` joins *two* programs, see [loops](topic:topic-loops#again) and $x^2$. Far: ![far](https://pictures.example/p.png)\n\n## Why\n\nBecause.",
    },
    { id: "block-keys", type: "core.key-points", source: "- A filter reads lines.\n- A pipe joins filters." },
    { id: "block-callout", type: "core.callout", source: "---\nkind: warning\ntitle: Mind the order\nfolded: true\n---\nLeft to right." },
    { id: "block-code", type: "core.code", source: "```bash\n$ ls | wc -l\n```" },
    { id: "block-output", type: "core.code", source: "---\nrole: output\n---\n```text\n6\n\n7\n```" },
    { id: "block-figure", type: "core.figure", source: "![Two boxes](assets/boxes.svg)\nBoxes and an arrow." },
    { id: "block-diagram", type: "core.diagram", source: "---\ndescription: a to b\n---\n```mermaid\nflowchart LR\n  a --> b\n```" },
    { id: "block-math", type: "core.math", source: "---\nlabel: sum\n---\n$$\n\\sum_i i\n$$" },
    { id: "block-table", type: "core.table", source: "---\ncaption: Commands\n---\n| Name | Does |\n| --- | --: |\n| `wc` | counts |" },
    {
      id: "block-exercise",
      type: "core.exercise",
      source: "---\ntitle: Try it\n---\nCount files.\n\n::: hint\nUse `wc`.\n:::\n\n::: solution\n`ls | wc -l`\n:::",
    },
    { id: "block-broken", type: "core.diagram", source: "no description here <b>" },
  ],
};

/** A course with every kind of block, two levels of contents, a picture, and one block that cannot be parsed. */
export const fixtureCourse: AuthoredCourse = {
  manifest: {
    courseId: "shell-course",
    title: "The Shell",
    summary: "Small programs, joined.",
    language: "en",
    license: "CC BY 4.0",
    root: [
      { kind: "collection", id: "collection-basics" },
      { kind: "topic", id: "topic-loops" },
    ],
  },
  collections: [
    {
      id: "collection-basics",
      slug: "basics",
      title: "Basics",
      summary: "To begin with.",
      children: [{ kind: "topic", id: "topic-pipes" }],
    },
  ],
  topics: [
    everyKind,
    {
      id: "topic-loops",
      slug: "loops",
      title: "Loops",
      objectives: [],
      blocks: [{ id: "block-loops", type: "core.theory", source: "## Again\n\nOnce more." }],
    },
  ],
  assets: [{ path: "assets/boxes.svg", sha256: hashOf(bytes(svg)), bytes: svg.length, type: "image/svg+xml" }],
};

export interface PublishedFixture {
  catalogue: CourseCatalogue;
  objectStore: ObjectStore;
  /** Publishes a new revision with this topic in place of the one that has its id. */
  publish(topic?: Topic): Promise<CourseListing>;
  remove(): Promise<void>;
}

/** The fixture course in a real object store in a temporary folder. */
export async function publishedFixture(): Promise<PublishedFixture> {
  const folder = await mkdtemp(join(tmpdir(), "colloquy-pages-"));
  const objectStore = openObjectStore({ DATA_DIR: folder });
  const { manifest, collections, assets } = fixtureCourse;
  const root = `courses/${manifest.courseId}`;
  let topics = fixtureCourse.topics;
  let listing: CourseListing | null = null;

  const unit = async (value: RevisionUnit): Promise<string> => {
    const data = bytes(JSON.stringify(value));
    await objectStore.put(`${root}/units/${hashOf(data)}.json`, data);
    return hashOf(data);
  };
  const publish = async (topic?: Topic): Promise<CourseListing> => {
    topics = topics.map((old) => (old.id === topic?.id ? topic : old));
    const sequence = (listing?.sequence ?? 0) + 1;
    const revisionId = hashOf(bytes(randomUUID()));
    const revision = {
      schemaVersion: 1,
      ...manifest,
      sequence,
      origin: "object-store",
      collections: await Promise.all(
        collections.map(async (collection) => ({ ...collection, unit: await unit({ schemaVersion: 1, kind: "collection", collection }) })),
      ),
      topics: await Promise.all(
        topics.map(async (entry) => ({
          id: entry.id,
          slug: entry.slug,
          title: entry.title,
          ...(entry.summary && { summary: entry.summary }),
          unit: await unit({ schemaVersion: 1, kind: "topic", topic: entry }),
        })),
      ),
      assets,
    };
    const identity = {
      schemaVersion: 1,
      courseId: manifest.courseId,
      entries: [
        ...["topic-cycles", "block-gone-1"].map((id) => ({ id, kind: "topic", state: "tombstone", parent: null, since: 1 })),
        ...topics.flatMap(({ id: parent, blocks }) => blocks.map(({ id }) => ({ id, kind: "block", state: "live", parent, since: 1 }))),
      ],
      aliases: [
        { from: "old/pipes", to: "topic-pipes" },
        { from: "gone", to: "topic-gone" },
      ],
      renames: [{ from: "topic-cycles", to: "topic-loops" }],
    };
    await objectStore.put(`${root}/assets/${assets[0]?.sha256}`, bytes(svg));
    await objectStore.put(`${root}/revisions/${revisionId}/manifest.json`, bytes(JSON.stringify(revision)));
    await objectStore.put(`${root}/revisions/${revisionId}/identity.json`, bytes(JSON.stringify(identity)));
    const { courseId, title, summary, language } = manifest;
    listing = {
      courseId,
      title,
      summary,
      language,
      origin: "object-store",
      sequence,
      revisionId,
      topics: topics.length,
      publishedAt: "2026-11-20T10:00:00Z",
      position: "1",
    };
    return listing;
  };
  await publish();
  return {
    objectStore,
    publish,
    catalogue: {
      list: async () => (listing ? [listing] : []),
      get: async (courseId) => (listing?.courseId === courseId ? listing : null),
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
