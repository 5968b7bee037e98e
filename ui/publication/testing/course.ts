import type { AuthoredCourse, Block } from "@colloquy/schemas/courses/authored.ts";

/** A course of two topics, in a collection and beside it. */
export function smallCourse(courseId = "small-course"): AuthoredCourse {
  const block = (id: string, type: Block["type"], source: string): Block => ({ id, type, source });
  return {
    manifest: {
      courseId,
      title: "A small course",
      summary: "What is needed.",
      language: "en",
      root: [
        { kind: "collection", id: "part-one" },
        { kind: "topic", id: "topic-two" },
      ],
    },
    collections: [{ id: "part-one", slug: "part", title: "The first part", children: [{ kind: "topic", id: "topic-one" }] }],
    topics: [
      {
        id: "topic-one",
        slug: "one",
        title: "One",
        summary: "The first.",
        objectives: [{ id: "objective-one", text: "Count to one." }],
        blocks: [
          block("block-text", "core.theory", "One is a **number**.\n\n## Why\n\nBecause."),
          block("block-code", "core.code", "---\nrole: input\n---\n```text\n1\n```"),
          block("block-points", "core.key-points", "- One.\n- Only one."),
        ],
      },
      {
        id: "topic-two",
        slug: "two",
        title: "Two",
        objectives: [],
        blocks: [block("block-two", "core.theory", "See [one](topic:topic-one).")],
      },
    ],
    assets: [],
  };
}

/** The same with a topic of so many blocks of text. */
export function longCourse(blocks: number): AuthoredCourse {
  const course = smallCourse();
  const many = Array.from(
    { length: blocks },
    (_, index): Block => ({
      id: `block-${index}`,
      type: "core.theory",
      source: `## Heading ${index}\n\nA paragraph with *some* words, a formula $a_{${index}}^2$ and \`code\`.\n\n- one\n- two`,
    }),
  );
  return { ...course, topics: course.topics.map((topic) => (topic.id === "topic-one" ? { ...topic, blocks: many } : topic)) };
}
