import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { type EventStore, openEventStore } from "../client.ts";
import { type EmbeddedEventStore, startEventStore } from "../embedded/server.ts";
import { newEvent, temporaryFolder } from "../event-store.fixture.ts";

const tool = fileURLToPath(new URL("events.ts", import.meta.url));
const secret = "kryptonite-4711";

const turnData = {
  schemaVersion: 1,
  turnId: "turn-0001",
  question: "Why?",
  answer: secret,
  citations: [],
  outcome: "finished",
  provider: "p1",
  model: "some-model",
  fallbackDepth: 0,
};
const publishedData = {
  schemaVersion: 1,
  courseId: "course-0001",
  sequence: 1,
  revisionId: "revision-0001",
  contentHash: "0".repeat(64),
  base: null,
  title: secret,
  summary: "",
  language: "en",
  origin: "object-store",
  topics: 1,
  publishedBy: "acc_owner_001",
};

describe("npm run events", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let server: EmbeddedEventStore | null;
  let store: EventStore;
  beforeEach(async () => {
    folder = temporaryFolder();
    server = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    store = openEventStore(server.url);
    const turn = { ...newEvent(turnData), type: "TurnRecorded" };
    await store.append("conversation-a", [newEvent({ schemaVersion: 1, text: secret }), turn], "none");
    await store.append("publication-b", [{ ...newEvent(publishedData), type: "CoursePublished" }], "none");
  });
  afterEach(async () => {
    await stopStore();
    folder.remove();
  });
  async function stopStore(): Promise<void> {
    await store.close();
    await server?.close();
    server = null;
  }
  const start = (...given: string[]) =>
    spawn(process.execPath, [tool, ...given], {
      env: { ...process.env, DATA_DIR: folder.path, NODE_ENV: "test", EVENTSTORE_URL: "" },
      stdio: ["ignore", "pipe", "pipe"],
    });
  async function run(...given: string[]): Promise<{ code: number; lines: string[]; errors: string }> {
    const child = start(...given);
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    return { code, lines: output.split("\n").filter(Boolean), errors };
  }

  it("shows the last events in order, readable, without a word of anybody's", async () => {
    const { code, lines } = await run("tail", "--once", "--lines", "2");
    expect(code).to.equal(0);
    expect(lines).to.have.lengthOf(2);
    expect(lines[0]).to.match(/^20\S+Z +\d+ {2}conversation-a@1 {2}TurnRecorded {2}\d+ B {2}acc_test {2}request test$/);
    expect(lines[1]).to.include("publication-b@0  CoursePublished");
    expect(lines.join("\n")).not.to.include(secret);
  });

  it("shows what they say only when asked", async () => {
    expect((await run("stream", "conversation-a", "--data")).lines.join("\n")).to.include(secret);
    const [first] = (await run("stream", "conversation-a", "--json")).lines.map((line) => JSON.parse(line));
    expect(first).to.deep.include({ stream: "conversation-a", revision: 0, type: "Noted", accountId: "acc_test" });
    expect(first).to.not.have.property("data");
    const [withData] = (await run("stream", "conversation-a", "--json", "--data")).lines.map((line) => JSON.parse(line));
    expect(withData.data).to.deep.equal({ schemaVersion: 1, text: secret });
  });

  it("takes only some, by stream and by type", async () => {
    const types = async (...given: string[]) =>
      (await run("tail", "--once", "--json", ...given)).lines.map((line) => JSON.parse(line).type);
    expect(await types("--prefix", "conversation-")).to.deep.equal(["Noted", "TurnRecorded"]);
    expect(await types("--prefix", "publication-", "--type", "TurnRecorded", "--type", "CoursePublished")).to.deep.equal([
      "CoursePublished",
    ]);
    expect((await run("stream", "conversation-a", "--from", "1", "--limit", "5", "--json")).lines).to.have.lengthOf(1);
  });

  it("follows until it is told to stop", async () => {
    const child = start("tail", "--lines", "1", "--json");
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    expect(JSON.parse((await lines.next()).value ?? "").type).to.equal("CoursePublished");
    await store.append("conversation-a", [newEvent({ schemaVersion: 1 })], "any");
    expect(JSON.parse((await lines.next()).value ?? "")).to.include({ stream: "conversation-a", revision: 2 });
    child.kill("SIGINT");
    const [code] = (await once(child, "exit")) as [number];
    expect(code).to.equal(0);
  });

  it("names an event that this version cannot read", async () => {
    await store.append("conversation-a", [{ ...newEvent({ ...turnData, turnId: 7 }), type: "TurnRecorded" }], "any");
    const { lines } = await run("tail", "--once", "--lines", "1");
    expect(lines[0]).to.include("UNREADABLE: TurnRecorded (revision 2 of conversation-a) cannot be read: turnId");
    expect(JSON.parse((await run("stats", "--json")).lines[0] ?? "")).to.include({ unreadable: 1 });
  });

  it("counts, and says which types this version does not know", async () => {
    const [line = ""] = (await run("stats", "--json")).lines;
    const { types, ...counted } = JSON.parse(line);
    expect(counted).to.deep.include({ events: 3, streams: 2, unreadable: 0 });
    expect(counted.categories.conversation).to.include({ streams: 1, events: 2 });
    expect(types.Noted).to.include({ events: 1, known: false });
    expect(types.TurnRecorded).to.include({ events: 1, known: true });
    const text = (await run("stats")).lines.join("\n");
    expect(text).to.match(/^3 events in 2 streams/);
    expect(text).to.match(/Noted +unknown to this version +1/);
    expect(text).not.to.include(secret);
  });

  it("works when the program does not run", async () => {
    await stopStore();
    const { code, lines, errors } = await run("tail");
    expect(code).to.equal(0);
    expect(lines).to.have.lengthOf(3);
    expect(errors).to.match(/does not run/);
  });

  it("says what is wrong with a call, and what it can do", async () => {
    expect((await run()).lines[0]).to.match(/^Usage/);
    for (const given of [["stream"], ["tail", "--lines", "many"]]) {
      const { code, errors } = await run(...given);
      expect(code, given.join(" ")).to.equal(2);
      expect(errors).to.include("Usage:");
    }
    expect((await run("stream", "conversation-none")).code).to.equal(1);
  });
});
