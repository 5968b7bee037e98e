import { evolve, type QuestionSession } from "@colloquy/projections/questions/fold.ts";
import type { GeneratedAnswer } from "@colloquy/projections/questions/queries.ts";
import { insertBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { withHeaderField } from "@colloquy/schemas/courses/editing/question-source.ts";
import { tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import { expect } from "chai";
import { generatedQuestions } from "../publication/generated-questions.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

describe("a question of a model that owners retire", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  before(async () => {
    tutor = await serveTutor();
  });
  after(() => tutor.close());

  /** A learner practises, and answers so many questions. */
  async function practised(accountId: string, count: number): Promise<GeneratedAnswer[]> {
    let { session } = await tutor.start({}, { accountId });
    const { sessionId } = session;
    for (let answered = 0; answered < count && session.current; answered += 1) {
      const { items } = (await tutor.sessions.load(sessionId)).state;
      const { itemId, selection, choices } = items[session.current.itemId] ?? expect.fail("no question waits");
      const given =
        selection === "text" ? { text: "It keeps its line, as far as I can see." } : { choiceIds: [choices[0]?.choiceId ?? ""] };
      ({ session } = await tutor.act(session, { type: "answer", itemId, ...given }, {}, { accountId }));
    }
    let state: QuestionSession | null = null;
    let position = 0;
    for await (const stored of tutor.store.read(tutorStream(sessionId))) state = evolve(state, tutorEvents.parse(stored), `${position++}`);
    return Object.values(state?.items ?? {}).flatMap(({ generated, ...one }) =>
      generated && one.asked ? { ...one, accountId, generated } : [],
    );
  }

  it("was asked of five learners, and is asked of nobody once its block is published", async () => {
    const answers = (await Promise.all([1, 2, 3, 4, 5].map((number) => practised(`acc_learner_00${number}`, 2)))).flat();
    const live = (await tutor.publication.readLive("linear-maps")) ?? expect.fail("no course");
    const [listed] = generatedQuestions(live.course, answers);
    const { topicId, source, prompt, digest } = listed ?? expect.fail("nothing was asked of all");
    const block = { id: "block-retired-1", type: "core.question" as const, source: withHeaderField(source, "retired", "true") };
    const published = await tutor.publication.publishCourse({
      courseId: "linear-maps",
      course: insertBlock(live.course, topicId, 0, block),
      base: live,
      requestId: "publish-retired-01",
      accountId: "acc_test_owner",
      origin: live.origin,
      readAsset: async () => null,
    });
    tutor.list({ courseId: "linear-maps", revisionId: published.revisionId, sequence: published.sequence });
    const later = await practised("acc_learner_006", 3);
    expect(later.length, "others are asked").to.be.greaterThan(1);
    expect(
      later.map((one) => one.digest),
      prompt,
    ).to.not.include(digest);
  });
});
