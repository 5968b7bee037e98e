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

  const filterRows = "filter(rows, a > 1)";
  const takeRows = "We can take rows of a table with the `filter` function:";
  it("ask for a function in code that is announced with it", () => {
    expect(of("en", ["core.theory", takeRows], code("python", filterRows))).to.have.length(1);
  });

  for (const [reason, before, text, language = "python"] of [
    ["the words before it give the name away", "We `filter` rows by filtering on a condition that we write:", filterRows],
    ["the code gives the name away", takeRows, "filter(filtered, a > 1)"],
    ["the name stands twice in it", takeRows, "filter(filter(rows, a > 1), b < 2)"],
    ["the page defines the name", "We call the function `areas` that we have just written:", "def areas(x):\n    return x"],
    ["the name is of the page's own value", "We see the trees with the `trees.describe()` function:", "trees = load()\ntrees.describe()"],
    ["the name stands in a comment", takeRows, "# filter(rows)\nrows"],
    [
      "the name stands in a comment of a query",
      "We can leave out what stands twice with `DISTINCT` in it:",
      "SELECT kind -- DISTINCT kind",
      "sql",
    ],
    ["the name stands in a text", takeRows, 'print("""filter(rows)""")'],
    ["nothing is said of it, nor shown what it gives", "Use `filter` to take rows of a table.\n\nAgain:", filterRows],
    ["what is said begins within a sentence", "and we can take rows of a table with `filter` now:", filterRows],
    ["what is said is a question", "What happens if you give the rows of a table to `filter`?", filterRows],
    [
      "what is said is longer than a question may be",
      `${"We can take rows of a table, ".repeat(20)}with the \`filter\` function:`,
      filterRows,
    ],
    ["a program prints the name", "Every time we run it, `width` is printed with its value:", "$ ./areas\n width: 60", "console"],
    ["another name would do as well", "We can use the functions `first`, `filter` or `head` to take rows:", filterRows],
    ["it is an editor, which is a matter of taste", "We can write the file with the `nano` program that we have:", "$ nano a.txt", "bash"],
    ["it is half of a command", "To remove what we do not need there is the `podman image` command:", "$ podman image rm a", "bash"],
    ["it is a file", "We can look at all that was found in the file `rows.csv` now:", "rows.csv()"],
    ["a backslash before it would hide the gap", "We can read the rows of a file with the `copy` command:", "\\copy(Site)", "sql"],
  ] as const)
    it(`ask for no name in code where ${reason}`, () => {
      expect(of("en", ["core.theory", before], code(language, text))).to.deep.equal([]);
    });

  it("ask for a command of a shell only where it is named: others may print the same", () => {
    const printed = output("one\ntwo");
    const names: [Block["type"], string] = ["core.key-points", "- `cat` and `less` are programs."];
    expect(of("en", names, ["core.theory", "We look at what is in the file now:"], code("bash", "$ cat a.txt"), printed)).to.deep.equal([]);
    const [question] = of("en", ["core.theory", "We look at what is in the file with `cat`:"], code("bash", "$ cat a.txt"), printed);
    expect(question?.kind === "gap" && question.gaps).to.deep.equal([["cat"]]);
  });

  it("ask twice for the same name at most, and first for what the words before the code name", () => {
    const said: [Block["type"], string] = ["core.theory", "We can take some rows of it with the `head` function, beside `filter`:"];
    const all = of(
      "en",
      ["core.key-points", "- Rows are taken by `filter`, or by `head`."],
      ...[1, 2, 3].flatMap((a) => [said, code("r", `head(filter(rows, ${a}))`)]),
    );
    const names = all.flatMap((one) => (one.kind === "gap" && one.level === "application" ? one.gaps.flat() : []));
    expect(names).to.deep.equal(["head", "head", "filter"]);
  });

  it("take a keyword of a query in any case, and the other sign for one", () => {
    const [question] = of(
      "en",
      ["core.theory", "We see how many rows the table has with the `count` function:"],
      code("sql", "SELECT count(*) FROM Site;"),
    );
    for (const written of ["count", "COUNT", "Count"])
      expect(question && markResponse(question, { texts: [written] }).correct).to.equal(true);
    const [differs] = of(
      "en",
      ["core.theory", "We leave out one of all names with the `!=` sign:"],
      code("sql", "SELECT * FROM Site WHERE name != 'DR-1';"),
    );
    expect(differs && markResponse(differs, { texts: ["<>"] }).correct).to.equal(true);
  });

  it("have no addresses in what is said of code", () => {
    const before = "We count the values with the [`length`](#length) function, as ![a picture](plot.png) shows:";
    expect(of("en", ["core.theory", before], code("r", "length(x)"))[0]?.markdown).to.include("with the `…` function, as shows:");
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

  it("match no entries that say nothing of a name, nor two that are said the same of", () => {
    const text = [
      "- `git add` the file, then commit it",
      "- `x` and `y` are two variables",
      "- [**Git**](https://git.example): a program that keeps versions",
      "- `mean(x)`: returns the central value",
      "- `median(x)`: Returns the central value",
      "- `sum(x)`: adds up what it is given",
    ];
    expect(of("en", ["core.theory", text.join("\n")])).to.deep.equal([]);
  });

  it("match the rows of a table of names with what they do, in groups of six at most, code apart from terms", () => {
    const verbs = ["reads", "writes", "sorts", "joins", "splits", "counts", "prints"];
    const rows = verbs.map((verb, at) => `| \`f${at}()\` | ${verb} what it is given |`);
    const tables: [Block["type"], string] = ["core.table", ["| name | what |", "| --- | --- |", ...rows].join("\n")];
    const terms: [Block["type"], string] = ["core.theory", "- **Novice**: who asks little\n- **Expert**: who sees more"];
    const all = of("en", tables, terms);
    expect(all.map((one) => (one.kind === "match" ? one.pairs.length : 0))).to.deep.equal([4, 3]);
  });

  it("are made of a page in bounded time, whatever its text", () => {
    const links: [Block["type"], string] = ["core.theory", `- \`aa\`: ${"[".repeat(60_000)}`];
    const names: [Block["type"], string] = [
      "core.theory",
      Array.from({ length: 5_000 }, (_, at) => `- \`f${at}()\`: gives ${at} of it`).join("\n"),
    ];
    const all = of("en", links, names, ["core.theory", `${"[".repeat(60_000)} \`aa\` it does all:`], code("r", "aa(x)"));
    expect(all.length).to.be.at.most(10);
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
