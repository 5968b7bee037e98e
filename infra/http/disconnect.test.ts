import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect } from "chai";
import { Router } from "express";
import { readConfig } from "../config.ts";
import { closeServer } from "../process/http-server.ts";
import { createLog } from "../telemetry/log.ts";
import { createApp, listen } from "./app.ts";

describe("who hangs up", () => {
  let lines: { level: number; msg: string; reason?: string }[];
  let said: unknown[][];
  const error = console.error;
  beforeEach(() => {
    lines = [];
    said = [];
    console.error = (...words) => said.push(words);
  });
  afterEach(() => {
    console.error = error;
  });

  /** What is logged when a client hangs up as soon as `hangUp` lets it, and an answer is sent after that. */
  async function hangingUp(answer: (gone: Promise<unknown>, send: (from: Readable) => Promise<void>) => Promise<void>): Promise<void> {
    const log = createLog("test", { LOG_LEVEL: "debug" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const over = Promise.withResolvers<void>();
    const socket = { end: (): unknown => undefined };
    const router = Router().get("/file", async (_request, response) => {
      const gone = once(response, "close");
      try {
        await answer(
          Promise.resolve().then(() => {
            socket.end();
            return gone;
          }),
          (from) => pipeline(from, response),
        );
      } finally {
        over.resolve();
      }
    });
    const { server, port } = await listen(createApp({ config: readConfig({ NODE_ENV: "development" }), log, routers: [router] }), 0);
    try {
      const client = connect(port, "127.0.0.1");
      socket.end = () => client.destroy();
      client.on("error", () => undefined);
      client.write("GET /file HTTP/1.1\r\nhost: localhost\r\n\r\n");
      await over.promise;
      while (!lines.some(({ msg }) => handled.includes(msg))) await new Promise((resolve) => setTimeout(resolve, 5));
    } finally {
      await closeServer(server, 0);
    }
  }
  const handled = ["the client disconnected", "request failed"];
  const loud = () => lines.filter(({ level }) => level >= 40);

  it("before a file is sent is no error", async () => {
    await hangingUp(async (gone, send) => {
      await gone;
      await send(Readable.from(["too late"]));
    });
    expect([loud(), said]).to.deep.equal([[], []]);
  });

  it("in the middle of a file is none either", async () => {
    await hangingUp(async (gone, send) => {
      const parts = async function* () {
        yield "the beginning";
        await gone;
        yield "of the end";
      };
      await send(Readable.from(parts()));
    });
    expect([loud(), said]).to.deep.equal([[], []]);
  });

  it("hides no fault of ours", async () => {
    await hangingUp(async (gone) => {
      await gone;
      throw new TypeError("a fault of ours");
    });
    expect(loud().map(({ msg }) => msg)).to.deep.equal(["request failed"]);
  });
});
