import { importNative } from "@colloquy/command-api/publication/import/native.ts";
import { questioned } from "@colloquy/command-api/tutor/questioned.ts";
import { identified, type Statement, statementsOf } from "@colloquy/command-api/tutor/shown-texts.ts";
import type { Question } from "@colloquy/schemas/courses/blocks.ts";
import { parseBlock } from "@colloquy/schemas/courses/parse.ts";
import { expect } from "chai";
import { demonstrationCourses } from "./courses.ts";

interface AskedQuestion {
  id: string;
  topic: string;
  /** Ids of the topic's blocks that are no questions. */
  blocks: Set<string>;
  question: Question;
}

/** Where a guess is rarely right. */
function isHardToGuess(question: Question): boolean {
  if (question.kind === "order") return question.items.length >= 4;
  if (question.kind === "match") return question.pairs.length >= 4;
  return question.kind === "text" || question.kind === "number" || question.kind === "gap";
}

describe("the questions of the demonstration courses", () => {
  const objectives: string[] = [];
  const asked: AskedQuestion[] = [];
  before(async () => {
    for (const { courseId, folder } of demonstrationCourses) {
      const { course } = await importNative(folder, { courseId, previous: null });
      for (const topic of course.topics) {
        objectives.push(...topic.objectives.map(({ id }) => id));
        const blocks = new Set(topic.blocks.filter(({ type }) => type !== "core.question").map(({ id }) => id));
        for (const block of topic.blocks) {
          const parsed = parseBlock(block);
          if (!parsed.ok) throw new Error(`${block.id}: ${parsed.errors.map(({ message }) => message).join(" ")}`);
          if (parsed.block.type === "core.question") asked.push({ id: block.id, topic: topic.id, blocks, question: parsed.block.data });
        }
      }
    }
  });

  it("are at least eight for each objective, half of them applications", () => {
    expect(objectives.length).to.be.at.least(35);
    for (const objective of objectives) {
      const own = asked.filter(({ question }) => question.objective === objective).map(({ question }) => question);
      expect(own.length, objective).to.be.at.least(8);
      expect(own.filter(({ level }) => level === "application").length * 2, objective).to.be.at.least(own.length);
    }
  });

  it("are at least eleven for each objective that the tutor counts", () => {
    const counting = asked.filter(({ question }) => question.place === "bank" && question.kind !== "free");
    for (const objective of objectives)
      expect(counting.filter(({ question }) => question.objective === objective).length, objective).to.be.at.least(11);
  });

  it("share no statement with another one of their objective", () => {
    for (const objective of objectives) {
      const met: Statement[] = [];
      for (const { id, question } of asked.filter((one) => one.question.objective === objective)) {
        const statements = identified(statementsOf(questioned(question, "")), met);
        expect(
          statements.filter((one) => met.some((other) => other.id === one.id)),
          id,
        ).to.deep.equal([]);
        met.push(...statements);
      }
    }
  });

  it("mix at least four kinds for each objective, few single choices, and at least three that are hard to guess", () => {
    for (const objective of objectives) {
      const own = asked.filter(({ question }) => question.objective === objective).map(({ question }) => question);
      expect(new Set(own.map(({ kind }) => kind)).size, objective).to.be.at.least(4);
      expect(own.filter(({ kind }) => kind === "single").length, objective).to.be.at.most(3);
      expect(own.filter(({ kind }) => kind === "free").length, objective).to.be.at.least(1);
      expect(own.filter(isHardToGuess).length, objective).to.be.at.least(3);
    }
  });

  it("name blocks of their topic that are no questions", () => {
    for (const { id, blocks, question } of asked) {
      expect(question.about, id).to.not.deep.equal([]);
      for (const about of question.about) expect(blocks.has(about), `${id}: ${about}`).to.equal(true);
    }
  });

  it("answer each wrong choice with feedback", () => {
    for (const { id, question } of asked)
      if (question.kind === "single" || question.kind === "multiple")
        for (const { markdown, correct, feedback } of question.choices)
          expect(correct || (feedback ?? "").length > 20, `${id}: ${markdown}`).to.equal(true);
  });

  it("leave each page a page to read", () => {
    for (const topic of new Set(asked.map((one) => one.topic))) {
      const shown = asked.filter((one) => one.topic === topic && one.question.place === "page").length;
      expect(shown, topic).to.be.within(1, 5);
    }
  });

  it("do not betray the right choice by its length", () => {
    const singles = asked.flatMap(({ question }) => (question.kind === "single" ? [question.choices] : []));
    const longest = singles.filter((choices) => {
      const [first, second] = choices.toSorted((a, b) => b.markdown.length - a.markdown.length);
      return first?.correct && first.markdown.length > (second?.markdown.length ?? 0);
    });
    expect(longest.length / singles.length).to.be.below(0.35);
  });
});
