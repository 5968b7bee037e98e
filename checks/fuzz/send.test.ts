import { once } from "node:events";
import { Agent, createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { type Answered, send } from "./send.ts";

const frames = { "content-type": "application/x-ndjson" };

describe("a request that is sent", () => {
  let server: Server | undefined;
  const agent = new Agent();
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  after(() => agent.destroy());

  async function askOf(answer: RequestListener): Promise<Answered | null> {
    server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    const base = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return await send(base, agent, { method: "GET", path: "/", headers: {}, bytes: null, transport: "whole" });
  }

  it("collects frames and headers, however they arrive", async () => {
    const answered = await askOf((_request, response) => {
      response.writeHead(200, { ...frames, "x-said": "much" }).flushHeaders();
      response.write('{"kind":"status"}\n');
      setImmediate(() => response.end('{"kind":"error"}\n'));
    });
    expect(answered).to.include({ status: 200, body: '{"kind":"status"}\n{"kind":"error"}\n', whole: true });
    expect(answered?.headers).to.contain("x-said: much");
  });

  it("is not answered by what is broken off", async () => {
    const wrong = await askOf((_request, response) => {
      response.writeHead(200, frames).write('{"kind":"status"}\n', () => response.destroy());
    }).then(
      () => null,
      (error: Error) => error.message,
    );
    expect(wrong).to.equal("its answer was broken off");
  });

  it("reads an event stream for a while, then closes it", async () => {
    const answered = await askOf((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: one\n\n");
      setImmediate(() => response.write("data: two\n\n"));
    });
    expect(answered).to.include({ body: "data: one\n\ndata: two\n\n", whole: false });
  });
});
