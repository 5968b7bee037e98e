import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connector } from "@colloquy/command-api/assistants/routes.ts";
import { readConfig } from "@colloquy/infra/config.ts";
import { protocolPaths, serviceFor } from "@colloquy/infra/http/front-door.ts";
import { fontPaths } from "@colloquy/infra/http/notice-page.ts";
import { embeddedProvider } from "@colloquy/infra/identity/embedded/provider.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import { routesOf } from "../express-routes.ts";
import { specialRoutes } from "./special-routes.ts";
import { table } from "./table.ts";

const log = createLog("test", { LOG_LEVEL: "silent" });
const pathOf = (route: string): string => route.slice(route.indexOf(" ") + 1);
const paths = [...new Set(Object.keys(specialRoutes).map(pathOf))];
const isUnder = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
const sorted = (list: Iterable<string>): string[] => [...new Set(list)].toSorted();

describe("routes outside pages and API", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "apart-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const config = () => readConfig({ DATA_DIR: folder, NODE_ENV: "test" });

  it("have a row for every path that the front door knows", () => {
    for (const prefix of Object.keys(protocolPaths))
      expect(
        paths.some((path) => isUnder(path, prefix)),
        prefix,
      ).to.equal(true);
    const own = paths.filter((path) => serviceFor("GET", path) === "query");
    expect(own.toSorted()).to.deep.equal(fontPaths.toSorted());
    for (const path of paths)
      expect(fontPaths.includes(path) || Object.keys(protocolPaths).some((prefix) => isUnder(path, prefix)), path).to.equal(true);
    expect(Object.keys(specialRoutes).filter((route) => route in table)).to.deep.equal([]);
  });

  it("for each route of the connector", () => {
    const { router } = connector({ config: config(), log } as Parameters<typeof connector>[0]);
    const served = routesOf(router).map((route) => route.replace("ALL ", "POST "));
    const rows = Object.keys(specialRoutes).filter((route) => serviceFor("GET", pathOf(route)) === "command");
    // The one address that takes every method has rows of several.
    expect(sorted(rows.filter((route) => served.includes(route)))).to.deep.equal(sorted(served));
    expect(sorted(rows.map(pathOf))).to.deep.equal(sorted(served.map(pathOf)));
  });

  it("have a row for every endpoint of the identity provider", async () => {
    const server = createServer(embeddedProvider(config(), log));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const named = await fetch(`http://127.0.0.1:${port}/oidc/.well-known/openid-configuration`);
      const metadata = (await named.json()) as Record<string, unknown>;
      const addresses = Object.entries(metadata).flatMap(([name, value]) =>
        /_(endpoint|uri)$/.test(name) ? [new URL(String(value)).pathname] : [],
      );
      expect(addresses).to.include("/oidc/token");
      expect(addresses.filter((address) => !paths.includes(address))).to.deep.equal([]);
    } finally {
      await closeServer(server, 0);
    }
  });
});
