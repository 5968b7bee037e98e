import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { checkSignature, type Keys, type Refusal } from "./s3-double-signature.fixture.ts";

/**
 * An S3 for tests: one bucket in memory, over HTTP, with signatures and payload hashes checked, conditional writes decided at the
 * moment of the write, and trouble on demand. By hand: `node infra/object-store/s3-double.fixture.ts [port]` prints the variables that select it.
 */
export interface S3Double {
  endpoint: string;
  /** The variables that make the program use it. */
  environment: Record<string, string>;
  keys: Keys;
  bucket: string;
  /** What is stored, to be looked at and tampered with. */
  objects: Map<string, StoredObject>;
  /** Every request so far: method, key or query, status (0 when the connection was cut), bytes of body that arrived. */
  requests: { method: string; what: string; status: number; received: number }[];
  /** Names, besides its address, it answers to; the bucket may stand before each as in `bucket.name`. */
  hostNames: string[];
  /** Trouble for the next requests it fits, each as often as it says. */
  faults: Fault[];
  /** Ends it at once, requests under way with it; what is stored stays. */
  kill(): Promise<void>;
  /** Starts it again, where it was and with what it had. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface StoredObject {
  bytes: Buffer;
  etag: string;
  /** The `x-amz-meta-` headers. */
  metadata: Record<string, string>;
}

export interface Fault {
  method?: string;
  /** Only requests for keys like this. */
  key?: RegExp;
  /** Requests it fits that it lets pass before. */
  skip?: number;
  /** Requests it befalls; one by default. */
  times?: number;
  /** Only this share of them, at random. */
  share?: number;
  /** `before` and `after` the request took effect the connection is cut; `status` is answered instead of doing anything; `cut` ends the answer's body halfway; `silent` never answers. */
  what: "before" | "after" | "cut" | "silent" | { status: number; code?: string };
  /** Done at that moment, by somebody else. */
  meanwhile?: () => unknown;
}

export interface S3DoubleOptions {
  port?: number;
  /** Conditions this store pretends not to know, as some look-alikes do. */
  ignores?: ("ifNoneMatch" | "ifMatch" | "ifMatchOnNothing")[];
  pageSize?: number;
  /** Longest pause before a write takes effect, in milliseconds: writes that come together then land in any order. */
  jitterMs?: number;
}

export async function startS3Double(options: S3DoubleOptions = {}): Promise<S3Double> {
  const { ignores = [], pageSize = 1_000, jitterMs = 3 } = options;
  const bucket = "colloquy-double";
  const keys: Keys = { accessKeyId: "double-key", secretAccessKey: randomUUID(), region: "us-east-1" };
  const objects: S3Double["objects"] = new Map();
  const requests: S3Double["requests"] = [];
  const faults: Fault[] = [];
  const hostNames = ["127.0.0.1"];

  function faultFor(request: IncomingMessage, key: string): Fault | undefined {
    const fits = (one: Fault): boolean => (one.method ?? request.method) === request.method && (one.key?.test(key) ?? true);
    const fault = faults.find((one) => fits(one) && Math.random() < (one.share ?? 1));
    if (!fault) return undefined;
    if (fault.skip) {
      fault.skip -= 1;
      return undefined;
    }
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
    return fault;
  }

  /** Null when the write may happen. The last word is the call in the same turn as the write itself. */
  function checkConditions(key: string, { headers }: IncomingMessage): Refusal | null {
    const found = objects.get(key);
    const lost = { status: 412, code: "PreconditionFailed", message: "At least one of the pre-conditions you specified did not hold" };
    if (headers["if-none-match"] === "*" && found && !ignores.includes("ifNoneMatch")) return lost;
    if (headers["if-match"] === undefined || ignores.includes("ifMatch")) return null;
    if (!found) return ignores.includes("ifMatchOnNothing") ? null : noSuchKey;
    return headers["if-match"] === `"${found.etag}"` ? null : lost;
  }

  async function put(key: string, request: IncomingMessage, seen: { received: number }): Promise<Reply> {
    const chunks: Buffer[] = [];
    const [hash, etag] = [createHash("sha256"), createHash("md5")];
    for await (const chunk of request as AsyncIterable<Buffer>) {
      seen.received += chunk.length;
      chunks.push(chunk);
      hash.update(chunk);
      etag.update(chunk);
    }
    if (hash.digest("hex") !== request.headers["x-amz-content-sha256"])
      return refusal({ status: 400, code: "XAmzContentSHA256Mismatch", message: "The body is not the one that was signed" });
    if (jitterMs > 0) await pause(Math.random() * jitterMs);
    const refused = checkConditions(key, request);
    if (refused) return refusal(refused);
    const metadata = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name.startsWith("x-amz-meta-"))) as Record<
      string,
      string
    >;
    const object = { bytes: Buffer.concat(chunks), etag: etag.digest("hex"), metadata };
    objects.set(key, object);
    return { status: 200, headers: { etag: `"${object.etag}"` } };
  }

  function read(key: string, { headers }: IncomingMessage): Reply {
    const found = objects.get(key);
    if (!found) return refusal(noSuchKey);
    const { bytes, etag, metadata } = found;
    if (headers["if-match"] !== undefined && headers["if-match"] !== `"${etag}"`)
      return refusal({ status: 412, code: "PreconditionFailed", message: "It was replaced" });
    const common = { etag: `"${etag}"`, "accept-ranges": "bytes", ...metadata };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
    const [start, end] = [Number(from ?? 0), Math.min(to ? Number(to) : Number.POSITIVE_INFINITY, bytes.length - 1)];
    if (from === undefined || end < start - 1) return { status: 200, headers: common, body: bytes };
    if (start >= bytes.length)
      return refusal(
        { status: 416, code: "InvalidRange", message: "The range is not satisfiable" },
        `<ActualObjectSize>${bytes.length}</ActualObjectSize>`,
      );
    return {
      status: 206,
      headers: { ...common, "content-range": `bytes ${start}-${end}/${bytes.length}` },
      body: bytes.subarray(start, end + 1),
    };
  }

  function list(query: URLSearchParams): Reply {
    const after = Buffer.from(query.get("continuation-token") ?? "", "base64").toString();
    const prefix = query.get("prefix") ?? "";
    const found = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = found.slice(0, pageSize);
    const more = found.length > page.length;
    const body = [
      '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
      `<Name>${bucket}</Name><Prefix>${escaped(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><IsTruncated>${more}</IsTruncated>`,
      ...page.map((key) => `<Contents><Key>${escaped(key)}</Key><ETag>&quot;${objects.get(key)?.etag}&quot;</ETag></Contents>`),
      ...(more ? [`<NextContinuationToken>${Buffer.from(page.at(-1) ?? "").toString("base64")}</NextContinuationToken>`] : []),
      "</ListBucketResult>",
    ];
    return { status: 200, headers: { "content-type": "application/xml" }, body: Buffer.from(body.join("")) };
  }

  async function carryOut(request: IncomingMessage, key: string, query: URLSearchParams, seen: { received: number }): Promise<Reply> {
    const { method } = request;
    if (key === "") return method === "GET" && query.get("list-type") === "2" ? list(query) : refusal(notImplemented);
    if (method === "PUT") return put(key, request, seen);
    if (method === "GET" || method === "HEAD") return read(key, request);
    if (method !== "DELETE") return refusal(notImplemented);
    objects.delete(key);
    return { status: 204, headers: {} };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: target = "/", headers } = request;
    const seen = { method, what: "", status: 0, received: 0 };
    requests.push(seen);
    const { pathname, searchParams } = new URL(target, "http://double");
    const path = hostNames.some((name) => headers.host?.startsWith(`${bucket}.${name}:`)) ? `/${bucket}${pathname}` : pathname;
    const [, named = "", ...rest] = decodeURIComponent(path).split("/");
    const key = rest.join("/");
    seen.what = key || searchParams.toString();
    const refused = checkSignature({ method, target, headers }, keys) ?? (named === bucket ? null : noSuchBucket);
    const fault = refused ? undefined : faultFor(request, key);
    const { what, meanwhile } = fault ?? {};
    if (what === "before") {
      await meanwhile?.();
      return void request.socket.destroy();
    }
    if (what === "silent") return;
    // S3 decides what it can before it asks for the body; what decides in the end is asked again when the body is there.
    const early = refused ?? (headers.expect && method === "PUT" ? checkConditions(key, request) : null);
    if (!early && headers.expect) response.writeContinue();
    let reply = early ? refusal(early) : null;
    if (typeof what === "object") {
      await meanwhile?.();
      reply = refusal({ status: what.status, code: what.code ?? "InternalError", message: "As the test wants it" });
    }
    reply ??= await carryOut(request, key, searchParams, seen);
    if (what === "after") {
      await meanwhile?.();
      return void request.socket.destroy();
    }
    seen.status = reply.status;
    const body = reply.body ?? Buffer.alloc(0);
    response.writeHead(reply.status, { ...reply.headers, ...(reply.status !== 204 && { "content-length": body.length }) });
    if (method === "HEAD") return void response.end();
    if (what === "cut") {
      response.write(body.subarray(0, body.length >> 1), () => request.socket.destroy());
      return;
    }
    await pipeline(slices(body), response);
  }

  async function listen(port: number): Promise<Server> {
    const listening = createServer();
    for (const event of ["request", "checkContinue"])
      listening.on(event, (request: IncomingMessage, response: ServerResponse) => {
        // A client that goes away midway is what some tests are about.
        answer(request, response).catch(() => request.socket.destroy());
      });
    listening.listen(port, "127.0.0.1");
    await once(listening, "listening");
    return listening;
  }
  let server: Server = await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  async function kill(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }
  return {
    endpoint,
    keys,
    bucket,
    objects,
    requests,
    hostNames,
    faults,
    environment: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: keys.region,
      S3_ACCESS_KEY_ID: keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    },
    kill,
    async start() {
      server = await listen(port);
    },
    close: kill,
  };
}

interface Reply {
  status: number;
  headers: Record<string, string>;
  body?: Buffer;
}

const noSuchKey: Refusal = { status: 404, code: "NoSuchKey", message: "The specified key does not exist" };
const noSuchBucket: Refusal = { status: 404, code: "NoSuchBucket", message: "The specified bucket does not exist" };
const notImplemented: Refusal = { status: 501, code: "NotImplemented", message: "The double does not do this" };

const refusal = ({ status, code, message }: Refusal, more = ""): Reply => ({
  status,
  headers: { "content-type": "application/xml" },
  body: Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escaped(message)}</Message>${more}</Error>`,
  ),
});

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Small pieces, so that a slow reader holds the answer back. */
function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

if (import.meta.main) {
  const double = await startS3Double({ port: Number(process.argv[2] ?? 0), jitterMs: 0 });
  console.log(JSON.stringify(double.environment));
  process.once("SIGTERM", () => process.exit(0));
}
