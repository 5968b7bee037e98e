import { expect } from "chai";
import type { Passage } from "../segments.ts";
import { linesOf } from "./lines.ts";
import { closing } from "./question.ts";
import { candidate } from "./scene.ts";

const passage = (id: string, text: string): Passage => ({ id, kind: "prose", text, title: "Finding", trail: ["Course", "Finding"] });

const code = (id: string, text: string): Passage => ({ ...passage(id, text), kind: "code" });
const of = { title: "Finding", emphasis: "worked-example", language: "en", avoid: [] } as const;
/** A scene that shows a command of a passage and what it prints while a sentence is said. */
const shown = (narration: string, from: Passage, text: string, names: string[] = []) =>
  candidate({
    layout: "code",
    heading: "Finding",
    narration,
    at: 0,
    says: [narration],
    content: { code: text },
    quotes: [{ passage: from, quote: text }],
    names,
  });

/** A scene in which code runs. */
const run = (narration: string, from: Passage, text: string, printed: string) =>
  candidate({ ...shown(narration, from, text), layout: "trace", content: { code: text, start: "", printed } });
const marked = (id: string, text: string, isPrinted = false): Passage => ({ ...code(id, text), code: { language: "", isPrinted } });

describe("the closing question of a film", () => {
  it("asks for the command that a sentence spoke of, among others of its program", () => {
    const passages = ["$ tide add log.md", "$ tide show", "$ tide push far"].map((text, index) => marked(`s${index}`, text));
    const scene = run("We keep a change with tide add.", passages[0] as Passage, "$ tide add log.md", "kept");
    const question = closing([scene], linesOf(passages), passages, of)?.content;
    expect(question?.question).to.equal("Which command belongs in the gap? “We keep a change with ____.”");
    expect(question?.choices?.find(({ correct }) => correct)?.text).to.equal("tide add");
    expect(question?.choices?.map(({ text }) => text)).to.have.members(["tide add", "tide show", "tide push"]);
  });

  it("asks for the keyword that a sentence spoke of, among those of other code", () => {
    const passages = ["SELECT a FROM t ORDER BY a;", "SELECT DISTINCT a FROM t;", "SELECT a FROM t WHERE a > 1;"].map(
      (text, index): Passage => ({ ...code(`s${index}`, text), code: { language: "sql", isPrinted: false } }),
    );
    const scene = run("We sort rows with ORDER BY and a column.", passages[0] as Passage, "SELECT a FROM t ORDER BY a;", "1");
    const question = closing([scene], linesOf(passages), passages, of)?.content;
    expect(question?.question).to.equal("Which name belongs in the gap? “We sort rows with ____ and a column.”");
    expect(question?.choices?.map(({ text }) => text)).to.have.members(["ORDER BY", "DISTINCT", "WHERE"]);
  });

  it("takes for a wrong choice no name of the code that does the same in another way", () => {
    const texts = ["SELECT a FROM t WHERE a = 1 OR a = 2;", "SELECT a FROM t WHERE a IN (1, 2);", "SELECT DISTINCT a FROM t ORDER BY a;"];
    const passages = texts.map((text, index): Passage => ({ ...code(`s${index}`, text), code: { language: "sql", isPrinted: false } }));
    const [, second] = passages as [Passage, Passage];
    const scene = run("We can use IN to find a value in a set.", second, second.text, "1");
    const choicesFor = (said: string): string[] => {
      const quotes = [
        { passage: passage("s9", said), quote: said },
        { passage: second, quote: second.text },
      ];
      return closing([{ ...scene, quotes }], [], passages, of)?.content.choices?.map(({ text }) => text) ?? [];
    };
    expect(choicesFor("We can use IN to find a value in a set:")).to.have.members(["IN", "OR", "DISTINCT", "ORDER BY"]);
    expect(choicesFor("Alternatively, we can use IN to find a value in a set:")).to.have.members(["IN", "DISTINCT", "ORDER BY"]);
  });

  it("asks for no name where a sentence says of it what holds for any", () => {
    const texts = ["SELECT a FROM t WHERE a = 1;", "SELECT a FROM t ORDER BY a;", "SELECT DISTINCT a FROM t;"];
    const passages = texts.map((text, index): Passage => ({ ...code(`s${index}`, text), code: { language: "sql", isPrinted: false } }));
    const [first] = passages as [Passage];
    const asked = closing([run("We need to add a WHERE clause to our query.", first, first.text, "1")], [], passages, of);
    expect(asked?.content.question ?? "").to.not.match(/____ clause/);
  });

  it("asks for a name that a key point is about, among those of other key points", () => {
    const shownCode = marked("s1", "sift(tides)");
    const others = [marked("s2", "pour(tides)"), marked("s3", "dry(tides)"), marked("s4", "wet(tides)")];
    const kept = {
      ...passage("s5", "Use sift() to choose deep tides.\nUse pour() to join several tides.\nUse dry() to empty all harbours."),
      kind: "key-points",
    };
    const passages = [shownCode, ...others, kept];
    const question = closing(
      [run("Tides are chosen by their depth.", shownCode, "sift(tides)", "3")],
      linesOf(passages),
      passages,
      of,
    )?.content;
    expect(question?.question).to.equal("Which name belongs in the gap? “Use ____ to choose deep tides.”");
    expect(question?.choices?.map(({ text }) => text)).to.have.members(["sift()", "pour()", "dry()"]);
  });

  it("asks which kind of error a message was of, among the page's kinds", () => {
    const passages = [
      marked("s1", "print(a)"),
      marked("s2", "NameError: name 'a' is not defined", true),
      passage("s3", "A SyntaxError or an IndexError."),
    ];
    const scene = run("Nothing has the name yet.", passages[0] as Passage, "print(a)", "NameError: name 'a' is not defined");
    const question = closing([scene], linesOf(passages), passages, of)?.content;
    expect(question?.question).to.equal("Which error says this: name 'a' is not defined");
    expect(question?.choices?.find(({ correct }) => correct)?.text).to.equal("NameError");
  });

  it("asks what printed a line that nothing else on the page prints", () => {
    const passages = ["print(depths)", "[3, 9, 4]", "print(max(depths))", "largest 9", "print(min(depths))", "smallest 3"].map(
      (text, index) => marked(`s${index}`, text, index % 2 === 1),
    );
    const scene = run("We look at the largest depth.", passages[2] as Passage, "print(max(depths))", "largest 9\n…");
    const question = closing([scene], linesOf(passages), passages, of)?.content;
    expect(question?.question).to.equal("What printed this: largest 9");
    expect(question?.choices?.find(({ correct }) => correct)?.text).to.equal("print(max(depths))");
  });

  it("asks what a command of the film prints, among lines that the same program prints elsewhere", () => {
    const passages = [
      code("s1", "$ grep -w The haiku.txt"),
      code("s2", "The Tao that is seen"),
      code("s3", "$ grep not haiku.txt"),
      code("s4", "Is not the true Tao\nToday it is not working"),
      code("s5", "$ ls"),
      code("s6", "haiku.txt"),
    ];
    const scene = shown("We look for a whole word.", passages[0] as Passage, "$ grep -w The haiku.txt\nThe Tao that is seen");
    const question = closing([scene], linesOf(passages), passages, of);
    expect(question?.content.question).to.equal("What does this print: grep -w The haiku.txt");
    expect(question?.content.choices?.map(({ text }) => text)).to.have.members([
      "The Tao that is seen",
      "Is not the true Tao",
      "Today it is not working",
    ]);
    expect(question?.content.choices?.find(({ correct }) => correct)?.text).to.equal("The Tao that is seen");
  });

  it("asks about a mistake where the film is about mistakes", () => {
    const passages = [
      code("s1", "$ ls -F"),
      code("s2", "data/"),
      code("s3", "$ ls gone.txt"),
      code("s4", "ls: cannot access 'gone.txt'"),
      code("s5", "$ ls"),
      code("s6", "haiku.txt"),
    ];
    const scenes = [
      shown("We list what is there.", passages[0] as Passage, "$ ls -F\ndata/"),
      shown("Now the file is gone.", passages[2] as Passage, "$ ls gone.txt\nls: cannot access 'gone.txt'"),
    ];
    const asked = (emphasis: "worked-example" | "common-mistakes") =>
      closing(scenes, linesOf(passages), passages, { ...of, emphasis })?.content.question;
    expect(asked("worked-example")).to.equal("What does this print: ls -F");
    expect(asked("common-mistakes")).to.equal("What does this print: ls gone.txt");
  });

  it("asks nothing about a command that prints one thing here and another thing there", () => {
    const passages = [
      code("s1", "$ ls notes"),
      code("s2", "a.txt"),
      code("s3", "$ ls notes"),
      code("s4", "b.txt"),
      code("s5", "$ ls"),
      code("s6", "notes\nhaiku.txt"),
    ];
    const scene = shown("We look into the folder.", passages[0] as Passage, "$ ls notes\na.txt");
    expect(closing([scene], linesOf(passages), passages, of)).to.equal(null);
  });

  it("asks which line a sentence of the film spoke of, without its names", () => {
    const passages = [code("s1", "theorem t : p := hp"), code("s2", "repeat assumption"), code("s3", "generalize 3 = x")];
    const said = ["The repeat combinator applies a tactic several times.", "A theorem is proved.", "A term becomes a variable."];
    const scenes = [1, 0, 2].map((at, index) =>
      shown(said[index] ?? "", passages[at] as Passage, passages[at]?.text ?? "", index === 0 ? ["repeat"] : []),
    );
    const question = closing(scenes, linesOf(passages), passages, of);
    expect(question?.content.question).to.equal("Which line is this about? “The ____ combinator applies a tactic several times.”");
    expect(question?.content.choices?.find(({ correct }) => correct)?.text).to.equal("repeat assumption");
  });
});
