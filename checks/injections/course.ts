import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { activeContent, completeOf, renderedFaults, sourceFaults, textOf } from "./answers.ts";
import { courseGroups } from "./corpus/course.ts";
import { hostileCourse, type Planted } from "./hostile-course.ts";
import { markingFaults } from "./marking.ts";
import type { Learner, Target } from "./target.ts";
import { pinned } from "./target.ts";
import { testEach } from "./test-each.ts";
import { answerUntil, keysShown, masteryOf, sessionOf, start } from "./tutoring.ts";

/** The text of a published course, brought before a model on every way there is. */
export function courseInjections(target: () => Target): void {
  const words = (): string[] => target().planted.map(({ word }) => word);
  const marking = (): string[] => target().model.calls.flatMap((call) => markingFaults(call, words()));
  const plantedOf = (id: string): Planted => target().planted.find((one) => one.id === id) as Planted;
  let asker: { person: Learner; asked: number } | null = null;
  /** Nobody asks more than an account may. */
  const somebody = (): Learner => {
    if (!asker || asker.asked >= 25) asker = { person: target().newcomer(), asked: 0 };
    asker.asked += 1;
    return asker.person;
  };

  for (const group of courseGroups)
    testEach(target, group, async ({ id, text }) => {
      const { model, ask, send } = target();
      const { word, href } = plantedOf(id);
      const person = somebody();
      model.obey = () => `${text}\n\nThat is so [s1][s9999][^7].`;
      const frames = await ask(person, `What is a ${word}?`, { references: [{ href }] });
      const citations = completeOf(frames)?.citations ?? [];
      const found = await send(person, "GET", `/api/ai/references?q=${word}`);
      return [
        ...(completeOf(frames) ? [] : [`no answer: ${JSON.stringify(frames.at(-1))}`]),
        ...(model.calls.some(({ system }) => system.includes(word)) ? [] : ["it was never told to a model"]),
        ...marking(),
        ...sourceFaults(textOf(frames), citations, model.calls),
        ...renderedFaults(textOf(frames), citations),
        ...(found.status === 200 && found.text.includes(hostileCourse) ? [] : ["it was not found by its word"]),
      ];
    });

  it("their pages hold nothing that runs, loads or leads astray", async () => {
    const faults: string[] = [];
    for (const href of new Set(target().planted.map((one) => one.href))) {
      const { status, text } = await target().send(null, "GET", href);
      expect(status, href).to.equal(200);
      const article = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? "";
      expect(article, href).to.not.equal("");
      faults.push(...activeContent(article).map((part) => `${href}: ${part}`));
    }
    expect(faults.join("\n")).to.equal("");
  });

  const topics = (): { topicId: string; href: string }[] => [
    ...new Map(target().planted.map(({ topicId, href }) => [topicId, { topicId, href }])).values(),
  ];

  it("tutoring on them keeps them in their marking, in every call: questions, plan, its verification, lesson, check, grade", async () => {
    const faults: string[] = [];
    const kinds = new Set<string>();
    for (const { topicId, href } of topics()) {
      target().model.calls.splice(0);
      const person = target().newcomer();
      const opened = await start(target(), person, {
        courseId: hostileCourse,
        goal: "Say what a lamp is and what it burns",
        references: [{ href }],
      });
      const first = sessionOf(opened);
      if (!first) {
        faults.push(`${topicId}: ${opened.status} ${opened.text}`);
        continue;
      }
      let turns = 0;
      const last = await answerUntil(target(), person, first, ({ phase }) => {
        turns += 1;
        // The first two are taken as far as answers in the learner's own words.
        return phase === "completed" || turns > (topicId.endsWith("-0") || topicId.endsWith("-1") ? 12 : 5);
      });
      for (const { wants } of target().model.calls) kinds.add(wants ?? "lesson");
      faults.push(...[...marking(), ...masteryOf(last), ...keysShown(last)].map((fault) => `${topicId}: ${fault}`));
    }
    expect([...new Set(faults)].join("\n")).to.equal("");
    expect([...kinds]).to.include.members(["probe", "plan", "verification", "lesson", "check", "grading"]);
  });

  it("quizzes on them keep them in their marking, and take no question that stands on no passage given", async () => {
    const faults: string[] = [];
    for (const { href } of topics()) {
      target().model.calls.splice(0);
      const frames = await target().ask(somebody(), "Quiz me with 2 questions on lamps", { command: "quiz", references: [{ href }] });
      const quiz = frames.find((frame) => frame.kind === "artifact")?.artifact;
      faults.push(...marking().map((fault) => `${href}: ${fault}`));
      for (const { sourceIds } of quiz?.questions ?? [])
        if (!sourceIds.every((one) => quiz?.sources.some(({ sourceId }) => sourceId === one)))
          faults.push(`${href}: a question without its source`);
    }
    expect(faults.join("\n")).to.equal("");
  });

  it("films on them keep them in their marking, drawn up and reviewed", async () => {
    const faults: string[] = [];
    const kinds = new Set<string>();
    for (const { topicId } of topics()) {
      target().model.calls.splice(0);
      const { status } = await target().send(target().newcomer(), "POST", "/api/visual-explainers/storyboard", {
        requestId: randomUUID(),
        courseId: hostileCourse,
        topicId,
        emphasis: "intuition",
        model: pinned(),
      });
      if (status !== 200) faults.push(`${topicId}: ${status}`);
      for (const { wants } of target().model.calls) kinds.add(wants ?? "");
      faults.push(...marking().map((fault) => `${topicId}: ${fault}`));
    }
    expect(faults.join("\n")).to.equal("");
    expect([...kinds]).to.include.members(["storyboard"]);
  });
}
