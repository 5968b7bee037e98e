import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { affectedTests, changedFiles } from "./affected-tests.ts";

const project: Record<string, string> = {
  "schemas/a.ts": "export const a = 1;",
  "infra/b.ts": 'import { a } from "@colloquy/schemas/a.ts";\nexport const b = a;',
  "infra/types.ts": 'import type { A } from "@colloquy/schemas/a.ts";\nimport type {\n  B,\n} from "./b.ts";\nexport const c = 1;',
  "infra/main.ts": 'const { b } = await import("./b.ts");',
  "schemas/a.test.ts": 'import { a } from "./a.ts";',
  "infra/b.test.ts": 'import { b } from "./b.ts";',
  "infra/types.test.ts": 'import { c } from "./types.ts";',
  "infra/main.test.ts": 'spawn(process.execPath, ["infra/main.ts"]);',
  "ui/sheet.test.ts": 'read(new URL("./sheet.css", import.meta.url));',
  "ui/sheet.css": "p {}",
  "journeys/program.ts": 'spawn("node", ["infra/main.ts"]);',
  "journeys/one.journey.ts": 'import { start } from "./program.ts";',
};
const affected = (...changed: string[]) =>
  affectedTests(changed, Object.keys(project), (file) => project[file] ?? "").map(({ file, distance }) => `${distance} ${file}`);

describe("the tests that a change can affect", () => {
  it("are found through imports by path and by package name, nearest first", () => {
    expect(affected("schemas/a.ts")).to.deep.equal(["1 schemas/a.test.ts", "2 infra/b.test.ts", "3 infra/main.test.ts"]);
  });
  it("are found through the programs that they start and the files that they read", () => {
    expect(affected("infra/main.ts")).to.deep.equal(["1 infra/main.test.ts"]);
    expect(affected("ui/sheet.css")).to.deep.equal(["1 ui/sheet.test.ts"]);
  });
  it("are not found through imports of types", () => {
    expect(affected("schemas/a.ts")).not.to.include("infra/types.test.ts");
  });
  it("include journeys through their imports only", () => {
    expect(affected("journeys/program.ts")).to.deep.equal(["1 journeys/one.journey.ts"]);
  });
  it("include those of a deleted file and tests that changed themselves", () => {
    expect(affectedTests(["schemas/gone.ts"], ["schemas/x.test.ts"], () => 'import "./gone.ts";')).to.have.length(1);
    expect(affected("infra/b.test.ts")).to.deep.equal(["0 infra/b.test.ts"]);
  });
});

describe("the files that differ from a branch", () => {
  it("are those committed since, uncommitted, untracked and deleted", () => {
    const root = mkdtempSync(join(tmpdir(), "colloquy-changed-"));
    const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], { cwd: root });
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    };
    try {
      git("init", "-q", "-b", "main");
      for (const file of ["same", "edited", "deleted", "committed"]) write(file, "before");
      git("add", "-A");
      git("commit", "-qm", "First");
      git("checkout", "-qb", "work");
      write("committed", "after");
      git("commit", "-qam", "Second");
      write("edited", "after");
      write("new folder/untracked", "new");
      rmSync(join(root, "deleted"));
      expect(changedFiles(root, "main")).to.deep.equal(["committed", "deleted", "edited", "new folder/untracked"]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
