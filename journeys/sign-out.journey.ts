import { eventStoreFolder, runningEventStore } from "@colloquy/infra/event-store/embedded/running.ts";
import { authorityFile } from "@colloquy/infra/event-store/embedded/security/certificate.ts";
import { Browser } from "@colloquy/infra/identity/testing/browser.ts";
import { sessionsResponse } from "@colloquy/schemas/accounts/account.ts";
import { sessionsEndedStream } from "@colloquy/schemas/accounts/events.ts";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import { EventStoreDBClient, jsonEvent } from "@eventstore/db-client";
import { expect } from "chai";
import { type Program, startProgram } from "./program.ts";

/** Every route that wants somebody signed in, as a request may look. */
const wanting = contracts
  .filter(({ access }) => access === "account")
  .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, "something-0001") }));

describe("signing out", () => {
  let program: Program;
  before(async () => {
    program = await startProgram({ DEMO_COURSES: "off" });
    await program.ready();
  });
  after(() => program.stop());

  const signIn = async (): Promise<string> => {
    const response = await fetch(`${program.url}/auth/demo?as=learner`, { redirect: "manual" });
    return response.headers.get("set-cookie")?.split(";")[0] ?? "";
  };
  const call = (method: string, path: string, cookie: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${program.url}${path}`, {
      method,
      headers: { cookie, ...(method !== "GET" && { "content-type": "application/json" }) },
      ...(method !== "GET" && { body: '{"schemaVersion":1}' }),
      ...(signal && { signal }),
    });
  async function statuses(cookie: string): Promise<Record<string, number>> {
    const all: Record<string, number> = {};
    for (const { method, path } of wanting) {
      const looked = new AbortController();
      all[`${method} ${path}`] = (await call(method, path, cookie, looked.signal)).status;
      looked.abort();
    }
    return all;
  }
  const refused = Object.fromEntries(wanting.map(({ method, path }) => [`${method} ${path}`, 401]));

  it("ends the session at every API and its streams, also after a restart", async () => {
    expect(wanting.length).to.be.greaterThan(5);
    const [cookie, other] = [await signIn(), await signIn()];
    expect(Object.values(await statuses(cookie))).not.to.include(401);
    const stream = await call("GET", "/api/sync/stream", cookie);
    const read = stream.text().then(
      () => "ended",
      () => "broken off",
    );
    expect((await call("POST", "/auth/sign-out", cookie)).status).to.equal(200);
    expect(await read).to.be.oneOf(["ended", "broken off"]);
    expect(await statuses(cookie)).to.deep.equal(refused);
    expect(Object.values(await statuses(other)), "another session of the account").not.to.include(401);
    await program.restart();
    await program.ready();
    expect(await statuses(cookie), "after a restart").to.deep.equal(refused);
    expect(Object.values(await statuses(other)), "the other after a restart").not.to.include(401);
  }).timeout(300_000);

  it("ends one browser of the account from another, which goes on", async () => {
    const [desk, phone] = [await signIn(), await signIn()];
    const { sessions } = sessionsResponse.parse(await (await call("GET", "/auth/sessions", desk)).json());
    const own = sessionsResponse.parse(await (await call("GET", "/auth/sessions", phone)).json()).sessions[0]?.sessionId;
    expect(sessions.map(({ sessionId }) => sessionId)).to.include(own);
    const ended = await fetch(`${program.url}/auth/sessions/end`, {
      method: "POST",
      headers: { cookie: desk, "content-type": "application/json" },
      body: JSON.stringify({ schemaVersion: 1, sessionId: own }),
    });
    expect(ended.status).to.equal(200);
    expect(await statuses(phone)).to.deep.equal(refused);
    expect(Object.values(await statuses(desk))).not.to.include(401);
  });

  it("lists a browser once that signed in twice, and ends both its sessions", async () => {
    const desk = await signIn();
    const count = async (): Promise<number> =>
      sessionsResponse.parse(await (await call("GET", "/auth/sessions", desk)).json()).sessions.length;
    const before = await count();
    const phone = new Browser();
    const sessions: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      await phone.go(`${program.url}/auth/demo?as=learner`);
      const [key, cookie] = [...phone.cookies].find(([, { path }]) => path === "/") ?? expect.fail("no session");
      sessions.push(`${key.split(" ")[1]}=${cookie.value}`);
    }
    expect(new Set(sessions).size).to.equal(2);
    expect(await count()).to.equal(before + 1);
    const [former = "", latest = ""] = sessions;
    expect((await call("POST", "/auth/sign-out", latest)).status).to.equal(200);
    expect(await count()).to.equal(before);
    for (const session of [former, latest]) expect((await call("GET", "/auth/sessions", session)).status).to.equal(401);
  });

  it("cannot be forged by a program of this machine that has no credentials", async () => {
    const cookie = await signIn();
    const { account } = (await (await call("GET", "/api/me", cookie)).json()) as { account: { accountId: string } };
    const running = runningEventStore(program.dataDir);
    const authority = encodeURIComponent(authorityFile(eventStoreFolder(program.dataDir)));
    const day = 86_400_000;
    for (const options of ["tls=false", `tls=true&tlsCAFile=${authority}`]) {
      const client = EventStoreDBClient.connectionString(`esdb://localhost:${running?.port}?${options}`);
      const [begunBy, until] = [Date.now() + day, Date.now() + day].map((at) => new Date(at).toISOString());
      const forged = jsonEvent({ type: "AccountSessionsEnded", data: { schemaVersion: 1, accountId: account.accountId, begunBy, until } });
      for (const attempt of [() => client.appendToStream(sessionsEndedStream, forged), () => Array.fromAsync(client.readAll())])
        expect(
          await attempt().then(
            () => "done",
            () => "refused",
          ),
          options,
        ).to.equal("refused");
      await client.dispose();
    }
    expect((await call("GET", "/api/me", cookie)).status).to.equal(200);
  });
});
