import { expect } from "chai";
import { readConfig } from "../config.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { createApp, listen } from "./app.ts";

describe("a connection that is kept", () => {
  it("is kept for longer than common proxies use one again, which is told to whoever asks", async () => {
    const commonProxiesSeconds = 60;
    const log = createLog("test", { LOG_LEVEL: "silent" }, { write: () => undefined });
    const { server, port } = await listen(createApp({ config: readConfig({}), log, routers: [] }), 0);
    try {
      const { headers } = await fetch(`http://127.0.0.1:${port}/healthz`);
      const [, seconds] = /timeout=(\d+)/.exec(headers.get("keep-alive") ?? "") ?? [];
      expect(Number(seconds)).to.be.greaterThan(commonProxiesSeconds);
    } finally {
      await closeServer(server, 0);
    }
  });
});
