import { once } from "node:events";
import { Readable } from "node:stream";
import type { Request as ExpressRequest, Response as ExpressResponse } from "express";

/** Credentials of the connection: whoever is given the request knows already whom it speaks for. */
const withheld = new Set(["authorization", "cookie"]);

/** A request in the web's own shape without its credentials, its body as it comes. `signal` ends with the connection. */
export function webRequest(request: ExpressRequest, publicUrl: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (!withheld.has(name)) for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value]) headers.append(name, one);
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  return new Request(new URL(request.originalUrl, publicUrl), {
    method: request.method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(request) as unknown as ReadableStream, duplex: "half" }),
  });
}

/** Sends a web response, each part as it arrives, no faster than it is taken. */
export async function sendWeb(answer: Response, response: ExpressResponse): Promise<void> {
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.append(name, value);
  response.set("cache-control", "no-store");
  if (!answer.body) return void response.end();
  response.set("x-accel-buffering", "no").flushHeaders();
  try {
    for await (const part of answer.body)
      if (!response.write(part) && !response.destroyed) await Promise.race([once(response, "drain"), once(response, "close")]);
  } finally {
    response.end();
  }
}
