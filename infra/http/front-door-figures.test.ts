import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { freePorts } from "../launch/ports.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const token = "a token of 16 signs or more";

/** As a process of its own: figures are of a whole process, and in this one doors of other tests may still be closing. */
describe("the front door's figures", () => {
  const service = createServer((asked, response) => {
    if (asked.url === "/api/sync/stream") return void response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
    if (asked.url === "/api/never") return void asked.resume();
    response.writeHead(Number(asked.url?.slice(1)) || 200).end();
  });
  let stop: () => Promise<unknown>;
  let port = 0;
  let url = "";
  let statusUrl = "";

  before(async () => {
    service.listen(0, "127.0.0.1");
    await once(service, "listening");
    const [nobody = 0, status = 0] = await freePorts(2);
    statusUrl = `http://127.0.0.1:${status}`;
    const environment = {
      NODE_ENV: "development",
      PORT: "0",
      PUBLIC_URL: "http://localhost:8080",
      METRICS_TOKEN: token,
      FRONT_DOOR_STATUS_PORT: String(status),
      ADDRESS_REQUESTS_PER_MINUTE: "30",
      QUERY_API_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      COMMAND_API_URL: `http://127.0.0.1:${nobody}`,
    };
    const child = spawn(process.execPath, [main], { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "inherit", "ipc"] });
    const ended = once(child, "close");
    stop = () => {
      child.kill("SIGKILL");
      return ended;
    };
    for await (const line of createInterface({ input: child.stdout as Readable })) {
      if (!line.startsWith('{"ready":true')) continue;
      ({ port } = JSON.parse(line) as { port: number });
      break;
    }
    expect(port, "the front door serves").to.be.greaterThan(0);
    url = `http://127.0.0.1:${port}`;
  });
  after(async () => {
    await stop();
    service.closeAllConnections();
    service.close();
  });

  async function figure(name: string): Promise<number> {
    const told = await (await fetch(`${statusUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
    const lines = [...told.matchAll(/^colloquy_front_door_(\S+) (-?\d+)$/gm)];
    const found = lines.find(([, named = ""]) => named.replace(/,?service="[^"]*"/, "").replace("{}", "") === name);
    return found ? Number(found[2]) : expect.fail(`${name} is not told:\n${told}`);
  }
  /** An answer may be here before its connection has been counted. */
  async function until(name: string, count: number): Promise<void> {
    for (let now = await figure(name); now !== count; now = await figure(name)) expect(now, name).to.be.lessThan(count);
  }
  const ask = (path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => get({ port, host: "127.0.0.1", path, headers }, resolve).on("error", reject));

  it("count requests by the class of their status, and those whose asker was gone before", async () => {
    for (const status of [200, 204, 302, 404, 500]) await fetch(`${url}/${status}`, { redirect: "manual" });
    await until('requests_total{status="2xx"}', 2);
    for (const status of ["3xx", "4xx", "5xx"]) await until(`requests_total{status="${status}"}`, 1);
    const unanswered = get(`${url}/api/never`).on("error", () => undefined);
    await new Promise<void>((resolve) => service.on("request", ({ url: asked }) => asked === "/api/never" && resolve()));
    unanswered.destroy();
    await until('requests_total{status="none"}', 1);
  });

  it("count what is refused, and why", async () => {
    for (const reason of ["unavailable", "limit", "name"]) expect(await figure(`refused_total{reason="${reason}"}`)).to.equal(0);
    expect((await fetch(`${url}/api/ai/ask`, { method: "POST" })).status).to.equal(503);
    await until('refused_total{reason="unavailable"}', 1);
    for (let refused = 0; refused < 2; ) {
      const { status } = await fetch(`${url}/200`, { headers: { "x-forwarded-for": "203.0.113.7" } });
      if (status === 429) refused += 1;
    }
    await until('refused_total{reason="limit"}', 2);
    (await ask("/200", { host: "evil.example" })).resume();
    await until('refused_total{reason="name"}', 1);
  });

  it("tell how many streams stand", async () => {
    const stream = await ask("/api/sync/stream");
    expect(stream.statusCode).to.equal(200);
    expect(await figure("streams_open")).to.equal(1);
    stream.destroy();
    while ((await figure("streams_open")) !== 0);
  });
});
