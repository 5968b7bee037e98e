import { type Agent, request } from "node:http";

/** How the bytes of a request come. */
export type Transport = "whole" | "in chunks" | "slowly" | "broken off" | "hung up";

export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  bytes: Buffer | null;
  transport: Transport;
}

export interface Answered {
  status: number;
  type: string;
  retryAfter: string | undefined;
  /** As much of it as is read; what streams is let go of. */
  body: string;
  /** Until the answer began, in milliseconds. */
  ms: number;
}

/** As much of an answer as is looked at, in bytes. */
const enough = 65_536;
/** Whoever answers nothing for so long hangs, in milliseconds. */
const withinMs = 20_000;
const slowPieces = 4;
const slowMs = 40;

/** Sends one request. @returns null where it hung up itself before an answer. @throws for one that is not answered in time, or broken off. */
export function send(base: URL, agent: Agent, { method, path, headers, bytes, transport }: Sent): Promise<Answered | null> {
  const leaves = transport === "broken off" || transport === "hung up";
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const outgoing = request(
      {
        ...{ hostname: base.hostname, port: base.port, agent: leaves ? false : agent, method, path },
        headers: {
          ...headers,
          ...(bytes && (transport === "in chunks" ? { "transfer-encoding": "chunked" } : { "content-length": String(bytes.length) })),
        },
      },
      (answer) => {
        const ms = performance.now() - started;
        const chunks: Buffer[] = [];
        let size = 0;
        const done = (): void => {
          clearTimeout(late);
          const type = String(answer.headers["content-type"] ?? "");
          const retryAfter = answer.headers["retry-after"];
          resolve({ status: answer.statusCode ?? 0, type, retryAfter, ms, body: Buffer.concat(chunks).toString() });
          answer.destroy();
        };
        answer.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= enough || /event-stream|ndjson/.test(String(answer.headers["content-type"]))) done();
        });
        answer.once("end", done);
        if (/event-stream/.test(String(answer.headers["content-type"]))) done();
        answer.on("error", () => done());
      },
    );
    const late = setTimeout(() => {
      outgoing.destroy();
      reject(new Error(`no answer within ${withinMs / 1_000} s`));
    }, withinMs);
    const leave = (): void => {
      clearTimeout(late);
      outgoing.destroy();
      resolve(null);
    };
    outgoing.on("error", (error) => {
      clearTimeout(late);
      if (leaves) resolve(null);
      else reject(error);
    });
    if (!bytes) return void (transport === "hung up" ? setTimeout(leave, 5) && outgoing.end() : outgoing.end());
    void give(outgoing, bytes, transport, leave);
  });
}

async function give(outgoing: ReturnType<typeof request>, bytes: Buffer, transport: Transport, leave: () => void): Promise<void> {
  if (transport === "whole") return void outgoing.end(bytes);
  const pieces = transport === "in chunks" ? 3 : slowPieces;
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += size) {
    if (transport === "broken off" && at >= bytes.length / 2) return leave();
    if (outgoing.destroyed) return;
    outgoing.write(bytes.subarray(at, at + size));
    if (transport === "slowly") await new Promise((resolve) => setTimeout(resolve, slowMs));
  }
  outgoing.end();
  if (transport === "hung up") setTimeout(leave, 5);
}
