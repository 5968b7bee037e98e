import { samenessOfWritten, writtenQuestions } from "@colloquy/infra/object-store/course-questions.ts";
import type { GeneratedCheck } from "@colloquy/schemas/generation/tutor.ts";
import { expect } from "chai";
import type { TurnPassage } from "../grounding/retrieve.ts";
import type { TutorCourse } from "./course.ts";
import { itemFrom } from "./items.ts";

describe("an item of a proposal", () => {
  const passage: TurnPassage = {
    key: "s1",
    passageId: "passage-1",
    sourceId: "source-1",
    heading: "Pipes",
    text: "A pipe joins two commands.",
    role: "prose",
    courseId: "course-01",
    revisionId: "revision-01",
    score: 1,
    source: {
      sourceId: "source-1",
      kind: "block",
      entityId: "block-1",
      topicId: "topic-1",
      href: "/courses/course-01/pipes#block-1",
      title: "Pipes",
      trail: [],
    },
  };
  const proposal: GeneratedCheck = {
    prompt: "What does a pipe join?",
    selection: "single",
    choices: [
      { text: "Two commands", correct: true },
      { text: "Two files", correct: false },
    ],
    rubric: [],
    modelAnswer: "",
    explanation: "So.",
    hint: "",
    passages: ["s1"],
  };
  const place = { kind: "check" as const, objectiveId: "objective-1", stepId: null, breadth: "narrow" as const };
  function taken(sources: string[]) {
    const blocks = sources.map((source, index) => ({ id: `block-q${index}`, type: "core.question" as const, source }));
    const course = {
      digests: new Map(),
      written: new Set(writtenQuestions([{ blocks }]).map(samenessOfWritten)),
    } as unknown as TutorCourse;
    const maker = { passages: [passage], course, newId: () => "id", random: () => 0, shown: { statements: [], texts: [] } as never };
    return itemFrom(maker, proposal, place, { provider: "p2", model: "big", fallbackDepth: 0 }, null);
  }
  const question = (retired: string, right: string) =>
    `---\nkind: single\n${retired}---\nWhat does a pipe join?\n\n- [ ] two files\n- [x] ${right}\n\n::: explanation\nSo.\n:::`;

  it("is refused where the course has the question, or its owners retired it", () => {
    expect(taken([]).ok).to.equal(true);
    expect(taken([question("", "two programs")]).ok).to.equal(true);
    for (const retired of ["", "retired: true\n"]) {
      const made = taken([question(retired, "Two commands")]);
      expect(made.ok ? "taken" : made.why).to.match(/course's own, or one that its owners retired/);
    }
  });
});
