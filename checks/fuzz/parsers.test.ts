import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { parsers } from "./parsers.ts";

/**
 * Texts are a quarter as long as they may be, because at full length they take two minutes of a processor; `npm run fuzz:texts` tries
 * them whole.
 */
const share = process.env.HOSTILE_TEXTS === "whole" ? 1 : 0.25;
/** CPU time for one text, which other work on the machine does not lengthen: at full length the slowest takes some two seconds. */
const cpuMostMs = 6_000 * share;
/** Who says nothing for so long over one text has come to a halt; who needs more memory than this grows without end. */
const silentMs = 60_000;
const memoryMiB = 256;

/** Has a parser read every hostile text in a thread of its own. @returns what it stumbled over, null when nothing. */
function stumble(name: string): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("parse-in-worker.ts", import.meta.url), {
      workerData: { name, share },
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    });
    let over = "its beginning";
    const end = (why: string | null): void => {
      clearTimeout(silent);
      void worker.terminate();
      resolve(why);
    };
    const halted = (): void => end(`came to a halt over ${over}`);
    let silent = setTimeout(halted, silentMs);
    worker.on("message", ({ what, cpuMs }: { what: string | null; cpuMs: number | null }) => {
      if (what === null) return end(null);
      if (cpuMs !== null && cpuMs > cpuMostMs) return end(`took ${Math.round(cpuMs)} ms of the processor over ${what}`);
      over = what;
      clearTimeout(silent);
      silent = setTimeout(halted, silentMs);
    });
    worker.once("error", (error) => end(`failed over ${over}: ${error.message}`));
    worker.once("exit", () => end(`ended over ${over}`));
  });
}

describe("hostile texts", function () {
  this.timeout(600_000);
  for (const name of Object.keys(parsers))
    it(`are read in good time, or refused in words, by the reader of ${name}`, async () => {
      expect(await stumble(name)).to.equal(null);
    });
});
