import { bounds } from "@colloquy/schemas/bounds.ts";
import express, { type Request, type RequestHandler } from "express";
import { ProblemError } from "./problem.ts";

/** Requests whose text spells a surrogate out, which only then can lack its other half: UTF-8 has no bytes for one. */
const spelledOut = new WeakSet<object>();

/**
 * Takes in a JSON body of at most so many bytes, counted as they come and again as they are unpacked. Half letters (`\ud800` without
 * the other surrogate) become U+FFFD, as a reader of UTF-8 has it: hashes, databases and other devices take no half letters, and what
 * somebody wrote around one must not be refused for it. @throws `too_large`, and `invalid_request` for what is nested too deeply
 */
export function jsonBody(limit: number): RequestHandler {
  const parse = express.json({
    limit,
    strict: true,
    type: "application/json",
    verify: (request, _response, bytes) => {
      if (bytes.includes("\\ud") || bytes.includes("\\uD")) spelledOut.add(request);
    },
  });
  return (request: Request, response, next) =>
    parse(request, response, (error?: unknown) => {
      let wrong = error;
      try {
        if (!error) {
          refuseTooDeep(request.body, bounds.json.depth);
          if (spelledOut.has(request)) request.body = wellFormed(request.body);
        }
      } catch (tooDeep) {
        wrong = tooDeep;
      }
      next(wrong);
    });
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
