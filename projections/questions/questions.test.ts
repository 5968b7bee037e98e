import { itemFor } from "@colloquy/command-api/tutor/decider.fixture.ts";
import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { partId } from "@colloquy/schemas/questions/shown.ts";
import type { TutorAnswer } from "@colloquy/schemas/tutor/events.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { projection as conversations } from "../conversations/projection.ts";
import type { ConversationTables } from "../conversations/queries.ts";
import { type Rows, rowsOf, storedEvents } from "../rows.fixture.ts";
import { generatedFrom } from "./generated.ts";
import { projection } from "./projection.ts";
import { answersOfCourse, generatedAnswersOf, type QuestionTables } from "./queries.ts";

const mira = "acc_mira0001";
const opened = (conversationId = "conversation-01", courseId = "course-01") => ({
  type: "TutorSessionOpened",
  data: {
    schemaVersion: 1,
    sessionId: "session-0001",
    conversationId,
    courseId,
    courseTitle: "The Shell",
    courseRevisionId: "revision-01",
    language: "en",
    goalTextId: "text-01",
    objectives: [],
    references: [],
    model: { choice: "automatic" },
  },
});
const item = (itemId: string, blockId?: string) =>
  itemFor("objective-a", itemId, {
    itemId,
    ...(blockId && { authored: { blockId, courseRevisionId: "revision-01", digest: "0".repeat(64) } }),
  });
const answer = (itemId: string, correct: boolean, more: Partial<TutorAnswer> = {}): TutorAnswer => ({
  messageId: `message-${itemId}`,
  itemId,
  correct,
  choiceIds: ["choice"],
  textId: null,
  aided: false,
  gradedBy: "application",
  criteria: [],
  reasonsTextId: null,
  ...more,
});

for (const engine of await enginesToTest())
  describeOn(engine, `answers to the questions of a course on ${engine.name}`, () => {
    let rows: Rows<QuestionTables>;
    let database: Kysely<QuestionTables & ConversationTables>;
    beforeEach(async () => {
      rows = await rowsOf(engine, projection, [conversations]);
      database = rows.database as unknown as typeof database;
    });
    afterEach(() => rows.close());

    const stored = storedEvents();
    const session = [
      opened(),
      {
        type: "ProbesPrepared",
        data: { schemaVersion: 1, items: [item("item-000a", "block-000a"), item("item-000b", "block-000b"), item("item-000c")] },
      },
      { type: "ProbeAsked", data: { schemaVersion: 1, itemId: "item-000a" } },
      { type: "ProbeAnswered", data: { schemaVersion: 1, ...answer("item-000a", false) } },
      { type: "ProbeAsked", data: { schemaVersion: 1, itemId: "item-000c" } },
      { type: "ProbeAnswered", data: { schemaVersion: 1, ...answer("item-000c", true) } },
      { type: "CheckAsked", data: { schemaVersion: 1, item: item("item-000d", "block-000d") } },
      {
        type: "CheckAnswered",
        data: { schemaVersion: 1, ...answer("item-000d", true, { help: "hint", choiceIds: [], response: { choiceIds: ["x"] } }) },
      },
      { type: "CheckAnswered", data: { schemaVersion: 1, ...answer("item-000d", false) } },
    ].map((event, revision) => stored(mira, "tutor-session-0001", revision, event));
    const deleted = stored(mira, "tutortext-session-0001", 1, { type: "TutorTextsDeleted", data: { schemaVersion: 1 } });
    const shown = async (courseId = "course-01") =>
      (await answersOfCourse(database, courseId))
        .map(({ blockId, correct, help, choices }) => [blockId, correct, help, choices.join()])
        .sort();

    it("are those to questions that were asked, each with its first answer", async () => {
      await rows.apply(session);
      const first = [
        ["block-000a", false, "", "choice"],
        ["block-000d", true, "hint", "x"],
      ];
      expect(await shown()).to.deep.equal(first);
      expect(await shown("course-02")).to.deep.equal([]);
    });

    it("are kept of questions that a model wrote, with what it wrote, apart from the course's own", async () => {
      await rows.apply(session);
      const [one, ...others] = await generatedAnswersOf(database, "course-01");
      expect([one?.accountId, one?.blockId, one?.correct, others.length]).to.deep.equal([mira, "", true, 0]);
      const choices = [1, 2, 3, 4].map((place) => ({ text: `item-000c ${place}`, correct: place === 1 }));
      expect(one?.generated).to.deep.include({ objectiveId: "objective-a", prompt: "What of item-000c?", choices, looked: false });
      const turned = item("item-000e");
      const same = generatedFrom({ ...turned, choices: turned.choices.toReversed(), explanation: "Another." }).digest;
      expect(same, "whatever the order of its choices").to.equal(generatedFrom(turned).digest).and.not.equal(one?.digest);
    });

    it("are not kept of a practice question that was made of a page's text", async () => {
      const key = { kind: "gap" as const, level: "recall" as const, about: [], place: "bank" as const, hints: [] };
      const made = itemFor("objective-a", "gap", { key: { ...key, markdown: "[[1]] counts lines.", gaps: [["wc"]] } });
      const asked = { type: "CheckAsked", data: { schemaVersion: 1, item: made } };
      const answered = { type: "CheckAnswered", data: { schemaVersion: 1, ...answer("gap", true) } };
      await rows.apply([
        ...session.slice(0, 1),
        ...[asked, answered].map((event, index) => stored(mira, "tutor-session-0001", index + 1, event)),
      ]);
      expect([await shown(), await generatedAnswersOf(database, "course-01")]).to.deep.equal([[], []]);
    });

    it("are not kept of the closing question of a film", async () => {
      const film = itemFor("objective-a", "film", { film: "job-01" });
      const asked = { type: "CheckAsked", data: { schemaVersion: 1, item: film } };
      await rows.apply([...session.slice(0, 1), stored(mira, "tutor-session-0001", 1, asked)]);
      expect(await generatedAnswersOf(database, "course-01")).to.deep.equal([]);
    });

    it("are the same from batches, single events and repeated events", async () => {
      await rows.apply(session);
      const once = await rows.dump();
      await rows.apply(session, session.slice(3));
      expect(await rows.dump()).to.deep.equal(once);
      await rows.empty();
      await rows.apply(...session.map((one) => [one]));
      expect(await rows.dump()).to.deep.equal(once);
    });

    const block = (blockId: string) => ({ courseId: "course-01", blockId, digest: "0".repeat(64) });
    const key = (kind: object) => ({ markdown: "What?", level: "recall", place: "bank", about: [], hints: [], ...kind });
    const choices = [
      { markdown: "one", correct: true },
      { markdown: "two", correct: false },
    ];
    const quiz = {
      type: "quiz",
      quizId: "quiz-0001",
      title: "Pipes",
      sources: [],
      questions: [
        { questionId: "question-1", authored: block("block-000a"), key: key({ kind: "single", choices }), sourceIds: [] },
        { questionId: "question-2", authored: block("block-000b"), key: key({ kind: "text", accepted: ["pipe"] }), sourceIds: [] },
        { questionId: "question-3", authored: block("block-000c"), key: key({ kind: "text", accepted: ["filter"] }), sourceIds: [] },
      ],
    };
    const recorded = {
      type: "TurnRecorded",
      data: {
        schemaVersion: 1,
        turnId: "turn-00001",
        question: "A quiz",
        answer: "",
        citations: [],
        outcome: "finished",
        provider: "p1",
        model: "m",
        fallbackDepth: 0,
        artifact: quiz,
      },
    };
    const attempted = (answers: object) => ({
      type: "QuizAttempted",
      data: { schemaVersion: 1, quizId: "quiz-0001", answers, score: 0 },
    });
    const inQuiz = (more: { type: string; data: object }[]) =>
      [recorded, ...more].map((event, at) => stored(mira, "conversation-quiz-0001", at + 1, event));
    const tried = attempted({ "question-1": { choiceIds: [partId("two"), "unknown"] }, "question-2": { text: "My secret pipe" } });
    const again = attempted({
      "question-1": { choiceIds: [partId("one")] },
      "question-2": { text: "pipe" },
      "question-3": { text: "Filter" },
    });

    it("of quizzes are counted with the first attempt, and nothing that was written is kept", async () => {
      await rows.apply(inQuiz([tried]));
      const given = await answersOfCourse(database, "course-01");
      expect(given.map(({ accountId, blockId, answered }) => [accountId, blockId, answered !== ""])).to.deep.equal([
        [mira, "block-000a", true],
        [mira, "block-000b", true],
        [mira, "block-000c", false],
      ]);
      expect(JSON.stringify(await rows.dump())).to.not.include("secret");
      await rows.empty();
      await rows.apply(inQuiz([tried, again]));
      expect(await shown()).to.deep.equal([
        ["block-000a", false, "", partId("two")],
        ["block-000b", false, "", ""],
        ["block-000c", true, "", ""],
      ]);
      expect(await shown("course-02")).to.deep.equal([]);
    });

    it("of quizzes are the same from batches, single events and repeated events", async () => {
      const events = inQuiz([tried, again]);
      await rows.apply(events);
      const once = await rows.dump();
      await rows.apply(events, events.slice(1));
      expect(await rows.dump()).to.deep.equal(once);
      await rows.apply(events.slice(0, 1));
      expect(await rows.dump(), "after the first event alone came again").to.deep.equal(once);
      await rows.empty();
      await rows.apply(...events.map((one) => [one]));
      expect(await rows.dump()).to.deep.equal(once);
    });

    it("of quizzes drop out with their conversation, and stay so", async () => {
      const events = inQuiz([tried, { type: "ConversationDeleted", data: { schemaVersion: 1 } }]);
      await rows.apply(events);
      expect(await shown()).to.deep.equal([]);
      expect(JSON.stringify(await rows.dump())).to.not.include(mira);
      await rows.apply(events);
      expect(await shown()).to.deep.equal([]);
    });

    it("drop out with their conversation, in whatever order that is read", async () => {
      await rows.apply(session, [deleted]);
      expect([await shown(), await generatedAnswersOf(database, "course-01")]).to.deep.equal([[], []]);
      expect(JSON.stringify(await rows.dump())).to.not.include(mira);
      const forgotten = await rows.dump();
      await rows.empty();
      await rows.apply([deleted], session);
      expect(await rows.dump()).to.deep.equal(forgotten);
    });

    it("drop out as soon as the conversation is deleted", async () => {
      await rows.apply(session);
      const texts = ["title", "title_search", "mode", "model", "attached", "created_at", "updated_at", "updated_position", "position"];
      await database
        .insertInto("conversations")
        .values({
          ...(Object.fromEntries(texts.map((name) => [name, ""])) as never as ConversationTables["conversations"]),
          conversation_id: "conversation-01",
          account_id: mira,
          deleted: 1,
          version: 0,
          archived: 0,
          pinned: 0,
          turns: 0,
        })
        .execute();
      expect(await shown()).to.deep.equal([]);
    });
  });
