import { expect } from "chai";
import { Router } from "express";
import { readConfig } from "../config.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { createApp, listen } from "./app.ts";

describe("the headers of every answer", () => {
  const answersOf = async (environment: Record<string, string>, path: string): Promise<Headers> => {
    const log = createLog("test", { LOG_LEVEL: "silent" });
    const config = readConfig({ NODE_ENV: "test", ...environment });
    const app = createApp({ config, log, routers: [Router().get("/there", (_request, response) => void response.send("here"))] });
    const { server, port } = await listen(app, 0);
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
    await closeServer(server, 0);
    return headers;
  };

  for (const path of ["/there", "/nowhere"])
    it(`let nothing be framed, guessed, run inline or used that is not needed (${path})`, async () => {
      const headers = await answersOf({}, path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).to.contain("script-src 'self'").and.contain("frame-ancestors 'none'").and.contain("object-src 'none'");
      expect(policy)
        .to.contain("base-uri 'none'")
        .and.not.match(/script-src[^;]*unsafe/);
      expect(headers.get("permissions-policy")).to.contain("camera=()").and.contain("geolocation=()").and.contain("microphone=(self)");
      expect(headers.get("referrer-policy")).to.equal("same-origin");
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
      expect(headers.get("x-frame-options")).to.equal("DENY");
      expect(headers.get("x-powered-by")).to.equal(null);
    });

  it("hold browsers to TLS where the address is one of TLS, and only there", async () => {
    expect((await answersOf({ PUBLIC_URL: "https://learn.example" }, "/there")).get("strict-transport-security")).to.contain("max-age=");
    expect((await answersOf({}, "/there")).get("strict-transport-security")).to.equal(null);
  });
});
