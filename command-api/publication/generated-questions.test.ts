import { sourceIdOf } from "@colloquy/projections/passages/queries.ts";
import type { Generated, GeneratedAnswer } from "@colloquy/projections/questions/queries.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { withHeaderField } from "@colloquy/schemas/courses/editing/question-source.ts";
import { parseQuestion } from "@colloquy/schemas/courses/parsers/question.ts";
import { expect } from "chai";
import { sampleCourse } from "./course.fixture.ts";
import { generatedQuestions } from "./generated-questions.ts";

describe("questions that models wrote, for the owners of their course", () => {
  const course = sampleCourse();
  const { courseId } = course.manifest;
  const generated: Generated = {
    objectiveId: "objective-join",
    prompt: "What does a pipe join?",
    selection: "single",
    choices: [
      { text: "files", correct: false },
      { text: "two commands", correct: true },
    ],
    rubric: [],
    modelAnswer: "",
    explanation: "One reads what the other writes.",
    sourceIds: [sourceIdOf(courseId, "block-pipes-code"), sourceIdOf(courseId, "block-pipes-intro")],
    looked: true,
  };
  const answer = (number: number, more: Partial<Generated> = {}, other: Partial<GeneratedAnswer> = {}): GeneratedAnswer => ({
    accountId: `acc_learner${number}`,
    blockId: "",
    digest: "d".repeat(64),
    asked: `${number}`,
    answered: `${number}`,
    correct: number % 2 === 0,
    help: "",
    choices: [],
    generated: { ...generated, ...more },
    ...other,
  });
  const five = (more: (number: number) => Partial<Generated> = () => ({})) => [0, 1, 2, 3, 4].map((number) => answer(number, more(number)));
  const withQuestion = (source: string): AuthoredCourse => ({
    ...course,
    topics: course.topics.map((topic) =>
      topic.id === "topic-pipes" ? { ...topic, blocks: [...topic.blocks, { id: "block-new-1", type: "core.question", source }] } : topic,
    ),
  });

  it("are listed once five learners answered the same, and never who", () => {
    expect(generatedQuestions(course, five().slice(1))).to.deep.equal([]);
    expect(generatedQuestions(course, [...five().slice(1), answer(1)])).to.deep.equal([]);
    const listed = generatedQuestions(course, five());
    expect(listed.map(({ source: _, ...one }) => one)).to.deep.equal([
      {
        digest: "d".repeat(64),
        topicId: "topic-pipes",
        topicTitle: "Pipes",
        after: "block-pipes-code",
        objective: { objectiveId: "objective-join", text: "Join two commands." },
        kind: "single",
        prompt: "What does a pipe join?",
        choices: generated.choices,
        looked: true,
        asked: 5,
        learners: 5,
        right: 3,
      },
    ]);
    expect(JSON.stringify(listed)).to.not.include("acc_");
  });

  it("are blocks that ask the same, with the passages and the objective they belong to", () => {
    const [one] = generatedQuestions(course, five());
    const read = parseQuestion(one?.source ?? "");
    expect(read.ok && read.data).to.deep.include({
      kind: "single",
      objective: "objective-join",
      about: ["block-pipes-intro", "block-pipes-code"],
      place: "bank",
      markdown: "What does a pipe join?",
      explanation: "One reads what the other writes.",
    });
  });

  it("have an explanation only where five learners were shown the same", () => {
    const [one] = generatedQuestions(
      course,
      five((number) => ({ explanation: `As you wrote: ${number}` })),
    );
    expect(one?.source).to.include("Write why this is the answer.").and.not.include("As you wrote");
  });

  it("are questions in own words, too, and practice where no second look was had", () => {
    const words = {
      selection: "text" as const,
      choices: [],
      rubric: ["Says one.", "Says two."],
      modelAnswer: "One and two.",
      looked: false,
    };
    const [one] = generatedQuestions(
      course,
      five(() => words),
    );
    expect([one?.kind, one?.looked]).to.deep.equal(["free", false]);
    expect(one?.source).to.include("- Says two.").and.include("One and two.");
  });

  it("are not listed once the course has them, retired or not", () => {
    const [one] = generatedQuestions(course, five());
    for (const source of [one?.source ?? "", withHeaderField(one?.source ?? "", "retired", "true")])
      expect(generatedQuestions(withQuestion(source), five())).to.deep.equal([]);
  });

  it("are not listed where the course no longer has the objective", () => {
    expect(
      generatedQuestions(
        course,
        five(() => ({ objectiveId: "objective-gone" })),
      ),
    ).to.deep.equal([]);
  });
});
