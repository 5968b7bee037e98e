import type { AuthoredCourse, Block } from "@colloquy/schemas/courses/authored.ts";

const text = (id: string, source: string): Block => ({ id, type: "core.theory", source });

/** A course of a collection and three topics, the first with the given blocks. */
export function threePages(
  blocks: Block[] = [text("block-first-0001", "One"), text("block-second-001", "Two"), text("block-third-0001", "Three")],
): AuthoredCourse {
  const topic = (id: string, slug: string, title: string, own: Block[]) => ({ id, slug, title, objectives: [], blocks: own });
  return {
    manifest: {
      courseId: "small-course",
      title: "A small course",
      summary: "",
      language: "en",
      root: [
        { kind: "collection", id: "coll-basics-1" },
        { kind: "topic", id: "topic-small-3" },
      ],
    },
    collections: [
      {
        id: "coll-basics-1",
        slug: "basics",
        title: "Basics",
        children: [
          { kind: "topic", id: "topic-small-1" },
          { kind: "topic", id: "topic-small-2" },
        ],
      },
    ],
    topics: [
      topic("topic-small-1", "pipes", "Pipes", blocks),
      topic("topic-small-2", "loops", "Loops", [text("block-loops-0001", "Loops repeat.")]),
      topic("topic-small-3", "scripts", "Scripts", [text("block-scripts-01", "Scripts keep.")]),
    ],
    assets: [],
  };
}
