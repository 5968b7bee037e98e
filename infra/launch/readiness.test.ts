import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ReadyResponse } from "@colloquy/schemas/health.ts";
import { expect } from "chai";
import { unreadyParts, waitUntilReady } from "./readiness.ts";

const well = { ok: true, ms: 1 };
const unwell = { ok: false, ms: 1 };
const unready: ReadyResponse = {
  schemaVersion: 1,
  ready: false,
  eventStore: well,
  database: { ...unwell, reason: "Delete the file." },
  dependencies: [
    { name: "disk", required: true, configured: true, ...unwell },
    { name: "identity", required: false, configured: true, ...unwell },
  ],
  projections: [{ name: "sync", ok: false, state: "failed", position: null, lagMs: 0, failure: "Changed 1" }],
};

describe("whether the program is ready", () => {
  it("names each part that is not, with what to do", () => {
    const [database, disk, projections, ...others] = unreadyParts(unready);
    expect(database).to.equal("read models: Delete the file.");
    expect(disk).to.match(/^disk: /);
    expect(projections).to.contain("sync (stopped at Changed 1)");
    expect(others).to.deep.equal([]);
    expect(unreadyParts({ ...unready, ready: true })).to.deep.equal([]);
    expect(unreadyParts({ ...unready, database: well, dependencies: [], projections: [] })[0]).to.contain("do not exist yet");
  });

  it("is waited for", async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200).end(JSON.stringify(unready));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { signal } = new AbortController();
    try {
      expect(await waitUntilReady(() => port, 0, signal)).to.have.length(3);
      expect(await waitUntilReady(() => port, 60_000, signal)).to.deep.equal([]);
      expect(await waitUntilReady(() => null, 0, signal)).to.deep.equal(["query API: not running"]);
    } finally {
      server.close();
    }
  });
});
