import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { sessions } from "@colloquy/infra/identity/session.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { courseCatalogue } from "@colloquy/projections/courses/queries.ts";
import { openPassageLibrary } from "@colloquy/projections/passages/queries.ts";
import { expect } from "chai";
import type { Response as ExpressResponse } from "express";
import { type QueryTables, queryRoutes } from "./routes.ts";

describe("rate limit of reads", () => {
  it("is bounded over all routes, with Retry-After, per account", async () => {
    const folder = mkdtempSync(join(tmpdir(), "query-limits-"));
    const config = readConfig({ DATA_DIR: folder, NODE_ENV: "test" });
    const log = createLog("test", { LOG_LEVEL: "silent" });
    const store = openEventStore("esdb://127.0.0.1:1?tls=false");
    const database = openDatabase<QueryTables>(config);
    const objectStore = openObjectStore(config);
    const catalogue = courseCatalogue(database);
    const routers = queryRoutes({
      config,
      log,
      store,
      database,
      objectStore,
      catalogue,
      library: openPassageLibrary({ objectStore, catalogue }),
      ended: {
        has: async () => false,
        end: async () => undefined,
        endAll: async () => undefined,
        endOfProvider: async () => undefined,
        watch: () => () => undefined,
      },
      tail: { follow: () => () => undefined, close: async () => undefined },
      built: { version: "1", scripts: {}, sheets: {}, messages: {}, preloadFonts: [], files: {} },
      signal: new AbortController().signal,
      perMinute: 2,
    });
    const { server, port } = await listen(createApp({ config, log, routers }), 0);
    const cookieOf = async (accountId: string): Promise<string> => {
      let cookie = "";
      const response = { cookie: (name: string, value: string) => (cookie = `${name}=${value}`) } as unknown as ExpressResponse;
      await sessions(config).issue(response, { accountId, name: "Test", roles: ["learner"] });
      return cookie;
    };
    const [mira, tomas] = [await cookieOf("acc_mira0001"), await cookieOf("acc_tomas001")];
    const ask = (path: string, cookie?: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { ...(cookie && { cookie }) } });
    try {
      for (let asked = 0; asked < 2; asked += 1) expect((await ask("/api/me", mira)).status).to.equal(200);
      for (const path of ["/api/me", "/api/account/archive", "/api/review", "/api/sync/pull", "/api/conversations?q=a"]) {
        const refused = await ask(path, mira);
        expect(refused.status, path).to.equal(429);
        expect(Number(refused.headers.get("retry-after")), path).to.be.within(1, 60);
      }
      expect((await ask("/api/me", tomas)).status).to.equal(200);
      for (let asked = 0; asked < 4; asked += 1) expect((await ask("/api/me")).status).to.equal(200);
    } finally {
      await closeServer(server, 0);
      await store.close();
      await database.destroy();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
