import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import { expect } from "chai";
import { offlineRoutes, withoutOffline } from "./offline.ts";

const built: BuiltUi = {
  version: "version-1",
  scripts: {},
  sheets: {},
  messages: {},
  preloadFonts: [],
  files: {},
  offline: { worker: "worker.js", files: ["a-1.js"] },
};

describe("service worker", () => {
  let folder = "";
  const closing: (() => Promise<void>)[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-worker-"));
    await writeFile(join(folder, "worker.js"), "keep();");
    await writeFile(join(folder, "worker-retire.js"), "retire();");
  });
  after(async () => {
    await Promise.all(closing.map((close) => close()));
    await rm(folder, { recursive: true });
  });
  const open = async (of: BuiltUi): Promise<string> => {
    const config = readConfig({ LOG_LEVEL: "silent" });
    const app = createApp({ config, log: createLog("test", config), routers: [offlineRoutes(of, folder)] });
    const { server, port } = await listen(app, 0);
    closing.push(() => closeServer(server));
    return `http://127.0.0.1:${port}/worker.js`;
  };

  it("contains the list of its build and is revalidated", async () => {
    const url = await open(built);
    const response = await fetch(url);
    expect(response.headers.get("cache-control")).to.equal("no-cache");
    expect(response.headers.get("content-type")).to.contain("text/javascript");
    expect(await response.text()).to.equal('const build={"version":"version-1","files":["a-1.js"]};\nkeep();');
    const again = await fetch(url, { headers: { "if-none-match": response.headers.get("etag") ?? "" }, cache: "no-store" });
    expect(again.status).to.be.oneOf([200, 304]);
  });

  it("is the one that deletes everything if offline reading is off", async () => {
    expect(await (await fetch(await open(withoutOffline(built)))).text()).to.equal("retire();");
  });
});
