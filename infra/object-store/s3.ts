import { randomUUID } from "node:crypto";
import type { Agent, IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import pRetry, { type Options as RetryOptions } from "p-retry";
import { Backoff } from "../backoff.ts";
import { type ListPage, readListPage } from "./s3-answers.ts";
import { type Answer, chunksOf, NoAnswer, readBody, type S3Settings, s3Exchange, sha256Of, type Timeouts } from "./s3-exchange.ts";
import {
  type ByteRange,
  checkKey,
  folderOfPrefix,
  isKey,
  type ObjectStore,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
  OutcomeUnknown,
  RangeNotSatisfiable,
} from "./store.ts";

export interface S3Options extends Partial<Timeouts> {
  /** Attempts of one call in all. */
  tries?: number;
  /** No attempt begins later than this, because people wait for the answer. */
  triesWithinMs?: number;
  /** Longest pause before the second attempt; it doubles with each further one, and each is shortened at random. */
  pauseMs?: number;
  agent?: Agent;
}

const defaults = { connectMs: 5_000, idleMs: 10_000, continueMs: 1_000, tries: 5, triesWithinMs: 10_000, pauseMs: 100 };
const longestPauseMs = 2_000;
const longestListingBytes = 16 << 20;
/** Largest object that is read into memory (S3's limit for one PUT). */
const longestObjectBytes = 5 * 2 ** 30;

/** Stored with each object, so that a writer whose answer was lost can recognise its own write. */
const writeHeader = "x-amz-meta-write";
/** What that write was conditional on: an etag, or `nothing`. */
const replacesHeader = "x-amz-meta-replaces";

/**
 * Objects in a bucket of an S3 (Amazon's, R2, MinIO, Ceph …), conditional writes by its own `If-None-Match` and `If-Match`.
 * Calls are retried when the connection fails or the store has a temporary failure (5xx, 429).
 * If the answer of a conditional write is lost, the object is looked up; the write counts as won or lost only if that is certain.
 * @throws {ObjectStoreUnavailable} when the store cannot be reached ({OutcomeUnknown} if a write's outcome is unknown), {ObjectStoreRefused} when it refuses
 */
export function s3ObjectStore(settings: S3Settings, options: S3Options = {}): ObjectStore {
  const tuning = { ...defaults, ...options };
  const exchange = s3Exchange(settings, tuning, options.agent);
  const fullKey = (key: string): string => {
    checkKey(key);
    return settings.prefix + key;
  };
  const retryOptions: RetryOptions = {
    retries: tuning.tries - 1,
    maxRetryTime: tuning.triesWithinMs,
    minTimeout: tuning.pauseMs / 2,
    maxTimeout: longestPauseMs,
    randomize: true,
    shouldRetry: ({ error }) => error instanceof NoAnswer,
  };

  /** For reads and removals, which are idempotent. */
  async function retrying<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await pRetry(work, retryOptions);
    } catch (error) {
      throw error instanceof NoAnswer ? new ObjectStoreUnavailable(error.message, { cause: error }) : error;
    }
  }

  async function put(...[key, bytes, condition]: Parameters<ObjectStore["put"]>): ReturnType<ObjectStore["put"]> {
    const whole = fullKey(key);
    const sha256 = await sha256Of(bytes);
    const write = randomUUID();
    const replaces = condition && ("ifMatch" in condition ? condition.ifMatch : "nothing");
    const headers = {
      [writeHeader]: write,
      ...(replaces !== undefined && { [replacesHeader]: replaces }),
      ...(condition && ("ifMatch" in condition ? { "if-match": `"${condition.ifMatch}"` } : { "if-none-match": "*" })),
    };
    /** An earlier attempt may have been carried out. */
    let inDoubt = false;
    async function attempt(): ReturnType<ObjectStore["put"]> {
      const answer = await exchange({ method: "PUT", key: whole, headers, body: { bytes, sha256 } });
      if (answer.ok) {
        answer.body.resume();
        return { ok: true, etag: etagOf(answer.headers) };
      }
      const lost = condition && (answer.status === 412 || (replaces !== "nothing" && isAbsent(answer)));
      if (lost) return inDoubt ? await settle(whole, write, replaces ?? "", null) : { ok: false };
      // Two conditional writes met in the store (ConditionalRequestConflict): this one was not carried out.
      if (answer.status === 409) throw new NoAnswer(`The object store put off a write: 409 ${answer.code}`, { untouched: true });
      throw refusal("write", key, answer);
    }
    try {
      return await pRetry(attempt, {
        ...retryOptions,
        onFailedAttempt({ error }) {
          if (error instanceof NoAnswer) inDoubt ||= !error.notExecuted;
        },
      });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (inDoubt && condition) return settle(whole, write, replaces ?? "", error);
      throw new ObjectStoreUnavailable(error.message, { cause: error });
    }
  }

  /**
   * What became of a conditional write none of whose answers said so. Won when what stands there is ours; lost when what stands there
   * replaced the very thing we wanted to replace. Anything else may have come after ours, so nobody can say.
   * @param trouble set when a try of ours may still arrive: then only finding our own write is certain.
   */
  async function settle(key: string, write: string, replaces: string, trouble: Error | null): ReturnType<ObjectStore["put"]> {
    const found = await retrying(async () => {
      const answer = await exchange({ method: "HEAD", key });
      if (answer.ok) answer.body.resume();
      return answer;
    });
    if (found.ok && found.headers[writeHeader] === write) return { ok: true, etag: etagOf(found.headers) };
    if (found.ok && !trouble && found.headers[replacesHeader] === replaces) return { ok: false };
    throw new OutcomeUnknown("The object store's answer to a conditional write was lost, and whether it was carried out cannot be told", {
      cause: trouble,
    });
  }

  async function get(key: string): ReturnType<ObjectStore["get"]> {
    const whole = fullKey(key);
    return retrying(async () => {
      const answer = await exchange({ method: "GET", key: whole });
      if (answer.ok) return { bytes: await readBody(answer.body, tuning, longestObjectBytes), etag: etagOf(answer.headers) };
      if (isAbsent(answer)) return null;
      throw refusal("read", key, answer);
    });
  }

  async function stream(key: string, range?: ByteRange): ReturnType<ObjectStore["stream"]> {
    const whole = fullKey(key);
    // S3 ignores an invalid range and sends everything.
    if (range && (range.start < 0 || (range.end ?? range.start) < range.start)) {
      const size = await sizeOf(whole);
      if (size === null) return null;
      throw new RangeNotSatisfiable(size);
    }
    const first = await retrying(async () => {
      const answer = await exchange({
        method: "GET",
        key: whole,
        ...(range && { headers: { range: rangeHeader(range.start, range.end) } }),
      });
      if (answer.ok) return { body: answer.body, etag: etagOf(answer.headers), ...extentOf(answer.headers, range) };
      if (answer.status === 416) throw new RangeNotSatisfiable(answer.objectSize ?? (await sizeOf(whole)) ?? 0);
      if (isAbsent(answer)) return null;
      throw refusal("read", key, answer);
    });
    if (!first) return null;
    const { size, start, end, etag } = first;
    let body = first.body;

    /** Resumes a broken connection where it broke, if the object is still the same. */
    async function* resumed(): AsyncGenerator<Buffer> {
      let at = start;
      const backoff = new Backoff({ firstMs: tuning.pauseMs, longestMs: longestPauseMs });
      for (;;) {
        try {
          for await (const chunk of chunksOf(body, tuning)) {
            at += chunk.length;
            backoff.reset();
            yield chunk;
          }
          return;
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error;
          if (backoff.failures >= tuning.tries - 1) throw new ObjectStoreUnavailable(error.message, { cause: error });
        }
        await pause(Math.random() * backoff.nextMs());
        const rest = await retrying(() =>
          exchange({ method: "GET", key: whole, headers: { range: rangeHeader(at, end), "if-match": `"${etag}"` } }),
        );
        if (!rest.ok) throw new ObjectStoreUnavailable(`The object ${key} was replaced while it was read`);
        body = rest.body;
      }
    }
    const readable = Readable.from(resumed(), { objectMode: false });
    // Needed when nobody starts to read: then the generator never runs.
    readable.once("close", () => void body.destroy());
    return { stream: readable, size, start, end };
  }

  async function sizeOf(key: string): Promise<number | null> {
    return retrying(async () => {
      const answer = await exchange({ method: "HEAD", key });
      if (answer.ok) {
        answer.body.resume();
        return Number(answer.headers["content-length"]);
      }
      if (answer.status === 404) return null;
      throw refusal("read", key, answer);
    });
  }

  async function* list(prefix: string): AsyncGenerator<string> {
    folderOfPrefix(prefix);
    let next: string | null = "";
    do {
      const page: ListPage = await listPage(prefix, next);
      for (const whole of page.keys) {
        const key = whole.slice(settings.prefix.length);
        // A bucket may also hold objects of other programs.
        if (isKey(key)) yield key;
      }
      next = page.next;
    } while (next !== null);
  }

  async function listPage(prefix: string, token: string): Promise<ListPage> {
    return retrying(async () => {
      const query = { "list-type": "2", prefix: settings.prefix + prefix, ...(token && { "continuation-token": token }) };
      const answer = await exchange({ method: "GET", query });
      if (!answer.ok) throw refusal("list", prefix, answer);
      return readListPage((await readBody(answer.body, tuning, longestListingBytes)).toString());
    });
  }

  async function remove(key: string): Promise<void> {
    const whole = fullKey(key);
    await retrying(async () => {
      const answer = await exchange({ method: "DELETE", key: whole });
      if (answer.ok) return void answer.body.resume();
      if (!isAbsent(answer)) throw refusal("remove", key, answer);
    });
  }

  return { get, put, list, stream, remove };
}

/** Whether the object is missing; a missing bucket is an error. */
const isAbsent = (answer: Answer): boolean => !answer.ok && answer.status === 404 && (answer.code === "NoSuchKey" || answer.code === "");

const rangeHeader = (start: number, end: number | undefined): string => `bytes=${start}-${end ?? ""}`;

/** Without quotation marks. A proxy may have marked it as weak, which does not matter to the store. */
function etagOf(headers: IncomingHttpHeaders): string {
  const etag = headers.etag?.replace(/^W\//, "").replaceAll('"', "");
  if (!etag) throw new Error("The object store sent no ETag");
  return etag;
}

/** Which bytes an answer holds. */
function extentOf(headers: IncomingHttpHeaders, range: ByteRange | undefined): { size: number; start: number; end: number } {
  if (!range) {
    const size = Number(headers["content-length"] ?? "none");
    if (!Number.isSafeInteger(size)) throw new Error("The object store did not say how long an object is");
    return { size, start: 0, end: size - 1 };
  }
  const [, start, end, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
  if (Number(start) !== range.start) throw new Error("The object store did not send the bytes that were asked for");
  return { size: Number(size), start: range.start, end: Number(end) };
}

/** Advice for operators, by S3's error codes. */
const advice: Record<string, string> = {
  NoSuchBucket: "the bucket does not exist; check S3_BUCKET and S3_ADDRESSING",
  InvalidAccessKeyId: "it does not know these credentials; check S3_ACCESS_KEY_ID",
  SignatureDoesNotMatch: "it rejects these credentials; check S3_SECRET_ACCESS_KEY and S3_REGION",
  AuthorizationHeaderMalformed: "the bucket is in another region; check S3_REGION",
  PermanentRedirect: "the bucket is elsewhere; check S3_ENDPOINT and S3_REGION",
  AccessDenied: "these credentials lack the permission; check the bucket's policy",
  RequestTimeTooSkewed: "this machine's clock is wrong; set it",
};

function refusal(what: "read" | "write" | "remove" | "list", key: string, answer: Extract<Answer, { ok: false }>): ObjectStoreRefused {
  const { status, code, message } = answer;
  const why = advice[code] ?? (message || "it gives no reason");
  return new ObjectStoreRefused(`The object store refused to ${what} ${key || "its objects"} (${status} ${code}): ${why}`, {
    status,
    code,
  });
}
