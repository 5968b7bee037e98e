import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { expect } from "chai";
import { citationOf } from "../grounding/citations.ts";
import { passageFixture } from "../grounding/passage.fixture.ts";
import { type AnsweredTurn, followUps } from "./follow-ups.ts";

describe("follow-up prompts", () => {
  const passages = [
    passageFixture(1, "A pipe joins programs."),
    passageFixture(2, "Filters.", { heading: "What is a **filter**?" }),
    passageFixture(3, "More.", { heading: "Redirecting output" }),
    passageFixture(4, "Solved.", { heading: "The answer", role: "solution" }),
    passageFixture(5, "Again.", { heading: "Redirecting output" }),
    passageFixture(6, "A filter transforms a stream of input into a stream of output.", { heading: "Why filters help" }),
  ];
  const [first] = passages;
  const citations = first ? [citationOf(first, 1, "pipe")] : [];
  const turn: AnsweredTurn = { passages, citations, message: "What is a pipe?", history: [] };
  const courses = { searched: [] as { query: unknown; courseIds: unknown }[] };
  const library: Pick<PassageLibrary, "search"> = {
    async search(query, { courseIds } = {}) {
      courses.searched.push({ query, courseIds });
      return /filter|stream/i.test(String(query)) ? passages.slice(5) : [];
    },
  };
  const ask = (written: string[] | null, more: Partial<AnsweredTurn> = {}, languages = ["en"]) =>
    followUps({ library, pages: { described: async () => ({ titles: [], languages }) } }, { ...turn, ...more }, written);

  describe("that the model wrote", () => {
    it("stay without bullets, ids and quotation marks", async () => {
      expect(await ask(["1. “How do **filters** transform a stream?” [s6]", "- What is input of a filter?"])).to.deep.equal([
        "How do filters transform a stream?",
        "What is input of a filter?",
      ]);
      expect(courses.searched.at(-1)).to.deep.equal({ query: "What is input of a filter?", courseIds: ["shell-novice"] });
    });

    it("are dropped if the course cannot answer them", async () => {
      expect(await ask(["How do I bake sourdough bread? [s6]", "What do filters transform?"])).to.deep.equal([
        "What do filters transform?",
      ]);
    });

    it("give way to headings if none is left", async () => {
      expect(await ask(["How do I bake sourdough bread?"])).to.include("What is a filter?");
    });

    it("in another language must name a passage", async () => {
      const message = "Was verbindet Programme?";
      expect(await ask(["Was macht ein Filter? [s6]", "Wie backe ich Brot?", "Und dann? [s99]"], { message })).to.deep.equal([
        "Was macht ein Filter?",
      ]);
    });

    it("do not repeat earlier questions, and are at most three", async () => {
      const lines = ["What do filters transform?", "what do FILTERS transform?", "Filter input?", "Filter output?", "Stream input?"];
      expect(await ask(lines, { history: [{ text: "Filter input?" }] })).to.deep.equal([
        "What do filters transform?",
        "Filter output?",
        "Stream input?",
      ]);
    });
  });

  describe("without a list of the model", () => {
    it("are headings near the cited passage in natural words, once, and no solutions", async () => {
      expect(await ask(null)).to.deep.equal([
        "What is a filter?",
        "What does the course say about “Redirecting output”?",
        "Explain why filters help",
      ]);
    });

    it("ask for more on a heading that is neither a question nor an activity, in the course's language", async () => {
      const headed = [passages[0] ?? passageFixture(1, ""), passageFixture(2, "Two.", { heading: "Training" })];
      expect(await ask(null, { passages: headed })).to.deep.equal(["What does the course say about “Training”?"]);
      expect(await ask(null, { passages: headed }, ["de"])).to.deep.equal(["Was sagt der Kurs über „Training“?"]);
      expect(await ask(null, { passages: headed }, ["fr"])).to.deep.equal(["Training"]);
    });

    it("leave out headings that name a part of any page", async () => {
      const headed = [passages[0] ?? passageFixture(1, ""), passageFixture(2, "Two.", { heading: "Summary" })];
      expect(await ask(null, { passages: headed })).to.deep.equal([]);
    });

    it("begin with questions of the course", async () => {
      const question = passageFixture(7, "How can I show only part of the output?", { role: "callout" });
      expect((await ask(null, { passages: [...passages, question] }))[0]).to.equal("How can I show only part of the output?");
    });

    it("leave out questions that a sentence only speaks about", async () => {
      const spoken = passageFixture(7, "A weak one is this: Is a filter a program that filters?", { role: "callout" });
      expect(await ask(null, { passages: [passages[0] ?? spoken, spoken] })).to.deep.equal(["What does the course say about “Heading 7”?"]);
    });

    it("come only from cited courses", async () => {
      const foreign = passageFixture(8, "Else.", { heading: "What are tactics?", courseId: "another-course" });
      expect(await ask(null, { passages: [foreign, ...passages] })).not.to.include("What are tactics?");
    });
  });

  it("are none if the courses did not answer", async () => {
    expect(await ask(null, { citations: [] })).to.deep.equal([]);
    expect(await ask(["What do filters transform?"], { citations: [] })).to.deep.equal([]);
    expect(await ask([])).to.deep.equal([]);
  });
});
