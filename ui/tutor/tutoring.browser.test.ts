import type { TutorAction } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { expect } from "chai";
import { until } from "../workspace/testing/browser.ts";
import { groupsOf } from "./flow.ts";
import { Rails } from "./rails.ts";
import { afterWrong, complete, conversationId, problem, session, tutor } from "./tutor.fixture.ts";

const answer: TutorAction = { type: "answer", itemId: "item-check-1", choiceIds: ["choice-one"] };

describe("the tutoring of a conversation", () => {
  it("sends an answer with its version and announces the result", async () => {
    const { tutoring, asked, announced } = await tutor({ scripts: [[complete(afterWrong)]] });
    tutoring.choose(["choice-one"]);
    expect(await tutoring.act(answer)).to.equal(true);
    expect(asked[0]).to.deep.include({
      sessionId: session.sessionId,
      expectedVersion: 20,
      courseRevisionId: session.courseRevisionId,
      action: answer,
    });
    expect(tutoring.session?.version).to.equal(24);
    expect(tutoring.chosen).to.equal(null);
    expect(announced).to.deep.equal(["Not right. A new question is ready."]);
  });

  it("keeps the question and the choice when stopped before any output", async () => {
    const { tutoring, announced } = await tutor({ scripts: ["hangs"] });
    tutoring.choose(["choice-one"]);
    const going = tutoring.act(answer);
    await until(() => tutoring.working?.phase === "grading", "work");
    tutoring.stop();
    expect(await going).to.equal(false);
    expect(tutoring.session).to.deep.equal(session);
    expect(tutoring.chosen?.choiceIds).to.deep.equal(["choice-one"]);
    expect(tutoring.busy).to.equal(false);
    expect(announced).to.deep.equal(["Stopped. Nothing has changed."]);
  });

  it("shows what was finished when the stop arrived", async () => {
    const { tutoring, service, announced } = await tutor({ newest: null, scripts: ["hangs"] });
    tutoring.chooseCourse("course-number-0");
    const going = tutoring.start({ conversationId, goal: "Pipes", references: [], model: { choice: "automatic" } });
    await until(() => tutoring.working?.phase === "grading", "work");
    Object.assign(service, { newest: session });
    tutoring.stop();
    expect(await going).to.equal(true);
    expect([tutoring.session?.sessionId, tutoring.presence]).to.deep.equal([session.sessionId, "present"]);
    expect(announced.at(-1)).to.equal("It had already finished. Here is the result.");
  });

  it("retries a failed request under the same request id", async () => {
    const { tutoring, asked } = await tutor({ scripts: [[problem("ai_unavailable")], [complete(afterWrong)]] });
    tutoring.choose(["choice-one"]);
    await tutoring.act(answer);
    expect(tutoring.failed?.problem.code).to.equal("ai_unavailable");
    expect(tutoring.chosen?.choiceIds).to.deep.equal(["choice-one"]);
    expect(await tutoring.retry({ choice: "automatic" })).to.equal(true);
    expect(asked[1]).to.deep.equal(asked[0]);
    expect(tutoring.failed).to.equal(null);
  });

  it("keeps an answer that was sent back for its spelling, and says so", async () => {
    const { tutoring, asked, announced } = await tutor({ scripts: [[problem("check_spelling")], [complete(afterWrong)]] });
    tutoring.respond({ text: "filtr" });
    await tutoring.act(answer);
    expect([tutoring.failed, tutoring.misspelled]).to.deep.equal([null, "item-check-1"]);
    expect(tutoring.chosen?.response).to.deep.equal({ text: "filtr" });
    expect(announced).to.deep.equal(["Almost: check the spelling, then send it again."]);
    await tutoring.act({ type: "hint", itemId: "item-check-1" });
    expect(asked[1]).to.not.have.nested.property("action.confirmed");
  });

  it("sends an answer that was sent back for its spelling as confirmed", async () => {
    const { tutoring, asked } = await tutor({ scripts: [[problem("check_spelling")], [complete(afterWrong)]] });
    await tutoring.act(answer);
    await tutoring.act(answer);
    expect(asked[0]).to.deep.include({ action: answer });
    expect(asked[1]).to.deep.include({ action: { ...answer, confirmed: true } });
  });

  it("catches up with another device and keeps the choice", async () => {
    const { tutoring, service, announced } = await tutor({ scripts: [[problem("stale_session")]] });
    tutoring.choose(["choice-one"]);
    service.newest = { ...session, version: 22 };
    await tutoring.act(answer);
    expect(tutoring.session?.version).to.equal(22);
    expect(tutoring.isMoved).to.equal(true);
    expect(tutoring.failed).to.equal(null);
    expect(tutoring.chosen?.choiceIds).to.deep.equal(["choice-one"]);
    expect(announced.at(-1)).to.contain("continued in another window");
    service.newest = afterWrong;
    await tutoring.refresh();
    expect(tutoring.chosen).to.equal(null);
  });

  it("keeps what was typed for a question that was answered in another window, and says so", async () => {
    const { tutoring, service, announced } = await tutor({ scripts: [[problem("stale_session")]] });
    tutoring.respond({ texts: ["sort", " uniq ", ""] });
    service.newest = afterWrong;
    await tutoring.act(answer);
    expect([tutoring.chosen, tutoring.unsent]).to.deep.equal([null, "sort · uniq"]);
    expect(announced.at(-1)).to.contain("What you wrote here was not sent").and.contain("sort · uniq");
  });

  it("says of nothing that was sent that it was not", async () => {
    const { tutoring, service } = await tutor({ scripts: [] });
    tutoring.respond({ text: "sort " });
    const messages = afterWrong.messages.map((message) =>
      message.kind === "answer" ? { ...message, response: { text: "sort" } } : message,
    );
    service.newest = { ...afterWrong, messages };
    await tutoring.refresh();
    expect([tutoring.isMoved, tutoring.unsent]).to.deep.equal([true, null]);
  });

  it("catches up with a video's answer without an announcement", async () => {
    const { tutoring, service, announced } = await tutor({ scripts: [] });
    tutoring.choose(["choice-one"]);
    const before = announced.length;
    service.newest = { ...session, version: session.version + 5 };
    await tutoring.catchUp();
    expect(tutoring.session?.version).to.equal(session.version + 5);
    expect([tutoring.isMoved, announced.length]).to.deep.equal([false, before]);
    expect(tutoring.chosen?.choiceIds).to.deep.equal(["choice-one"]);
  });

  it("continues and resends when a revision changed other text only", async () => {
    const live = "revision-later-1";
    const moved = { ...session, courseRevisionId: live, version: session.version + 1 };
    const taken = complete(moved);
    const known = await tutor({ live, goesOn: true, scripts: [[taken]] });
    expect(known.tutoring.stale).to.equal(false);
    expect(await known.tutoring.act({ type: "pause" })).to.equal(true);
    expect(known.asked[0]).to.deep.include({ courseRevisionId: live });

    const unknown = await tutor({ scripts: [[problem("stale_course_revision")], [taken]] });
    Object.assign(unknown.service, { live, goesOn: true });
    expect(await unknown.tutoring.act({ type: "pause" })).to.equal(true);
    expect(unknown.asked.map((one) => (one as { courseRevisionId: string }).courseRevisionId)).to.deep.equal([
      session.courseRevisionId,
      live,
    ]);
    expect(new Set(unknown.asked.map((one) => (one as { requestId: string }).requestId)).size).to.equal(1);
    expect([unknown.tutoring.failed, unknown.tutoring.stale]).to.deep.equal([null, false]);
  });

  it("is stale after a new revision; a new session carries the evidence", async () => {
    const { tutoring, asked } = await tutor({
      live: "revision-later-1",
      scripts: [[complete({ ...afterWrong, sessionId: "session-tutor-2" })]],
    });
    expect(tutoring.stale).to.equal(true);
    const carried = { conversationId, goal: session.goal, references: [], model: session.model, carryFrom: session.sessionId };
    expect(await tutoring.start(carried)).to.equal(true);
    expect(asked[0]).to.deep.include({ courseId: "shell-novice", carryFrom: session.sessionId });
  });

  it("announces a new revision in the interface's own words", async () => {
    const { tutoring, service, announced } = await tutor({ scripts: [[problem("stale_course_revision")]] });
    service.live = "revision-later-1";
    await tutoring.act(answer);
    expect(tutoring.stale).to.equal(true);
    expect(announced.at(-1)).to.equal("The course was updated in the meantime.");
  });

  it("shows the carried-over session with its text when stopped", async () => {
    const { tutoring, service, announced } = await tutor({ live: "revision-later-1", scripts: ["teaches"] });
    const { conversationId: _, ...next } = { ...afterWrong, sessionId: "session-tutor-2", courseRevisionId: "revision-later-1" };
    const { goal, model, sessionId: carryFrom } = session;
    const going = tutoring.start({ conversationId, goal, references: [], model, carryFrom });
    await until(() => tutoring.working?.text, "a lesson");
    Object.assign(service, { newest: { ...next, conversationId, startedAt: "2027-01-01T00:00:00.000Z" }, earlier: [session] });
    tutoring.stop();
    expect(await going).to.equal(false);
    expect(tutoring.session?.sessionId).to.equal("session-tutor-2");
    expect(tutoring.stale).to.equal(false);
    expect(announced.at(-1)).to.equal("Stopped. The text so far is kept.");
  });

  it("takes the course of the attached pages until the learner chooses one", async () => {
    const { tutoring } = await tutor({ newest: null });
    const page = (href: string) => ({ href, title: "" });
    tutoring.followReferences([page("/courses/shell-novice/pipes"), page("/courses/shell-novice/loops#b-1")]);
    expect(tutoring.courseId).to.equal("shell-novice");
    tutoring.followReferences([page("/courses/shell-novice/pipes"), page("/courses/linear-maps")]);
    expect(tutoring.courseId, "pages of two courses").to.equal(null);
    tutoring.chooseCourse("linear-maps");
    tutoring.followReferences([page("/courses/shell-novice/pipes")]);
    expect(tutoring.courseId).to.equal("linear-maps");
  });

  it("starts only with a chosen course", async () => {
    const { tutoring, asked } = await tutor({ newest: null, scripts: [[complete(session)]] });
    const beginning = { conversationId, goal: "Pipes", references: [], model: { choice: "automatic" } as const };
    expect(await tutoring.start(beginning)).to.equal(false);
    expect(asked).to.deep.equal([]);
    tutoring.chooseCourse("course-number-0");
    expect(await tutoring.start(beginning)).to.equal(true);
    expect(asked[0]).to.deep.include({ courseId: "course-number-0", goal: "Pipes" });
  });

  it("sends the model only when the learner changed it", async () => {
    const { tutoring, asked } = await tutor({ scripts: [[complete(session)]] });
    await tutoring.act({ type: "pause" }, { choice: "automatic" });
    await tutoring.act({ type: "pause" }, { choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: false });
    expect(asked[0]).not.to.have.property("model");
    expect(asked[1]).to.have.property("model");
  });

  it("restores an unconfirmed choice after a reload, for its question only", async () => {
    const { tutoring, store } = await tutor();
    tutoring.write("A pipe joins two programs");
    dispatchEvent(new Event("pagehide"));
    const again = await tutor({ store });
    expect(again.tutoring.chosen?.text).to.equal("A pipe joins two programs");
    const later = await tutor({ store, newest: afterWrong });
    expect(later.tutoring.chosen).to.equal(null);
  });

  it("opens an earlier session and comes back with the choice", async () => {
    const before: TutorSession = {
      ...session,
      sessionId: "session-tutor-0",
      phase: "completed",
      current: null,
      startedAt: "2026-01-01T00:00:00.000Z",
    };
    const { tutoring, service, announced, store } = await tutor({ earlier: [before] });
    expect(tutoring.sessions.map(({ sessionId }) => sessionId)).to.deep.equal([session.sessionId, "session-tutor-0"]);
    tutoring.choose(["choice-one"]);
    await tutoring.open("session-tutor-0");
    expect(tutoring.session?.phase).to.equal("completed");
    await tutoring.open(session.sessionId);
    expect(tutoring.chosen?.choiceIds).to.deep.equal(["choice-one"]);
    await tutoring.open("session-tutor-0");
    const asked = Promise.withResolvers<void>();
    const chosen = Promise.withResolvers<void>();
    const get = store.workspace.get.bind(store.workspace);
    store.workspace.get = async (key) => {
      const row = await get(key);
      asked.resolve();
      await chosen.promise;
      return row;
    };
    const back = tutoring.open(session.sessionId);
    await asked.promise;
    tutoring.choose(["choice-two"]);
    chosen.resolve();
    await back;
    expect(tutoring.chosen?.choiceIds, "chosen while what was chosen before was read").to.deep.equal(["choice-two"]);
    service.isUnreachable = true;
    await tutoring.open("session-tutor-0");
    expect(tutoring.session?.sessionId).to.equal(session.sessionId);
    expect(announced.length).to.be.greaterThan(0);
  });

  it("keeps which rails are folded away", async () => {
    const { tutoring } = await tutor();
    await tutoring.rails.toggle("path");
    expect(tutoring.rails.isFolded("path")).to.equal(true);
    expect(tutoring.rails.isFolded("progress")).to.equal(false);
    await tutoring.rails.toggle("path");
    expect(tutoring.rails.isFolded("path")).to.equal(false);
  });

  it("keeps a rail folded before the stored state was read", async () => {
    const { store } = await tutor();
    await new Rails(store, conversationId).toggle("progress");
    const rails = new Rails(store, conversationId);
    const reading = rails.load();
    await rails.toggle("path");
    await reading;
    for (const later of [rails, new Rails(store, conversationId)]) {
      if (later !== rails) await later.load();
      expect([later.isFolded("path"), later.isFolded("progress")]).to.deep.equal([true, true]);
    }
  });
});

describe("the flow of a session", () => {
  it("keeps group keys from the answer to the verdict", () => {
    const keys = (groups: ReturnType<typeof groupsOf>) => groups.map(({ key }) => key);
    expect(keys(groupsOf(session))).to.deep.equal(["message-goal"]);
    expect(keys(groupsOf(session, "item-check-1"))).to.deep.equal(["message-goal", "item-check-1"]);
    const after = groupsOf(afterWrong);
    expect(keys(after)).to.deep.equal(["message-goal", "item-check-1"]);
    expect(after[1]?.entries.map(({ key }) => key)).to.deep.equal(["item-check-1", "message-decision", "item-check-2"]);
  });

  it("puts a video's answer before the open question", () => {
    const [question, answer] = ["question", "answer"].map((kind) => afterWrong.messages.find((message) => message.kind === kind));
    const ofFilm = [question, answer].map((message) => ({
      ...message,
      itemId: "item-film",
      film: "job-00000001",
    })) as typeof session.messages;
    const groups = groupsOf({ messages: [...afterWrong.messages, ...ofFilm] });
    expect(groups.map(({ entries }) => entries.map(({ key }) => key)).slice(1)).to.deep.equal([
      ["item-check-1", "message-decision"],
      ["item-film", "item-check-2"],
    ]);
  });
});
