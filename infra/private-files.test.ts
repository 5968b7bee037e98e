import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { makeFolder } from "./private-files.ts";
import { skipTest } from "./skip-test.fixture.ts";

describe("making a folder", () => {
  it("makes those above it too, for the owner alone, and leaves one that is there", () => {
    const base = mkdtempSync(join(tmpdir(), "folder-"));
    try {
      const folder = join(base, "a/b/c");
      makeFolder(folder);
      makeFolder(folder);
      expect(statSync(folder).mode & 0o777).to.equal(0o700);
      writeFileSync(join(base, "file"), "");
      expect(() => makeFolder(join(base, "file"))).to.throw("EEXIST");
      expect(() => makeFolder(join(base, "file/x"))).to.throw("ENOTDIR");
    } finally {
      rmSync(base, { recursive: true });
    }
  });

  it("says so, instead of trying for ever, where the system has no room for folders", function () {
    if (!existsSync("/proc/self")) return skipTest(this, "there is no /proc here");
    expect(() => makeFolder("/proc/colloquy/data")).to.throw("ENOENT");
  });
});
