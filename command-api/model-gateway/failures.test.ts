import { expect } from "chai";
import { retryAfterMs } from "./failures.ts";

const now = Date.parse("2026-11-20T12:00:00Z");

// [what it shows, header, expected milliseconds]
const table: [string, string | undefined, number | undefined][] = [
  ["no header", undefined, undefined],
  ["seconds", "7", 7_000],
  ["seconds with spaces", " 7 ", 7_000],
  ["no time at all", "0", undefined],
  ["a date", "Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
  ["a date that has passed", "Fri, 20 Nov 2026 11:59:30 GMT", undefined],
  ["nonsense", "soon", undefined],
  ["a negative number", "-5", undefined],
  ["a week: believed up to the bound", "604800", 900_000],
  ["more digits than a number has", "9".repeat(400), undefined],
];

describe("Retry-After", () => {
  for (const [what, header, expected] of table) it(what, () => expect(retryAfterMs(header, now)).to.equal(expected));
});
