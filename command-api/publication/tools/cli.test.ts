import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { readPointer } from "@colloquy/infra/object-store/course-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { expect } from "chai";

const { PATH, NODE_COMPILE_CACHE } = process.env;
const demonstration = demonstrationCourses[0]?.folder ?? "";

describe("the course tools", function () {
  // Each call is a process of its own with an event store in it.
  this.timeout(120_000);
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "colloquy-tools-"));
    await cp(demonstration, join(dataDir, "source"), { recursive: true });
  });
  after(() => rm(dataDir, { recursive: true }));
  const call = (file: string, ...given: string[]): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const tool = fileURLToPath(new URL(file, import.meta.url));
      execFile(process.execPath, [tool, ...given], { env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir } }, (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err }),
      );
    });
  const tool = (...given: string[]) => call("./cli.ts", ...given);
  const load = (folder: string) => call("../import/cli.ts", folder, "--id", "my-course");
  const live = async () => (await readPointer(openObjectStore({ DATA_DIR: dataDir }), "my-course"))?.value.sequence;

  it("export what import reads back as no change, tell the history, and go back in it", async () => {
    const source = join(dataDir, "source");
    expect((await load(source)).code).to.equal(0);
    const exported = join(dataDir, "exported");
    expect(await tool("export", exported, "--id", "my-course")).to.deep.include({ code: 0, err: "" });
    expect((await load(exported)).out).to.contain("Nothing has changed since revision 1");
    const file = join(exported, "topics/arrows-and-maps/vectors.md");
    await writeFile(file, (await readFile(file, "utf8")).replace(/^title: .*$/m, "title: Vectors, anew"));
    expect((await tool("validate", exported)).out).to.match(/is valid: 9 topics/);
    expect((await load(exported)).out).to.contain("Published as revision 2");
    const history = await tool("history", "--id", "my-course");
    expect(history.out, history.out + history.err).to.match(
      /^ {4}1 {2}\d{4}-.* course-import .*\n {9}9 topics\n {4}2 .*\(live\)\n {9}Vectors, anew: changed\n$/,
    );
    expect((await tool("rollback", "--id", "my-course", "--to", "1")).out).to.contain("Revision 1 is published again, as revision 3.");
    expect(await live()).to.equal(3);
    expect((await tool("rollback", "--id", "my-course", "--to", "1")).out).to.contain("has that content already");
    expect((await tool("export", join(dataDir, "second"), "--id", "my-course", "--revision", "2")).code).to.equal(0);
    expect(await readFile(join(dataDir, "second/topics/arrows-and-maps/vectors.md"), "utf8")).to.contain("title: Vectors, anew");
    expect((await tool("validate", "--id", "my-course")).out).to.contain("Revision 3 of my-course is valid");
  });

  it("say what is wrong, and end with a code that says so", async () => {
    const broken = join(dataDir, "broken");
    await cp(demonstration, broken, { recursive: true });
    const file = join(broken, "topics/vectors.md");
    await writeFile(file, (await readFile(file, "utf8")).replace(/^slug: .*$/m, "slug: ../up"));
    const checked = await tool("validate", broken);
    expect([checked.code, checked.err]).to.deep.equal([1, checked.err]);
    expect(checked.err).to.contain("topics.0.slug").and.to.contain("has errors");
    expect((await tool("rollback", "--id", "my-course", "--to", "99")).err).to.contain("has revisions 1 to");
    expect((await tool("history", "--id", "never-there")).err).to.contain("was never published");
    expect(await tool("export", join(dataDir, "source"), "--id", "my-course")).to.deep.include({ code: 1 });
    for (const wrong of [
      ["export", "--id", "my-course"],
      ["rollback", "--id", "my-course"],
      ["rollback", "--id", "x", "--to", "1"],
      ["history"],
      ["history", "--id", "my-course", "--last", "0"],
    ])
      expect((await tool(...wrong)).code, wrong.join(" ")).to.equal(2);
    expect((await tool("nothing")).err).to.contain("There is no tool nothing");
  });
});
