import { randomUUID } from "node:crypto";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { StoryboardFrame } from "@colloquy/schemas/explainers/requests.ts";
import { expect } from "chai";
import { completeOf, renderedFaults, sourceFaults, textOf } from "./answers.ts";
import type { Injection } from "./corpus/injection.ts";
import { modelGroups, type Spoilt } from "./corpus/model.ts";
import { chunk } from "./obeying-model.ts";
import { pinned, type Target } from "./target.ts";
import { testEach } from "./test-each.ts";
import { evidenceOf, keysShown, masteryOf, readSession, type Session, sessionOf, start, takeTurn, wrongAnswer } from "./tutoring.ts";

/** What a model answers in place of what it was asked for. */
export function modelInjections(target: () => Target): void {
  const { answers, wires, objects, proposals, quizzes, films } = modelGroups;
  /** One of the models after the other, each asked for something honest first: those that keep answering nonsense are left alone for a while. */
  let used = 0;
  const another = async () => {
    const { model, newcomer, ask } = target();
    used += 1;
    const chosen = pinned(used);
    await ask(newcomer(), "What is a linear map?", { model: chosen });
    model.calls.splice(0);
    return chosen;
  };
  const kept = /secret reasoning|The learner's key|delete_account|<\|/;

  testEach(target, answers, async ({ text }) => {
    const { model, newcomer, ask } = target();
    model.obey = () => text;
    const frames = await ask(newcomer(), "What is a linear map?");
    const said = textOf(frames);
    const citations = completeOf(frames)?.citations ?? [];
    return [
      ...(frames.filter(({ kind }) => kind === "complete" || kind === "error").length === 1 ? [] : ["the turn has no last word, or two"]),
      ...sourceFaults(said, citations, model.calls),
      ...renderedFaults(said, citations),
      ...(kept.test(said) ? ["it shows what is not for a learner"] : []),
    ];
  });

  testEach(target, wires, async ({ send, ends }) => {
    const { model, newcomer, ask, credential, program } = target();
    const chosen = await another();
    model.obey = () => (response) => send(response, { credential, chunk });
    const frames = await ask(newcomer(), "What is a linear map?", { model: chosen });
    const last = frames.at(-1);
    return [
      ...(last && (ends === "either" ? ["complete", "error"].includes(last.kind) : last.kind === ends)
        ? []
        : [`it ended with ${JSON.stringify(last)}`]),
      ...(textOf(frames).length <= bounds.ask.answerLength ? [] : ["it is longer than an answer may be"]),
      ...(JSON.stringify(frames).includes(credential) || textOf(frames).includes(credential) ? ["the credential is told"] : []),
      ...(JSON.stringify(frames).includes("bad key") || JSON.stringify(frames).includes("onerror")
        ? ["the provider's words are told"]
        : []),
      ...(program.output().includes(credential) ? ["the credential is in the log"] : []),
    ];
  });

  testEach(target, objects, async ({ text }) => {
    const { model, newcomer, send } = target();
    const person = newcomer();
    const chosen = await another();
    model.obey = ({ wants }) => (wants === "probe" ? text : undefined);
    const { status, body } = await start(target(), person, { model: chosen });
    const listed = (await send(person, "GET", "/api/tutor/sessions")).body as { sessions?: object[] };
    return [
      ...(status === 503 && body.code === "ai_unavailable" ? [] : [`answered with ${status} ${String(body.code)}`]),
      ...(listed.sessions?.length === 0 ? [] : ["a session was begun"]),
    ];
  });

  /** Has the model spoil one kind of object from here on. */
  let brought = 0;
  const spoiling = ({ of, spoil }: Injection<Spoilt>): void => {
    brought = 0;
    target().model.obey = async ({ wants, system }, own) => {
      if ((wants ?? (system.includes("<teach>") ? "lesson" : "answer")) !== of) return undefined;
      brought += 1;
      if (of === "lesson") return String(spoil(""));
      const made = spoil(JSON.parse(await own()));
      return typeof made === "string" ? made : JSON.stringify(made);
    };
  };

  const notBrought = (): string[] => (brought > 0 ? [] : ["it was never brought in"]);

  testEach(target, proposals, async (injection) => {
    const { model, newcomer } = target();
    const person = newcomer();
    const chosen = await another();
    spoiling(injection);
    const opened = await start(target(), person, { model: chosen });
    const first = sessionOf(opened);
    const untaken = (status: number, text: string): string[] =>
      status === 503 || status === 422 ? [] : [`answered with ${status}: ${text.slice(0, 300)}`];
    if (!first) return [...untaken(opened.status, opened.text), ...notBrought()];
    let session: Session = first;
    const faults: string[] = [];
    // As far as it goes: what cannot be taken is refused, and the session stays as it was.
    for (let turns = 0; turns < 14 && session.phase !== "completed" && brought < 2; turns += 1) {
      const { current } = session;
      const before = session.version;
      faults.push(...keysShown(session).map((name) => `the question that waits tells its ${name}`));
      if (injection.of === "check" && current?.kind === "check" && current.selection !== "text")
        faults.push(...(await hintsTelling(session)));
      const answered = await takeTurn(target(), person, session, wrongAnswer(target(), session));
      const next = sessionOf(answered);
      if (!next) {
        faults.push(...untaken(answered.status, answered.text));
        const stays = await readSession(target(), person, session);
        // A plan that was found wanting is recorded as that, with what was found.
        if (injection.of !== "plan" && stays.version !== before) faults.push("a turn that was refused moved the session");
        break;
      }
      session = next;
    }
    const shown = JSON.stringify(session);
    const lessons = session.messages.filter((message) => message.kind === "teaching");
    const answeredRight = evidenceOf(session).filter(({ correct }) => correct).length;
    return [
      ...faults,
      ...(answeredRight === 0 ? masteryOf(session).map((objectiveId) => `${objectiveId} is mastered without a right answer`) : []),
      ...(injection.never && shown.includes(injection.never) ? [`${injection.never} is kept`] : []),
      ...(injection.of === "plan" && session.path.length > 0 ? ["the plan was installed"] : []),
      ...(injection.of === "grading" && evidenceOf(session).some(({ gradedBy, correct }) => gradedBy === "model" && correct)
        ? ["a grade that is none counts as right"]
        : []),
      ...lessons.flatMap(({ text, citations }) => [...sourceFaults(text, citations, model.calls), ...renderedFaults(text, citations)]),
      ...(injection.id === "model-lesson-sources" && lessons.length > 0 ? ["a lesson without a source was taught"] : []),
      ...notBrought(),
    ];

    /** Whether a hint, taken to the last, says a choice as it stands in the place of the answer. */
    async function hintsTelling(asked: Session): Promise<string[]> {
      const hinted = await takeTurn(target(), person, asked, { type: "hint", itemId: asked.current?.itemId });
      session = sessionOf(hinted) ?? asked;
      return hinted.text.includes("The answer is:") ? ["a hint gives the answer away"] : [];
    }
  });

  testEach(target, quizzes, async (injection) => {
    const { model, newcomer, ask } = target();
    const chosen = await another();
    spoiling(injection);
    // More than the page has of its own, so that the model writes some.
    const references = [{ href: "/courses/learning-to-learn/retrieval-practice" }];
    const frames = await ask(newcomer(), "Quiz me with 20 questions on this", { command: "quiz", model: chosen, references });
    const quiz = frames.find((frame) => frame.kind === "artifact")?.artifact;
    const last = frames.at(-1)?.kind;
    if (!quiz) return last === "error" ? notBrought() : [`it ended with ${last}`];
    const made = quiz.questions.filter((question) => "prompt" in question);
    const texts = made.flatMap(({ prompt, explanation, choices }) => [prompt, explanation, ...choices.map(({ text }) => text)]);
    return [
      ...(quiz.questions.length <= bounds.quiz.questions.max ? [] : ["it has more questions than a quiz may have"]),
      ...quiz.questions
        .filter(
          ({ sourceIds }) => sourceIds.length === 0 || !sourceIds.every((one) => quiz.sources.some(({ sourceId }) => one === sourceId)),
        )
        .map(() => "a question stands on nothing"),
      ...made.filter(({ kind, correct }) => kind === "single" && correct.length !== 1).map(() => "a question has no one right choice"),
      ...sourceFaults(
        "",
        quiz.sources.filter(({ sourceId }) => made.some(({ sourceIds }) => sourceIds.includes(sourceId))),
        model.calls,
      ),
      ...texts.flatMap((text) => renderedFaults(text, quiz.sources)),
      ...(injection.never && JSON.stringify(frames).includes(injection.never) ? [`${injection.never} is kept`] : []),
      ...notBrought(),
    ];
  });

  testEach(target, films, async (injection) => {
    const { newcomer, send } = target();
    const person = newcomer();
    const chosen = await another();
    spoiling(injection);
    const { text } = await send(person, "POST", "/api/visual-explainers/storyboard", {
      requestId: randomUUID(),
      courseId: "linear-maps",
      topicId: "topic-kernel-and-image",
      emphasis: "exam-recap",
      model: chosen,
    });
    const frames = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as StoryboardFrame);
    const last = frames.at(-1);
    const jobs = await send(person, "GET", "/api/visual-explainers/jobs");
    return [
      ...notBrought(),
      ...(last?.kind === "error" && ["storyboard_rejected", "ai_unavailable"].includes(last.code)
        ? []
        : [`it ended with ${JSON.stringify(last)}`]),
      ...(jobs.status === 200 && jobs.text.includes('"jobs":[]') ? [] : [`a job was kept: ${jobs.status} ${jobs.text.slice(0, 200)}`]),
    ];
  });

  it("would take the same, were it honest: a session, a quiz, a storyboard", async () => {
    const { newcomer, ask, send } = target();
    const person = newcomer();
    const session = sessionOf(await start(target(), person));
    const quizzed = await ask(person, "Quiz me with 3 questions on linear maps", { command: "quiz" });
    const { text } = await send(person, "POST", "/api/visual-explainers/storyboard", {
      requestId: randomUUID(),
      courseId: "linear-maps",
      topicId: "topic-kernel-and-image",
      emphasis: "exam-recap",
      model: pinned(),
    });
    expect(session?.current?.kind).to.equal("probe");
    expect(quizzed.find((frame) => frame.kind === "artifact")?.artifact.questions).to.have.length(3);
    expect(text).to.include('"kind":"complete"');
  });
}
