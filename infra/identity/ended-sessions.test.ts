import { sessionsEndedStream } from "@colloquy/schemas/accounts/events.ts";
import { expect } from "chai";
import { type EventStore, openEventStore } from "../event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "../event-store/embedded/server.ts";
import { temporaryFolder } from "../event-store/event-store.fixture.ts";
import { ProblemError } from "../http/problem.ts";
import { createLog } from "../telemetry/log.ts";
import { endedSessions, endSessionsOf } from "./ended-sessions.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const hourMs = 3_600_000;

describe("ended sessions", () => {
  const folder = temporaryFolder();
  let eventStore: EmbeddedEventStore;
  let store: EventStore;
  let leaving: AbortController;
  let number = 0;
  const session = (lastsMs = hourMs) => {
    number += 1;
    return {
      sessionId: `session-${String(number).padStart(8, "0")}`,
      accountId: "acc_mira_0001",
      begun: new Date(),
      until: new Date(Date.now() + lastsMs),
    };
  };
  const follow = (of: EventStore = store, now = Date.now) => endedSessions({ store: of, log, signal: leaving.signal, now });

  before(async () => {
    eventStore = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    store = openEventStore(eventStore.url);
  });
  after(async () => {
    await store.close();
    await eventStore.close();
    folder.remove();
  });
  beforeEach(() => {
    leaving = new AbortController();
  });
  afterEach(() => leaving.abort());

  it("are known at once where they were ended, soon in other processes, and after a restart", async () => {
    const [here, there] = [follow(), follow()];
    const mine = session();
    expect([await here.has(mine), await there.has(mine)]).to.deep.equal([false, false]);
    await here.end(mine, "request-0001");
    expect(await here.has(mine)).to.equal(true);
    while (!(await there.has(mine))) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await follow().has(mine)).to.equal(true);
    expect(await here.has(session())).to.equal(false);
  });

  it("are all of an account, or all that began by a session of the identity provider", async () => {
    const [here, there] = [follow(), follow()];
    const [one, two] = [
      { ...session(), accountId: "acc_grace_001", providerSession: "ps_0000000001" },
      { ...session(), accountId: "acc_grace_001", providerSession: "ps_0000000002" },
    ];
    await here.endOfProvider("ps_0000000001", "request-0001", 1);
    expect([await here.has(one), await here.has(two)]).to.deep.equal([true, false]);
    while (!(await there.has(one))) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await there.has(two)).to.equal(false);
    await here.endAll("acc_grace_001", "request-0002", 1);
    expect([await here.has(two), await here.has(session())]).to.deep.equal([true, false]);
  });

  it("are one event, however often they are ended", async () => {
    const mine = session();
    const ended = follow();
    await Promise.all([ended.end(mine, "request-0001"), ended.end(mine, "request-0002")]);
    const ids: string[] = [];
    for await (const { data } of store.read(sessionsEndedStream)) ids.push((data as { sessionId: string }).sessionId);
    expect(ids.filter((id) => id === mine.sessionId)).to.have.length(1);
  });

  it("cut off what is still being answered, in every process, and only that", async () => {
    const [here, there] = [follow(), follow()];
    const [mine, other] = [session(), session()];
    const cut: string[] = [];
    for (const [name, at] of Object.entries({ here, there })) {
      await at.has(mine);
      at.watch(mine, () => cut.push(name));
      at.watch(mine, () => cut.push("answered before"))();
      at.watch(other, () => cut.push("other"));
    }
    await here.end(mine, "request-0001");
    while (cut.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    // The other process may read the event before this one has heard that it was written.
    expect(cut).to.have.members(["here", "there"]);
  });

  it("are all an account has when an operator ends them: those that stream are cut off, later ones and others' go on", async () => {
    const [here, there] = [follow(), follow()];
    const [one, two, others] = [session(), session(), { ...session(), accountId: "acc_tomas_001" }];
    const cut: string[] = [];
    for (const at of [here, there])
      for (const [name, of] of Object.entries({ one, two, others })) {
        expect(await at.has(of)).to.equal(false);
        at.watch(of, () => cut.push(name));
      }
    const now = Date.now();
    await endSessionsOf(store, { accountId: one.accountId, requestId: "request-0001", hours: 1, now });
    while (cut.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(cut.toSorted()).to.deep.equal(["one", "one", "two", "two"]);
    for (const at of [here, there, follow()]) {
      expect([await at.has(one), await at.has(two), await at.has(others)]).to.deep.equal([true, true, false]);
      expect(await at.has({ ...session(), begun: new Date(now + 1_000) })).to.equal(false);
    }
  });

  it("are forgotten when they would be over anyway, and the stream lets go of many such", async () => {
    const clock = { now: Date.now() };
    const ended = follow(store, () => clock.now);
    const short = Array.from({ length: 501 }, () => session(hourMs));
    for (const one of short) await ended.end(one, "request-0001");
    clock.now += 2 * hourMs;
    expect(await ended.has(short[0] ?? session())).to.equal(false);
    const lasting = { ...session(), until: new Date(clock.now + hourMs) };
    await ended.end(lasting, "request-0002");
    const left = async (): Promise<unknown[]> => {
      const ids: unknown[] = [];
      for await (const { data } of store.read(sessionsEndedStream)) ids.push((data as { sessionId: string }).sessionId);
      return ids;
    };
    while ((await left()).length > 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await left()).to.deep.equal([lasting.sessionId]);
    expect(await ended.has(lasting)).to.equal(true);
  });

  it("that cannot be read yet are a warning only once the store has been awaited for long", async () => {
    for (const [passedMs, expected] of [
      [0, "debug"],
      [3 * 60_000, "warn"],
    ] as const) {
      const told = Promise.withResolvers<string>();
      const noted = { ...log, debug: () => told.resolve("debug"), warn: () => told.resolve("warn") } as unknown as typeof log;
      let passed = 0;
      const gone: EventStore = {
        ...store,
        head: async () => {
          passed = passedMs;
          throw new Error("no store");
        },
      };
      endedSessions({ store: gone, log: noted, signal: leaving.signal, now: () => passed });
      expect(await told.promise).to.equal(expected);
    }
  });

  it("keep nobody signed in whose session cannot be checked: until the store was read once, it is unavailable", async () => {
    const gone: EventStore = { ...store, head: () => Promise.reject(new Error("no store")) };
    const asked = follow(gone).has(session());
    const error = await asked.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(ProblemError).with.property("code", "unavailable");
    const unwritable: EventStore = { ...store, append: () => Promise.reject(new Error("no store")) };
    const ended = follow(unwritable);
    const mine = session();
    expect(await ended.end(mine, "request-0001").catch((reason: ProblemError) => reason.code)).to.equal("unavailable");
    expect(await ended.has(mine)).to.equal(false);
  });
});
