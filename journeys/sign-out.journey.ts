import { contracts } from "@colloquy/schemas/contracts/index.ts";
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
});
