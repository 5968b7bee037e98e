import { readFileSync } from "node:fs";
import path from "node:path";
import type { BlockType } from "@colloquy/schemas/courses/authored.ts";
import { expect } from "chai";
import type { ImportedCourse } from "../importer.ts";
import { faultsOf, inFolder, parsedBlocks, realCourse } from "../markdown/testing/folders.ts";
import { wordsKept } from "../markdown/testing/words-kept.ts";
import { importCarpentries } from "./importer.ts";

/** Headings whose words the page says itself: of solutions and prerequisites, and one that repeats its page's title. */
const saidByThePage = /^## (?:Solutions?|Prerequisites|Summary of Basic Commands)$/;
/** Numbers of choices, and sentences such as "Option 4 is the correct answer", which a question says by its key. */
const saidByTheKey = /^(?:\d|option|is|the|this|correct|answer|solution)$/;

describe("the shell lesson of Software Carpentry, imported", () => {
  let folder = "";
  let imported: ImportedCourse;
  const again = (from: string, previous: ImportedCourse | null) =>
    importCarpentries(from, { courseId: "shell-novice", previous: previous?.course ?? null });

  before(async function () {
    const found = realCourse("shell-novice");
    if (found === null) this.skip();
    folder = found;
    imported = await again(folder, null);
  });

  it("is a valid course whose every link leads somewhere", () => {
    expect(faultsOf(imported.course)).to.deep.equal([]);
    expect(imported.course.manifest).to.include({ title: "The Unix Shell", language: "en", license: "CC-BY 4.0" });
  });

  // The numbers were counted in the lesson's files with grep and awk.
  it("has everything the lesson has", () => {
    const { course } = imported;
    const blocks = parsedBlocks(course);
    const count = (type: BlockType): number => blocks.filter((block) => block.type === type).length;
    expect(course.topics.flatMap((topic) => topic.objectives)).to.have.length(28);
    // 41 challenges, of which seven have choices and a clear key.
    expect(count("core.exercise")).to.equal(34);
    expect(count("core.figure")).to.equal(7);
    expect(count("core.table")).to.equal(1);
    expect(count("core.key-points")).to.equal(7);
    // 209 fences outside of any div, and two that stand indented between list items.
    expect(count("core.code")).to.equal(211);
    const roles = blocks.flatMap((block) => (block.type === "core.code" ? [block.data.role] : []));
    expect(roles.filter((role) => role === "output")).to.have.length(70);
    expect(roles.filter((role) => role === "error")).to.have.length(6);
    const points = blocks.flatMap((block) => (block.type === "core.key-points" ? block.data.points : []));
    expect(points).to.have.length(55);
    const exercises = blocks.filter((block) => block.type === "core.exercise");
    expect(exercises.flatMap((block) => block.data.solutions)).to.have.length(35);
    expect(exercises.every((block) => block.data.solutions.length > 0 && block.data.title)).to.equal(true);
    const images = exercises.flatMap((block) => block.data.markdown.match(/!\[[^\]]+\]\(fig\/[\w-]+\.svg\)/g) ?? []);
    expect(images).to.have.length(1);
  });

  // Each was read in the lesson.
  it("has questions with the keys that the lesson gives", () => {
    const keys = parsedBlocks(imported.course).flatMap((block) =>
      block.type === "core.question" && "choices" in block.data
        ? [block.data.choices.filter(({ correct }) => correct).map(({ markdown }) => markdown)]
        : [],
    );
    expect(keys).to.deep.equal([
      ["`cd ~`", "`cd ~/data/..`", "`cd`", "`cd ..`"],
      ["`ls -r -F`", "`ls -r -F /Users/backup`"],
      ["`mv statstics.txt statistics.txt`"],
      ["`ls *t??ne.pdb`"],
      ["The first three lines and the last two lines of `animals.csv`"],
      ["`wc -l * | sort -n | head -n 3`"],
      ["`rm *.txt`"],
    ]);
  });

  it("keeps every kind of callout", () => {
    const callouts = parsedBlocks(imported.course).flatMap((block) => (block.type === "core.callout" ? [block.data] : []));
    const kinds = Object.groupBy(callouts, (callout) => `${callout.kind}${callout.folded ? " folded" : ""}`);
    expect(Object.fromEntries(Object.entries(kinds).map(([kind, list]) => [kind, list?.length]))).to.deep.equal({
      note: 33,
      prerequisite: 1,
      questions: 7,
      "instructor folded": 3,
      // One spoiler, and the setup's three ways to open a shell.
      "note folded": 4,
    });
  });

  it("orders its pages: overview, episodes, then those for learners, instructors, and about the lesson", () => {
    const { manifest, topics, collections } = imported.course;
    const slug = (id: string): string => [...topics, ...collections].find((entry) => entry.id === id)?.slug ?? "?";
    expect(manifest.root.map((ref) => slug(ref.id))).to.deep.equal([
      "overview",
      "01-intro",
      "02-filedir",
      "03-create",
      "04-pipefilter",
      "05-loop",
      "06-script",
      "07-find",
      "for-learners",
      "for-instructors",
      "about-this-lesson",
    ]);
    expect(collections[0]?.children.map((ref) => slug(ref.id))).to.deep.equal(["setup", "discuss", "reference", "resources"]);
  });

  it("links within a page, between pages, and to the published lesson's own pages", () => {
    const { topics } = imported.course;
    const topic = (slug: string) => topics.find((entry) => entry.slug === slug);
    const sources = (slug: string): string =>
      topic(slug)
        ?.blocks.map((block) => block.source)
        .join("\n") ?? "";
    const here = topic("02-filedir")?.id ?? "";
    expect(sources("02-filedir")).to.include(`[Exploring Other Directories](topic:${here}#exploring-other-directories)`);
    expect(sources("02-filedir")).to.include("## Exploring Other Directories {#exploring-other-directories}");
    const reference = topic("reference")?.id ?? "";
    // Written as https://swcarpentry.github.io/shell-novice/reference.html#option
    expect(sources("02-filedir")).to.include(`[Options](topic:${reference}#option) change the behavior`);
    expect(sources("reference")).to.include("### option {#option}");
    expect(sources("07-find")).to.include(`[episode 3](topic:${topic("03-create")?.id})`);
    expect(sources("setup")).to.include("https://swcarpentry.github.io/shell-novice/data/shell-lesson-data.zip");
    expect(sources("reference").match(/\{#[\w-]+\}/g)).to.have.length(40);
  });

  it("brings the pictures that pages show, and reports what it left out", () => {
    expect(imported.course.assets.map((asset) => asset.path)).to.deep.equal([
      "fig/filesystem-challenge.svg",
      "fig/filesystem.svg",
      "fig/home-directories.svg",
      "fig/nano-screenshot.png",
      "fig/redirects-and-pipes.svg",
      "fig/shell_command_syntax.svg",
      "fig/shell_script_for_loop_flow_chart.svg",
      "fig/standard-filesystem-hierarchy.svg",
    ]);
    for (const asset of imported.course.assets) expect(imported.assets.get(asset.path)?.byteLength).to.equal(asset.bytes);
    const others = imported.report.filter(({ what }) => !what.startsWith("a challenge with choices"));
    expect(others.map((note) => note.file)).to.deep.equal([
      "profiles/learner-profiles.md",
      "episodes/fig/filesystem-challenge.odg",
      "learners/setup.md",
    ]);
  });

  it("keeps every word of every page", () => {
    const files: Record<string, string> = {
      overview: "index.md",
      license: "LICENSE.md",
      "instructor-notes": "instructors/instructor-notes.md",
    };
    for (const topic of imported.course.topics) {
      const file = files[topic.slug] ?? (/^\d/.test(topic.slug) ? `episodes/${topic.slug}.md` : `learners/${topic.slug}.md`);
      const { total, missing } = wordsKept(readFileSync(path.join(folder, file), "utf8"), topic, { saidByThePage });
      console.log(`      ${file}: ${total - missing.length} of ${total} words`);
      const asked = topic.blocks.some(({ type }) => type === "core.question");
      const lost = missing.filter((word) => !asked || !saidByTheKey.test(word));
      expect(lost, file).to.deep.equal([]);
    }
  });

  it("is the same, byte for byte, when it is imported again", async () => {
    expect(JSON.stringify((await again(folder, null)).course)).to.equal(JSON.stringify(imported.course));
    expect(JSON.stringify((await again(folder, imported)).course)).to.equal(JSON.stringify(imported.course));
  });

  it("keeps all ids when one paragraph is edited and a block is put before it", async () => {
    const files = copyOf(folder);
    const file = "episodes/02-filedir.md";
    const edited = (files[file] ?? "")
      .toString()
      .replace("These three commands are the basic commands", "Remember: these three commands are the very basic commands")
      .replace("### Getting help", "A paragraph that was not there before.\n\n### Getting help");
    await inFolder({ ...files, [file]: edited }, async (copy) => {
      const ids = (course: ImportedCourse): string[] => course.course.topics.flatMap((topic) => topic.blocks.map((block) => block.id));
      const afresh = ids(await again(copy, null));
      expect(ids(imported).filter((id) => !afresh.includes(id))).to.have.length.at.most(2);
      const reimported = await again(copy, imported);
      expect(reimported.course).to.not.deep.equal(imported.course);
      expect(ids(imported).filter((id) => !ids(reimported).includes(id))).to.deep.equal([]);
    });
  });

  function copyOf(from: string): Record<string, Uint8Array> {
    const names = ["config.yaml", "index.md", "episodes/01-intro.md", "learners/setup.md", "learners/reference.md"];
    const episodes = ["02-filedir", "03-create", "04-pipefilter", "05-loop", "06-script", "07-find"].map((name) => `episodes/${name}.md`);
    const others = ["LICENSE.md", "learners/discuss.md", "learners/resources.md", "instructors/instructor-notes.md"];
    const pictures = imported.course.assets.map((asset) => `episodes/${asset.path}`);
    return Object.fromEntries([...names, ...episodes, ...others, ...pictures].map((name) => [name, readFileSync(path.join(from, name))]));
  }
});
