import { type EventStore, eventIdFrom, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type SpawnedEventStore, spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import { temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { defineEvents, type EventOf } from "@colloquy/schemas/define-events.ts";
import { expect } from "chai";
import { z } from "zod";
import { type CommandHandler, commandHandler, UnreadableStream } from "./command-handler.ts";
import { type Decider, Rejection } from "./decider.ts";

const noteEvents = defineEvents({
  Noted: { version: 1, data: z.object({ text: z.string() }) },
  NotesDeleted: { version: 1, data: z.object({}) },
});
type NoteEvent = EventOf<typeof noteEvents>;
type NoteCommand = { type: "note"; text: string } | { type: "delete" };
interface Notes {
  texts: readonly string[];
  requests: readonly string[];
}

const decider: Decider<NoteCommand, NoteEvent, Notes> = {
  initialState: { texts: [], requests: [] },
  decide(command, { texts }) {
    if (command.type === "delete") return texts.length > 0 ? [{ type: "NotesDeleted", data: { schemaVersion: 1 } }] : [];
    if (command.text === "") return new Rejection("invalid_request", { detail: "A note has a text." });
    return texts.includes(command.text) ? [] : [{ type: "Noted", data: { schemaVersion: 1, text: command.text } }];
  },
  evolve({ texts, requests }, { type, data, metadata }) {
    return {
      texts: type === "Noted" ? [...texts, data.text] : [],
      requests: [...requests, metadata.requestId ?? ""],
    };
  },
};

const timeOfNotes = "2026-03-01T10:00:00.000Z";
const request = (requestId: string) => ({ accountId: "acc_notes_01", requestId });
const note = (text: string): NoteCommand => ({ type: "note", text });

describe("a command handler", () => {
  const folder = temporaryFolder();
  let server: SpawnedEventStore;
  let store: EventStore;
  let id = "";
  let count = 0;
  before(async () => {
    server = await spawnEventStore(folder.path);
    store = openEventStore(server.url);
  });
  beforeEach(() => {
    count += 1;
    id = `notes-${count}`;
  });
  after(async () => {
    await store.close();
    await server.stop();
    folder.remove();
  });

  /** Without ids of events that derive from their commands. */
  const openedWithRandomIds = (change: Partial<EventStore> = {}, more: object = {}): CommandHandler<NoteCommand, NoteEvent, Notes> =>
    commandHandler<NoteCommand, NoteEvent, Notes>({
      store: { ...store, ...change },
      category: "notes",
      stream: (name) => `notes-${name}`,
      decider,
      events: noteEvents,
      accountOf: () => "acc_notes_01",
      timeOf: () => timeOfNotes,
      deletion: "NotesDeleted",
      ...more,
    });
  const eventId = ({ request, index }: { request: { requestId?: string } | null; index: number }) =>
    eventIdFrom(id, request?.requestId ?? "", String(index));
  const opened = (change: Partial<EventStore> = {}) => openedWithRandomIds(change, { eventId });
  const typesOf = async (): Promise<string[]> => {
    const events = await Array.fromAsync(store.read(`notes-${id}`));
    return events.map(({ type }) => type);
  };
  const codeOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: { code?: string }) => error.code);

  it("appends the events with the request that caused them", async () => {
    const handled = await opened().handle(id, { ...request("request-1"), deviceId: "device-1" }, note("a"));
    expect(handled.appended).to.deep.equal([{ type: "Noted", data: { schemaVersion: 1, text: "a" } }]);
    const [event] = await Array.fromAsync(store.read(`notes-${id}`));
    expect(event?.metadata).to.include({
      accountId: "acc_notes_01",
      requestId: "request-1",
      correlationId: "request-1",
      deviceId: "device-1",
    });
    expect(event?.position).to.equal(handled.position);
  });

  it("records commands of the service under the stream's account and the command's time", async () => {
    await opened().handle(id, request("request-1"), note("a"));
    await opened().handle(id, null, note("b"));
    const [, event] = await Array.fromAsync(store.read(`notes-${id}`));
    const { id: requestId = "" } = event ?? {};
    expect(event?.metadata).to.include({ accountId: "acc_notes_01", requestId, correlationId: requestId, at: timeOfNotes });
  });

  it("gives the state that reading the stream gives", async () => {
    const one = opened();
    await one.handle(id, request("request-1"), note("a"));
    const { state, revision, position } = await one.handle(id, request("request-2"), note("b"));
    expect(await opened().load(id)).to.deep.equal({ state, revision, position });
  });

  it("throws a rejection as a problem", async () => {
    const error = await opened()
      .handle(id, request("request-1"), note(""))
      .catch((thrown: Error) => thrown);
    expect(error).to.include({ name: "ProblemError", code: "invalid_request", detail: "A note has a text." });
  });

  it("decides anew when another process appended first", async () => {
    const [one, other] = [opened(), opened()];
    await Promise.all([one, other].map((handler) => handler.load(id)));
    await Promise.all([one.handle(id, request("request-1"), note("a")), other.handle(id, request("request-2"), note("a"))]);
    await Promise.all([one, other, one, other].map((handler, index) => handler.handle(id, request(`more-${index}`), note(`${index}`))));
    expect([...(await one.load(id)).state.texts].sort()).to.deep.equal(["0", "1", "2", "3", "a"]);
  });

  it("answers 503 when others keep appending", async () => {
    const busy = opened({
      async append(stream, events, expected) {
        const noted = { id: crypto.randomUUID(), type: "Noted", data: { schemaVersion: 1, text: crypto.randomUUID() } };
        await store.append(stream, [{ ...noted, metadata: { accountId: "a", requestId: "r", correlationId: "r" } }], "any");
        return store.append(stream, events, expected);
      },
    });
    expect(await codeOf(busy.handle(id, request("request-1"), note("a")))).to.equal("unavailable");
  });

  it("decides several commands on one another and reports each", async () => {
    const commands = ["a", "", "a", "b"].map((text, index) => ({ request: request(`request-${index}`), command: note(text) }));
    const { decisions, state } = await opened().handleEach(id, commands);
    expect(decisions.map((one) => (one instanceof Rejection ? one.code : one.length))).to.deep.equal([1, "invalid_request", 0, 1]);
    expect(state.texts).to.deep.equal(["a", "b"]);
  });

  describe("of commands that their state recognises", () => {
    const counted = () => {
      const reads: string[] = [];
      const read: EventStore["read"] = (stream, options) => {
        reads.push(stream);
        return store.read(stream, options);
      };
      return { reads, handler: openedWithRandomIds({ read }) };
    };
    const each = (...texts: string[]) => texts.map((text) => ({ request: request(`each-${text}`), command: note(text) }));

    it("appends several accepted commands without reading the stream", async () => {
      const { reads, handler } = counted();
      await handler.handleEach(id, each("a"));
      const { state, revision } = await handler.handleEach(id, each("b", "c"));
      expect([state.texts, revision, reads]).to.deep.equal([["a", "b", "c"], 2, []]);
      expect(await typesOf()).to.deep.equal(["Noted", "Noted", "Noted"]);
    });

    it("decides on what another process wrote", async () => {
      const { reads, handler } = counted();
      await handler.handleEach(id, each("a"));
      await openedWithRandomIds().handle(id, request("request-1"), note("b"));
      const { state } = await handler.handleEach(id, each("c"));
      expect([state.texts, reads.length]).to.deep.equal([["a", "b", "c"], 1]);
    });

    it("recognises a command that another process has just carried out", async () => {
      const { handler } = counted();
      await handler.handleEach(id, each("a"));
      const first = await openedWithRandomIds().handleEach(id, each("b"));
      const again = await handler.handleEach(id, each("b"));
      expect([again.decisions, again.position]).to.deep.equal([[[]], first.position]);
      expect(await typesOf()).to.deep.equal(["Noted", "Noted"]);
    });

    it("reads the stream before it reports a command as rejected or done", async () => {
      await openedWithRandomIds().handle(id, request("request-1"), note("a"));
      const { reads, handler } = counted();
      const { decisions, revision } = await handler.handleEach(id, each("", "b"));
      expect([decisions.length, revision, reads.length]).to.deep.equal([2, 1, 1]);
    });
  });

  it("appends the commands of a transaction together, each decided on the ones before it", async () => {
    const appends: number[] = [];
    const counting = opened({
      append(stream, events, expected) {
        appends.push(events.length);
        return store.append(stream, events, expected);
      },
    });
    const handled = await counting.transact(id, request("request-1"), async (transaction) => {
      for (const text of ["a", "a", "b".repeat(450_000), "c".repeat(450_000)]) {
        transaction.decide(note(text));
        await Promise.resolve();
      }
      return transaction.state.texts.length;
    });
    expect([handled.result, handled.appended.length, appends]).to.deep.equal([3, 3, [3]]);
    expect((await opened().load(id)).state.requests).to.deep.equal(["request-1", "request-1", "request-1"]);
  });

  it("appends nothing of a transaction with a rejected command", async () => {
    const work = opened().transact(id, request("request-1"), async ({ decide }) => {
      decide(note("a"));
      decide(note(""));
    });
    expect(await codeOf(work)).to.equal("invalid_request");
    expect(await typesOf()).to.deep.equal([]);
  });

  it("runs the work of a transaction again when another process appended first", async () => {
    const [one, other] = [opened(), opened()];
    let runs = 0;
    const { state } = await one.transact(id, request("request-1"), async ({ decide, before }) => {
      runs += 1;
      if (runs === 1) await other.handle(id, request("request-2"), note("b"));
      decide(note(`after ${before.state.texts.length}`));
    });
    expect(state.texts).to.deep.equal(["b", "after 1"]);
  });

  it("appends nothing of a transaction that was discarded", async () => {
    const { state, appended } = await opened().transact(id, request("request-1"), async ({ decide, discard }) => {
      decide(note("a"));
      discard();
    });
    expect([state.texts, appended, await typesOf()]).to.deep.equal([[], [], []]);
  });

  it("splits the appends of many large commands", async () => {
    const sizes: number[] = [];
    const counting = opened({
      append(stream, events, expected) {
        sizes.push(events.length);
        return store.append(stream, events, expected);
      },
    });
    const commands = ["a", "b", "c"].map((text) => ({ request: request(text), command: note(text.repeat(150_000)) }));
    await counting.handleEach(id, commands);
    expect(sizes).to.deep.equal([2, 1]);
  });

  it("decides the rest of many large commands anew when another was appended between", async () => {
    let appends = 0;
    const handler = opened({
      async append(stream, events, expected) {
        const appended = await store.append(stream, events, expected);
        appends += 1;
        if (appends === 1) await handler.handle(id, request("between"), note("c".repeat(150_000)));
        return appended;
      },
    });
    const commands = ["a", "b", "c"].map((text) => ({ request: request(text), command: note(text.repeat(150_000)) }));
    const { state } = await handler.handleEach(id, commands);
    expect(state.texts.map((text) => text[0])).to.deep.equal(["a", "b", "c"]);
    expect(await typesOf()).to.have.length(3);
  });

  it("reports one command that is larger than an append as too large", async () => {
    expect(await codeOf(opened().handle(id, request("request-1"), note("x".repeat(1_200_000))))).to.equal("too_large");
  });

  it("truncates the stream before a deletion", async () => {
    await opened().handle(id, request("request-1"), note("a"));
    await opened().handle(id, request("request-2"), { type: "delete" });
    expect(await typesOf()).to.deep.equal(["NotesDeleted"]);
  });

  it("finishes a truncation that was interrupted", async () => {
    const failing = opened({ truncateBefore: () => Promise.reject(new Error("interrupted")) });
    await failing.handle(id, request("request-1"), note("a"));
    await failing.handle(id, request("request-2"), { type: "delete" }).catch(() => undefined);
    await opened().handle(id, request("request-3"), { type: "delete" });
    expect(await typesOf()).to.deep.equal(["NotesDeleted"]);
  });

  it("decides nothing on a stream with an event that it cannot read", async () => {
    const metadata = { accountId: "a", requestId: "r", correlationId: "r" };
    await store.append(`notes-${id}`, [{ id: crypto.randomUUID(), type: "Noted", data: { schemaVersion: 2 }, metadata }], "none");
    const error = await opened()
      .handle(id, request("request-1"), note("a"))
      .catch((thrown: Error) => thrown);
    expect(error).to.be.instanceOf(UnreadableStream);
    expect(error).to.have.property("message").that.includes("Noted");
  });
});
