import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import { sampleQuiz } from "../quiz/quiz.fixture.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { Library } from "../store/library.ts";
import { until } from "../workspace/testing/browser.ts";
import type { PlayedService } from "../workspace/testing/service.ts";
import { openStage, type Stage } from "./testing/stage.ts";

describe("a session with a quiz", () => {
  let stage: Stage;
  let store: AccountStore;
  let service: PlayedService;
  let library: Library;
  const open = (id?: string, isNew?: boolean) => stage.open(id, isNew);
  const types = () => stage.types();

  beforeEach(async () => {
    stage = await openStage();
    ({ store, service, library } = stage);
  });
  afterEach(() => stage.close());

  const [firstQuestion] = sampleQuiz.questions;
  const answers = { [firstQuestion?.questionId ?? ""]: firstQuestion?.correct ?? [] };
  const draft = { round: 0, checked: [], answers };

  it("shows it as it grows, records it, and includes it in the history", async () => {
    service.script = { kind: "quiz", quiz: sampleQuiz, firstBatch: 1 };
    const session = open();
    const told: string[] = [];
    const grown = new Set<number | undefined>();
    session.events.on("announce", ({ text }) => told.push(text));
    session.events.on("change", () => grown.add(session.exchanges[0]?.answers[0]?.artifact?.questions.length));
    await session.send("Quiz me on pipes");
    await library.outbox.send();
    expect([...grown]).to.deep.equal([undefined, 1, 3]);
    expect(told).to.deep.equal(["Generating answer", "Quiz ready with questions: 3"]);
    expect(service.pushed[1]?.data).to.deep.include({
      artifact: sampleQuiz,
      citations: sampleQuiz.sources,
      answer: "",
      outcome: "finished",
    });
    service.script = { kind: "answer" };
    await session.send("Explain the first");
    expect(service.asked[1]?.history[1]?.text).to.contain("What does the shell do with").and.contain("It connects the output");
  });

  it("keeps partial questions when stopped; without any returns the request", async () => {
    service.script = { kind: "quiz", quiz: sampleQuiz, firstBatch: 1, hangs: true };
    const session = open();
    const running = session.send("Quiz me on pipes");
    await until(() => session.exchanges[0]?.answers[0]?.artifact, "the first question");
    session.stop();
    await running;
    await library.outbox.send();
    expect(service.pushed[1]?.data).to.deep.include({
      outcome: "stopped",
      citations: sampleQuiz.sources,
      artifact: { ...sampleQuiz, questions: sampleQuiz.questions.slice(0, 1) },
    });
    service.script = { kind: "quiz", quiz: sampleQuiz, firstBatch: 0, hangs: true };
    const other = open();
    const waiting = other.send("Quiz me on loops");
    await until(() => other.exchanges[0]?.answers[0]?.trace.questions, "the progress");
    other.stop();
    await waiting;
    expect(service.pushed).to.have.length(2);
    expect(other.draftText).to.equal("Quiz me on loops");
  });

  it("stores unfinished answers here and records an attempt everywhere", async () => {
    service.script = { kind: "quiz", quiz: sampleQuiz, firstBatch: 1 };
    const session = open();
    await session.send("Quiz me on pipes");
    session.keepQuiz(sampleQuiz.quizId, draft);
    expect(session.quizzes.get(sampleQuiz.quizId)).to.deep.equal({ attempts: [], draft });
    const again = open(session.id, false);
    await again.load();
    expect(again.quizzes.get(sampleQuiz.quizId)?.draft).to.deep.equal(draft);
    const attempt = { quizId: sampleQuiz.quizId, answers, score: 1 / 3 };
    await again.attemptQuiz(attempt);
    await library.outbox.send();
    expect(types()).to.deep.equal(["started", "turn_recorded", "quiz_attempted"]);
    expect(service.pushed[2]?.data).to.deep.equal(attempt);
    expect(again.quizzes.get(sampleQuiz.quizId)?.attempts.map(({ score }) => score)).to.deep.equal([1 / 3]);
    expect(await store.quizzes.getAll()).to.deep.equal([]);
  });

  it("shows another device's attempt and deletes answers with it", async () => {
    service.script = { kind: "quiz", quiz: sampleQuiz, firstBatch: 1 };
    const session = open();
    await session.send("Quiz me on pipes");
    await library.outbox.send();
    const at = new Date().toISOString();
    const theirs = (type: string, data: object) => ({
      changeId: uuidv7(),
      deviceId: "another-device",
      domain: "conversation" as const,
      entityId: session.id,
      type,
      at,
      data: { ...data },
    });
    service.receive(theirs("quiz_attempted", { quizId: sampleQuiz.quizId, answers, score: 0.5 }));
    await until(() => session.quizzes.get(sampleQuiz.quizId)?.attempts.length === 1, "the attempt");
    session.keepQuiz(sampleQuiz.quizId, draft);
    service.receive(theirs("deleted", {}));
    await until(() => session.presence === "deleted", "the deletion");
    while ((await store.quizzes.getAll()).length) await new Promise((resolve) => setTimeout(resolve, 10));
  });
});
