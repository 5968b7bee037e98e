import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { CheckpointTables } from "@colloquy/projections/checkpoints/queries.ts";
import { projection as explainers } from "@colloquy/projections/explainers/projection.ts";
import type { ExplainerTables } from "@colloquy/projections/explainers/queries.ts";
import { runAll } from "@colloquy/projections/run-all.ts";
import { projection as sync } from "@colloquy/projections/sync/projection.ts";
import type { SyncTables } from "@colloquy/projections/sync/queries.ts";
import { projection as tutor } from "@colloquy/projections/tutor/projection.ts";
import type { TutorTables } from "@colloquy/projections/tutor/queries.ts";
import { learnerErased, learnerStream } from "@colloquy/schemas/learner/events.ts";
import type { Change, Domain } from "@colloquy/schemas/sync/changes.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { draftOf, noTutoring } from "../explainers/explainer.fixture.ts";
import { explainerHandlers } from "../explainers/handlers.ts";
import { explainerJobs } from "../explainers/jobs.ts";
import { reviewReminders } from "../reminders/reminders.ts";
import { type ChangeHandlers, changeHandlers } from "../sync/handlers.ts";
import { erasure } from "./erasure.ts";

const mira = "acc_mira_0001";
const noor = "acc_noor_0002";

describe("deleting everything an account owns", function () {
  this.timeout(120_000);
  let folder: string;
  let embedded: EmbeddedEventStore;
  let store: EventStore;
  let database: Kysely<CheckpointTables & ExplainerTables & SyncTables & TutorTables>;
  let handlers: ChangeHandlers;
  let stopping: AbortController;
  let running: Promise<unknown>[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "erasure-"));
    embedded = await startEventStore({ dataDir: folder, port: 0, insecure: true });
    store = openEventStore(embedded.url);
    database = openDatabase({ DATA_DIR: folder, DATABASE_URL: `sqlite://${folder}/read-models.db` } as never, {});
    handlers = changeHandlers({ store });
    stopping = new AbortController();
    running = [];
  });
  afterEach(async () => {
    stopping.abort();
    await Promise.all(running);
    await database.destroy();
    await store.close();
    await embedded.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const keepReadModels = (): void => {
    const log = createLog("test", { LOG_LEVEL: "silent" });
    running.push(
      runAll({ projections: [explainers, sync, tutor] as never, database: database as never, store, log, signal: stopping.signal })
        .finished,
    );
  };
  const write = async (accountId: string, domain: Domain, entityId: string, type: string, data: Change["data"]): Promise<void> => {
    const change: Change = { changeId: randomUUID(), domain, entityId, type, at: "2026-11-21T08:00:00Z", data };
    const { results } = await handlers.push({ accountId, deviceId: "device-1", requestId: randomUUID() }, [change]);
    expect(results.map(({ outcome }) => outcome)).to.deep.equal(["accepted"]);
  };
  const mark = (accountId: string, id: string = randomUUID()) =>
    write(accountId, "annotation", id, "marked", {
      courseId: "course-shell",
      topicId: "topic-pipes",
      colour: "yellow",
      note: "",
      quote: "A pipe",
      before: "",
      after: "",
    });
  const eraser = (change: { store?: EventStore; waitMs?: number } = {}) =>
    erasure({
      store,
      handlers,
      database,
      sessions: { deleteTexts: async () => undefined },
      assistants: { forget: async () => undefined },
      signIns: { forget: async () => undefined },
      reminders: reviewReminders(store),
      jobs: explainerJobs({ store }),
      usage: { forget: async () => undefined },
      ...change,
    });
  /** The same request, until nothing remains; the parts it took. */
  async function throughAll(erase: ReturnType<typeof eraser>, requestId: string): Promise<number[]> {
    const parts: number[] = [];
    for (let remaining = true; remaining; ) {
      const part = await erase({ accountId: mira, requestId });
      parts.push(part.deleted);
      remaining = part.remaining;
      expect(parts.length).to.be.lessThan(1_000);
    }
    return parts;
  }
  const typesOf = async (stream: string): Promise<string[]> => {
    const types: string[] = [];
    for await (const { type } of store.read(stream)) types.push(type);
    return types;
  };

  it("ends however much other accounts write", async () => {
    keepReadModels();
    for (let index = 0; index < 5; index += 1) await mark(mira);
    // Each look finds one more event behind what is known: somebody is always writing.
    const busy: EventStore = {
      ...store,
      async next(options) {
        await mark(noor);
        return store.next(options);
      },
    };
    const erase = eraser({ store: busy });
    const parts = await throughAll(erase, "request-busy");
    expect(parts.reduce((sum, part) => sum + part, 0)).to.equal(5);
  });

  it("reports that more remains while the read models progress", async () => {
    for (let index = 0; index < 30; index += 1) await mark(mira);
    keepReadModels();
    // As where the wait is over after every step.
    const parts = await throughAll(eraser({ waitMs: 0 }), "request-slow");
    expect(parts.reduce((sum, part) => sum + part, 0)).to.equal(30);
  });

  it("answers read_model_behind until the read models progress", async () => {
    keepReadModels();
    await mark(mira);
    await eraser()({ accountId: noor, requestId: "request-known" });
    stopping.abort();
    await Promise.all(running);
    await mark(mira);
    const erase = eraser();
    const error = await erase({ accountId: mira, requestId: "request-still" }).catch((thrown: Error) => thrown);
    expect(error).to.include({ name: "ProblemError", code: "read_model_behind" });
    stopping = new AbortController();
    keepReadModels();
    expect((await throughAll(erase, "request-still")).reduce((sum, part) => sum + part, 0)).to.equal(2);
  });

  it("deletes videos except for a marker", async () => {
    keepReadModels();
    const jobs = explainerJobs({ store });
    const now = () => new Date().toISOString();
    const films = explainerHandlers({
      jobs,
      evidence: noTutoring,
      voices: false,
      offers: () => true,
      now,
      countInProgress: async () => 0,
      cached: async () => [],
      isIntact: async () => true,
    });
    const drafted = (accountId: string) => {
      const request = { accountId, requestId: "request-draft", correlationId: "request-draft" };
      return films.draft(request, { ...draftOf("0001"), content: {} });
    };
    const [mine, others] = [await drafted(mira), await drafted(noor)];
    expect(await throughAll(eraser(), "request-films")).to.deep.equal([1]);
    expect(await typesOf(`explainer-${mine.jobId}`)).to.deep.equal(["ExplainerErased"]);
    expect(await typesOf(`explainer-${others.jobId}`)).to.have.length(2);
    expect((await jobs.load(mine.jobId)).state).to.deep.include({ erased: true, storyboard: null });
  });

  it("deletes later writes when repeated and leaves one marker", async () => {
    keepReadModels();
    const choose = (theme: string) => write(mira, "preferences", "workspace", "chosen", { theme });
    await choose("dark");
    await mark(mira);
    const erase = eraser();
    expect(await throughAll(erase, "request-first")).to.deep.equal([1]);
    const [first] = await eventsOf(learnerStream(mira));
    expect(first?.type).to.equal(learnerErased);
    expect(first?.data).to.deep.equal({ schemaVersion: 1 });
    expect(first?.metadata).to.deep.include({ accountId: mira, correlationId: "request-first" });
    expect(Date.parse(first?.metadata.at ?? "")).to.be.greaterThan(0);
    // Nothing was written since: the marker that is there says all.
    expect(await throughAll(erase, "request-second")).to.deep.equal([0]);
    expect((await eventsOf(learnerStream(mira))).map(({ id }) => id)).to.deep.equal([first?.id]);
    // Another device, signed in anew, chose something again; the same request may come late, too.
    await choose("light");
    await mark(mira);
    expect(await throughAll(erase, "request-first")).to.deep.equal([1]);
    const after = await eventsOf(learnerStream(mira));
    expect(after.map(({ type }) => type)).to.deep.equal([learnerErased]);
    expect(after[0]?.id).not.to.equal(first?.id);
    expect(await typesOf(learnerStream(noor))).to.deep.equal([]);
  });
  const eventsOf = async (stream: string) => {
    const events = [];
    for await (const event of store.read(stream)) events.push(event);
    return events;
  };
});
