import type { TurnPassage } from "./retrieve.ts";

/** A passage for tests, under key `s<n>`, of a course with one page. */
export function passageFixture(number: number, text: string, more: Partial<TurnPassage> = {}): TurnPassage {
  const sourceId = `source-of-s${number}`;
  return {
    key: `s${number}`,
    passageId: `passage-${number}`,
    sourceId,
    heading: `Heading ${number}`,
    text,
    role: "prose",
    score: 1,
    courseId: "shell-novice",
    revisionId: "revision-1",
    source: {
      sourceId,
      kind: "block",
      entityId: `block-${number}`,
      topicId: "topic-pipes",
      href: `/courses/shell-novice/pipes#block-${number}`,
      title: `Title ${number}`,
      trail: ["The Unix Shell"],
    },
    ...more,
  };
}
