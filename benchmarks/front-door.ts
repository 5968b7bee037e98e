import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import { createFrontDoor } from "@colloquy/infra/http/front-door.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";

const requests = 8_000;
const warmup = 4_000;
const askers = 8;
const bytes = 4_000;

/** What the front door adds to a request, as a process of its own before another one that answers a small page. */
export async function run(): Promise<Benchmark> {
  const page = fork(import.meta.filename, ["page"]);
  const [pagePort] = await once(page, "message");
  const door = fork(import.meta.filename, ["door", String(pagePort)]);
  const [doorPort] = await once(door, "message");
  const agent = new Agent({ keepAlive: true, maxSockets: askers });
  try {
    const measure = async (port: number) => {
      await askAll(agent, port, warmup);
      const one = await askAll(agent, port, requests / askers, 1);
      const began = performance.now();
      await askAll(agent, port, requests);
      return { median: percentile(one, 0.5), slow: percentile(one, 0.99), rate: (requests * 1_000) / (performance.now() - began) };
    };
    const direct = await measure(Number(pagePort));
    const through = await measure(Number(doorPort));
    const row = (what: string, value: number, baseline: number) => ({
      what,
      value: milliseconds(value),
      baseline: milliseconds(baseline),
      ratio: times(value / baseline),
    });
    const rate = (value: number): string => `${Math.round(value).toLocaleString("en")} requests/s`;
    return {
      title: `Front door (a page of ${bytes.toLocaleString("en")} bytes, kept connections)`,
      baseline: "the same requests straight to the service behind it",
      rows: [
        row("one request after another, median", through.median, direct.median),
        row("one request after another, 99th percentile", through.slow, direct.slow),
        { what: `${askers} at once`, value: rate(through.rate), baseline: rate(direct.rate), ratio: times(through.rate / direct.rate) },
      ],
    };
  } finally {
    agent.destroy();
    page.kill();
    door.kill();
  }
}

/** Milliseconds of each request. */
async function askAll(agent: Agent, port: number, count: number, atOnce = askers): Promise<number[]> {
  const taken: number[] = [];
  let begun = 0;
  const asker = async () => {
    while (begun < count) {
      begun += 1;
      const began = performance.now();
      await ask(agent, port);
      taken.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, asker));
  return taken;
}

function ask(agent: Agent, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ agent, port, host: "127.0.0.1", path: "/page" }, (answer) => {
      answer.resume();
      answer.once("end", resolve);
    }).once("error", reject);
  });
}

/** The two processes that are measured; this module starts itself as either. */
async function serve(role: string, inner: number): Promise<void> {
  if (role === "door") {
    const door = createFrontDoor({
      publicUrl: "http://localhost",
      house: { phase: () => "ready", doing: () => null, runs: () => true, port: () => inner },
    });
    process.send?.(await door.listen(0, "127.0.0.1"));
    return;
  }
  const body = "x".repeat(bytes);
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": bytes });
    response.end(body);
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    process.send?.(typeof address === "object" && address ? address.port : 0);
  });
}

const [, , role, inner] = process.argv;
if (import.meta.main && role) await serve(role, Number(inner));
