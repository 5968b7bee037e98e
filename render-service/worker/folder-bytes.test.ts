import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { folderBytes } from "./folder-bytes.ts";

describe("what a folder takes of a disk", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "folder-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const most = 1_000_000_000;

  it("is all that is in it, however deep, and nothing that a link leads to", () => {
    expect(folderBytes(folder, most)).to.equal(0);
    expect(folderBytes(join(folder, "none-such"), most)).to.equal(0);
    mkdirSync(join(folder, "one", "two"), { recursive: true });
    const before = folderBytes(folder, most);
    writeFileSync(join(folder, "one", "two", "film"), Buffer.alloc(100_000));
    expect(folderBytes(folder, most) - before).to.equal(100_000);
    symlinkSync(join(folder, "one", "two", "film"), join(folder, "link"));
    symlinkSync(folder, join(folder, "one", "round"));
    expect(folderBytes(folder, most) - before).to.be.within(100_000, 110_000);
  });

  it("counts what is empty, and no further than has to be known", () => {
    for (let file = 0; file < 50; file += 1) writeFileSync(join(folder, `empty-${file}`), "");
    expect(folderBytes(folder, most)).to.be.at.least(50 * 4_096);
    expect(folderBytes(folder, 10_000)).to.be.within(10_001, 20_000);
  });
});
