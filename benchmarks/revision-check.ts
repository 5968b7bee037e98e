import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { type Benchmark, times } from "./benchmark.ts";

const connections = 32;
const seconds = 3;
const runs = 3;
const bound = 8_000;

/** The three-second check as every open page sends it: by ETag, answered 304 by one process of the query service. */
export async function run(): Promise<Benchmark> {
  const measured = await rateOf("check");
  const baseline = await rateOf("bare");
  const usual = await rateOf("usual");
  return {
    title: `Revision check: \`GET /api/courses/:id/revision\` answered 304 by one process (${connections} connections)`,
    baseline: "a bare node:http server that answers every request 304 with the same headers and looks at nothing",
    rows: [
      {
        what: `from memory, before Express (bound ${bound.toLocaleString("en")}/s: ${measured >= bound ? "holds" : "MISSED"})`,
        value: perSecond(measured),
        baseline: perSecond(baseline),
        ratio: times(measured / baseline),
      },
      {
        what: "the usual way, through Express to the catalogue",
        value: perSecond(usual),
        baseline: perSecond(baseline),
        ratio: times(usual / baseline),
      },
    ],
  };
}

const perSecond = (value: number): string => `${Math.round(value).toLocaleString("en")}/s`;

/** The best of some runs against a server in a process of its own. */
async function rateOf(kind: "check" | "bare" | "usual"): Promise<number> {
  const child = fork(fileURLToPath(new URL("parts/revision-server.ts", import.meta.url)), [kind]);
  const [{ port, etag }] = (await once(child, "message")) as [{ port: number; etag: string }];
  try {
    await load(port, etag, 1);
    let best = 0;
    for (let number = 0; number < runs; number += 1) best = Math.max(best, await load(port, etag, seconds));
    return best;
  } finally {
    child.kill();
  }
}

/** Requests answered each second; each connection sends its next one when it has its answer. */
async function load(port: number, etag: string, forSeconds: number): Promise<number> {
  const request = `GET /api/courses/bench-course/revision HTTP/1.1\r\nhost: localhost\r\naccept: */*\r\nif-none-match: ${etag}\r\n\r\n`;
  const until = performance.now() + forSeconds * 1_000;
  let answered = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(request));
      socket.setNoDelay(true);
      let rest = "";
      socket.on("data", (bytes) => {
        rest += bytes.toString("latin1");
        const end = rest.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!rest.startsWith("HTTP/1.1 304")) return void reject(new Error(rest));
        answered += 1;
        rest = rest.slice(end + 4);
        if (performance.now() < until) socket.write(request);
        else socket.end(() => resolve());
      });
      socket.once("error", reject);
    });
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, one));
  return (answered * 1_000) / (performance.now() - began);
}
