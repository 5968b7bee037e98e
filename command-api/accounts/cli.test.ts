import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import { temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { endedSessions } from "@colloquy/infra/identity/ended-sessions.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";

const cli = fileURLToPath(new URL("cli.ts", import.meta.url));
const session = (accountId: string) => ({
  sessionId: `session-of-${accountId}`,
  accountId,
  begun: new Date(Date.now() - 60_000),
  until: new Date(Date.now() + 3_600_000),
});

describe("npm run accounts", function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  after(() => folder.remove());
  const run = (url: string, ...given: string[]) =>
    promisify(execFile)(process.execPath, [cli, ...given], {
      env: { ...process.env, NODE_ENV: "test", DATA_DIR: folder.path, EVENTSTORE_URL: url, LOG_LEVEL: "silent" },
    });

  it("ends what an account has, in a program that runs; another's goes on, and what is no account is refused", async () => {
    const server = await spawnEventStore(folder.path);
    const store = openEventStore(server.url);
    const leaving = new AbortController();
    const ended = endedSessions({ store, log: createLog("test", { LOG_LEVEL: "silent" }), signal: leaving.signal });
    const [mine, others] = [session("acc_mira_0001"), session("acc_tomas_001")];
    try {
      expect(await ended.has(mine)).to.equal(false);
      const cut = new Promise<void>((resolve) => ended.watch(mine, resolve));
      expect((await run(server.url, "end-sessions", mine.accountId)).stdout).to.include("acc_mira_0001");
      const recorded = readFileSync(join(folder.path, "logs/security.log"), "utf8");
      expect(JSON.parse(recorded)).to.include({ log: "security", command: "accounts end-sessions", account: "acc_mira_0001" });
      await cut;
      expect([await ended.has(mine), await ended.has(others)]).to.deep.equal([true, false]);
      expect((await run(server.url, "disconnect", others.accountId)).stdout).to.include("disconnected");
      expect(await Array.fromAsync(store.read(`assistant-${others.accountId}`), ({ type }) => type)).to.deep.equal(["AssistantsForgotten"]);
      await run(server.url, "end-sessions", "acc_noor_0001", "--keep-assistants");
      expect(await Array.fromAsync(store.read("assistant-acc_noor_0001"))).to.deep.equal([]);
      const refused = await run(server.url, "end-sessions", "mira").catch((error: { code: number; stderr: string }) => error);
      expect(refused).to.include({ code: 2 }).and.to.have.property("stderr").that.includes("is not an account id");
    } finally {
      leaving.abort();
      await store.close();
      await server.stop();
    }
  });
});
