import { bounds } from "@colloquy/schemas/bounds.ts";
import express, { type Request, type Response } from "express";
import { ProblemError } from "./problem.ts";

/** Requests whose text spells a surrogate out, which only then can lack its other half: UTF-8 has no bytes for one. */
const spelledOut = new WeakSet<object>();

/**
 * Waits for a body as long as one of `limit` bytes may take.
 * @throws {ProblemError} `invalid_request`, after which the connection is closed
 */
export async function readInTime(
  response: Response,
  limit: number,
  body: Promise<unknown>,
  withinMs: number = bounds.json.withinMs,
): Promise<void> {
  const ms = withinMs * Math.max(1, limit / bounds.json.bodyBytes);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    response.set("connection", "close");
    const detail = `The body did not arrive within ${Math.round(ms / 1_000)} seconds. Send it again.`;
    late.reject(new ProblemError("invalid_request", { detail }));
  }, ms);
  try {
    await Promise.race([body, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads a JSON body of at most `limit` bytes, counted as they arrive and again as they are unpacked, into `request.body`. Depth, number of
 * members and time of arrival are bounded, too; nothing is parsed before that was checked. Lone surrogates (`\ud800` without its other half)
 * become U+FFFD, as a UTF-8 decoder has it: hashes, databases and other devices cannot hold one, and the text around it must not be refused
 * for it.
 * @throws {ProblemError} `too_large`, or `invalid_request`
 */
export function readJson(limit: number, withinMs: number = bounds.json.withinMs): (request: Request, response: Response) => Promise<void> {
  const scale = Math.max(1, limit / bounds.json.bodyBytes);
  const read = express.json({
    limit,
    strict: true,
    type: "application/json",
    verify: (request, _response, bytes, encoding) => {
      if (encoding !== "utf-8") throw new ProblemError("invalid_request", { detail: "Send the body as UTF-8." });
      refuseTooComplex(bytes, bounds.json.members * scale);
      if (bytes.includes("\\ud") || bytes.includes("\\uD")) spelledOut.add(request);
    },
  });
  return async (request, response) => {
    const whole = new Promise<void>((resolve, reject) => {
      // The parser would read a body that is too long to its end before it says so.
      let arrived = 0;
      const count = (bytes: Buffer): void => {
        arrived += bytes.length;
        if (arrived <= limit) return;
        request.off("data", count);
        // What said its length was refused before it arrived.
        if (!response.headersSent) response.set("connection", "close");
        reject(new ProblemError("too_large"));
      };
      request.on("data", count);
      read(request, response, (error?: unknown) => {
        if (error) reject(error as Error);
        else resolve();
      });
    });
    await readInTime(response, limit, whole, withinMs);
    if (spelledOut.has(request)) request.body = wellFormed(request.body);
  };
}

/**
 * Counts nesting and members of JSON text without parsing it: a small text of very many members costs far more to check than its bytes.
 * @throws {ProblemError} `invalid_request` beyond `bounds.json.depth`, `too_large` beyond `members`
 */
function refuseTooComplex(bytes: Uint8Array, members: number): void {
  let [depth, count, inString] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > bounds.json.depth) throw new ProblemError("invalid_request", { detail: "This JSON is nested too deeply." });
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    else if (byte === colon) {
      count += 1;
      if (count > members) throw new ProblemError("too_large", { detail: "This JSON has too many members." });
    }
  }
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
}
