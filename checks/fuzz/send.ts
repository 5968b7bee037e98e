import { type Agent, type IncomingMessage, request } from "node:http";

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
  /** As they came, a line each. */
  headers: string;
  /** As much of it as is read. */
  body: string;
  /** Whether that is all of it: what goes on without end is let go of. */
  whole: boolean;
  /** Until the answer began, in milliseconds. */
  ms: number;
}

/** As much of an answer as is looked at, in bytes. */
const enough = 16_777_216;
/** Whoever says nothing for so long hangs, and whoever is not done in `endMs`, in milliseconds. */
const withinMs = 20_000;
const endMs = 120_000;
/** Events come without end: so long they are listened to, in milliseconds. */
const eventsMs = 300;
const slowPieces = 4;
const slowMs = 40;

/** Sends one request. @returns null where it hung up itself before an answer. @throws for one that is not answered in time, or broken off. */
export function send(base: URL, agent: Agent, { method, path, headers, bytes, transport }: Sent): Promise<Answered | null> {
  const leaves = transport === "broken off" || transport === "hung up";
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const outgoing = request(
      {
        hostname: base.hostname,
        port: base.port,
        agent: leaves ? false : agent,
        method,
        path,
        headers: {
          ...headers,
          ...(bytes && (transport === "in chunks" ? { "transfer-encoding": "chunked" } : { "content-length": String(bytes.length) })),
        },
      },
      (answer) => {
        clearTimeout(late);
        const ms = performance.now() - started;
        read(answer).then((rest) => resolve({ ...headOf(answer), ...rest, ms }), reject);
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

function headOf(answer: IncomingMessage): Pick<Answered, "status" | "type" | "retryAfter" | "headers"> {
  const { "content-type": type = "", "retry-after": retryAfter } = answer.headers;
  const lines = answer.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
  return { status: answer.statusCode ?? 0, type, retryAfter, headers: lines.join("\n") };
}

/** The body to its end; of events, and of what is longer than `enough`, the beginning. @throws when it is broken off, or does not go on. */
function read(answer: IncomingMessage): Promise<Pick<Answered, "body" | "whole">> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timers: NodeJS.Timeout[] = [];
    const settled = (): void => timers.forEach(clearTimeout);
    const done = (whole: boolean): void => {
      settled();
      resolve({ whole, body: Buffer.concat(chunks).toString() });
      if (!whole) answer.destroy();
    };
    const fail = (why: string): void => {
      settled();
      reject(new Error(why));
      answer.destroy();
    };
    const silent = setTimeout(fail, withinMs, `its answer did not go on for ${withinMs / 1_000} s`);
    timers.push(silent, setTimeout(fail, endMs, `its answer had no end after ${endMs / 1_000} s`));
    if (answer.headers["content-type"]?.includes("event-stream")) timers.push(setTimeout(done, eventsMs, false));
    answer.on("data", (chunk: Buffer) => {
      silent.refresh();
      chunks.push(chunk);
      size += chunk.length;
      if (size >= enough) done(false);
    });
    answer.once("end", () => done(true));
    // Also after we let go of it ourselves: then it is settled already.
    answer.on("error", () => fail("its answer was broken off"));
    answer.once("close", () => fail("its answer was broken off"));
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
