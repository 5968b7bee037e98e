import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { GeneratedQuestion } from "@colloquy/schemas/generation/quiz.ts";
import { type Quiz, quiz as quizSchema } from "@colloquy/schemas/quiz/quiz.ts";
import { expect } from "chai";
import type { QuizScope } from "../ask/answer.ts";
import { questionCollector } from "../ask/quiz-questions.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import { askedCourse } from "./asked-course.fixture.ts";
import { tutorCourses } from "./course.ts";
import { quizBank } from "./quiz-bank.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

describe("questions of a course's own in a quiz", function () {
  this.timeout(120_000);
  const course = askedCourse();
  const given: { at: string; quiz: Quiz }[] = [];
  const sessionIds: string[] = [];
  let tutor: ServedTutor;
  before(async () => {
    tutor = await serveTutor({ others: [course], quizzes: given });
  });
  beforeEach(() => {
    given.length = 0;
    sessionIds.length = 0;
  });
  after(async () => {
    await tutor.close();
    rmSync(dirname(course.folder), { recursive: true, force: true });
  });

  const choose = async (count: number, change?: Partial<QuizScope>) => (await choices(count, change)).chosen;
  async function choices(count: number, change: Partial<QuizScope> = {}) {
    const { library, sessions, objectStore } = tutor;
    const bank = quizBank({
      library,
      sessions,
      courses: tutorCourses({ objectStore, library }),
      sessionsOf: async () => sessionIds.map((sessionId) => ({ sessionId, version: 0 })),
      quizzesOf: async () => given,
      random: () => 0.5,
    });
    const place = await library.resolve({ href: "/courses/pipes-asked" });
    return bank({ accountId: "acc_mira_0001", count, topic: "", references: place ? [place] : [], isKept: true, passages: [], ...change });
  }
  const blocksOf = (chosen: Awaited<ReturnType<typeof choose>>): string[] => chosen.map(({ authored }) => authored.blockId);
  async function quizOf(count: number): Promise<Quiz> {
    const collector = questionCollector([]);
    collector.addAuthored(await choose(count));
    return collector.quiz("Pipes");
  }

  it("are of different kinds, with the passages they rest on", async () => {
    const chosen = await choose(6);
    expect(new Set(chosen.map(({ key }) => key.kind)).size).to.equal(6);
    expect(chosen.every(({ passages }) => passages.length > 0)).to.equal(true);
    expect(quizSchema.safeParse(await quizOf(6)).error).to.equal(undefined);
  });

  it("are none of the bank where the quiz is not recorded: nobody would know what it showed", async () => {
    expect(await choose(6, { isKept: false })).to.deep.equal([]);
  });

  it("are not written again by a model, nor are those that owners retired", async () => {
    const { chosen, written } = await choices(0);
    const passage = { ...(await choose(1))[0]?.passages[0], key: "s1" } as TurnPassage;
    const proposed = (prompt: string): GeneratedQuestion => ({
      kind: "single",
      prompt,
      choices: [
        { text: "Control and C", correct: true },
        { text: "Escape", correct: false },
      ],
      explanation: "So.",
      passages: ["s1"],
    });
    const collector = questionCollector([passage]);
    collector.addAuthored(chosen, written);
    collector.add([proposed("Which key ends a program?"), proposed("Which key ends a program that hangs?")], 5);
    expect(collector.questions.map((question) => "prompt" in question && question.prompt)).to.deep.equal([
      "Which key ends a program that hangs?",
    ]);
  });

  it("are those that the learner never saw, before those seen longest ago", async () => {
    const first = await quizOf(3);
    given.push({ at: "2026-11-02T10:00:00.000Z", quiz: first });
    const seen = first.questions.map((question) => ("authored" in question ? question.authored.blockId : ""));
    const next = await choose(8);
    expect(
      blocksOf(next)
        .slice(0, 5)
        .some((blockId) => seen.includes(blockId)),
    ).to.equal(false);
    expect(blocksOf(next).slice(5).toSorted()).to.deep.equal(seen.toSorted());
  });

  it("are none that waits for an answer in a session", async () => {
    const { session } = await tutor.start({ goal: "Join programs with pipes" });
    sessionIds.push(session.sessionId);
    const { items, current } = (await tutor.sessions.load(session.sessionId)).state;
    const waiting = items[current ?? ""]?.authored?.blockId;
    const blocks = blocksOf(await choose(8));
    expect(blocks).to.have.length(7);
    expect(blocks).to.not.include(waiting);
  });

  it("are those of the topic's course where nothing is attached", async () => {
    const passages = await tutor.library.search("join programs with pipes");
    expect(await choose(4, { references: [], topic: "pipes", passages })).to.have.length(4);
    expect(await choose(4, { references: [], topic: "pipes" })).to.have.length(0);
  });

  it("show their statements, so that the tutor does not ask them as evidence", async () => {
    const quiz = await quizOf(4);
    given.push({ at: "2026-11-02T10:00:00.000Z", quiz });
    const { session } = await tutor.start({ goal: "Join programs with pipes, after a quiz" });
    const { items } = (await tutor.sessions.load(session.sessionId)).state;
    const asked = Object.values(items).map(({ authored }) => authored?.blockId);
    expect(asked.length).to.be.greaterThan(0);
    for (const question of quiz.questions) if ("authored" in question) expect(asked).to.not.include(question.authored.blockId);
  });

  it("make an answer one with help if a quiz beside the lesson asked the same", async () => {
    const { session } = await tutor.start({ goal: "Join programs with pipes, beside a quiz" });
    const item = (await tutor.sessions.load(session.sessionId)).state.items[session.current?.itemId ?? ""];
    if (!item?.authored || !item.key) throw new Error("no question of the course waits");
    const authored = { courseId: "pipes-asked", blockId: item.authored.blockId, digest: item.authored.digest };
    const questions = [{ questionId: "question-0001", authored, key: item.key, sourceIds: [] }];
    given.push({ at: new Date().toISOString(), quiz: { type: "quiz", quizId: "quiz-0001", title: "Pipes", questions, sources: [] } });
    const choiceIds = item.choices.slice(0, 1).map(({ choiceId }) => choiceId);
    const response = item.key.kind === "single" || item.key.kind === "multiple" ? { choiceIds } : { text: "a guess" };
    const { session: after } = await tutor.act(session, { type: "answer", itemId: item.itemId, response });
    const answer = after.messages.find((message) => message.kind === "answer");
    expect(answer).to.include({ aided: true });
  });
});
