import { bounds } from "@colloquy/schemas/bounds.ts";
import express, { type Request, type Response } from "express";
import { ProblemError } from "./problem.ts";

/** Requests whose text spells a surrogate out, which only then can lack its other half: UTF-8 has no bytes for one. */
const spelledOut = new WeakSet<object>();

/**
 * Reads a JSON body of at most so many bytes, counted as they arrive and again as they are unpacked, into `request.body`. Lone surrogates
 * (`\ud800` without its other half) become U+FFFD, as a UTF-8 decoder has it: hashes, databases and other devices cannot hold one, and the
 * text around it must not be refused for it. @throws `too_large`, and `invalid_request` for what is nested too deeply
 */
export function readJson(limit: number): (request: Request, response: Response) => Promise<void> {
  const read = express.json({
    limit,
    strict: true,
    type: "application/json",
    verify: (request, _response, bytes) => {
      if (bytes.includes("\\ud") || bytes.includes("\\uD")) spelledOut.add(request);
    },
  });
  return async (request, response) => {
    await new Promise<void>((resolve, reject) => {
      read(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve()));
    });
    refuseTooDeep(request.body, bounds.json.depth);
    if (spelledOut.has(request)) request.body = wellFormed(request.body);
  };
}

/** @throws `invalid_request` where lists and objects lie within each other more often than any payload has. */
function refuseTooDeep(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) throw new ProblemError("invalid_request", { detail: "This JSON is nested too deeply." });
  for (const inner of Array.isArray(value) ? value : Object.values(value)) refuseTooDeep(inner, depth - 1);
}

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
}
