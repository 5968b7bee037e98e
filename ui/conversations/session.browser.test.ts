import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { Drafts } from "../store/drafts.ts";
import type { Library } from "../store/library.ts";
import type { RunningRow } from "../store/rows.ts";
import { orphanedTurns } from "../store/running.ts";
import { session as tutorSession } from "../tutor/tutor.fixture.ts";
import { until } from "../workspace/testing/browser.ts";
import { answerText, citations, pipesPage, question } from "../workspace/testing/fixtures.ts";
import { record } from "../workspace/testing/history-seed.ts";
import type { PlayedService } from "../workspace/testing/service.ts";
import { toAttachedReference } from "./attached.ts";
import { openStage, type Stage } from "./testing/stage.ts";
import { questionOf } from "./turns.ts";

describe("a conversation's session", () => {
  let stage: Stage;
  let store: AccountStore;
  let drafts: Drafts;
  let service: PlayedService;
  let library: Library;
  const open = (id?: string, isNew?: boolean) => stage.open(id, isNew);
  const types = () => stage.types();

  beforeEach(async () => {
    stage = await openStage();
    ({ store, drafts, service, library } = stage);
  });
  afterEach(() => stage.close());

  it("opens a tutoring session that was started elsewhere", async () => {
    const conversationId = uuidv7();
    service.tutored = [{ ...tutorSession, conversationId }];
    const session = open(conversationId, false);
    await session.load();
    expect([session.presence, session.mode, session.title]).to.deep.equal(["present", "tutor", tutorSession.goal]);
    await session.openTutoring();
    expect(session.tutoring?.session?.sessionId).to.equal(tutorSession.sessionId);
    await library.outbox.send();
    expect(types()).to.deep.equal(["started"]);
    expect(library.all.map((row) => row.conversationId)).to.deep.equal([conversationId]);
  });

  it("redirects from a tutoring session's id, or is missing", async () => {
    const conversationId = uuidv7();
    service.tutored = [{ ...tutorSession, conversationId }];
    const session = open(tutorSession.sessionId, false);
    await session.load();
    expect([session.presence, session.redirectTo]).to.deep.equal(["missing", conversationId]);
    const nowhere = open(uuidv7(), false);
    await nowhere.load();
    expect([nowhere.presence, nowhere.redirectTo]).to.deep.equal(["missing", null]);
    expect(types()).to.deep.equal([]);
  });

  it("waits for the attached page before it sends a question", async () => {
    const session = open();
    const page = Promise.withResolvers<ReturnType<typeof toAttachedReference> | null>();
    const carried = session.attachCarriedPage(page.promise);
    const sent = session.send(question);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(service.asked).to.have.length(0);
    page.resolve(toAttachedReference(pipesPage));
    await Promise.all([carried, sent]);
    expect(service.asked[0]?.references.map(({ href }) => href)).to.deep.equal([pipesPage.href]);
  });

  it("returns a question stopped while waiting, and sends without a missing page", async () => {
    const session = open();
    const page = Promise.withResolvers<null>();
    const carried = session.attachCarriedPage(page.promise);
    const stopped = session.send(question);
    session.stop();
    await stopped;
    expect(session.draftText).to.equal(question);
    expect(service.asked).to.have.length(0);
    page.resolve(null);
    await carried;
    await session.send(question);
    expect(service.asked[0]?.references).to.deep.equal([]);
  });

  it("attaches the last page the learner came from; their own work stays", async () => {
    const session = open();
    const page = (name: string) => ({ ...toAttachedReference(pipesPage), sourceId: `shell.${name}`, href: `/courses/shell/${name}` });
    const hrefs = () => session.references.map(({ href }) => href.split("/").at(-1));
    await session.attachCarriedPage(Promise.resolve(page("one")));
    session.attach(page("own"));
    await session.attachCarriedPage(Promise.resolve(page("two")));
    expect(hrefs()).to.deep.equal(["own", "two"]);
    await drafts.flush();
    session.dispose();
    const reopened = open();
    await reopened.attachCarriedPage(Promise.resolve(page("three")));
    expect(reopened.references.map(({ href }) => href.split("/").at(-1))).to.deep.equal(["own", "three"]);
    reopened.write("Half a question about three");
    await reopened.attachCarriedPage(Promise.resolve(page("four")));
    expect(reopened.references.map(({ href }) => href.split("/").at(-1))).to.deep.equal(["own", "four"]);
    expect(reopened.draftText).to.equal("Half a question about three");
    await reopened.attachCarriedPage(Promise.resolve(page("own")));
    expect(reopened.references.map(({ href }) => href.split("/").at(-1))).to.deep.equal(["own"]);
    await reopened.attachCarriedPage(Promise.resolve(page("five")));
    expect(reopened.references.map(({ href }) => href.split("/").at(-1))).to.deep.equal(["own", "five"]);
  });

  it("has no address before its first turn, and is recorded after it", async () => {
    const session = open();
    const told: string[] = [];
    session.events.on("claimed", () => told.push("claimed"));
    session.events.on("announce", ({ text }) => told.push(text));
    session.attach(toAttachedReference(pipesPage));
    session.write("half a que");
    expect(service.pushed).to.have.length(0);
    expect(library.summaries).to.have.length(0);
    await session.send(`  ${question} `);
    await library.outbox.send();
    expect(told).to.deep.equal(["claimed", "Generating answer", "Answer complete"]);
    expect(types()).to.deep.equal(["started", "turn_recorded"]);
    const [started, turn] = service.pushed;
    expect(started?.data).to.deep.include({ mode: "ask", model: { choice: "automatic" }, references: [toAttachedReference(pipesPage)] });
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
    expect(await store.running.getAll()).to.deep.equal([]);
  });

  it("sends the history with the next question", async () => {
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

  it("records partial text as stopped", async () => {
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

  it("records nothing and returns the question if stopped before any text", async () => {
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
    expect(await store.running.getAll()).to.deep.equal([]);
    expect((await drafts.read(null))?.text).to.equal(question);
  });

  it("records a complete answer once, even if stopped meanwhile", async () => {
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

  it("returns the question after a failure, and can retry", async () => {
    service.script = { kind: "refused", code: "ai_unavailable" };
    const session = open();
    await session.send(question);
    expect(session.draftText).to.equal(question);
    expect(session.exchanges[0]?.answers[0]).to.deep.include({ state: "failed", text: "" });
    expect(session.exchanges[0]?.answers[0]?.problem).to.include({ code: "ai_unavailable" });
    expect(service.pushed).to.deep.equal([]);
    service.script = { kind: "answer" };
    await session.retry(session.exchanges.at(-1)?.answers.at(-1)?.turnId ?? "");
    await library.outbox.send();
    expect(session.draftText).to.equal("");
    expect(session.exchanges).to.have.length(1);
    expect(types()).to.deep.equal(["started", "turn_recorded"]);
  });

  it("keeps partial text after a failure; a retry adds an answer", async () => {
    service.script = { kind: "error-after", characters: 60, code: "ai_timeout" };
    const session = open();
    await session.send(question);
    expect(session.exchanges[0]?.answers[0]).to.deep.include({ state: "stopped", text: answerText.slice(0, 60) });
    expect(session.exchanges[0]?.answers[0]?.problem).to.include({ code: "ai_timeout" });
    service.script = { kind: "answer" };
    await session.retry(session.exchanges.at(-1)?.answers.at(-1)?.turnId ?? "");
    expect(session.exchanges).to.have.length(1);
    expect(session.exchanges[0]?.answers.map((answer) => answer.state)).to.deep.equal(["stopped", "finished"]);
    await library.outbox.send();
    expect(service.pushed[2]?.data.replaces).to.equal(service.pushed[1]?.data.turnId);
  });

  it("shows a broken-off answer after a reload and can retry it", async () => {
    service.script = { kind: "error-after", characters: 60, code: "ai_timeout" };
    const before = open();
    await before.send(question);
    await library.outbox.send();
    const session = open(before.id, false);
    await session.load();
    const broken = session.exchanges[0]?.answers[0];
    expect(broken).to.deep.include({ state: "stopped", text: answerText.slice(0, 60) });
    expect(broken?.problem).to.include({ code: "ai_timeout", retryable: true });
    service.script = { kind: "answer" };
    await session.retry(broken?.turnId ?? "");
    expect(session.exchanges[0]?.answers.map((answer) => answer.state)).to.deep.equal(["stopped", "finished"]);
    expect(session.exchanges[0]?.answers[1]?.problem).to.equal(null);
  });

  it("fails on a broken connection instead of waiting forever", async () => {
    service.script = { kind: "broken-after", characters: 60 };
    const session = open();
    await session.send(question);
    expect(session.busy).to.equal(false);
    expect(session.exchanges[0]?.answers[0]?.problem).to.include({ code: "unavailable" });
  });

  it("keeps the former answer when regenerating, and asks without it", async () => {
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

  it("pushes attached, removed and chosen things as changes", async () => {
    const session = open();
    await session.send(question);
    session.attach(toAttachedReference(pipesPage));
    session.attach(toAttachedReference(pipesPage));
    session.choose({ choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: true });
    session.detach(pipesPage.href);
    await until(() => service.pushed.length === 5, "the changes");
    expect(types().slice(2)).to.deep.equal(["reference_attached", "model_chosen", "reference_removed"]);
    expect(service.pushed[3]?.data).to.deep.equal({ choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: true });
  });

  it("keeps the stored draft when something is chosen while it loads", async () => {
    const pinned = { choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: true } as const;
    const other = { ...toAttachedReference(pipesPage), href: "/courses/shell/other" };
    drafts.write(null, { text: "Half a question", references: [toAttachedReference(pipesPage)], model: null });
    await drafts.flush();
    const session = open();
    const loading = session.load();
    session.choose(pinned);
    session.attach(other);
    expect(session.model).to.deep.equal(pinned);
    await loading;
    const hrefs = [pipesPage.href, other.href];
    expect([session.draftText, session.model, session.references.map(({ href }) => href)]).to.deep.equal([
      "Half a question",
      pinned,
      hrefs,
    ]);
    await drafts.flush();
    const kept = await drafts.read(null);
    expect([kept?.text, kept?.model, kept?.references.map(({ href }) => href)]).to.deep.equal(["Half a question", pinned, hrefs]);
  });

  it("keeps a choice when an older record arrives", async () => {
    const pinned = { choice: "pinned", id: "p2/swift-mini", allowFallbackWhenPinned: true } as const;
    const session = open();
    await session.send(question);
    const { outbox } = library;
    const kept = Promise.withResolvers<void>();
    const keep = outbox.store.bind(outbox);
    outbox.store = (changes) => kept.promise.then(() => keep(changes));
    session.choose(pinned);
    outbox.store = keep;
    await library.commit([{ conversationId: session.id, type: "renamed", data: { title: "Another name" } }]);
    await until(() => session.title === "Another name", "the record");
    expect(session.model).to.deep.equal(pinned);
    kept.resolve();
    await until(() => types().includes("model_chosen"), "the choice");
    expect(session.model).to.deep.equal(pinned);
  });

  it("keeps a reference that is attached during the first answer", async () => {
    service.script = { kind: "answer", delayMs: 1, chunk: 200 };
    const session = open();
    const running = session.send(question);
    session.attach(toAttachedReference(pipesPage));
    await running;
    await until(() => types().includes("reference_attached"), "the attachment");
    expect(session.references.map((reference) => reference.href)).to.deep.equal([pipesPage.href]);
    expect(service.pushed[0]?.data.references).to.deep.equal([]);
  });

  it("shows another device's turn and deletion", async () => {
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

  it("is missing at an unknown address", async () => {
    const session = open("conversation-nowhere", false);
    await session.load();
    expect(session.presence).to.equal("missing");
  });

  it("reconnects for the rest of an answer and records all of it", async () => {
    service.script = { kind: "lost-after", characters: 60 };
    const session = open();
    const said: string[] = [];
    session.events.on("announce", ({ text }) => said.push(text));
    const lost = new Set<boolean>();
    session.events.on("change", () => lost.add(session.exchanges[0]?.answers[0]?.lost ?? false));
    await session.send(question);
    expect([...lost]).to.deep.equal([false, true]);
    expect(said).to.deep.equal(["Generating answer", "The connection broke. Trying again…", "Answer complete"]);
    expect(session.exchanges[0]?.answers[0]?.lost ?? false).to.equal(false);
    await library.outbox.send();
    expect(service.asked).to.have.length(1);
    expect(service.pushed[1]?.data).to.deep.include({ outcome: "finished", answer: answerText, citations });
    await until(() => service.released.length === 1, "the release");
    expect(service.released).to.deep.equal([service.asked[0]?.requestId]);
  });

  describe("whose page is closed during an answer", () => {
    /** What a page that is gone left behind, after so many characters. */
    async function left(characters: number, change: Partial<RunningRow> = {}): Promise<RunningRow> {
      service.script = { kind: "hanging-after", characters };
      const before = open();
      const running = before.send(question);
      await until(() => service.asked.length === 1 && (before.exchanges[0]?.answers[0]?.text.length ?? 0) === characters, "some text");
      dispatchEvent(new PageTransitionEvent("pagehide"));
      let [row] = await store.running.getAll();
      while (row?.turn.text.length !== characters) [row] = await store.running.getAll();
      // It is gone, and another page of the account finds what it left under an id that nobody holds.
      const orphan = { ...row, key: uuidv7(), conversationId: uuidv7(), ...change };
      await store.running.put(orphan);
      expect(await orphanedTurns(store)).to.deep.equal([orphan]);
      before.dispose();
      stopAfter = async () => {
        before.stop();
        await running;
      };
      service.asked.length = 0;
      service.pushed.length = 0;
      service.script = { kind: "answer" };
      return orphan;
    }
    let stopAfter = async (): Promise<void> => {};
    afterEach(() => stopAfter());
    const kept = (row: RunningRow) => service.keep({ schemaVersion: 1, ...questionOf(row, []) });

    it("resumes in the next page and records all of it", async () => {
      const row = await left(60);
      kept(row);
      const session = open(row.conversationId);
      const going = session.resume(row);
      expect(session.busy).to.equal(true);
      expect(session.exchanges[0]?.answers[0]).to.include({ state: "running", text: answerText.slice(0, 60) });
      await going;
      await library.outbox.send();
      expect(types()).to.deep.equal(["started", "turn_recorded"]);
      expect(service.pushed[1]?.data).to.deep.include({ turnId: row.key, outcome: "finished", answer: answerText, citations });
      expect(service.asked).to.deep.equal([]);
      expect(await orphanedTurns(store)).to.deep.equal([]);
    });

    it("records the partial answer if the service no longer keeps it", async () => {
      const row = await left(60);
      const session = open(row.conversationId);
      await session.resume(row);
      await library.outbox.send();
      expect(service.pushed[1]?.data).to.deep.include({ turnId: row.key, outcome: "stopped", answer: answerText.slice(0, 60) });
      expect(session.busy).to.equal(false);
      expect(session.exchanges[0]?.answers[0]?.problem).to.include({ code: "unavailable", retryable: true });
    });

    it("adds nothing if the service has recorded it", async () => {
      const id = record(service, question, answerText, new Date().toISOString());
      const theirs = (await stage.api.conversation(id))?.turns[0];
      const row = await left(60, { key: theirs?.turnId ?? "", conversationId: id, recorded: true });
      const session = open(id, false);
      await session.resume(row);
      expect(service.pushed).to.deep.equal([]);
      expect(session.exchanges.map((exchange) => exchange.answers.map((answer) => answer.text))).to.deep.equal([[answerText]]);
      expect(await library.outbox.pending()).to.deep.equal([]);
    });

    it("keeps the question to be sent again if nothing had arrived", async () => {
      const row = await left(0);
      const session = open(row.conversationId);
      await session.resume(row);
      expect(session.exchanges[0]?.answers[0]).to.include({ state: "failed", unsent: true });
      expect(service.pushed).to.deep.equal([]);
      await session.retry(row.key);
      expect(session.exchanges[0]?.answers[0]).to.include({ state: "finished", text: answerText });
      expect(await orphanedTurns(store)).to.deep.equal([]);
    });

    it("leaves a turn of another open tab alone", async () => {
      service.script = { kind: "hanging-after", characters: 60 };
      const session = open();
      const running = session.send(question);
      await until(() => session.exchanges[0]?.answers[0]?.text.length === 60, "some text");
      expect(await orphanedTurns(store)).to.deep.equal([]);
      expect(await store.running.getAll()).to.have.length(1);
      session.stop();
      await running;
    });
  });

  it("keeps a draft per conversation, and per tab for the next one", async () => {
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
