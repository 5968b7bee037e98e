import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { readPointer } from "@colloquy/infra/object-store/course-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { expect } from "chai";

const { PATH, NODE_COMPILE_CACHE } = process.env;
const cli = fileURLToPath(new URL("./cli.ts", import.meta.url));
const demonstration = demonstrationCourses[1]?.folder ?? "";

interface Outcome {
  code: number;
  out: string;
  err: string;
}

describe("npm run course:import", function () {
  // Each run is a process of its own, and there are many.
  this.timeout(120_000);
  let dataDir: string;
  let folder: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "colloquy-import-"));
    folder = join(dataDir, "source");
    await cp(demonstration, folder, { recursive: true });
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const run = (...given: string[]): Promise<Outcome> =>
    new Promise((resolve) => {
      execFile(process.execPath, [cli, ...given], { env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir } }, (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err }),
      );
    });
  const sequence = async (): Promise<number | undefined> =>
    (await readPointer(openObjectStore({ DATA_DIR: dataDir }), "my-course"))?.value.sequence;

  it("publishes while nothing runs, and once for the same content", async () => {
    const first = await run(folder, "--id", "my-course", "--title", "My course");
    expect(first, first.err).to.include({ code: 0, err: "" });
    expect(first.out).to.match(/My course \(Colloquy course folder\)\n {2}5 topics/);
    expect(first.out).to.match(/Published as revision 1\.\nhttp:\/\/localhost:8080\/courses\/my-course \(once the program runs/);
    expect(first.out).to.match(/quizzes and Tutor work on it\. For films .* EXPLAINER_COURSE_IDS=linear-maps,learning-to-learn,my-course /);
    expect((await run(folder, "--id", "my-course", "--title", "My course")).out).to.match(/Nothing has changed since revision 1/);
    expect(await sequence()).to.equal(1);
    expect((await run(folder, "--id", "my-course")).out).to.match(/Published as revision 2/);
    expect(await sequence()).to.equal(2);
  });

  it("publishes through the event store that is running", async () => {
    const server = await startEventStore({ dataDir, port: 0, insecure: true });
    try {
      const { out, err } = await run(folder, "--id", "my-course");
      expect(out, err).to.match(/courses\/my-course\n/);
      const client = openEventStore(server.url);
      const events = await Array.fromAsync(client.read("publication-my-course"));
      await client.close();
      expect(events.map(({ type }) => type)).to.deep.equal(["CoursePublished"]);
    } finally {
      await server.close();
    }
  });

  it("says what is wrong, and publishes nothing", async () => {
    await mkdir(join(dataDir, "empty"));
    const broken = join(dataDir, "broken");
    await cp(demonstration, broken, { recursive: true });
    await writeFile(
      join(broken, "topics/spacing.md"),
      "---\nid: topic-spacing\ntitle: Spacing\n---\n<!-- core.theory spacing-x -->\nSee ![x](assets/none.svg) and [y](#nowhere).\n",
    );
    const cases: [string[], number, RegExp][] = [
      [[], 2, /Name the folder to import.*Usage:/s],
      [[folder, "--id", "not an id"], 2, /"not an id" cannot be an id: use up to 64/],
      [[folder, "--id", "my-course", "--colour", "red"], 2, /--colour/],
      [[folder, "other", "--id", "my-course"], 2, /--id is for one folder, and there are 2/],
      [[join(dataDir, "missing"), "--id", "my-course"], 1, /There is no folder .*missing/],
      [[join(folder, "course.yaml"), "--id", "my-course"], 1, /is a file/],
      [[join(dataDir, "empty"), "--id", "my-course"], 1, /holds no course that can be imported.*SUMMARY\.md/s],
      [
        [broken, "--id", "my-course"],
        1,
        /would not be valid:\n {2}topics\/spacing\.md:6 \(Spacing, core\.theory spacing-x\): .*assets\/none\.svg.*\n.*no anchor "nowhere"/,
      ],
    ];
    for (const [given, code, message] of cases) {
      const outcome = await run(...given);
      expect(outcome.err, given.join(" ")).to.match(message);
      expect(outcome.err, given.join(" ")).not.to.match(/\n\s+at /);
      expect(outcome, given.join(" ")).to.include({ code, out: "" });
    }
    expect(await sequence()).to.equal(undefined);
  });

  it("imports several folders with ids made from their titles, and names those that fail", async () => {
    const pages = join(dataDir, "pages");
    const namesake = join(dataDir, "namesake");
    for (const place of [pages, namesake]) {
      await mkdir(place);
      await writeFile(join(place, "README.md"), `# Über die Muschel\n\nText of ${place === pages ? "one" : "another"} folder.\n`);
    }
    const both = await run(pages, namesake, join(dataDir, "missing"));
    expect(both.code).to.equal(1);
    expect(both.out).to.match(/courses\/uber-die-muschel .*\n.*courses\/uber-die-muschel-2 /s);
    expect(both.out.match(/For films of them .* EXPLAINER_COURSE_IDS=\S*,uber-die-muschel,uber-die-muschel-2 /g)).to.have.length(1);
    expect(both.err).to.match(/missing: Nothing was imported\.\nThere is no folder .*\n1 of 3 folders were not imported\./);
    expect((await run(pages)).out).to.match(/Nothing has changed since revision 1.*courses\/uber-die-muschel /s);
    expect((await run(pages, "--id", "shell")).out).to.match(/courses\/shell-course /);
  });

  it("goes on with the course that it published, also under a corrected title", async () => {
    const pages = join(dataDir, "pages");
    await mkdir(pages);
    const write = (title: string) =>
      writeFile(
        join(pages, "README.md"),
        `# ${title}\n\n${"A first text of some length, about shells and their commands. ".repeat(2)}\n\n## Part\n\n${"A second text of some length, on pipes between them. ".repeat(3)}\n`,
      );
    await write("The Shel");
    expect((await run(pages)).out).to.match(/courses\/the-shel /);
    await write("The Shell");
    expect((await run(pages)).out).to.match(/Published as revision 2.*courses\/the-shel /s);
  });

  it("does not replace another course by an id made from a title", async () => {
    const one = join(dataDir, "one");
    const other = join(dataDir, "other");
    await mkdir(one);
    await mkdir(other);
    await writeFile(join(one, "index.md"), "# Introduction\n\nAbout shells.\n");
    await writeFile(join(other, "index.md"), "---\ntitle: Introduction\n---\nAbout maps.\n");
    await writeFile(join(other, "second.md"), "# Second\n\nMaps.\n");
    await run(one);
    await writeFile(join(other, "index.md"), "---\ntitle: Maps\n---\nAbout maps.\n");
    const refused = await run(other, "--title", "Introduction");
    expect(refused.code).to.equal(1);
    expect(refused.err).to.match(
      /"introduction", made from the title, belongs to another course, “Introduction”.*add --id introduction\./s,
    );
    expect((await run(other, "--title", "Introduction", "--id", "introduction")).out).to.contain("Published as revision 2");
  });

  it("does not take a course for another that has one page of the same title", async () => {
    const docs = async (place: string, text: string): Promise<string> => {
      const folder = join(dataDir, place, "docs");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "introduction.md"), `# Introduction\n\n${text}\n`);
      await writeFile(join(folder, "more.md"), `# More on ${place}\n\n${text} Again, and at some length: ${text.repeat(4)}\n`);
      await writeFile(join(folder, "other.md"), `# Other ${place}\n\n${text} For the third time, and at some length: ${text.repeat(3)}\n`);
      await writeFile(join(folder, "terms.md"), `# Terms of ${place}\n\n${"The licence of all these courses is the same. ".repeat(3)}\n`);
      return folder;
    };
    await run(await docs("waves", "About waves."), "--title", "Docs");
    const refused = await run(await docs("tides", "About tides."), "--title", "Docs");
    expect([refused.code, refused.err]).to.satisfy(([code, err]: [number, string]) => code === 1 && /belongs to another course/.test(err));
  });

  it("explains itself", async () => {
    expect((await run("--help")).out).to.match(/^Usage: npm run course:import/);
  });
});
