import { expect } from "chai";
import { createApi } from "../api/client.ts";
import { uuidv7 } from "../api/uuid.ts";
import { type AccountStore, openAccountStore } from "../store/account-store.ts";
import { Drafts } from "../store/drafts.ts";
import { Library } from "../store/library.ts";
import { recoverRunning } from "../store/running.ts";
import { until } from "../workspace/testing/browser.ts";
import { answerText, citations, pipesPage, question } from "../workspace/testing/fixtures.ts";
import { record } from "../workspace/testing/history-seed.ts";
import { PlayedService } from "../workspace/testing/service.ts";
import { attachedFrom } from "./attached.ts";
import { ConversationSession } from "./session.ts";

describe("a conversation's session", () => {
  let store: AccountStore;
  let drafts: Drafts;
  let service: PlayedService;
  let library: Library;
  const open = (id = uuidv7(), isNew = true): ConversationSession =>
    new ConversationSession({ api: createApi(service.fetch), store, library, drafts, firstAutomatic: () => "p1" }, { id, isNew });
  const types = () => service.pushed.map((change) => change.type);

  beforeEach(async () => {
    sessionStorage.clear();
    store = await openAccountStore(`acc_${uuidv7()}`);
    drafts = await Drafts.open(store);
    service = new PlayedService();
    library = new Library(createApi(service.fetch), store);
    await library.start();
  });
  afterEach(async () => {
    library.stop();
    drafts.close();
    await store.remove();
  });

  it("is nothing anywhere until the first turn is sent, then takes its address and is recorded once the answer is complete", async () => {
    const session = open();
    const told: string[] = [];
    session.events.on("claimed", () => told.push("claimed"));
    session.events.on("announce", ({ text }) => told.push(text));
    session.attach(attachedFrom(pipesPage));
    session.write("half a que");
    expect(service.pushed).to.have.length(0);
    expect(library.summaries).to.have.length(0);
    await session.send(`  ${question} `);
    await library.outbox.send();
    expect(told).to.deep.equal(["claimed", "Generating answer", "Answer complete"]);
    expect(types()).to.deep.equal(["started", "turn_recorded"]);
    const [started, turn] = service.pushed;
    expect(started?.data).to.deep.include({ mode: "ask", model: { choice: "automatic" }, references: [attachedFrom(pipesPage)] });
    expect(String(started?.data.title).length).to.be.lessThan(82);
    expect(question.startsWith(String(started?.data.title).replace("…", ""))).to.equal(true);
    expect(turn?.data).to.deep.include({
      question,
      answer: answerText,
      citations,
      outcome: "finished",
      provider: "p1",
      model: "reader-large",
      fallbackDepth: 0,
    });
    expect(service.asked[0]).to.deep.include({ conversationId: null, message: question, history: [] });
    expect(service.asked[0]?.references).to.deep.equal([
      { href: pipesPage.href, sourceId: pipesPage.sourceId, revisionId: pipesPage.revisionId },
    ]);
    expect(session.draftText).to.equal("");
    expect(await store.running.all()).to.deep.equal([]);
  });

  it("sends what was said so far with the next question", async () => {
    const session = open();
    await session.send("First?");
    await session.send("Second?");
    expect(service.asked[1]).to.deep.include({ conversationId: session.id });
    expect(service.asked[1]?.history).to.deep.equal([
      { role: "learner", text: "First?" },
      { role: "assistant", text: answerText },
    ]);
    expect(session.exchanges.map((exchange) => exchange.question)).to.deep.equal(["First?", "Second?"]);
  });

  it("stopped after some text: the request is aborted, the text kept and recorded as stopped", async () => {
    service.script = { kind: "hanging-after", characters: 60 };
    const session = open();
    const running = session.send(question);
    await until(() => session.exchanges[0]?.answers[0]?.text.length === 60, "some text");
    session.stop();
    await running;
    await library.outbox.send();
    expect(service.aborted).to.deep.equal([service.asked[0]?.requestId]);
    expect(service.pushed[1]?.data).to.deep.include({ outcome: "stopped", answer: answerText.slice(0, 60), citations: [] });
    expect(session.exchanges[0]?.answers[0]?.state).to.equal("stopped");
    expect(session.busy).to.equal(false);
  });

  it("stopped before any text: nothing is recorded anywhere and the question is the learner's again", async () => {
    service.script = { kind: "hanging-after", characters: 0 };
    const session = open();
    const told: string[] = [];
    session.events.on("unclaimed", () => told.push("unclaimed"));
    session.events.on("returned", (event) => told.push(event.question));
    const running = session.send(question);
    await until(() => service.asked.length === 1, "the request");
    session.stop();
    await running;
    expect(told).to.deep.equal(["unclaimed", question]);
    expect(session.exchanges).to.deep.equal([]);
    expect(session.draftText).to.equal(question);
    expect(await library.outbox.pending()).to.deep.equal([]);
    expect(library.summaries).to.deep.equal([]);
    expect(await store.running.all()).to.deep.equal([]);
    expect((await drafts.read(null))?.text).to.equal(question);
  });

  it("stopped while a complete answer is being recorded: it is recorded once, as finished", async () => {
    service.script = { kind: "answer", text: "Short." };
    const session = open();
    session.events.on("announce", ({ text }) => text === "Generating answer" || session.stop());
    const stopOnceRecorded = library.events.on("record", () => session.stop());
    await session.send(question);
    stopOnceRecorded();
    await library.outbox.send();
    expect(types()).to.deep.equal(["started", "turn_recorded"]);
    expect(service.pushed[1]?.data).to.deep.include({ outcome: "finished", answer: "Short." });
    expect(session.busy).to.equal(false);
  });

  it("a failure gives the text back, says what happened, and the same question can be tried again", async () => {
    service.script = { kind: "refused", code: "ai_unavailable" };
    const session = open();
    await session.send(question);
    expect(session.draftText).to.equal(question);
    expect(session.exchanges[0]?.answers[0]).to.deep.include({ state: "failed", text: "" });
    expect(session.exchanges[0]?.answers[0]?.problem).to.include({ code: "ai_unavailable" });
    expect(service.pushed).to.deep.equal([]);
    service.script = { kind: "answer" };
    await session.retry();
    await library.outbox.send();
    expect(session.draftText).to.equal("");
    expect(session.exchanges).to.have.length(1);
    expect(types()).to.deep.equal(["started", "turn_recorded"]);
  });

  it("a failure after some text keeps the text; trying again adds an answer to the same question", async () => {
    service.script = { kind: "error-after", characters: 60, code: "ai_timeout" };
    const session = open();
    await session.send(question);
    expect(session.exchanges[0]?.answers[0]).to.deep.include({ state: "stopped", text: answerText.slice(0, 60) });
    expect(session.exchanges[0]?.answers[0]?.problem).to.include({ code: "ai_timeout" });
    service.script = { kind: "answer" };
    await session.retry();
    expect(session.exchanges).to.have.length(1);
    expect(session.exchanges[0]?.answers.map((answer) => answer.state)).to.deep.equal(["stopped", "finished"]);
    await library.outbox.send();
    expect(service.pushed[2]?.data.replaces).to.equal(service.pushed[1]?.data.turnId);
  });

  it("a connection that breaks is a failure, never an endless wait", async () => {
    service.script = { kind: "broken-after", characters: 60 };
    const session = open();
    await session.send(question);
    expect(session.busy).to.equal(false);
    expect(session.exchanges[0]?.answers[0]?.problem).to.include({ code: "unavailable" });
  });

  it("regenerating keeps the former answer and asks without it", async () => {
    const session = open();
    await session.send("First?");
    await session.send("Second?");
    const [, second] = session.exchanges;
    const former = second?.answers[0]?.turnId ?? "";
    service.script = { kind: "answer", text: "Another answer." };
    await session.regenerate(former);
    expect(service.asked[2]).to.deep.include({ regenerate: true, message: "Second?" });
    expect(service.asked[2]?.history).to.have.length(2);
    expect(session.exchanges[1]?.answers.map((answer) => answer.text)).to.deep.equal([answerText, "Another answer."]);
    session.show(second?.key ?? "", former);
    expect(session.shown.get(second?.key ?? "")).to.equal(former);
  });

  it("what is attached, removed and chosen in a recorded conversation is pushed as changes", async () => {
    const session = open();
    await session.send(question);
    session.attach(attachedFrom(pipesPage));
    session.attach(attachedFrom(pipesPage));
    session.choose({ choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: true });
    session.detach(pipesPage.href);
    await until(() => service.pushed.length === 5, "the changes");
    expect(types().slice(2)).to.deep.equal(["reference_attached", "model_chosen", "reference_removed"]);
    expect(service.pushed[3]?.data).to.deep.equal({ choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: true });
  });

  it("what is attached while the first answer is being written is not lost when the conversation is recorded", async () => {
    service.script = { kind: "answer", delayMs: 1, chunk: 200 };
    const session = open();
    const running = session.send(question);
    session.attach(attachedFrom(pipesPage));
    await running;
    await until(() => types().includes("reference_attached"), "the attachment");
    expect(session.references.map((reference) => reference.href)).to.deep.equal([pipesPage.href]);
    expect(service.pushed[0]?.data.references).to.deep.equal([]);
  });

  it("shows what another device adds, and says when it is deleted there", async () => {
    const id = record(service, "Theirs?", "Yes.", new Date().toISOString());
    const session = open(id, false);
    await session.load();
    expect(session.presence).to.equal("present");
    await until(() => library.connection === "live", "the stream");
    const base = { deviceId: "other-device", domain: "conversation" as const, entityId: id, at: new Date().toISOString() };
    const turn = {
      turnId: uuidv7(),
      question: "More?",
      answer: "More.",
      citations: [],
      outcome: "finished",
      provider: "p1",
      model: "m",
      fallbackDepth: 0,
    };
    service.receive({ ...base, changeId: uuidv7(), type: "turn_recorded", data: turn });
    await until(() => session.exchanges.length === 2, "the turn of the other device");
    service.receive({ ...base, changeId: uuidv7(), type: "deleted", data: {} });
    await until(() => session.presence === "deleted", "the deletion");
    expect(session.exchanges).to.deep.equal([]);
  });

  it("says that there is nothing at an address that leads nowhere", async () => {
    const session = open("conversation-nowhere", false);
    await session.load();
    expect(session.presence).to.equal("missing");
  });

  describe("whose page goes away while an answer is being written", () => {
    it("has what came recorded as stopped by the next page", async () => {
      service.script = { kind: "hanging-after", characters: 60 };
      const session = open();
      const running = session.send(question);
      await until(() => session.exchanges[0]?.answers[0]?.text.length === 60, "some text");
      dispatchEvent(new PageTransitionEvent("pagehide"));
      const rows = await (async () => {
        for (;;) {
          const all = await store.running.all();
          if (all[0]?.text.length === 60) return all;
        }
      })();
      // The page is gone: another one of the account finds what it left, under an id that nobody holds.
      await store.running.put({ ...(rows[0] as (typeof rows)[0]), key: "turn-of-a-page-gone" });
      await store.running.delete(rows[0]?.key ?? "");
      const given = await recoverRunning(store, library);
      await library.outbox.send();
      expect(given).to.deep.equal([]);
      expect(types()).to.deep.equal(["started", "turn_recorded"]);
      expect(service.pushed[1]?.data).to.deep.include({
        turnId: "turn-of-a-page-gone",
        outcome: "stopped",
        answer: answerText.slice(0, 60),
      });
      expect(await store.running.all()).to.deep.equal([]);
      session.stop();
      await running;
    });

    it("leaves a turn alone that another tab is still writing", async () => {
      service.script = { kind: "hanging-after", characters: 60 };
      const session = open();
      const running = session.send(question);
      await until(() => session.exchanges[0]?.answers[0]?.text.length === 60, "some text");
      expect(await recoverRunning(store, library)).to.deep.equal([]);
      expect(await store.running.all()).to.have.length(1);
      expect(service.pushed).to.deep.equal([]);
      session.stop();
      await running;
    });
  });

  it("keeps a draft for each conversation and for each tab's next one", async () => {
    const first = open();
    await first.send("First?");
    first.write("about the first");
    const next = open();
    next.write("something new");
    await drafts.flush();
    const again = open(first.id, false);
    await again.load();
    expect(again.draftText).to.equal("about the first");
    const newer = open();
    await newer.load();
    expect(newer.draftText).to.equal("something new");
  });
});
