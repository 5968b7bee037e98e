import { expect } from "chai";
import type { Passage } from "../segments.ts";
import { codeScenes } from "./code.ts";
import { withCodeFacts } from "./code-names.ts";
import { linesOf } from "./lines.ts";
import { filmWords } from "./words.ts";

const title = "Depths";
const words = (text: string): Passage => ({ id: text.slice(0, 12), kind: "prose", text, title, trail: ["Course", title] });
const code = (text: string, isPrinted = false, language = "python"): Passage => ({
  ...words(text),
  kind: "code",
  code: { language, isPrinted },
});
const scenesOf = (...passages: Passage[]) =>
  codeScenes(linesOf(passages), passages, "python", filmWords("en")).filter(({ layout }) => layout === "trace");

describe("films of code with what the page prints", () => {
  it("say the announcement before the code, and what is said of it after it", () => {
    const [scene] = scenesOf(
      words("There are many depths. The function min finds the smallest of the depths:"),
      code("print(min(depths))"),
      code("3", true),
      words("The result 3 is the depth at the shore."),
    );
    expect(scene?.narration).to.equal("The function min finds the smallest of the depths. The result 3 is the depth at the shore.");
    expect(scene?.content).to.include({ code: "print(min(depths))", printed: "3" });
  });

  it("say nothing over one piece of code that announces the next", () => {
    const scenes = scenesOf(
      words("The function min finds the smallest of the depths:"),
      code("print(min(depths))"),
      code("3", true),
      words("The function max finds the largest of the depths:"),
      code("print(max(depths))"),
      code("9", true),
    );
    const said = scenes.filter(({ content }) => content.code?.includes("min")).map(({ narration }) => narration);
    expect(said).to.not.be.empty;
    expect(said.join()).to.not.include("largest");
  });

  it("say nothing that names what only other code has", () => {
    const page = [
      code("print(max(depths))"),
      code("9", true),
      words("We print the smallest of them with min(depths):"),
      code("print(tides)"),
    ];
    expect(scenesOf(...page, code("[1, 2]", true)).filter(({ content }) => content.code === "print(tides)")).to.deep.equal([]);
  });

  it("say what stands alone between two pieces of code only behind the first", () => {
    const first = code("$ git add tides.md", false, "bash");
    const scenes = scenesOf(
      words("We can tell Git to track a file using git add:"),
      first,
      words("They are pushed to the owner's repository:"),
      code("$ git push origin main", false, "bash"),
      code("main -> main of the harbour", true),
    );
    expect(scenes.map(({ narration, after }) => ({ narration, after }))).to.deep.equal([
      { narration: "They are pushed to the owner's repository.", after: first },
    ]);
  });

  it("show no heading alone that has only what is typed", () => {
    const manual = ["Help on function tide in module harbour:", ...Array.from({ length: 12 }, () => "x".repeat(90))].join("\n");
    expect(scenesOf(words("Let's look at the help for harbour.tide:"), code("help(harbour.tide)"), code(manual, true))).to.deep.equal([]);
  });

  it("show of long output the lines that are spoken of, and that others are left out", () => {
    const rows = Array.from({ length: 20 }, (_, index) => `station ${index} of the northern coast is closed in winter`);
    const printed = [...rows.slice(0, 9), "harbour gauge is open all year", ...rows.slice(9)].join("\n");
    const [scene] = scenesOf(
      words("The command gauges tells us which harbour gauge is open:"),
      code("$ gauges", false, "bash"),
      code(printed, true),
    );
    const lines = scene?.content.printed?.split("\n") ?? [];
    expect(lines).to.include("harbour gauge is open all year");
    expect([lines[0], lines.at(-1)]).to.deep.equal(["…", "…"]);
  });

  it("show the one line that has what is said, not lines with words that many have", () => {
    const printed = [
      "On branch main",
      "Changes not staged for commit:",
      '  (use "git add <file>..." to update what will be committed)',
      '  (use "git restore <file>..." to discard changes in working directory)',
      "    modified:   harbour.md",
      'no changes added to commit (use "git add" and/or "git commit -a")',
    ].join("\n");
    const passages = [
      words("When we run `git status` now, it tells us that a file it already knows about has been modified:"),
      code("$ git status", false, "bash"),
      code(printed, true, "text"),
    ];
    const [scene] = codeScenes(linesOf(passages), passages, "bash", filmWords("en")).filter(({ layout }) => layout === "trace");
    expect(scene?.content.printed).to.include("modified:");
  });

  it("are made of commands with any signs", () => {
    const passages = [
      words("We build it in its folder, with the compiler:"),
      code("$ (cd build && g++ main)", false, "bash"),
      code("done", true, "text"),
    ];
    expect(() => codeScenes(linesOf(passages), passages, "bash", filmWords("en"))).to.not.throw();
  });

  it("show of an error its last line", () => {
    const trace = [
      "-----",
      "NameError   Traceback (most recent call last)",
      "----> 1 print(tide)",
      "",
      "NameError: name 'tide' is not defined",
    ];
    const [scene] = scenesOf(
      words("Python tells us when the name of a tide does not exist:"),
      code("print(tide)"),
      code(trace.join("\n"), true),
    );
    expect(scene?.content.printed?.split("\n").at(-1)).to.equal("NameError: name 'tide' is not defined");
  });

  it("show the head and the first rows of a long table, also of one column", () => {
    const rows = ["depth", ..."123456789".split("").map((digit) => `${digit} m`)].join("\n");
    const [scene] = scenesOf(words("We can read every depth that was measured:"), code("SELECT depth FROM Tide;", false, "sql"), {
      ...words(rows),
      kind: "table",
    });
    expect(scene?.content.printed).to.equal("depth\n1 m\n2 m\n3 m\n4 m\n5 m\n…");
  });

  it("say an announcement also where a call-out stands between it and the code", () => {
    const [scene] = scenesOf(
      words("We can find the smallest depth with min:"),
      { ...words("Depths are in metres."), kind: "callout", title: "A note" },
      code("print(min(depths))"),
      code("3", true),
    );
    expect(scene?.narration).to.equal("We can find the smallest depth with min.");
  });

  it("say an announcement that leans on the sentence before it with that one", () => {
    const [scene] = scenesOf(
      words("Suppose we want to see the deepest harbours. We can select these rows with max:"),
      code("print(max(depths))"),
      code("9", true),
    );
    expect(scene?.narration).to.equal("Suppose we want to see the deepest harbours. We can select these rows with max.");
  });

  it("say nothing that the next sentence turns round", () => {
    const scenes = scenesOf(
      words("There are depths."),
      code("print(min(depths))"),
      code("3", true),
      words("If a depth is missing, min should give nothing. It is more useful, though, to leave it out."),
    );
    expect(scenes.map(({ narration }) => narration).join()).to.not.include("should give nothing");
  });

  it("show no table that is too wide for its columns in an upright film", () => {
    const table = (last: string): Passage => ({ ...words(`ship\tharbour\t${last}\nAnn\tnorth\t3\nBea\tsouth\t5`), kind: "table" });
    const query = [words("We select the ships of all harbours from the table Ships:"), code("SELECT * FROM Ships;", false, "sql")];
    expect(scenesOf(...query, table("its draught in feet"))).to.have.length(1);
    expect(scenesOf(...query, table("its draught in feet now"))).to.deep.equal([]);
  });

  it("set the rows of a query's table below it", () => {
    const table = { ...words("name\tdepth\nshore\t3\nharbour\t12"), kind: "table" };
    const [scene] = scenesOf(
      words("The SELECT command reads names and depths:"),
      code("SELECT name, depth FROM sounding;", false, "sql"),
      table,
    );
    expect(scene?.content.printed).to.equal("name     depth\nshore    3\nharbour  12");
  });

  it("know from the prompt which code is printed", () => {
    const whole = '<code>{"languages":{"python":["s1"]},"printed":["s2"]}</code>';
    const passages = ["s1", "s2"].map((id) => ({ ...code("3"), id }));
    const told = withCodeFacts({ passages, history: [], question: "", whole });
    expect(told.map((one) => one.code)).to.deep.equal([
      { language: "python", isPrinted: false },
      { language: "", isPrinted: true },
    ]);
  });
});
