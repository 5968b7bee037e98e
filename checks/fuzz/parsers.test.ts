import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { parsers } from "./parsers.ts";

/**
 * Texts are a tenth as long as they may be, because at full length they take two minutes of a processor; `npm run fuzz:texts` tries
 * them whole.
 */
const share = process.env.HOSTILE_TEXTS === "whole" ? 1 : 0.1;
/** CPU time for one text, which other work on the machine does not lengthen: at full length the slowest takes some two seconds. */
const cpuMostMs = 6_000 * share;
/** Who says nothing for so long over one text has come to a halt; who needs more memory than this grows without end. */
const silentMs = 60_000;
const memoryMiB = 256;

/** The thread that parses: the parsers share it, because loading them takes longer than most need for all texts. */
let thread: Worker | null = null;
const startThread = (): Worker =>
  new Worker(new URL("parse-in-worker.ts", import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: memoryMiB } });

/** Has a parser read every hostile text. @returns the text that it failed on and how, null when there is none. */
function stumble(name: string): Promise<string | null> {
  thread ??= startThread();
  const worker = thread;
  return new Promise((resolve) => {
    let over = "its beginning";
    const end = (why: string | null): void => {
      clearTimeout(silent);
      worker.off("message", read).off("error", failed).off("exit", ended);
      if (why !== null) {
        thread = null;
        void worker.terminate();
      }
      resolve(why);
    };
    const failed = (error: Error): void => end(`failed over ${over}: ${error.message}`);
    const ended = (): void => end(`ended over ${over}`);
    const halted = (): void => end(`came to a halt over ${over}`);
    let silent = setTimeout(halted, silentMs);
    const read = ({ what, cpuMs }: { what: string | null; cpuMs: number | null }): void => {
      if (what === null) end(null);
      else if (cpuMs !== null && cpuMs > cpuMostMs) end(`took ${Math.round(cpuMs)} ms of the processor over ${what}`);
      else {
        over = what;
        clearTimeout(silent);
        silent = setTimeout(halted, silentMs);
      }
    };
    worker.on("message", read).on("error", failed).on("exit", ended);
    worker.postMessage({ name, share });
  });
}

describe("hostile texts", function () {
  this.timeout(600_000);
  after(() => thread?.terminate());
  for (const name of Object.keys(parsers))
    it(`are read in good time, or refused in words, by the reader of ${name}`, async () => {
      expect(await stumble(name)).to.equal(null);
    });
});
