import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import { expect } from "chai";
import { memoryAtomically, memoryTables } from "./account-store.ts";
import { Replica } from "./replica.ts";

const conversationId = "conversation-1";
const change = (cursor: string, type: string, data: object): RemoteChange =>
  ({
    cursor,
    changeId: `change-${cursor}`,
    deviceId: null,
    domain: "conversation",
    entityId: conversationId,
    type,
    at: "2026-11-20T10:00:00Z",
    data,
  }) as RemoteChange;
const started = change("1", "started", { mode: "ask", model: { choice: "automatic" }, references: [], title: "Pipes" });
const asked = change("2", "turn_recorded", {
  turnId: "turn-1",
  question: "What is a pipe?",
  answer: "A connection.",
  citations: [],
  outcome: "finished",
  provider: "p1",
  model: "m",
  fallbackDepth: 0,
});
const deleted = change("3", "deleted", {});
const marked: RemoteChange = {
  cursor: "4",
  changeId: "change-4",
  deviceId: null,
  domain: "annotation",
  entityId: "annotation-1",
  type: "marked",
  at: "2026-11-20T10:00:00Z",
  data: { courseId: "course-01", topicId: "topic-01", colour: "yellow", note: "", quote: "q", before: "", after: "" },
};
const unmarked: RemoteChange = { ...marked, cursor: "5", changeId: "change-5", type: "deleted", data: {} };

async function given(...changes: RemoteChange[]) {
  const tables = memoryTables();
  const replica = await Replica.open({ ...tables, persistent: true, atomically: memoryAtomically(tables) });
  await replica.receive(changes, changes.at(-1)?.cursor ?? "0");
  return { replica, tables };
}

describe("repeated changes from before the cursor", () => {
  it("do not restore a deleted conversation", async () => {
    const { replica, tables } = await given(started, asked, deleted);
    await replica.receive([started, asked], "2");
    expect(replica.summaries()).to.deep.equal([]);
    expect(await replica.record(conversationId)).to.equal(null);
    expect([await tables.summaries.getAll(), await tables.records.getAll(), await tables.words.getAll()]).to.deep.equal([[], [], []]);
    expect(replica.cursor).to.equal("3");
  });

  it("do not restore a deleted note", async () => {
    const { replica, tables } = await given(marked, unmarked);
    await replica.receive([marked], "4");
    expect(replica.personal("annotation", "annotation-1")).to.equal(null);
    expect(await tables.personal.getAll()).to.deep.equal([]);
  });

  it("change nothing", async () => {
    const { replica } = await given(started, asked);
    const before = await replica.record(conversationId);
    await replica.receive([started, asked], "2");
    expect(await replica.record(conversationId)).to.deep.equal(before);
    expect(before?.turns).to.have.length(1);
  });
});

describe("two tabs of one account", () => {
  /** An own change of one tab that the other knows of, then the service's word of it, which only the first has heard. */
  async function heardByOne(before: RemoteChange[], own: RemoteChange) {
    const tables = memoryTables();
    const open = () => Replica.open({ ...tables, persistent: true, atomically: memoryAtomically(tables) });
    const [one, other] = [await open(), await open()];
    for (const replica of [one, other]) await replica.receive(before, before.at(-1)?.cursor ?? "0");
    await other.record(conversationId);
    const { cursor, deviceId: _, ...change } = own;
    await tables.outbox.put({ key: change.changeId, change: change as Change });
    await one.addLocalChanges([change as Change]);
    await other.reloadLocalChanges();
    const told: (string | null)[] = [];
    other.events.on("record", ({ record }) => told.push(record?.title ?? null));
    await one.receive([own], cursor);
    await other.reloadLocalChanges();
    return { other, told, hear: () => other.receive([own], cursor) };
  }

  it("revert nothing in one that the feed returned to the other", async () => {
    const { other, told, hear } = await heardByOne([started, asked], change("3", "renamed", { title: "Joined" }));
    const stands = async () => [
      other.summaries()[0]?.title,
      (await other.record(conversationId))?.title,
      other.hasLocalChanges(conversationId),
    ];
    expect(await stands()).to.deep.equal(["Joined", "Joined", false]);
    await hear();
    expect(await stands()).to.deep.equal(["Joined", "Joined", false]);
    expect(new Set(told)).to.deep.equal(new Set(["Joined"]));
  });

  it("do not show deleted things again, nor a note without text", async () => {
    const gone = await heardByOne([started, asked], deleted);
    expect([gone.other.summaries(), await gone.other.record(conversationId)]).to.deep.equal([[], null]);
    const noted = await heardByOne([started, asked], { ...marked, cursor: "3" });
    expect(noted.other.personal("annotation", "annotation-1")).to.include({ quote: "q" });
  });

  it("keep a change made while another tab's are read", async () => {
    const tables = memoryTables();
    const replica = await Replica.open({ ...tables, persistent: true, atomically: memoryAtomically(tables) });
    await replica.receive([started], "1");
    const looking = replica.reloadLocalChanges();
    const { cursor: _, deviceId: __, ...own } = change("2", "renamed", { title: "Joined" });
    await replica.addLocalChanges([own as Change]);
    await looking;
    expect(replica.summaries()[0]?.title).to.equal("Joined");
  });
});

describe("a browser without storage", () => {
  async function full() {
    const tables = memoryTables();
    return Replica.open({ ...tables, persistent: false, atomically: memoryAtomically(tables) });
  }

  it("keeps a conversation that started here after the feed returned it", async () => {
    const replica = await full();
    const told: (string | null)[] = [];
    replica.events.on("record", ({ record }) => told.push(record?.turns[0]?.answer ?? null));
    await replica.addLocalChanges([started, asked].map(({ cursor: _, deviceId: __, ...own }) => own as Change));
    await replica.receive([started], "1");
    await replica.receive([asked], "2");
    expect(replica.hasLocalChanges(conversationId)).to.equal(false);
    expect((await replica.record(conversationId))?.turns[0]?.answer).to.equal("A connection.");
    expect(new Set(told)).to.deep.equal(new Set(["A connection."]));
  });

  it("reports only deleted conversations as deleted, not unstored ones", async () => {
    const replica = await full();
    const told: unknown[] = [];
    replica.events.on("record", ({ record }) => told.push(record));
    await replica.receive([started, asked], "2");
    expect(told).to.deep.equal([]);
    await replica.receive([deleted], "3");
    expect(told).to.deep.equal([null]);
  });
});
