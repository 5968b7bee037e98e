import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { expect } from "chai";
import { readConfig } from "../config.ts";
import { skipTest } from "../skip-test.fixture.ts";
import { startTraces } from "../telemetry/traces.ts";
import { createFrontDoor } from "./front-door.ts";

const theirs = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

describe("traces at the front door", () => {
  /** What a service behind the door hears of a request that says it belongs to a trace, sent to one of this machine's addresses. */
  async function heard(host: string, proxies: string[] = []): Promise<IncomingHttpHeaders> {
    let headers: IncomingHttpHeaders = {};
    const service = createServer((received, response) => {
      headers = received.headers;
      response.end();
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
    const port = (service.address() as AddressInfo).port;
    const quiet = { info: () => undefined, warn: () => undefined };
    const traces = await startTraces(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }), "front-door", quiet);
    const backends = { phase: () => "ready" as const, doing: () => null, runs: () => true, port: () => port };
    const door = createFrontDoor({ publicUrl: "http://localhost", backends, proxies });
    try {
      const given = { host: "localhost", traceparent: theirs, tracestate: "a=b" };
      const asked = request({ host, port: await door.listen(0, "0.0.0.0"), path: "/api/me", headers: given }).end();
      const [answer] = await once(asked, "response");
      answer.resume();
      await once(answer, "end");
      return headers;
    } finally {
      await Promise.all([door.close(0), traces.close()]);
      service.closeAllConnections();
      service.close();
    }
  }

  it("go on where this machine or a trusted proxy began them, with the door's own span between", async () => {
    const { traceparent, tracestate } = await heard("127.0.0.1");
    expect(traceparent)
      .to.match(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
      .and.not.equal(theirs);
    expect(tracestate).to.equal(undefined);
    if (outside) expect((await heard(outside, [outside])).traceparent).to.include("0af7651916cd43dd8448eb211c80319c");
  });

  it("begin anew for anybody else", async function () {
    if (!outside) return skipTest(this, "this machine has no address but its own");
    expect((await heard(outside)).traceparent)
      .to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
      .and.not.include("0af7651916cd43dd8448eb211c80319c");
  });
});
