import { sessionsEndedStream } from "@colloquy/schemas/events/session.ts";
import { expect } from "chai";
import { type EventStore, openEventStore } from "../event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "../event-store/embedded/server.ts";
import { temporaryFolder } from "../event-store/testing.ts";
import { ProblemError } from "../http/problem.ts";
import { createLog } from "../telemetry/log.ts";
import { endedSessions } from "./ended-sessions.ts";

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
    return { sessionId: `session-${String(number).padStart(8, "0")}`, accountId: "acc_mira_0001", until: new Date(Date.now() + lastsMs) };
  };
  const follow = (of: EventStore = store, now = Date.now) => endedSessions({ store: of, log, signal: leaving.signal, now });

  before(async () => {
    eventStore = await startEventStore({ dataDir: folder.path, port: 0 });
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
    expect([await here.has(mine.sessionId), await there.has(mine.sessionId)]).to.deep.equal([false, false]);
    await here.end(mine, "request-0001");
    expect(await here.has(mine.sessionId)).to.equal(true);
    while (!(await there.has(mine.sessionId))) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await follow().has(mine.sessionId)).to.equal(true);
    expect(await here.has(session().sessionId)).to.equal(false);
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
      await at.has(mine.sessionId);
      at.watch(mine.sessionId, () => cut.push(name));
      at.watch(mine.sessionId, () => cut.push("answered before"))();
      at.watch(other.sessionId, () => cut.push("other"));
    }
    await here.end(mine, "request-0001");
    while (cut.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(cut).to.deep.equal(["here", "there"]);
  });

  it("are forgotten when they would be over anyway, and the stream lets go of many such", async () => {
    const clock = { now: Date.now() };
    const ended = follow(store, () => clock.now);
    const short = Array.from({ length: 501 }, () => session(hourMs));
    for (const one of short) await ended.end(one, "request-0001");
    clock.now += 2 * hourMs;
    expect(await ended.has(short[0]?.sessionId ?? "")).to.equal(false);
    const lasting = { ...session(), until: new Date(clock.now + hourMs) };
    await ended.end(lasting, "request-0002");
    const left = async (): Promise<unknown[]> => {
      const ids: unknown[] = [];
      for await (const { data } of store.read(sessionsEndedStream)) ids.push((data as { sessionId: string }).sessionId);
      return ids;
    };
    while ((await left()).length > 1) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await left()).to.deep.equal([lasting.sessionId]);
    expect(await ended.has(lasting.sessionId)).to.equal(true);
  });

  it("keep nobody signed in whose session cannot be checked: until the store was read once, it is unavailable", async () => {
    const gone: EventStore = { ...store, head: () => Promise.reject(new Error("no store")) };
    const asked = follow(gone).has("session-unknown");
    const error = await asked.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(ProblemError).with.property("code", "unavailable");
    const unwritable: EventStore = { ...store, append: () => Promise.reject(new Error("no store")) };
    const ended = follow(unwritable);
    const mine = session();
    expect(await ended.end(mine, "request-0001").catch((reason: ProblemError) => reason.code)).to.equal("unavailable");
    expect(await ended.has(mine.sessionId)).to.equal(false);
  });
});
