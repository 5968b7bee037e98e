import { expect } from "chai";
import { type Run, runOf } from "./trace.ts";

const heading = "A run";
const start = "  41 harbour.log\n   8 island.log\n 168 total\n";
const pipeline = (code: string, printed: string, from = start): Run => runOf({ heading, code, start: from, printed });
const dataOf = (run: Run): string[][] =>
  run.kind === "pipeline" ? run.stages.map(({ lines }) => lines.map(({ text }) => text.trim())) : [["no pipeline"]];
const problemOf = (run: Run): string => (run.kind === "unknown" ? run.problem : "");
const loop = (body: string, printed: string): Run =>
  runOf({ heading, code: `$ for name in amber.txt opal.txt\n> do\n>     ${body}\n> done`, start: "", printed });

describe("the run of a pipeline", () => {
  it("computes what goes from each command to the next", () => {
    const run = pipeline("$ wc -l *.log | sort -n | head -n 1", "   8  island.log");
    expect(dataOf(run)).to.deep.equal([
      ["41 harbour.log", "8 island.log", "168 total"],
      ["8 island.log", "41 harbour.log", "168 total"],
      ["8 island.log"],
    ]);
  });

  it("tells which line of the stage before a line was", () => {
    const run = pipeline("$ wc -l *.log | sort -nr", "168 total\n41 harbour.log\n8 island.log");
    expect(run.kind === "pipeline" && run.stages[1]?.lines.map(({ from }) => from)).to.deep.equal([2, 0, 1]);
  });

  it("computes chosen lines, columns, counts and lines without repetitions", () => {
    const list = "b,2\na,1\nb,2\nc,30\n";
    expect(dataOf(pipeline("$ cat x.csv | cut -d , -f 1 | sort | uniq", "a\nb\nc", list)).at(-1)).to.deep.equal(["a", "b", "c"]);
    expect(dataOf(pipeline("$ cat x.csv | grep b | wc -l", "2", list)).at(-1)).to.deep.equal(["2"]);
    expect(dataOf(pipeline("$ cat x.csv | tail -n 2", "b,2\nc,30", list)).at(-1)).to.deep.equal(["b,2", "c,30"]);
  });

  it("is unknown where the course prints something else than was computed", () => {
    expect(problemOf(pipeline("$ wc -l *.log | sort -n | head -n 1", "41 harbour.log"))).to.match(/not what was computed/u);
  });

  it("knows how many lines are chosen, and no other way to choose them", () => {
    const chosen = (program: string) => runOf({ heading, code: `$ cat x.csv | ${program} > y.csv`, start: "a\nb\nc\nd", printed: "" });
    for (const program of ["head -n 1", "head -n1", "head -1"]) expect(dataOf(chosen(program)).at(-1), program).to.deep.equal(["a"]);
    for (const program of ["head -n -1", "head 1", "tail -n +2", "tail -n -1", "head --1"])
      expect(problemOf(chosen(program)), program).to.match(/cannot be computed/u);
  });

  it("is unknown where a command cannot be computed or nothing is there to begin with", () => {
    expect(problemOf(pipeline("$ wc -l *.log | awk 1", "8 island.log"))).to.match(/cannot be computed/u);
    expect(problemOf(pipeline("$ wc -l *.log | head -n 1", "8 island.log", ""))).to.match(/Nothing says/u);
    expect(problemOf(pipeline("$ wc -l $(ls) | head -n 1; rm x", "8 island.log"))).to.match(/Only a pipeline/u);
  });
});

describe("the run of a loop", () => {
  it("gives the variable each value and the output line by line", () => {
    const run = loop("echo $name", "amber.txt\nopal.txt");
    expect(run.kind === "loop" && run.steps.map(({ line, value, prints }) => [line, value, ...prints])).to.deep.equal([
      [0, "amber.txt"],
      [2, "amber.txt", "amber.txt"],
      [0, "opal.txt"],
      [2, "opal.txt", "opal.txt"],
    ]);
  });

  it("shares out what the course prints by the lines that each command prints", () => {
    const run = loop("head -n 2 $name | tail -n 1", "origin: resin\norigin: silica");
    expect(run.kind === "loop" && run.steps.flatMap(({ prints }) => prints)).to.deep.equal(["origin: resin", "origin: silica"]);
  });

  it("is unknown where its output is another or its values are not written", () => {
    expect(problemOf(loop("echo $name", "amber.txt"))).to.match(/not what was computed/u);
    expect(problemOf(loop("python run.py $name", "a\nb"))).to.match(/cannot be known/u);
    expect(problemOf(runOf({ heading, code: "for x in *.txt\ndo\necho $x\ndone", start: "", printed: "a" }))).to.match(/not written/u);
  });
});

describe("the run of other code", () => {
  const session = (code: string, printed: string): (readonly [number, number, ...string[]])[] => {
    const run = runOf({ heading, code, start: "", printed });
    return run.kind === "session" ? run.steps.map(({ from, to, prints }) => [from, to, ...prints] as const) : [];
  };

  it("goes through commands and has what is printed at the end", () => {
    expect(session("$ git add notes.md\n$ git status", "On branch main\nclean")).to.deep.equal([
      [0, 0],
      [1, 1, "On branch main", "clean"],
    ]);
  });

  it("keeps what belongs to a statement together", () => {
    const code = "# a list\ntide = [\n    1,\n]\nfor one in tide:\n    print(one)\nprint(len(tide))";
    expect(session(code, "1\n1").map(([from, to]) => [from, to])).to.deep.equal([
      [0, 3],
      [4, 5],
      [6, 6],
    ]);
    expect(session("SELECT depth\nFROM sounding\nWHERE depth > 9;", "12")).to.deep.equal([[0, 2, "12"]]);
  });

  it("gives each line to the statement that prints it where each statement prints one", () => {
    expect(session("depth = 4\nprint(depth)\nprint(depth + 1)", "4\n5")).to.deep.equal([
      [0, 0],
      [1, 1, "4"],
      [2, 2, "5"],
    ]);
    expect(session("print(depth)\nsay()\nprint(depth)", "4\n5").map(([from]) => from)).to.deep.equal([0, 1, 2]);
    expect(session("print(depth)\nsay()\nprint(depth)", "4\n5").at(-1)).to.deep.equal([2, 2, "4", "5"]);
  });

  it("is unknown where nothing is printed", () => {
    expect(problemOf(runOf({ heading, code: "depth = 4", start: "", printed: "" }))).to.match(/Nothing says what the code prints/u);
  });
});
