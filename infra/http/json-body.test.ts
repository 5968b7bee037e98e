import { setImmediate as nextTurn } from "node:timers/promises";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { expect } from "chai";
import { type RequestHandler, Router } from "express";
import { readConfig } from "../config.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { createApp, listen } from "./app.ts";
import { readJson } from "./json-body.ts";

describe("a JSON body", () => {
  const sent = async (body: BodyInit, type = "application/json", withinMs?: number): Promise<{ status: number; got: unknown }> => {
    const read = readJson(bounds.json.bodyBytes, withinMs);
    const echo: RequestHandler = async (request, response) => {
      await read(request, response);
      response.json(request.body);
    };
    const routers = [Router().post("/echo", echo)];
    const app = createApp({ config: readConfig({ NODE_ENV: "test" }), log: createLog("test", { LOG_LEVEL: "silent" }), routers });
    const { server, port } = await listen(app, 0);
    const init = { method: "POST", headers: { "content-type": type }, body, duplex: "half" } as RequestInit;
    const response = await fetch(`http://127.0.0.1:${port}/echo`, init);
    const got = await response.json();
    await closeServer(server, 0);
    return { status: response.status, got };
  };

  it("has no half letters, in its texts or its names, however they were spelled", async () => {
    const { status, got } = await sent('{"a\\udc00":["\\ud800 and \\uD83D\\uDE00"],"whole":"\\ud83d\\ude00"}');
    expect(status).to.equal(200);
    expect(got).to.deep.equal({ "a\ufffd": ["\ufffd and 😀"], whole: "😀" });
  });

  const nested = (depth: number, text: string): string => "[".repeat(depth) + text + "]".repeat(depth);
  for (const [what, text] of [
    ["a half letter", '"\\ud800"'],
    ["plain text", '"a"'],
    ["nothing", ""],
  ] as const)
    it(`is refused where it is nested deeper than its bound around ${what}, without end too, and taken up to it`, async () => {
      expect((await sent(nested(bounds.json.depth, text))).status).to.equal(200);
      expect((await sent(nested(bounds.json.depth + 1, text))).status).to.equal(400);
      expect((await sent(nested(bounds.json.depth * 100, text))).status).to.equal(400);
    });

  it("may have many members side by side, in objects as in lists", async () => {
    const many = Array.from({ length: bounds.json.depth * 100 }, () => ({ a: [1] }));
    expect((await sent(JSON.stringify(many))).status).to.equal(200);
    expect((await sent(`${'{"a":'.repeat(bounds.json.depth + 1)}1${"}".repeat(bounds.json.depth + 1)}`)).status).to.equal(400);
  });

  it("is refused beyond its number of members before it is parsed", async () => {
    const members = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"a${index}":1`).join(",")}}`;
    expect((await sent(members(bounds.json.members))).status).to.equal(200);
    expect((await sent(members(bounds.json.members + 1))).status).to.equal(413);
    // Not JSON, which only a parser would notice.
    expect((await sent(`${members(bounds.json.members + 1)}}`)).status).to.equal(413);
  });

  it("is refused as soon as more than its bound has arrived, without waiting for its end", async () => {
    let more = true;
    const endless = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (more) controller.enqueue(new Uint8Array(bounds.json.bodyBytes / 2).fill(0x20));
        else controller.close();
        await nextTurn();
      },
    });
    try {
      expect((await sent(endless)).status).to.equal(413);
    } finally {
      more = false;
    }
  });

  it("counts no colons within texts", async () => {
    expect((await sent(JSON.stringify({ a: ':"\\'.repeat(bounds.json.members) }))).status).to.equal(200);
  });

  it("is refused in other encodings than UTF-8", async () => {
    const body = Buffer.from('{"a":1}', "utf16le");
    expect((await sent(body, "application/json; charset=utf-16le")).status).to.equal(400);
  });

  it("is refused if it does not arrive in time", async () => {
    const slow = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":')) });
    const { status, got } = await sent(slow, "application/json", 50);
    expect(status).to.equal(400);
    expect(got).to.have.property("detail").that.contains("did not arrive");
  });
});
