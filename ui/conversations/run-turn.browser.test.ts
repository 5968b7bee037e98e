import { emptyTurn } from "@colloquy/schemas/ask/turn-progress.ts";
import { expect } from "chai";
import { createApi } from "../api/client.ts";
import { uuidv7 } from "../api/uuid.ts";
import { type AccountStore, openAccountStore } from "../store/account-store.ts";
import { Drafts } from "../store/drafts.ts";
import { Library } from "../store/library.ts";
import type { RunningRow } from "../store/rows.ts";
import { until } from "../workspace/testing/browser.ts";
import { answerText, citations, pipesPage, question } from "../workspace/testing/fixtures.ts";
import { record } from "../workspace/testing/history-seed.ts";
import { PlayedService } from "../workspace/testing/service.ts";
import { toAttachedReference } from "./attached.ts";
import { ConversationSession } from "./session.ts";
import type { SessionParts } from "./session-parts.ts";

describe("a turn", () => {
  let store: AccountStore;
  let drafts: Drafts;
  let service: PlayedService;
  let library: Library;
  let said: string[];
  /** Conversations are not answered for before it. */
  let gate: Promise<void> | null;
  let openGate = () => {};
  const fetch = async (input: string | Request, init?: RequestInit): Promise<Response> => {
    const url = typeof input === "string" ? input : input.url;
    if (gate && url.includes("/api/conversations/")) await gate;
    return service.fetch(input, init);
  };
  const open = (id = uuidv7(), isNew = true, parts: Partial<SessionParts> = {}): ConversationSession => {
    const session = new ConversationSession({ api: createApi(fetch), store, library, drafts, ...parts }, { id, isNew });
    session.events.on("announce", ({ text }) => said.push(text));
    return session;
  };
  const types = () => service.pushed.map((change) => change.type);
  const rowOf = (change: Partial<RunningRow> = {}): RunningRow => ({
    key: uuidv7(),
    conversationId: uuidv7(),
    recorded: false,
    question,
    turn: emptyTurn,
    references: [],
    model: { choice: "automatic" },
    replaces: null,
    at: new Date().toISOString(),
    savedAt: Date.now(),
    ...change,
  });
  const whole: RunningRow["turn"] = {
    ...emptyTurn,
    seq: 99,
    text: answerText,
    citations,
    provider: "p1",
    model: "reader-large",
    outcome: "finished",
  };

  beforeEach(async () => {
    sessionStorage.clear();
    said = [];
    gate = null;
    store = await openAccountStore(`acc_${uuidv7()}`);
    drafts = await Drafts.open(store);
    service = new PlayedService();
    library = await Library.open(createApi(fetch), store);
    await library.start();
  });
  afterEach(async () => {
    openGate();
    library.stop();
    drafts.close();
    await store.remove();
  });

  describe("sent while its conversation is loading", () => {
    let id: string;
    const loops = toAttachedReference({ ...pipesPage, sourceId: "src-topic-loops", title: "Loops", href: "/courses/shell-novice/loops" });
    beforeEach(async () => {
      id = record(service, "Earlier?", "Yes.", new Date().toISOString());
      gate = new Promise((resolve) => {
        openGate = resolve;
      });
    });

    it("waits for the history and is sent with it", async () => {
      drafts.write(null, { text: "words for the next new one", references: [], model: null });
      const session = open(id, false);
      const loading = session.load();
      const sending = session.send("And now?");
      expect(session.busy).to.equal(true);
      expect(session.exchanges[0]).to.deep.include({ question: "And now?" });
      expect(session.exchanges[0]?.answers[0]).to.include({ state: "running" });
      await drafts.flush();
      expect((await drafts.read(id))?.text).to.equal("And now?");
      expect(service.asked).to.deep.equal([]);
      openGate();
      await Promise.all([loading, sending]);
      expect(service.asked[0]).to.deep.include({ conversationId: id, message: "And now?" });
      expect(service.asked[0]?.history.map((entry) => entry.text)).to.deep.equal(["Earlier?", "Yes."]);
      await library.outbox.send();
      expect(types()).to.deep.equal(["turn_recorded"]);
      expect(session.exchanges.map((exchange) => exchange.question)).to.deep.equal(["Earlier?", "And now?"]);
      expect(session.draftText).to.equal("");
      expect((await drafts.read(null))?.text).to.equal("words for the next new one");
      await drafts.flush();
      expect((await drafts.read(id))?.text ?? "").to.equal("");
    });

    it("is sent with choices made meanwhile, which are recorded afterwards", async () => {
      const pinned = { choice: "pinned", id: "p1/reader-large", allowFallbackWhenPinned: false } as const;
      const session = open(id, false);
      const loading = session.load();
      session.attach(loops);
      session.detach(pipesPage.href);
      session.choose(pinned);
      expect(session.references).to.deep.equal([loops]);
      const sending = session.send("And now?");
      openGate();
      await Promise.all([loading, sending]);
      expect(session.references).to.deep.equal([loops]);
      expect(session.model).to.deep.equal(pinned);
      expect(service.asked[0]?.references.map(({ href }) => href)).to.deep.equal([loops.href]);
      expect(service.asked[0]?.model).to.deep.equal(pinned);
      await library.outbox.send();
      expect(types().toSorted()).to.deep.equal(["model_chosen", "reference_attached", "reference_removed", "turn_recorded"]);
    });

    it("records no choice that changes nothing", async () => {
      const session = open(id, false);
      const loading = session.load();
      session.attach(toAttachedReference(pipesPage));
      session.detach(loops.href);
      session.choose({ choice: "automatic" });
      openGate();
      await loading;
      await library.outbox.send();
      expect(session.references.map(({ href }) => href)).to.deep.equal([pipesPage.href]);
      expect(types()).to.deep.equal([]);
    });

    it("is returned if it is stopped or the conversation cannot be loaded", async () => {
      const session = open(id, false);
      void session.load();
      const sending = session.send("And now?");
      session.stop();
      await sending;
      expect(session.draftText).to.equal("And now?");
      expect(session.busy).to.equal(false);
      const other = open("conversation-elsewhere", false);
      const loading = other.load();
      const again = other.send("And then?");
      service.unavailable.add("/api/conversations/conversation-elsewhere");
      openGate();
      await Promise.all([loading, again]);
      expect(other.presence).to.equal("unreachable");
      expect((await drafts.read("conversation-elsewhere"))?.text).to.equal("And then?");
      expect(service.asked).to.deep.equal([]);
    });
  });

  it("that throws is recorded as a failure before it is released", async () => {
    const session = open();
    let throws = true;
    const emit = session.events.emit.bind(session.events);
    session.events.emit = (...event) => {
      if (throws && session.exchanges[0]?.answers[0]?.text) {
        throws = false;
        throw new Error("a fault while a frame is handled");
      }
      emit(...event);
    };
    const { error } = console;
    console.error = () => {};
    await session.send(question).finally(() => {
      console.error = error;
    });
    expect(session.busy).to.equal(false);
    expect(session.exchanges[0]?.answers[0]).to.include({ state: "stopped" });
    expect(session.exchanges[0]?.answers[0]?.problem).to.include({ retryable: true });
    expect(said.at(-1)).to.match(/^The answer was interrupted/);
    await library.outbox.send();
    expect(service.pushed[1]?.data).to.deep.include({ outcome: "stopped" });
    await until(() => service.released.length === 1, "the release");
  });

  it("that cannot be stored is left to the next page and the service", async () => {
    const { outbox } = library;
    const keep = outbox.store.bind(outbox);
    outbox.store = () => Promise.reject(new Error("nothing is kept"));
    const session = open();
    const { error } = console;
    console.error = () => {};
    const thrown = await session.send(question).catch((caught: unknown) => caught);
    console.error = error;
    outbox.store = keep;
    expect(String(thrown)).to.contain("nothing is kept");
    expect(session.busy).to.equal(false);
    expect(service.released).to.deep.equal([]);
    expect(await store.running.getAll()).to.have.length(1);
  });

  describe("whose whole answer an earlier page received", () => {
    it("is recorded as finished with its trace, without a request", async () => {
      const trace = { phases: [], sources: 6, elapsedMs: 4_100 };
      const row = rowOf({ turn: { ...whole, trace, followUps: ["More?"] } });
      await store.running.put(row);
      const session = open(row.conversationId);
      await session.resume(row);
      await library.outbox.send();
      expect(service.requested.filter((path) => path.includes("/ask/") && !service.released.length)).to.deep.equal([]);
      expect(service.pushed[1]?.data).to.deep.include({ turnId: row.key, outcome: "finished", answer: answerText, citations });
      expect(session.exchanges[0]?.answers[0]).to.include({ state: "finished", problem: null });
      expect(session.exchanges[0]?.answers[0]?.trace).to.deep.include({ sources: 6, elapsedMs: 4_100, followUps: ["More?"] });
      expect(await store.running.getAll()).to.deep.equal([]);
    });

    it("leaves the draft for the next conversation alone", async () => {
      drafts.write(null, { text: "something new", references: [], model: null });
      const session = open(uuidv7());
      await session.resume(rowOf({ conversationId: session.id, turn: whole }));
      expect((await drafts.read(null))?.text).to.equal("something new");
    });

    it("is not recorded in a deleted conversation", async () => {
      const row = rowOf({ turn: whole, recorded: true });
      const session = open(row.conversationId, false);
      await session.resume(row);
      expect(session.presence).to.equal("missing");
      expect(await library.outbox.pending()).to.deep.equal([]);
      expect(service.pushed).to.deep.equal([]);
    });
  });

  for (const [name, text] of [
    ["some text", "Half an"],
    ["no text", ""],
  ] as const)
    it(`of a deleted conversation, with ${name}, is recorded nowhere, and no text of it stays`, async () => {
      const row = rowOf({ recorded: true, turn: { ...emptyTurn, seq: 4, text, provider: "p1", model: "m" } });
      await store.running.put(row);
      const { conversationId } = row;
      await store.traces.put({ key: uuidv7(), conversationId, references: [toAttachedReference(pipesPage)], problem: null });
      drafts.write(row.conversationId, { text: "half a question", references: [], model: null });
      service.keep({ schemaVersion: 1, requestId: row.key } as never);
      const session = open(row.conversationId, false);
      await Promise.all([session.load(), session.resume(row)]);
      await drafts.flush();
      expect(session.presence).to.equal("missing");
      expect(session.busy).to.equal(false);
      expect(service.pushed).to.deep.equal([]);
      expect(await library.outbox.pending()).to.deep.equal([]);
      expect(await store.traces.getAll()).to.deep.equal([]);
      expect(await store.running.getAll()).to.deep.equal([]);
      expect(await drafts.read(row.conversationId)).to.equal(null);
      await until(() => service.released.length === 1, "the release");
    });

  describe("without storage", () => {
    const inMemory = (): AccountStore => Object.defineProperties(Object.create(store), { persistent: { value: false } });

    it("is released only after the service recorded it", async () => {
      service.pushFails = true;
      const session = open(undefined, true, { store: inMemory() });
      await session.send(question);
      await until(() => library.outbox.status.state === "waiting", "the failed push");
      expect(service.released).to.deep.equal([]);
      service.pushFails = false;
      await until(() => service.released.length === 1, "the release");
      expect(types()).to.deep.equal(["started", "turn_recorded"]);
    });

    it("is stopped at once", async () => {
      service.pushFails = true;
      service.script = { kind: "hanging-after", characters: 60 };
      const session = open(undefined, true, { store: inMemory() });
      const running = session.send(question);
      await until(() => session.exchanges[0]?.answers[0]?.text.length === 60, "some text");
      session.stop();
      await running;
      await until(() => service.released.length === 1, "the release");
      expect(service.pushed).to.deep.equal([]);
    });
  });

  it("that fails leaves the draft of another new conversation alone", async () => {
    service.script = { kind: "hanging-after", characters: 0 };
    const session = open();
    const running = session.send(question);
    await until(() => service.asked.length === 1, "the request");
    open().write("words of another");
    session.stop();
    await running;
    await drafts.flush();
    expect((await drafts.read(null))?.text).to.equal("words of another");
    expect(session.draftText).to.equal(question);
    service.script = { kind: "answer" };
    await session.send(question);
    await drafts.flush();
    expect((await drafts.read(null))?.text).to.equal("words of another");
  });
});
