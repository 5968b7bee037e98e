import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type RequestListener, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { expect } from "chai";
import express from "express";
import { readConfig } from "../config.ts";
import { listen } from "./app.ts";
import { type Backends, createFrontDoor, type FrontDoor, serviceFor } from "./front-door.ts";
import { openFrontDoorStatus } from "./front-door-status.ts";

describe("the front door's routes", () => {
  const cases: [string, string, string][] = [
    ["GET", "/", "query"],
    ["GET", "/ai", "query"],
    ["GET", "/courses/shell/pipes", "query"],
    ["GET", "/assets/x.js", "query"],
    ["GET", "/api/me", "query"],
    ["GET", "/api/sync/pull", "query"],
    ["POST", "/api/sync/push", "command"],
    ["GET", "/api/ai/models", "command"],
    ["POST", "/api/ai/ask", "command"],
    ["GET", "/api/ai/references", "query"],
    ["HEAD", "/api/ai/references", "query"],
    ["POST", "/api/ai/references", "command"],
    ["GET", "/api/aid", "query"],
    ["GET", "/api/course-editor/session", "command"],
    ["DELETE", "/api/conversations/x", "command"],
    ["GET", "/auth/login", "command"],
    ["GET", "/authors", "query"],
    ["GET", "/oidc/auth", "identity"],
    ["POST", "/oidc/token", "identity"],
    ["GET", "/oidcx", "query"],
  ];
  for (const [method, path, room] of cases) it(`${method} ${path} → ${room}`, () => expect(serviceFor(method, path)).to.equal(room));
});

describe("the front door", () => {
  let doors: FrontDoor[] = [];
  let servers: Server[] = [];

  afterEach(async () => {
    await Promise.all(doors.map((door) => door.close(0)));
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    doors = [];
    servers = [];
  });

  async function serve(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }

  it("leaves it to the pages to say that a service which is no part of the program is not there", async () => {
    const port = await serve((request, response) => response.writeHead(404).end(`no ${request.url}`));
    const url = await openDoor(null, { runs: (room) => room !== "identity", port: (room) => (room === "query" ? port : null) });
    const response = await fetch(`${url}/oidc/auth`);
    expect(response.status).to.equal(404);
    expect(await response.text()).to.equal("no /oidc/auth");
    expect((await fetch(`${url}/auth/login`)).status).to.equal(503);
  });

  async function openDoor(port: number | null, backends: Partial<Backends> = {}, addressPerMinute = 0, lingerMs = 30_000): Promise<string> {
    const door = createFrontDoor({
      publicUrl: "http://localhost:8080",
      addressPerMinute,
      lingerMs,
      backends: { phase: () => "ready", doing: () => null, runs: () => true, port: () => port, ...backends },
    });
    doors.push(door);
    return `http://127.0.0.1:${await door.listen(0, "127.0.0.1")}`;
  }

  function ask(url: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => get(url, resolve).on("error", reject));
  }

  it("passes requests on as they came, with who asked and how", async () => {
    const inner = await serve(async (asked, response) => {
      let body = "";
      for await (const part of asked) body += part;
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.setHeader("content-type", "application/json");
      response.statusCode = 201;
      response.end(JSON.stringify({ method: asked.method, url: asked.url, headers: asked.headers, body }));
    });
    const door = await openDoor(inner);
    const answer = await fetch(`${door}/api/x?q=%20a`, {
      method: "PATCH",
      body: "hällo",
      headers: { "x-one": "1", "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" },
    });
    expect(answer.status).to.equal(201);
    expect(answer.headers.getSetCookie()).to.deep.equal(["a=1", "b=2"]);
    const seen = (await answer.json()) as { method: string; url: string; headers: Record<string, string>; body: string };
    expect(seen).to.include({ method: "PATCH", url: "/api/x?q=%20a", body: "hällo" });
    expect(seen.headers).to.include({
      "x-one": "1",
      host: new URL(door).host,
      "x-forwarded-for": "203.0.113.9, 127.0.0.1",
      "x-forwarded-proto": "http",
      "x-forwarded-host": new URL(door).host,
    });
  });

  it("keeps an error that is answered before the body was read", async () => {
    const inner = await serve((_asked, response) => response.writeHead(413, { connection: "close" }).end("too much"));
    const door = await openDoor(inner);
    const sent = request(`${door}/api/x`, { method: "POST", headers: { "content-length": "50" } });
    sent.on("error", () => {});
    sent.write("begun");
    const answer = await new Promise<IncomingMessage>((resolve) => sent.once("response", resolve));
    expect(answer.statusCode).to.equal(413);
    sent.destroy();
  });

  it("closes a connection whose body still trickles after its request was refused", async () => {
    const port = await serve((_request, response) => response.writeHead(401).end());
    const url = await openDoor(port, {}, 0, 50);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let answer = "";
    socket.on("data", (bytes: Buffer) => (answer += bytes.toString()));
    socket.write("POST /api/sync/push HTTP/1.1\r\nhost: localhost:8080\r\ncontent-length: 1000\r\n\r\n{");
    await once(socket, "close");
    expect(answer).to.match(/^HTTP\/1.1 401/);
  });

  it("goes on along a connection whose last body was answered before it was read", async () => {
    const url = await openDoor(await serve((_asked, response) => response.writeHead(401, { "content-length": 2 }).end("no")));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statusOf = (bytes: Buffer) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { "content-length": bytes.length };
        const sent = request(url, { agent, method: "PUT", headers }, (answer) =>
          answer.resume().on("end", () => resolve(answer.statusCode)),
        );
        sent.on("error", reject).end(bytes);
      });
    for (const bytes of [4_000_000, 2, 4_000_000, 2]) expect(await statusOf(Buffer.alloc(bytes))).to.equal(401);
    agent.destroy();
  });

  it("passes a large body on once the service asks for it, so not at all after a refusal", async () => {
    const large = Buffer.alloc(1_000_000, "a");
    let from: Socket | undefined;
    const { server, port } = await listen(
      express().post("/:what", (asked, response) => {
        from = asked.socket;
        if (asked.params.what === "refused") response.status(401).end("no");
        else
          asked
            .resume()
            .on("end", () => response.end("taken"))
            .on("data", () => undefined);
      }),
      0,
    );
    servers.push(server);
    const url = await openDoor(port);
    const send = async (what: string): Promise<[number, string]> => {
      const answer = await fetch(`${url}/${what}`, { method: "POST", body: large });
      return [answer.status, await answer.text()];
    };
    expect(await send("refused")).to.deep.equal([401, "no"]);
    expect(from?.bytesRead).to.be.below(2_000);
    expect(await send("taken")).to.deep.equal([200, "taken"]);
    expect(from?.bytesRead).to.be.at.least(large.length);
  });

  it("counts a large body as waiting until the service asks for it", async () => {
    const held: (() => void)[] = [];
    const server = createServer().on("checkContinue", (asked: IncomingMessage, response: ServerResponse) => {
      held.push(() => response.writeContinue());
      asked.resume().on("end", () => response.end("taken"));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const door = createFrontDoor({
      publicUrl: "http://localhost:8080",
      mostWaiting: 1,
      backends: { phase: () => "ready", doing: () => null, runs: () => true, port: () => (server.address() as AddressInfo).port },
    });
    doors.push(door);
    const url = `http://127.0.0.1:${await door.listen(0, "127.0.0.1")}`;
    const large = fetch(`${url}/api/sync/push`, { method: "POST", body: Buffer.alloc(100_000) });
    while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await fetch(`${url}/api/me`)).status).to.equal(503);
    held[0]?.();
    expect(await (await large).text()).to.equal("taken");
  });

  it("sends headers at once and each part as it comes", async () => {
    const step = Promise.withResolvers<void>();
    const headersSeen = Promise.withResolvers<void>();
    const inner = await serve(async (_asked, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.flushHeaders();
      await headersSeen.promise;
      response.write("one\n");
      await step.promise;
      response.end("two\n");
    });
    const answer = await ask(`${await openDoor(inner)}/api/ai/ask`);
    headersSeen.resolve();
    const parts: string[] = [];
    for await (const part of answer) {
      parts.push(String(part));
      // The second part is written only once the first one is here.
      step.resolve();
    }
    expect(parts).to.deep.equal(["one\n", "two\n"]);
  });

  it("hangs up on the service when the asker has hung up, while it waits and while it streams", async () => {
    for (const streams of [false, true]) {
      const arrived = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      const inner = await serve((_asked, response) => {
        if (streams) response.writeHead(200).write("begun");
        arrived.resolve();
        response.once("close", left.resolve);
      });
      const sent = get(`${await openDoor(inner)}/api/x`);
      sent.on("error", () => {});
      if (streams) await new Promise((resolve) => sent.once("response", (answer: IncomingMessage) => answer.once("data", resolve)));
      await arrived.promise;
      sent.destroy();
      await left.promise;
    }
  });

  it("hangs up on the service when a body breaks off", async () => {
    const left = Promise.withResolvers<string>();
    const arrived = Promise.withResolvers<void>();
    const inner = await serve((asked) => {
      asked.once("data", () => arrived.resolve());
      asked.once("error", () => left.resolve("broken off"));
    });
    const sent = request(`${await openDoor(inner)}/api/x`, { method: "POST" });
    sent.on("error", () => {});
    sent.write("begun");
    await arrived.promise;
    sent.destroy();
    expect(await left.promise).to.equal("broken off");
  });

  it("shows an answer that broke off as broken off", async () => {
    const inner = await serve((_asked, response) => {
      response.writeHead(200).write("begun", () => response.destroy());
    });
    const answer = await ask(`${await openDoor(inner)}/api/x`);
    const ended = await new Promise<string>((resolve) => {
      answer.once("error", () => resolve("broken off"));
      answer.once("end", () => resolve("finished"));
      answer.resume();
    });
    expect(ended).to.equal("broken off");
  });

  it("uses connections to a service again, and survives that service closing them", async () => {
    const connections = new Set<unknown>();
    const inner = await serve((asked, response) => {
      connections.add(asked.socket);
      response.end("x");
    });
    const door = await openDoor(inner);
    for (let count = 0; count < 5; count += 1) await (await fetch(`${door}/x`)).text();
    expect(connections.size).to.equal(1);
    // Closed without a word just when it is used again.
    const [server] = servers;
    server?.once("request", (asked: IncomingMessage) => asked.socket.destroy());
    server?.prependOnceListener("request", (_asked: IncomingMessage, response: { end: () => void }) => {
      response.end = () => {};
    });
    expect(await (await fetch(`${door}/x`)).text()).to.equal("x");
  });

  it("answers problem+json for the API and a page for people when a service is down", async () => {
    const closed = await serve(() => {});
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    for (const port of [closed, null]) {
      const door = await openDoor(port);
      const api = await fetch(`${door}/api/me`, { headers: { accept: "text/html", "x-request-id": "request-0001" } });
      expect(api.status).to.equal(503);
      expect(api.headers.get("content-type")).to.equal("application/problem+json");
      expect(api.headers.get("retry-after")).to.match(/^\d+$/);
      expect(await api.json()).to.include({ schemaVersion: 1, code: "unavailable", retryable: true, requestId: "request-0001" });

      const page = await fetch(`${door}/ai`, { headers: { accept: "text/html" } });
      expect(page.status).to.equal(503);
      const html = await page.text();
      expect(html).to.contain("One moment").and.to.contain('http-equiv="refresh"');
      expect(html).not.to.contain(String(closed));
      expect(page.headers.get("content-security-policy")).to.contain("default-src 'none'");

      // A page that a form led to must not send the form again by itself.
      const sent = await fetch(`${door}/oidc/interaction/x`, { method: "POST", body: "a=1", headers: { accept: "text/html" } });
      expect(sent.status).to.equal(503);
      expect(await sent.text()).not.to.contain("http-equiv");
    }
  });

  it("refuses what would wait too long for a busy service, until others are answered", async () => {
    const held: (() => void)[] = [];
    const port = await serve((asked, response) => {
      asked.resume().on("end", () => held.push(() => response.end("answered")));
    });
    const door = createFrontDoor({
      publicUrl: "http://localhost:8080",
      mostWaiting: 2,
      backends: { phase: () => "ready", doing: () => null, runs: () => true, port: () => port },
    });
    doors.push(door);
    const url = `http://127.0.0.1:${await door.listen(0, "127.0.0.1")}`;
    const waiting = [fetch(`${url}/api/me`), fetch(`${url}/api/sync/push`, { method: "POST", body: "{}" })];
    while (held.length < waiting.length) await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = await fetch(`${url}/api/me`);
    expect([refused.status, refused.headers.get("retry-after")]).to.deep.equal([503, "2"]);
    expect(await refused.json()).to.include({ code: "unavailable", retryable: true, detail: "Colloquy is busy. Try again in a moment." });
    for (const answer of held.splice(0)) answer();
    for (const response of await Promise.all(waiting)) expect(await response.text()).to.equal("answered");
    const next = fetch(`${url}/api/me`);
    while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    held[0]?.();
    expect((await next).status).to.equal(200);
  });

  it("lets reads that wait for a change keep nobody else waiting", async () => {
    const held: (() => void)[] = [];
    const port = await serve((asked, response) => {
      if (asked.url?.includes("after=")) held.push(() => response.end());
      else response.end();
    });
    const door = createFrontDoor({
      publicUrl: "http://localhost:8080",
      mostWaiting: 1,
      backends: { phase: () => "ready", doing: () => null, runs: () => true, port: () => port },
    });
    doors.push(door);
    const url = `http://127.0.0.1:${await door.listen(0, "127.0.0.1")}`;
    const waiting = fetch(`${url}/api/courses?after=99`);
    while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await fetch(`${url}/api/me`)).status).to.equal(200);
    held[0]?.();
    await waiting;
  });

  it("lets bodies that trickle and answers that have begun keep nobody else waiting", async () => {
    const port = await serve((asked, response) => {
      if (asked.method === "GET") response.writeHead(200).write("begun");
      if (asked.url === "/api/end") response.end();
    });
    const door = createFrontDoor({
      publicUrl: "http://localhost:8080",
      mostWaiting: 1,
      backends: { phase: () => "ready", doing: () => null, runs: () => true, port: () => port },
    });
    doors.push(door);
    const address = { host: "127.0.0.1", port: await door.listen(0, "127.0.0.1") };
    const trickling = request({ ...address, path: "/api/sync/push", method: "POST", headers: { "content-length": 10 } });
    trickling.on("error", () => undefined).write("a");
    const begun = await ask(`http://127.0.0.1:${address.port}/api/stream`);
    expect((await fetch(`http://127.0.0.1:${address.port}/api/end`)).status).to.equal(200);
    trickling.destroy();
    begun.destroy();
  });

  it("says what is being done while the program starts, and asks nobody yet", async () => {
    let asked = 0;
    const inner = await serve((_asked, response) => {
      asked += 1;
      response.end();
    });
    const door = await openDoor(inner, { phase: () => "starting", doing: () => "Building <the pages>." });
    const page = await fetch(`${door}/courses`, { headers: { accept: "text/html" } });
    expect(page.status).to.equal(503);
    expect(await page.text()).to.contain("Building &#60;the pages&#62;.");
    expect((await fetch(`${door}/api/me`)).headers.get("content-type")).to.equal("application/problem+json");
    expect((await fetch(`${door}/look/literata.woff2`)).headers.get("content-type")).to.equal("font/woff2");
    expect(asked).to.equal(0);
  });

  it("says so in the language that was chosen on this device, else in the browser's", async () => {
    const inner = await serve((_asked, response) => response.end());
    const door = await openDoor(inner, { phase: () => "starting", doing: () => "Compressing the pages" });
    const page = async (headers: Record<string, string>) =>
      (await fetch(`${door}/courses`, { headers: { accept: "text/html", ...headers } })).text();
    const arabic = await page({ "accept-language": "ar,en;q=0.5" });
    expect(arabic).to.contain('<html lang="ar" dir="rtl">').and.contain("يبدأ Colloquy").and.not.contain("Compressing");
    const german = await page({ "accept-language": "ar", cookie: "colloquy-look=theme.dark~language.de" });
    expect(german).to.contain('<html lang="de">').and.contain("Die Seiten werden verdichtet");
    expect(await page({ "accept-language": "fr" }))
      .to.contain('<html lang="en">')
      .and.contain("Colloquy is starting");
  });

  it("does not go by a name that another site has pointed at this machine", async () => {
    let asked = 0;
    const inner = await serve((_asked, response) => {
      asked += 1;
      response.end("x");
    });
    const { port } = new URL(await openDoor(inner));
    const as = (host: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get({ port, host: "127.0.0.1", path: "/auth/demo?as=owner", headers: { host } }, resolve).on("error", reject);
      });
    const refused = await as(`evil.example:${port}`);
    expect(refused.statusCode).to.equal(403);
    expect(JSON.parse(await text(refused))).to.include({ code: "not_allowed" });
    expect(asked).to.equal(0);
    expect((await as(`localhost:${port}`)).statusCode).to.equal(200);
  });

  it("answers an address that sends too much with how long to wait, and all others as ever", async () => {
    const inner = await serve((_asked, response) => response.end("here"));
    const url = await openDoor(inner, {}, 1);
    const asked = (address: string, path: string, accept: string) => fetch(url + path, { headers: { "x-forwarded-for": address, accept } });
    expect((await asked("203.0.113.7", "/api/me", "application/json")).status).to.equal(200);
    const refused = await asked("203.0.113.7", "/api/me", "application/json");
    expect([refused.status, refused.headers.get("content-type")]).to.deep.equal([429, "application/problem+json"]);
    expect(Number(refused.headers.get("retry-after"))).to.be.within(1, 60);
    const page = await asked("203.0.113.7", "/courses", "text/html");
    expect([page.status, await page.text()].join(" ")).to.match(/^429 .*Too many requests/s);
    expect((await asked("203.0.113.8", "/api/me", "application/json")).status).to.equal(200);
  });

  it("asks along a new connection when all that were kept are closed as they are used again", async () => {
    const { promise: bothAsk, resolve: tell } = Promise.withResolvers<void>();
    let connections = 0;
    const inner = createTcpServer((socket) => {
      connections += 1;
      if (connections === 2) tell();
      socket.on("error", () => undefined);
      socket.once("data", async () => {
        await bothAsk;
        socket.once("data", () => socket.destroy()).write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: keep-alive\r\n\r\nhere");
      });
    });
    await new Promise<void>((resolve) => inner.listen(0, "127.0.0.1", resolve));
    try {
      const url = await openDoor((inner.address() as AddressInfo).port);
      const answers = await Promise.all([fetch(`${url}/api/one`), fetch(`${url}/api/other`)]);
      await Promise.all(answers.map((answer) => answer.text()));
      const third = await fetch(`${url}/api/third`);
      expect([third.status, await third.text(), connections]).to.deep.equal([200, "here", 3]);
    } finally {
      inner.close();
    }
  });

  it("tells its figures at a port of its own to whoever has the token, and lets nobody ask for them where people do", async () => {
    const inner = await serve((asked, response) => response.writeHead(404).end(`no ${asked.url}`));
    const url = await openDoor(inner);
    const token = "a token of 16 signs or more";
    const config = { ...readConfig({ NODE_ENV: "production", METRICS_TOKEN: token }), FRONT_DOOR_STATUS_PORT: 0 };
    const status = await openFrontDoorStatus(config, () => "ready", { onError: () => undefined });
    try {
      const figuresAt = (at: string, headers: Record<string, string> = {}) => fetch(`${at}/metrics`, { headers });
      const own = `http://127.0.0.1:${status.port}`;
      expect((await fetch(`${own}/healthz`)).status).to.equal(200);
      expect(await (await fetch(`${own}/status`)).json()).to.deep.equal({ schemaVersion: 1, frontDoor: { phase: "ready" } });
      expect((await figuresAt(own)).status).to.equal(404);
      const told = await figuresAt(own, { authorization: `Bearer ${token}` });
      expect(await told.text()).to.include("colloquy_front_door_requests_total");
      for (const path of ["/metrics", "/status", "/healthz"])
        expect(await (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).text(), "passed on").to.equal(
          `no ${path}`,
        );
    } finally {
      await status.close();
    }
  });

  it("refuses headers that are too long", async () => {
    const inner = await serve((_asked, response) => response.end());
    const answer = await fetch(`${await openDoor(inner)}/x`, { headers: { "x-long": "x".repeat(20_000) } });
    expect(answer.status).to.equal(431);
    expect(await answer.json()).to.include({ status: 431, code: "invalid_request", detail: "The headers are too long." });
  });

  it("answers what is no HTTP with a problem document, and closes the connection", async () => {
    const url = await openDoor(await serve((_asked, response) => response.end("here")));
    const good = "GET /x HTTP/1.1\r\nhost: localhost:8080\r\n\r\n";
    for (const [first, wrong] of [
      ["", "GARBAGE\r\n\r\n"],
      ["", "GET /x HTTP/1.1\r\nbad header\r\n\r\n"],
      [good, "GARBAGE\r\n\r\n"],
    ] as const) {
      const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
      let answer = "";
      socket.on("data", (part) => {
        answer += part;
        if (first && answer.endsWith("here")) socket.write(wrong);
      });
      socket.write(first || wrong);
      await once(socket, "close");
      const [head = "", body = ""] = answer.slice(answer.lastIndexOf("HTTP/1.1")).split("\r\n\r\n");
      expect(head)
        .to.match(/^HTTP\/1.1 400 /)
        .and.include("application/problem+json");
      expect(JSON.parse(body)).to.include({ status: 400, code: "invalid_request" });
    }
  });

  it("adds nothing to an answer that has begun when its connection goes on with what is no HTTP", async () => {
    const url = await openDoor(
      await serve((_asked, response) => {
        response.write("begun");
      }),
    );
    const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
    let answer = "";
    socket.on("data", (part) => {
      answer += part;
      if (answer.includes("begun")) socket.write("GARBAGE\r\n\r\n");
    });
    socket.write("GET /x HTTP/1.1\r\nhost: localhost:8080\r\n\r\n");
    await once(socket, "close");
    expect(answer).not.to.include("problem+json");
  });

  it("closes by letting answers finish and ending event streams", async () => {
    const go = Promise.withResolvers<void>();
    const inner = await serve(async (asked, response) => {
      if (asked.url === "/api/sync/stream")
        return void response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
      response.writeHead(200).write("first ");
      await go.promise;
      response.end("last");
    });
    const url = await openDoor(inner);
    const stream = await ask(`${url}/api/sync/stream`);
    const slow = await ask(`${url}/api/slow`);
    const streamed = text(stream);
    const finished = text(slow);
    const [door] = doors.splice(0);
    const closed = door?.close(60_000);
    expect(await streamed).to.equal(": hello\n\n");
    go.resolve();
    expect(await finished).to.equal("first last");
    await closed;
    const late = await fetch(url).catch((error: Error) => error.cause);
    expect(late).to.have.property("code", "ECONNREFUSED");
  });

  it("ends an event stream that was asked for before it closes and begins afterwards", async () => {
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const inner = await serve(async (_asked, response) => {
      asked.resolve();
      await go.promise;
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
    });
    const answer = ask(`${await openDoor(inner)}/api/sync/stream`);
    await asked.promise;
    const [door] = doors.splice(0);
    const closed = door?.close(600_000);
    go.resolve();
    await text(await answer);
    await closed;
  });
});

async function text(answer: IncomingMessage): Promise<string> {
  let whole = "";
  for await (const part of answer) whole += part;
  return whole;
}
