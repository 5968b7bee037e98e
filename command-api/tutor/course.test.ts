import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";
import type { SessionObjective } from "@colloquy/schemas/tutor/events.ts";
import { expect } from "chai";
import { passagesFor } from "./course.ts";

describe("the passages that a model is given of objectives", () => {
  const passage = (topicId: string, number: number): RankedPassage => ({
    passageId: `${topicId}-${number}`,
    sourceId: `${topicId}-source-${number}`,
    heading: topicId,
    text: `Row ${number} of a table.`,
    role: "table",
    source: {
      sourceId: `${topicId}-source-${number}`,
      kind: "block",
      entityId: `${topicId}-block-${number}`,
      topicId,
      href: `/courses/tables/${topicId}#${number}`,
      title: topicId,
      trail: ["Tables", topicId],
    },
    courseId: "tables",
    revisionId: "revision-1",
    score: 0,
  });
  const objective = (topicId: string): SessionObjective => ({
    objectiveId: `objective-${topicId}`,
    topicId,
    topicTitle: topicId,
    href: `/courses/tables/${topicId}`,
    title: `Read ${topicId}.`,
    derived: false,
  });

  it("are of every objective's page, though the first page has many small ones", async () => {
    const topics = ["one", "two", "three", "four"];
    const passages = topics.flatMap((topicId) => Array.from({ length: topicId === "one" ? 60 : 10 }, (_, at) => passage(topicId, at)));
    const course = { courseId: "tables", passages, ranks: new Map() };
    const given = await passagesFor({ search: async () => [] }, course, topics.map(objective));
    const counts = topics.map((topicId) => given.filter(({ source }) => source.topicId === topicId).length);
    expect(counts).to.deep.equal([8, 8, 8, 8]);
  });
});
