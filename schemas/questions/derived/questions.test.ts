import { expect } from "chai";
import type { Block } from "../../courses/authored.ts";
import { parseBlock } from "../../courses/parse.ts";
import { markResponse } from "../mark.ts";
import { partId } from "../shown.ts";
import { type DerivedQuestion, derivedQuestions } from "./questions.ts";

const blocksOf = (...sources: [type: Block["type"], source: string][]) =>
  sources.map(([type, source], index) => {
    const parsed = parseBlock({ id: `block-${index}-aaaa`, type, source });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    return parsed.block;
  });
const code = (language: string, text: string): [Block["type"], string] => ["core.code", `\`\`\`${language}\n${text}\n\`\`\``];
const output = (text: string): [Block["type"], string] => ["core.code", `---\nrole: output\n---\n\`\`\`text\n${text}\n\`\`\``];
const table = (...rows: string[]): [Block["type"], string] => [
  "core.table",
  ["| id |", "| --- |", ...rows.map((row) => `| ${row} |`)].join("\n"),
];
const of = (language: string, ...sources: [Block["type"], string][]): DerivedQuestion["question"][] =>
  derivedQuestions(blocksOf(...sources), language).map(({ question }) => question);

const visits: [Block["type"], string][] = [
  code("sql", "SELECT id FROM visits WHERE day < 5;"),
  table("1", "2"),
  code("sql", "SELECT id FROM visits WHERE day >= 5;"),
  table("3", "4"),
  code("sql", "SELECT id FROM visits WHERE day IS NULL;"),
  table("5"),
  code("sql", "SELECT id FROM visits;"),
  table("1", "2", "3", "4", "5"),
];

describe("questions made of a page's own text", () => {
  it("ask for the name that a key point says something of", () => {
    const [question] = of("en", ["core.key-points", "- `wc` counts lines, words, and characters in its inputs."]);
    if (question?.kind !== "gap") throw new Error("no question");
    expect(question.gaps).to.deep.equal([["wc"]]);
    expect(question.about).to.deep.equal(["block-0-aaaa"]);
    expect(markResponse(question, { texts: ["wc"] }).correct).to.equal(true);
    expect(markResponse(question, { texts: ["cat"] }).correct).to.equal(false);
  });

  it("ask for the name that a page teaches in its code, with what is said of it and what it gives", () => {
    const [question] = of(
      "en",
      ["core.theory", "We can remove duplicates by adding the `DISTINCT` keyword:"],
      code("sql", "SELECT DISTINCT kind FROM Survey;"),
      table("rad", "sal"),
    );
    if (question?.kind !== "gap") throw new Error("no question");
    expect(question.markdown).to.equal(
      "What belongs in the gap in this code?\n\nThe course says: “We can remove duplicates by adding the `…` keyword:”\n\n" +
        "```sql\nSELECT [[1]] kind FROM Survey;\n```\n\nIts output:\n\n| id |\n| --- |\n| rad |\n| sal |",
    );
    expect(question.about).to.deep.equal(["block-1-aaaa", "block-2-aaaa"]);
    expect(markResponse(question, { texts: ["distinct"] }).correct).to.equal(true);
    expect(markResponse(question, { texts: ["UNIQUE"] }).correct).to.equal(false);
  });

  for (const [reason, said, text, language = "python"] of [
    ["the words before it give the name away", "We `filter` rows by filtering on a condition that we write:", "filter(rows, a > 1)"],
    ["the name stands twice in it", "We can take rows of a table with the `filter` function:", "filter(filter(rows, a > 1), b < 2)"],
    ["the page defines the name", "We call the function `areas` that we have just written:", "def areas(x):\n    return x"],
    ["nothing is said of it, nor shown what it gives", "Use `filter` to take rows of a table.\n\nAgain:", "filter(rows, a > 1)"],
    ["a program prints the name", "Every time we run it, `width` is printed with its value:", "$ ./areas\n width: 60", "console"],
    ["another name would do as well", "We can use the functions `first`, `filter` or `head` to take rows:", "filter(rows, a > 1)"],
  ] as const)
    it(`ask for no name in code where ${reason}`, () => {
      expect(of("en", ["core.theory", said], code(language, text))).to.deep.equal([]);
    });

  it("keep two brackets of code apart from gaps", () => {
    const said = "We count the values of a list with the `length` function:";
    const [question] = of("en", ["core.theory", said], code("r", "length(x[[2]])"), output("[[1]]\n3"));
    expect(question?.markdown).to.include("[[1]](x\\[[2]])").and.include("\\[[1]]\n3");
  });

  it("ask to match names with what lists say of them", () => {
    const [question] = of("en", [
      "core.theory",
      "- `nrow(x)` - returns the number of\n  rows\n- `head(x)` - shows the first rows\n- `str(x)`: its structure, with types\n- `show(x)` - shows it\n- `more(x)` - See *less*.",
    ]);
    if (question?.kind !== "match") throw new Error("no question");
    expect(question.markdown).to.equal("Match each with what the course says about it: `nrow(x)`, `head(x)`, `str(x)`");
    expect(question.pairs).to.deep.equal([
      { left: "`nrow(x)`", right: "returns the number of rows" },
      { left: "`head(x)`", right: "shows the first rows" },
      { left: "`str(x)`", right: "its structure, with types" },
    ]);
  });

  it("ask to match marked terms with what a list says of them", () => {
    const text = "- *Novice*: who does not know what to ask\n- **Expert**: who sees more links\n- _Guide:_ who shows the way to others";
    const [question] = of("en", ["core.theory", text]);
    expect(question?.kind === "match" && question.pairs.map(({ left }) => left)).to.deep.equal(["Novice", "Expert", "Guide"]);
  });

  it("ask once for what is defined on the page and repeated as a key point", () => {
    const all = of(
      "en",
      ["core.theory", "A **pipe** is a way to join two programs of a line."],
      ["core.key-points", "- A pipe is a way to join programs with each other."],
    );
    expect(all).to.have.length(1);
  });

  it("ask which code gives a table, the others' own tables told to who chose them", () => {
    const all = of("en", ...visits);
    expect(all.map(({ kind }) => kind)).to.deep.equal(["single", "single", "single", "single"]);
    const [first] = all;
    if (first?.kind !== "single") throw new Error("no question");
    expect(first.markdown).to.include("Which code gives this table?").and.include("| 1 |\n| 2 |");
    const [right, ...wrong] = first.choices;
    expect(right?.markdown).to.include("day < 5");
    const isNull = wrong.find(({ markdown }) => markdown.includes("IS NULL"));
    expect(isNull?.feedback).to.include("| 5 |");
    const marked = markResponse(first, { choiceIds: [partId(isNull?.markdown ?? "")] });
    expect([marked.correct, marked.feedback]).to.deep.equal([false, [isNull?.feedback]]);
  });

  it("do not ask which code gives a table whose columns no other has", () => {
    const [first, ...rest] = visits;
    const other: [Block["type"], string] = ["core.table", "| day |\n| --- |\n| 5 |"];
    expect(
      of("en", ...(first ? [first] : []), other, ...rest.slice(1), code("sql", "SELECT 1;"), table("1"))
        .map(({ markdown }) => markdown)
        .join(),
    ).to.not.include("| day |");
  });

  it("ask nothing about outputs of which too few are known to differ", () => {
    expect(of("en", ...visits.slice(0, 6))).to.deep.equal([]);
  });

  it("leave out code that gave another output at another time", () => {
    const all = of("en", ...visits, code("sql", "SELECT id FROM visits;"), table("9"));
    expect(all).to.deep.equal([]);
  });

  it("offer no code for wrong that has all lines of the right one, or the other way round", () => {
    const rows = ["wc a.txt", "nano b.txt\nwc b.txt", "wc b.txt", "wc c.txt", "wc d.txt"].flatMap((text, at) => [
      code("bash", text),
      output(`${at} lines`),
    ]);
    const [first, ...others] = of("en", ...rows);
    expect(first?.kind === "single" && first.choices.length).to.equal(4);
    for (const question of [first, ...others]) {
      const choices = question?.kind === "single" ? question.choices : [];
      const right = choices.find(({ correct }) => correct)?.markdown ?? "";
      if (!right.includes("b.txt")) continue;
      expect(choices.filter(({ markdown }) => markdown.includes("b.txt"))).to.have.length(1);
    }
  });

  it("do not ask which code it was where the words of the output tell", () => {
    const named = ["alpha", "beta", "gamma", "delta"].flatMap((name) => [code("bash", `cat ${name}.txt`), output(`${name} is here`)]);
    expect(of("en", ...named)).to.deep.equal([]);
  });

  it("ask to work out short code that says all that its output follows from", () => {
    const [question] = of("en", code("python", "odds = [1, 3, 5]\nprint(len(odds))"), output("3"));
    if (question?.kind !== "number") throw new Error("no question");
    expect(question.value).to.equal(3);
    expect(question.markdown).to.include("print(len(odds))");
  });

  it("do not ask to work out what rests on code before it", () => {
    expect(of("en", code("python", "print(len(odds))"), output("3"))).to.deep.equal([]);
    expect(of("en", code("python", "print(area(3))"), output("42"))).to.deep.equal([]);
  });

  it("take no table for what a program gives that prints none", () => {
    const inShell = visits.map(([type, source]): [Block["type"], string] => [type, source.replace("```sql", "```bash")]);
    expect(of("en", ...inShell)).to.deep.equal([]);
  });

  it("take no output for that of code which something hidden stands behind", () => {
    const [input = null, given = null] = blocksOf(code("python", "print(1 + 2)"), output("3"));
    expect(derivedQuestions([input, given], "en")).to.have.length(1);
    expect(derivedQuestions([input, null, given], "en")).to.deep.equal([]);
  });

  it("ask about code in the course's language, and not at all in one without words for it", () => {
    expect(of("de-CH", ...visits)[0]?.markdown).to.include("Welcher Code ergibt diese Tabelle?");
    expect(of("fr", ...visits)).to.deep.equal([]);
  });
});
