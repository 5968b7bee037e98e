import type { Server } from "node:http";
import { readConfig } from "@colloquy/infra/config.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { type EmbeddedEventStore, startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { type EndedSessions, endedSessions, type OpenSession } from "@colloquy/infra/identity/ended-sessions.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { sessionsResponse } from "@colloquy/schemas/accounts/account.ts";
import type { SignInEvent } from "@colloquy/schemas/accounts/events.ts";
import { expect } from "chai";
import { Router } from "express";
import { givenFor } from "../given.fixture.ts";
import { reviewReminders } from "../reminders/reminders.ts";
import { endBrowserSessions, type SignIns, type SignInsCommand, signInRoutes, signInsDecider, signInsOf } from "./sign-ins.ts";

const signIn = {
  sessionId: "session-0001",
  browser: "Firefox",
  system: "Linux",
  at: "2026-11-21T08:00:00Z",
  until: "2026-11-28T08:00:00Z",
};
const record = (more: Partial<typeof signIn> = {}): SignInsCommand => ({ type: "record", signIn: { ...signIn, ...more } });
const forget: SignInsCommand = { type: "forget", at: "2026-11-22T08:00:00Z" };

describe("the decider of an account's sign-ins", () => {
  const given = givenFor(signInsDecider);
  const signedIn: SignInEvent = { type: "SignedIn", data: { schemaVersion: 1, ...signIn } };

  it("records a session once", () => {
    given().when(record()).then(signedIn).when(record()).then();
  });

  it("lets go of sessions that expired before the latest sign-in", () => {
    const { state } = given(signedIn)
      .when(record({ sessionId: "session-0002", at: "2026-11-28T09:00:00Z", until: "2026-12-05T09:00:00Z" }))
      .then("SignedIn");
    expect(state.map(({ sessionId }) => sessionId)).to.deep.equal(["session-0002"]);
  });

  it("forgets all, where there is something to forget", () => {
    given(signedIn).when(forget).then("SignInsForgotten").when(forget).then();
  });
});

describe("the browsers of an account", () => {
  const folder = temporaryFolder();
  const leaving = new AbortController();
  const log = createLog("test", { LOG_LEVEL: "silent" });
  const phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
  const desk = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
  let eventStore: EmbeddedEventStore;
  let store: EventStore;
  let signIns: SignIns;
  let ended: EndedSessions;
  let server: Server;
  let url: string;
  let current: OpenSession | null;
  let number = 0;
  const begin = async (accountId: string, userAgent: string, device?: string): Promise<OpenSession> => {
    number += 1;
    const begun = new Date(Date.now() + number * 1000);
    const session = { accountId, sessionId: `session-000${number}`, begun, until: new Date(Date.now() + 3_600_000), device };
    await signIns.record(session, userAgent, `request-000${number}`);
    return session;
  };
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      ...(body && { method: "POST", body: JSON.stringify({ schemaVersion: 1, ...body }) }),
      headers: { "content-type": "application/json", "user-agent": desk },
    });
    return { status: response.status, body: await response.json() };
  };
  const listed = async () => sessionsResponse.parse((await call("/auth/sessions")).body).sessions;

  before(async () => {
    eventStore = await startEventStore({ dataDir: folder.path, port: 0, insecure: true });
    store = openEventStore(eventStore.url);
    signIns = signInsOf(store);
    ended = endedSessions({ store, log, signal: leaving.signal });
    const signedIn = Router().use((request, _response, next) => {
      request.account = current && { accountId: current.accountId, name: "Mira", roles: ["learner"] };
      request.openSession = current;
      next();
    });
    const routers = [signedIn, signInRoutes({ signIns, ended, reminders: reviewReminders(store) })];
    const listening = await listen(createApp({ config: readConfig({ NODE_ENV: "test" }), log, routers }), 0);
    server = listening.server;
    url = `http://127.0.0.1:${listening.port}`;
  });
  after(async () => {
    await closeServer(server, 0);
    leaving.abort();
    await store.close();
    await eventStore.close();
    folder.remove();
  });

  it("are listed, the own one first, with what they say of themselves", async () => {
    current = await begin("acc_mira_0001", desk);
    const other = await begin("acc_mira_0001", phone);
    await begin("acc_noor_0002", phone);
    expect((await listed()).map(({ sessionId, current: own, browser, system }) => [sessionId, own, browser, system])).to.deep.equal([
      [current.sessionId, true, "Firefox", "Linux"],
      [other.sessionId, false, "Safari", "iOS"],
    ]);
  });

  it("are signed out one by one, and again without harm", async () => {
    const [, other] = await listed();
    const first = await call("/auth/sessions/end", { sessionId: other?.sessionId });
    expect(first.status).to.equal(200);
    expect(await listed()).to.have.length(1);
    expect(await ended.has({ ...(current as OpenSession), sessionId: other?.sessionId ?? "" })).to.equal(true);
    expect((await call("/auth/sessions/end", { sessionId: other?.sessionId })).status).to.equal(200);
  });

  it("are listed once each after signing in again, and end with all their sessions", async () => {
    const former = await begin("acc_lena_0004", desk, "dev_desk_0001");
    const phones = [await begin("acc_lena_0004", phone, "dev_phone_0001"), await begin("acc_lena_0004", phone, "dev_phone_0001")];
    const nameless = [await begin("acc_lena_0004", phone), await begin("acc_lena_0004", phone)];
    current = await begin("acc_lena_0004", desk, "dev_desk_0001");
    const latest = [current, ...nameless.toReversed(), phones[1]].map((one) => one?.sessionId);
    expect((await listed()).map(({ sessionId }) => sessionId)).to.deep.equal(latest);
    await call("/auth/sessions/end", { sessionId: phones[1]?.sessionId });
    expect((await listed()).map(({ sessionId }) => sessionId)).to.deep.equal(latest.slice(0, -1));
    for (const one of phones) expect(await ended.has(one)).to.equal(true);
    await endBrowserSessions({ signIns, ended, reminders: reviewReminders(store) }, current, "request-0098");
    for (const one of [former, current]) expect(await ended.has(one), "signed out there").to.equal(true);
    for (const one of nameless) expect(await ended.has(one), "another browser").to.equal(false);
  });

  it("of another account are not there", async () => {
    const foreign = await begin("acc_noor_0002", desk);
    expect((await call("/auth/sessions/end", { sessionId: foreign.sessionId })).status).to.equal(404);
    expect(await ended.has(foreign)).to.equal(false);
  });

  it("are told by no words of the header itself", async () => {
    current = await begin("acc_edda_0003", "<script>alert(1)</script>/1.0 (you; there)");
    const other = await begin("acc_edda_0003", "");
    expect((await signIns.of(current.accountId))[0]).to.include({ browser: null, system: null });
    expect((await signIns.of(other.accountId)).at(-1)).to.include({ browser: null, system: null });
  });

  it("are forgotten with the account", async () => {
    await signIns.forget("acc_mira_0001", "request-0099");
    expect(await signIns.of("acc_mira_0001")).to.deep.equal([]);
  });
});
