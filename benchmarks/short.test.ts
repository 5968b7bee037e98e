import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";

const run = promisify(execFile);
const cwd = fileURLToPath(new URL("..", import.meta.url));

/** Not `film`, `first-load`, `start-up` and `web-vitals`: they need a browser, another renderer or many starts of the program. */
const names = ["ask", "commands", "event-store", "rebuild", "retrieval", "search"];

describe("the benchmarks, in their short form", function () {
  this.timeout(300_000);
  for (const name of names)
    it(`run: ${name}`, async () => {
      const { stdout } = await run(process.execPath, ["benchmarks/run.ts", name, "--short"], { cwd });
      expect(stdout).to.match(/^## .+\n[\s\S]*\| what \| measured \|/);
      expect(stdout.split("\n").filter((line) => line.startsWith("| "))).to.have.length.greaterThan(2);
      expect(stdout).to.not.match(/NaN|undefined|Infinity/);
    });
});
