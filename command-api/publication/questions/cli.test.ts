import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { expect } from "chai";

const quiz = `<quiz><question type="shortanswer"><name><text>Q</text></name><questiontext format="html"><text>How many?</text></questiontext>
<generalfeedback><text>Because.</text></generalfeedback><answer fraction="100"><text>two</text></answer></question></quiz>`;

describe("the tools for questions", function () {
  this.timeout(180_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "colloquy-questions-"));
    await cp(demonstrationCourses[0]?.folder ?? "", join(folder, "course"), { recursive: true });
    await writeFile(join(folder, "quiz.xml"), quiz);
  });
  after(() => rm(folder, { recursive: true }));
  const tool = (...given: string[]): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const file = fileURLToPath(new URL("./cli.ts", import.meta.url));
      execFile(process.execPath, [file, ...given], (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err }),
      );
    });
  const add = (...given: string[]) =>
    tool("import", join(folder, "quiz.xml"), "--course", join(folder, "course"), "--topic", "topic-vectors", ...given);

  it("ask for an objective where the topic has several, and write nothing before", async () => {
    const { code, err } = await add();
    expect(code).to.equal(1);
    expect(err).to.contain("Name one with --objective");
  });

  it("add a question to the topic's file once, and leave the course valid", async () => {
    const objective = /^ {2}(\S+)/m.exec((await add()).err)?.[1] ?? "";
    expect(await add("--objective", objective)).to.include({ code: 0, err: "" });
    expect((await add("--objective", objective)).out).to.contain("that the topic has already");
    const text = await readFile(join(folder, "course/topics/vectors.md"), "utf8");
    expect(text.match(/How many\?/g)).to.have.length(1);
    expect((await tool("export", join(folder, "course"), "--format", "qti", "--to", join(folder, "items"))).code).to.equal(0);
  });

  it("find the objective that a question names by its text, and the level", async () => {
    const { err } = await add();
    const [, id = "", text = ""] = /^ {2}(\S+) {2}(.+)$/m.exec(err) ?? [];
    const tags = `<tags><tag><text>objective: ${text.toUpperCase()}</text></tag><tag><text>level: application</text></tag></tags>`;
    await writeFile(
      join(folder, "tagged.xml"),
      quiz.replace("How many?", "How many of them?").replace("</question>", `${tags}</question>`),
    );
    const given = ["import", join(folder, "tagged.xml"), "--course", join(folder, "course"), "--topic", "topic-vectors"];
    expect(await tool(...given)).to.include({ code: 0, err: "" });
    const [before = ""] = (await readFile(join(folder, "course/topics/vectors.md"), "utf8")).split("How many of them?");
    expect(before.slice(before.lastIndexOf("<!--")))
      .to.include(`objective: ${id}`)
      .and.to.include("level: application");
  });

  it("say which objective of a question the topic does not have, and what the question is taken for", async () => {
    const tags = "<tags><tag><text>objective: Fly</text></tag></tags>";
    await writeFile(join(folder, "unknown.xml"), quiz.replace("How many?", "How many fly?").replace("</question>", `${tags}</question>`));
    const given = ["import", join(folder, "unknown.xml"), "--course", join(folder, "course"), "--topic", "topic-vectors"];
    const refused = await tool(...given);
    expect(refused.err).to.contain("“Fly”, which the topic does not have").and.to.contain("Name one with --objective");
    const objective = /^ {2}(\S+)/m.exec(refused.err)?.[1] ?? "";
    const { out } = await tool(...given, "--objective", objective);
    expect(out).to.contain(`“Fly”, which the topic does not have → taken for ${objective}`).and.to.contain("1 questions added");
  });

  it("refuse an unknown format, and a file that is there already", async () => {
    expect((await tool("export", join(folder, "course"), "--format", "word", "--to", "x")).code).to.equal(2);
    const { code, err } = await tool("export", join(folder, "course"), "--format", "moodle", "--to", join(folder, "quiz.xml"));
    expect(code).to.equal(1);
    expect(err).to.contain("exists already");
  });
});
