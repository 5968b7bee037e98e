import { exportLines, type LedgerRecord } from "@colloquy/infra/ledger/export.ts";
import { verifyLedger } from "@colloquy/infra/ledger/verify.ts";
import { type TutorEvent, type TutorItem, tutorEvents, tutorStream } from "@colloquy/schemas/tutor/events.ts";
import { type TutorFrame, tutorReply } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorMessage, TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { courseSaysNoMore, nothingAsked } from "@colloquy/schemas/tutor/words.ts";
import { expect } from "chai";
import { scriptedTutor } from "./scripted-tutor.fixture.ts";
import { type ServedTutor, serveTutor } from "./tutor.fixture.ts";

const goal = "Join programs with pipes";
const itemOf = async (tutor: ServedTutor, { sessionId, current }: TutorSession): Promise<TutorItem> => {
  const item = (await tutor.sessions.load(sessionId)).state.items[current?.itemId ?? ""];
  if (!item) throw new Error("no question waits");
  return item;
};
const askedIn = ({ messages }: TutorSession) =>
  messages.filter((message): message is Extract<TutorMessage, { kind: "asked" }> => message.kind === "asked");
async function answer(tutor: ServedTutor, session: TutorSession, correct: boolean): Promise<TutorSession> {
  const { itemId, choices, right } = await itemOf(tutor, session);
  const wrong = choices.flatMap(({ choiceId }) => (right.includes(choiceId) ? [] : choiceId)).slice(0, 1);
  return (await tutor.act(session, { type: "answer", itemId, choiceIds: correct ? right : wrong })).session;
}
const eventsOf = async (tutor: ServedTutor, sessionId: string): Promise<TutorEvent[]> => {
  const all: TutorEvent[] = [];
  for await (const stored of tutor.store.read(tutorStream(sessionId))) all.push(tutorEvents.parse(stored));
  return all;
};

describe("a learner who asks back", function () {
  this.timeout(120_000);
  const models = scriptedTutor();

  it("is answered from the course, and the question goes on waiting", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    const frames: TutorFrame[] = [];
    const reply = await tutor.act(
      session,
      { type: "ask", text: "Why does the order matter?" },
      {},
      { emit: (frame) => frames.push(frame) },
    );
    expect(tutorReply.safeParse(reply).error).to.equal(undefined);
    const { session: after } = reply;
    expect([after.phase, after.current?.itemId]).to.deep.equal([session.phase, session.current?.itemId]);
    const [asked] = askedIn(after);
    expect(asked).to.deep.include({ itemId: session.current?.itemId, text: "Why does the order matter?", outcome: "finished" });
    expect(asked?.reply).to.equal("Because the second one reads what the first one writes.[^1]");
    expect(asked?.citations).to.have.lengthOf(1);
    expect(frames.map(({ kind }) => kind)).to.include.members(["status", "citation", "text_delta"]);
    // The prompt has the text of the objective, the goal and the open question, without its key.
    const { body } = models.requests.at(-1) ?? {};
    const system = body?.messages[0]?.content ?? "";
    expect(system)
      .to.include("A pipe joins two programs")
      .and.include(`<goal>${JSON.stringify(goal)}</goal>`);
    expect(system).to.include(session.current?.prompt).and.not.include("correct");
    expect(body?.messages.at(-1)?.content).to.equal("Why does the order matter?");
  });

  it("is told plainly when the course says nothing, which is no help", async () => {
    const tutor = await models.serve({ help: "<nothing-else/>" });
    const { session } = await tutor.start({ goal });
    const { session: after } = await tutor.act(session, { type: "ask", text: "How does photosynthesis work?" });
    expect([askedIn(after)[0]?.reply, after.current?.aided]).to.deep.equal([courseSaysNoMore, false]);
    const answered = await answer(tutor, after, true);
    expect(answered.mastery[0]?.probability).to.be.greaterThan(0.5);
    const records = (await eventsOf(tutor, session.sessionId)).flatMap((event): LedgerRecord[] => {
      if (event.type === "EvidenceRecorded") return [{ entry: event.data.entry }];
      return event.type === "CheckpointSigned" ? [{ checkpoint: event.data.checkpoint }] : [];
    });
    const lines = exportLines(session.sessionId, records, tutor.signer, new Date().toISOString());
    expect(verifyLedger(lines, tutor.signer.keys()).fault).to.equal(null);
  });

  it("is not helped where they only say thanks, and no model is asked", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    const asked = models.requests.length;
    const reply = await tutor.act(session, { type: "ask", text: "Ok, thanks!" });
    expect(tutorReply.safeParse(reply).error).to.equal(undefined);
    expect([askedIn(reply.session)[0]?.reply, reply.session.current?.aided]).to.deep.equal([nothingAsked, false]);
    expect(models.requests.length).to.equal(asked);
  });

  it("is told so, too, where the model varies the sign, which is never shown", async () => {
    for (const [help, reply] of [
      ["<nothing-else />", courseSaysNoMore],
      ["`<nothing-else></nothing-else>`.", courseSaysNoMore],
      ["The text is about pipes. <nothing-else/>", "The text is about pipes."],
    ] as const) {
      const tutor = await models.serve({ help });
      const { session } = await tutor.start({ goal });
      const { session: after } = await tutor.act(session, { type: "ask", text: "How does photosynthesis work?" });
      expect(askedIn(after)[0]?.reply, help).to.equal(reply);
    }
  });

  it("has had help by a reply that names no passage: it may tell the answer all the same", async () => {
    const tutor = await models.serve({ help: "It is the second choice." });
    const { session } = await tutor.start({ goal });
    const { session: after } = await tutor.act(session, { type: "ask", text: "Which one is right? Cite nothing." });
    expect(after.current?.aided).to.equal(true);
  });

  it("is answered from what the open question rests on first", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    await tutor.act(session, { type: "ask", text: "Why?" });
    const system = models.requests.at(-1)?.body.messages[0]?.content ?? "";
    const [key = ""] = JSON.parse(/<about>(.*?)<\/about>/.exec(system)?.[1] ?? "[]") as string[];
    expect(system).to.contain(`<passage id="${key}"`);
  });

  it("leans on what was answered before, with its explanation", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    const { prompt, explanation } = await itemOf(tutor, session);
    const next = await answer(tutor, session, false);
    await tutor.act(next, { type: "ask", text: "I don't see step 2" });
    const said = (models.requests.at(-1)?.body.messages ?? []).slice(1).map(({ content }) => content);
    expect(said[0]?.startsWith(`${prompt}\n`), said[0]).to.equal(true);
    expect(said[1]).to.equal(explanation);
    expect(said.at(-1)).to.equal("I don't see step 2");
  });

  it("leans on the explanation that they asked for", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    const { explanation, itemId } = await itemOf(tutor, session);
    const explained = (await tutor.act(session, { type: "explanation", itemId })).session;
    await tutor.act(explained, { type: "ask", text: "I don't see step 2" });
    expect(models.requests.at(-1)?.body.messages.map(({ content }) => content)).to.include(explanation);
  });

  it("had help: a right answer to the question that waited moves nothing, a later one does", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    const { session: after } = await tutor.act(session, { type: "ask", text: "Why?" });
    expect(after.current?.aided).to.equal(true);
    const answered = await answer(tutor, after, true);
    expect(answered.mastery[0]?.probability).to.equal(0.5);
    expect(answered.current?.aided).to.equal(false);
    const again = await answer(tutor, answered, true);
    expect(again.mastery[0]?.probability).to.be.greaterThan(0.5);
    const events = await eventsOf(tutor, again.sessionId);
    const entries = events.flatMap((event) => (event.type === "EvidenceRecorded" ? event.data.entry : []));
    expect(entries.map(({ kind, help }) => [kind, help]).slice(1, 3)).to.deep.equal([
      ["asked", undefined],
      ["probe", "asked"],
    ]);
    const records = events.flatMap((event): LedgerRecord[] => {
      if (event.type === "EvidenceRecorded") return [{ entry: event.data.entry }];
      return event.type === "CheckpointSigned" ? [{ checkpoint: event.data.checkpoint }] : [];
    });
    const lines = exportLines(again.sessionId, records, tutor.signer, new Date().toISOString());
    expect(verifyLedger(lines, tutor.signer.keys()).fault).to.equal(null);
  });

  it("is read in no event of the session, and forgotten with its texts", async () => {
    const tutor = await models.serve({ help: "You said zebra, and that is not so. [s1]" });
    const { session } = await tutor.start({ goal });
    const { session: after } = await tutor.act(session, { type: "ask", text: "Is it a zebra?" });
    expect(JSON.stringify(await eventsOf(tutor, session.sessionId))).to.not.include("zebra");
    await tutor.sessions.deleteTexts({ accountId: "acc_mira_0001", requestId: "delete-01", correlationId: "delete-01" }, session.sessionId);
    const { session: left } = await tutor.act(after, { type: "pause" });
    expect(askedIn(left).map(({ text, reply }) => [text, reply])).to.deep.equal([[null, null]]);
  });

  it("goes on asking about what was said, and their words reach the next lesson", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    const first = (await tutor.act(session, { type: "ask", text: "What is a filter?" })).session;
    await tutor.act(first, { type: "ask", text: "Why?" }).then(({ session: second }) => answer(tutor, second, false));
    const lesson = models.requests.find(({ body }) => body.messages[0]?.content.includes("You teach a learner"));
    const learner = /<learner>(.*?)<\/learner>/s.exec(lesson?.body.messages[0]?.content ?? "")?.[1] ?? "{}";
    expect(JSON.parse(learner)).to.deep.equal({ goal, said: ["What is a filter?", "Why?"] });
    const why = models.requests.find(({ body }) => body.messages.at(-1)?.content === "Why?");
    expect(why?.body.messages.map(({ role, content }) => [role, content]).slice(1)).to.deep.equal([
      ["user", "What is a filter?"],
      ["assistant", "Because the second one reads what the first one writes."],
      ["user", "Why?"],
    ]);
  });

  it("keeps what came when they stop in the middle", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    const leaving = new AbortController();
    const stopOnText = (frame: TutorFrame): void => {
      if (frame.kind === "text_delta") leaving.abort(new Error("stopped"));
    };
    const run = { signal: leaving.signal, emit: stopOnText };
    const { session: after } = await tutor.act(session, { type: "ask", text: "Why?" }, {}, run);
    expect(askedIn(after)).to.have.lengthOf(1);
    expect(askedIn(after)[0]?.outcome).to.equal("stopped");
    expect(after.current?.itemId).to.equal(session.current?.itemId);
  });

  it("records nothing when they stop before anything came", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    const gone = AbortSignal.abort(new Error("stopped"));
    const failed = await tutor.act(session, { type: "ask", text: "Why?" }, {}, { signal: gone }).then(
      () => "went through",
      () => "failed",
    );
    expect(failed).to.equal("failed");
    expect((await tutor.sessions.load(session.sessionId)).state.version).to.equal(session.version);
  });

  it("is answered while the session is paused, which stays so", async () => {
    const tutor = await models.serve();
    const { session } = await tutor.start({ goal });
    const { session: paused } = await tutor.act(session, { type: "pause" });
    const { session: after } = await tutor.act(paused, { type: "ask", text: "Why?" });
    expect(askedIn(after)).to.have.lengthOf(1);
    expect([after.paused, after.current?.itemId, after.current?.aided]).to.deep.equal([true, session.current?.itemId, true]);
    const { session: resumed } = await tutor.act(after, { type: "resume" });
    expect([resumed.paused, resumed.current?.itemId]).to.deep.equal([false, session.current?.itemId]);
  });
});

describe("a learner who asks the demonstration model back", function () {
  this.timeout(120_000);
  let tutor: ServedTutor;
  before(async () => {
    tutor = await serveTutor();
  });
  after(() => tutor.close());

  it("is answered from the passages, as in Ask", async () => {
    const { session } = await tutor.start();
    const { session: after } = await tutor.act(session, { type: "ask", text: "What is an eigenvector?" });
    const [asked] = askedIn(after);
    expect(asked?.citations).to.not.be.empty;
    expect(asked?.reply)
      .to.match(/eigenvector/i)
      .and.match(/\[\^\d\]/);
    expect(after.current?.itemId).to.equal(session.current?.itemId);
  });
});
