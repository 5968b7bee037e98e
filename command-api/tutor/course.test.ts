import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";
import type { SessionObjective } from "@colloquy/schemas/tutor/events.ts";
import { expect } from "chai";
import { keyed, passagesFor, tutorCourses } from "./course.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

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
    const passages = topics.flatMap((topicId) => Array.from({ length: topicId === "one" ? 200 : 30 }, (_, at) => passage(topicId, at)));
    const course = { courseId: "tables", passages, ranks: new Map(), markdownOf: async () => new Map() };
    const given = await passagesFor({ search: async () => [] }, course, topics.map(objective));
    const counts = topics.map((topicId) => given.filter(({ source }) => source.topicId === topicId).length);
    expect(counts).to.deep.equal([20, 20, 20, 20]);
  });

  it("are bounded by their tokens in prompts, not by what a reader sees of them", async () => {
    const passages = Array.from({ length: 30 }, (_, at) => passage("one", at));
    const markdown = new Map(passages.map(({ passageId }) => [passageId, { markdown: "a long formula", tokens: 1_000 }]));
    const course = { courseId: "tables", passages, ranks: new Map(), markdownOf: async () => markdown };
    expect(await passagesFor({ search: async () => [] }, course, [objective("one")])).to.have.length(5);
  });

  it("say where text of the page is left out between them", async () => {
    const passages = [0, 1, 2, 3].map((at) => ({ ...passage("one", at), key: "" }));
    const taken = keyed(passages, ({ passageId }) => passageId !== "one-2");
    expect(taken.map(({ key, isJoined }) => [key, isJoined])).to.deep.equal([
      ["s1", true],
      ["s2", true],
      ["s3", false],
    ]);
    expect(keyed(taken, ({ key }) => key !== "s2").map(({ isJoined }) => isJoined)).to.deep.equal([true, false]);
  });

  const given = async (passages: readonly RankedPassage[], sourceIds: string[] = []): Promise<string[]> => {
    const course = { courseId: "tables", passages, ranks: new Map(), markdownOf: async () => new Map() };
    const found = await passagesFor({ search: async () => [] }, course, [objective("one")], { sourceIds });
    return found.map(({ passageId }) => passageId);
  };
  const announcing = (number: number): RankedPassage => ({ ...passage("one", number), role: "prose", text: `Step ${number} is this:` });

  it("are code with the words before it that announce it", async () => {
    const long = { ...passage("one", 0), role: "prose" as const, text: "A text of its own. ".repeat(40) };
    const page = [long, announcing(1), { ...passage("one", 2), role: "code" as const, text: "SELECT 2;" }];
    const fillers = Array.from({ length: 40 }, (_, at) => ({
      ...passage("one", at + 3),
      role: "prose" as const,
      text: "More. ".repeat(60),
    }));
    const ids = await given([...page, ...fillers], ["one-source-2"]);
    expect(ids).to.include("one-1").and.include("one-2");
  });

  it("stay within their bound where each announces the next", async () => {
    expect(await given(Array.from({ length: 200 }, (_, at) => announcing(at)))).to.have.length.below(83);
  });
});

describe("the passages of a published course", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  before(async () => {
    tutor = await serveTutor();
  });
  after(() => tutor.close());

  it("are given to a model as their authors wrote them", async () => {
    const course = await tutorCourses(tutor).live("linear-maps");
    const passages = await passagesFor(tutor.library, course, course.objectives.slice(0, 1));
    const written = passages.filter(({ markdown, text }) => markdown !== undefined && markdown !== text);
    expect(written.map(({ markdown }) => markdown).join("\n")).to.match(/\*\*|\\\[|\$|`/);
    expect(passages.filter(({ markdown }) => markdown === undefined).length).to.be.below(passages.length / 4);
  });
});
