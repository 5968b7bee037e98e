import { readFileSync } from "node:fs";

/**
 * Preloaded into a process (`--import`): its clock is ahead of the machine's by the milliseconds in `CLOCK_FILE`, so that a lease of half a
 * minute can expire at once.
 */
const file = process.env.CLOCK_FILE ?? "";
const readEveryMs = 20;
let ahead = 0;
const read = (): void => {
  try {
    ahead = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // The file is made when the clock is first shifted.
  }
};
read();
setInterval(read, readEveryMs).unref();
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(Real.now() + ahead);
    else super(...given);
  }
  static override now(): number {
    return Real.now() + ahead;
  }
} as DateConstructor;
