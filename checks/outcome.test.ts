import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { lastLineOutcome, mochaOutcome, wholeOutcome } from "./outcome.ts";

const mocha = fileURLToPath(new URL("../node_modules/mocha/bin/mocha.js", import.meta.url));

/** What mocha prints of such files, run as the stages run it. */
function runFiles(...sources: string[]): { output: string; code: number | null } {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-outcome-"));
  try {
    const files = Array.from(sources, (_, index) => join(folder, `${index}.cjs`));
    for (const [index, file] of files.entries()) writeFileSync(file, sources[index] ?? "");
    const { stdout, stderr, status } = spawnSync(process.execPath, [mocha, "--no-config", "--parallel", "--jobs", "2", ...files], {
      encoding: "utf8",
      env: { ...process.env, FORCE_COLOR: "1" },
    });
    return { output: stdout + stderr, code: status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("what a stage of npm test came to", () => {
  it("is read from mocha: counts, and every failure with its name and message", () => {
    const suite = (name: string, body: string): string => `describe("${name}", () => { ${body} });`;
    const { output, code } = runFiles(
      suite("one", 'it("holds", () => {}); it("is left out"); it("breaks", () => { require("assert").deepEqual({ a: 1 }, { a: 2 }); });'),
      suite("two", 'before(() => { throw new Error("no server\\n2) of the message"); }); it("waits", () => {});'),
      'throw new Error("cannot be loaded");',
    );
    const outcome = mochaOutcome(output, code);
    expect(outcome).to.include({ passed: 1, failed: 3, skipped: 1 });
    const all = outcome.failures.join("\n");
    expect(all)
      .to.match(/one\s+breaks:/)
      .and.match(/"before all" hook for "waits"/);
    expect(all).to.contain("no server").and.contain("2) of the message").and.contain("cannot be loaded");
    expect(all).to.contain('-  "a": 1').and.not.contain("node:internal").and.not.contain("\u001b[");
  }).timeout(120_000);

  it("is read from Web Test Runner, each failure below its file", () => {
    const outcome = lastLineOutcome(
      `Chrome: |███| 0/2 test files | 0 passed, 0 failed
\u001b[2K\u001b[1A\u001b[2K\u001b[Gui/a/one.browser.test.ts:

 ❌ outer > fails
      AssertionError: expected 1 to equal 2
        at n4.<anonymous> (ui/a/one.browser.test.ts:3:47)

 ❌ outer > fails too
      Error: words
      of two lines

ui/b/two.browser.test.ts:

 ❌ Could not import your test module.

Chrome: |███| 2/2 test files | 5 passed, 3 failed
`,
      1,
    );
    expect(outcome).to.include({ passed: 5, failed: 3 });
    expect(outcome.failures).to.deep.equal([
      "ui/a/one.browser.test.ts: outer > fails\n      AssertionError: expected 1 to equal 2\n        at n4.<anonymous> (ui/a/one.browser.test.ts:3:47)",
      "ui/a/one.browser.test.ts: outer > fails too\n      Error: words\n      of two lines",
      "ui/b/two.browser.test.ts: Could not import your test module.",
    ]);
  });

  it("is a failure when it ended badly or ran nothing, with its last words", () => {
    expect(mochaOutcome("Error: no such file\n", 1)).to.deep.include({ failed: 1, failures: ["Error: no such file"] });
    expect(mochaOutcome("", 0)).to.include({ failed: 1 });
    expect(lastLineOutcome("3 passed, 0 failed", null)).to.include({ passed: 3, failed: 1 });
    expect(wholeOutcome("a.ts: unused variable", 1)).to.deep.include({ passed: 0, failed: 1, failures: ["a.ts: unused variable"] });
    expect(wholeOutcome("", 0)).to.deep.equal({ passed: 1, failed: 0, skipped: 0, failures: [] });
  });
});
