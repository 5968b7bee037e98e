import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { skipTest } from "../skip-test.fixture.ts";
import { openLogFile } from "./log-file.ts";

describe("log files", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "logs-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const lines = (name: string) => readFileSync(join(folder, name), "utf8").trim().split("\n");

  it("go on where they ended, and never outgrow their bound", () => {
    const path = join(folder, "x.log");
    const first = openLogFile(path, { maxBytes: 20, keep: 2 });
    first.write("line 01");
    first.close();
    const log = openLogFile(path, { maxBytes: 20, keep: 2 });
    for (let number = 2; number <= 9; number += 1) log.write(`line 0${number}`);
    log.close();
    expect(readdirSync(folder).sort()).to.deep.equal(["x.log", "x.log.1", "x.log.2"]);
    expect(lines("x.log")).to.deep.equal(["line 09"]);
    expect(lines("x.log.1")).to.deep.equal(["line 07", "line 08"]);
    expect(lines("x.log.2")).to.deep.equal(["line 05", "line 06"]);
  });

  it("keep a line that is longer than a file may be", () => {
    const log = openLogFile(join(folder, "x.log"), { maxBytes: 10 });
    log.write("a long line of text");
    log.write("another");
    log.close();
    expect(lines("x.log.1")).to.deep.equal(["a long line of text"]);
    expect(lines("x.log")).to.deep.equal(["another"]);
  });

  it("drop lines while the disk is full, say so once, and go on when there is room", function () {
    if (!existsSync("/dev/full")) return skipTest(this, "there is no /dev/full here");
    const path = join(folder, "x.log");
    symlinkSync("/dev/full", path);
    const told: (string | null)[] = [];
    const log = openLogFile(path, { onError: (error) => told.push(error?.message ?? null) });
    log.write("lost");
    log.write("lost too");
    expect(told).to.have.length(1);
    expect(told[0]).to.contain("ENOSPC");
    rmSync(path);
    log.write("kept");
    log.write("kept too");
    log.close();
    expect(told.slice(1)).to.deep.equal([null]);
    expect(lines("x.log")).to.deep.equal(["kept", "kept too"]);
  });

  it("do not need to be openable for a program to start", () => {
    const told: (string | null)[] = [];
    const log = openLogFile(join(folder, "gone/x.log"), { onError: (error) => told.push(error?.message ?? null) });
    log.write("lost");
    log.close();
    expect(told[0]).to.contain("ENOENT");
  });
});
