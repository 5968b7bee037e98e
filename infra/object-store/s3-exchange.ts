import { createHash } from "node:crypto";
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { setImmediate as breathe } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { readError } from "./s3-answers.ts";

/** Address and credentials of a bucket. */
export interface S3Settings {
  /** With or without a path, no trailing slash. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Stands before every key, ends in "/" unless it is empty. */
  prefix: string;
  /** The bucket as the first part of the path, or of the host name. */
  addressing: "path" | "virtual-host";
}

/** Timeouts in milliseconds; tests use shorter ones. */
export interface Timeouts {
  /** Until a connection stands. */
  connectMs: number;
  /** Without a byte in either direction, also until the answer begins. */
  idleMs: number;
  /** For `100 Continue` before a large body is sent anyway: some stores never send it. */
  continueMs: number;
}

export interface Exchange {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** The whole key; none for the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: { bytes: Uint8Array; sha256: string };
}

/** A response of the store. The body of a successful one is still to be read. */
export type Answer =
  | { ok: true; status: number; headers: IncomingHttpHeaders; body: IncomingMessage }
  | { ok: false; status: number; headers: IncomingHttpHeaders; code: string; message: string; objectSize: number | null };

/** No response that states the outcome. Retryable. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
  /** The request was certainly not executed: it did not arrive, or was throttled. If false, the outcome is unknown. */
  readonly notExecuted: boolean;
  constructor(message: string, { untouched = false, cause }: { untouched?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.notExecuted = untouched;
  }
}

/** Responses after which a retry may succeed: of S3 itself, and of proxies in front of it. */
const transientStatuses = new Set([429, 500, 502, 503, 504]);
const transientCodes = new Set(["RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable"]);

/** Throttled requests were not executed. */
const isThrottled = (status: number, code: string): boolean => status === 429 || code === "SlowDown";

const emptySha256 = createHash("sha256").digest("hex");
/** Bodies of at least this size are sent with `Expect: 100-continue`, so that a lost conditional write costs no upload. */
const askFirstBytes = 1 << 20;
const sliceBytes = 256 << 10;
const longestErrorBytes = 64 << 10;

/**
 * Sends one signed request (SigV4 with payload hash) and waits for the response headers. Bodies are sent in slices, not copied.
 * @throws {NoAnswer} when the connection failed or the store had a temporary failure
 */
export function s3Exchange(settings: S3Settings, patience: Timeouts, agent = agentFor(settings.endpoint)) {
  const signingKeys = new Map<string, ArrayBuffer>();
  const { accessKeyId, secretAccessKey, region } = settings;
  const base = baseOf(settings);
  const open = base.protocol === "https:" ? httpsRequest : httpRequest;

  async function sign({ method, key, query, headers, body }: Exchange): Promise<{ url: URL; headers: Record<string, string> }> {
    const url = new URL(base);
    url.pathname += key ?? "";
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, "x-amz-content-sha256": body?.sha256 ?? emptySha256 },
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
      cache: signingKeys,
    });
    const signed = await signer.sign();
    // Not signed, because proxies change it. It keeps proxies from compressing objects.
    return { url: signed.url, headers: { ...Object.fromEntries(signed.headers), "accept-encoding": "identity" } };
  }

  return async function exchange(wanted: Exchange): Promise<Answer> {
    const { url, headers } = await sign(wanted);
    const bytes = wanted.body?.bytes;
    const askFirst = bytes !== undefined && bytes.length >= askFirstBytes;
    const request = open(url, {
      method: wanted.method,
      agent,
      headers: {
        ...headers,
        ...(bytes && { "content-length": bytes.length }),
        ...(askFirst && { expect: "100-continue" }),
      },
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      let connected = false;
      const giveUp = (why: string) => () => void request.destroy(new Error(why));
      request.once("socket", (socket) => {
        connected = !socket.connecting;
        if (connected) return;
        const timer = setTimeout(giveUp(`no connection to ${url.host} within ${patience.connectMs} ms`), patience.connectMs);
        socket.once("close", () => clearTimeout(timer));
        socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
          connected = true;
          clearTimeout(timer);
        });
      });
      request.setTimeout(patience.idleMs, giveUp(`no data from ${url.host} for ${patience.idleMs} ms`));
      request.once("response", (answer) => {
        request.setTimeout(0);
        resolve(answer);
      });
      // This listener stays: the connection may still break during the response, which its reader reports.
      request.on("error", (cause) =>
        reject(new NoAnswer(`The object store did not answer: ${reasonOf(cause)}`, { cause, untouched: !connected })),
      );
      if (!bytes) return void request.end();
      const body = slicesOf(bytes);
      const go = (): void => {
        clearTimeout(waiting);
        if (!body.readableFlowing) body.pipe(request);
      };
      const waiting = askFirst ? setTimeout(go, patience.continueMs) : undefined;
      const stay = (): void => {
        clearTimeout(waiting);
        body.destroy();
      };
      request.once("continue", go).once("response", stay).once("close", stay);
      if (askFirst) request.flushHeaders();
      else go();
    });
    const { statusCode: status = 0, headers: given } = response;
    if (status >= 200 && status < 300) return { ok: true, status, headers: given, body: response };
    const said = readError((await readBody(response, patience, longestErrorBytes)).toString());
    // The connection still expects the rest of the rejected body, so it cannot be reused.
    if (!request.writableFinished) request.destroy();
    if (transientStatuses.has(status) || transientCodes.has(said.code))
      throw new NoAnswer(`The object store has a temporary failure: ${status} ${said.code}`.trimEnd(), {
        untouched: isThrottled(status, said.code),
      });
    return { ok: false, status, headers: given, ...said };
  };
}

/** Chunks of a response as they arrive. @throws {NoAnswer} when it breaks off or stalls */
export async function* chunksOf(response: IncomingMessage, { idleMs }: Timeouts): AsyncGenerator<Buffer> {
  const chunks = response[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await within(idleMs, response, chunks.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    response.destroy();
  }
}

/** The timeout runs only while waiting for the store, not while a slow reader uses a chunk. */
async function within<Result>(idleMs: number, response: IncomingMessage, work: Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => void response.destroy(new Error(`silent for ${idleMs} ms`)), idleMs);
  try {
    return await work;
  } catch (cause) {
    throw new NoAnswer(`The object store's answer broke off: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** A complete response body. @throws {NoAnswer} */
export async function readBody(response: IncomingMessage, patience: Timeouts, longest: number): Promise<Buffer> {
  const told = Number(response.headers["content-length"] ?? "none");
  // One allocation if the length is known.
  let bytes = Buffer.allocUnsafe(Number.isSafeInteger(told) && told <= longest ? told : 0);
  let length = 0;
  for await (const chunk of chunksOf(response, patience)) {
    if (length + chunk.length > longest) {
      response.destroy();
      throw new Error(`The object store's answer is longer than ${longest} bytes`);
    }
    if (length + chunk.length > bytes.length)
      bytes = Buffer.concat([bytes.subarray(0, length)], Math.max(2 * bytes.length, length + chunk.length));
    chunk.copy(bytes, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

/** The payload hash. Long bodies are hashed in pieces, so that other requests are served in between. */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += askFirstBytes) {
    if (at > 0) await breathe();
    hash.update(bytes.subarray(at, at + askFirstBytes));
  }
  return hash.digest("hex");
}

function slicesOf(bytes: Uint8Array): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
    })(),
    { objectMode: true, highWaterMark: 1 },
  );
}

/** For a host with several addresses, Node's AggregateError has an empty message. */
const reasonOf = (error: Error): string =>
  error.message || (error instanceof AggregateError ? error.errors.map(String).join("; ") : error.name);

/** The bucket's address, ending in "/". */
function baseOf({ endpoint, bucket, addressing }: S3Settings): URL {
  const url = new URL(`${endpoint}/`);
  if (addressing === "virtual-host") url.hostname = `${bucket}.${url.hostname}`;
  else url.pathname += `${bucket}/`;
  return url;
}

/** Connections are kept for the next request; idle ones do not keep the process alive. */
function agentFor(endpoint: string): HttpAgent {
  const options = { keepAlive: true, maxSockets: 64, maxFreeSockets: 16 };
  return endpoint.startsWith("https:") ? new HttpsAgent(options) : new HttpAgent(options);
}
