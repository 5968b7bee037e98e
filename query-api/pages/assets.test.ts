import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import { assetRoutes } from "./assets.ts";

describe("assetRoutes", () => {
  let folder = "";
  let base = "";
  let close: () => Promise<void>;
  const script = "console.log(1);".repeat(100);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-assets-"));
    await mkdir(join(folder, "chunks"));
    await writeFile(join(folder, "chunks/a-1.js"), script);
    await writeFile(join(folder, "chunks/a-1.js.gz"), gzipSync(script));
    await writeFile(join(folder, "chunks/a-1.js.br"), brotliCompressSync(script));
    await writeFile(join(folder, "font-1.woff2"), "font");
    await writeFile(join(folder, "secret.js"), "secret");
    const size = { bytes: 1, gzip: 1, brotli: 1 };
    const built = {
      version: "1",
      scripts: {},
      sheets: {},
      messages: {},
      preloadFonts: [],
      files: { "chunks/a-1.js": size, "font-1.woff2": size, "gone-1.js": size },
    };
    const config = readConfig({ LOG_LEVEL: "silent" });
    const log = createLog("test", config);
    const { server, port } = await listen(createApp({ config, log, routers: [assetRoutes(built, folder)] }), 0);
    base = `http://127.0.0.1:${port}`;
    close = () => closeServer(server);
  });
  after(async () => {
    await close();
    await rm(folder, { recursive: true });
  });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(base + path, { headers });

  it("sends each file as compressed by the build, immutable", async () => {
    for (const encoding of ["br", "gzip", "identity"]) {
      const response = await get("/assets/chunks/a-1.js", { "accept-encoding": encoding });
      expect(response.headers.get("content-encoding") ?? "identity").to.equal(encoding);
      expect(response.headers.get("content-type")).to.contain("text/javascript");
      expect(response.headers.get("cache-control")).to.equal("public, max-age=31536000, immutable");
      expect(response.headers.get("vary")).to.equal("accept-encoding");
      expect(await response.text()).to.equal(script);
    }
    const font = await get("/assets/font-1.woff2", { "accept-encoding": "br, gzip" });
    expect([font.headers.get("content-type"), font.headers.get("content-encoding")]).to.deep.equal(["font/woff2", null]);
  });

  it("sends only files of the build's manifest", async () => {
    for (const path of [
      "/assets/secret.js",
      "/assets/chunks/a-1.js.gz",
      "/assets/../package.json",
      "/assets/..%2fpackage.json",
      "/assets/gone-1.js",
      "/assets/__proto__",
      "/assets/",
    ])
      expect((await get(path)).status, path).to.equal(404);
  });

  it("serves the icon", async () => {
    expect((await get("/icon.svg")).headers.get("content-type")).to.contain("image/svg+xml");
  });
});
