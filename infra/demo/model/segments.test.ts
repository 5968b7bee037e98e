import { expect } from "chai";
import { segmentsOf, sentencesOf } from "./segments.ts";

const cut = (text: string) => segmentsOf({ id: "s1", title: "T", trail: [], text }).map(({ kind, text: words }) => [kind, words]);

describe("segments of a passage", () => {
  it("are sentences; abbreviations, code, brackets and mathematics are not cut", () => {
    expect(
      sentencesOf("Use e.g. `a. B` here. It is $x. Y$ then. See Fig. 2 for more. Done!").map((sentence) => sentence.trim()),
    ).to.deep.equal(["Use e.g. `a. B` here.", "It is $x. Y$ then.", "See Fig. 2 for more.", "Done!"]);
  });

  it("do not end at the name of a macro", () => {
    expect(sentencesOf("When we pass 5, the println! macro prints it. That is all.")).to.have.length(2);
  });

  it("keep a run-in heading with its sentence, but end a sentence that is emphasised within", () => {
    expect(
      sentencesOf("**Scaling.** To scale $v$, stretch it. A negative number turns it.").map((sentence) => sentence.trim()),
    ).to.deep.equal(["**Scaling.** To scale $v$, stretch it.", "A negative number turns it."]);
    expect(cut("Two operations:\n- **Adding.** Put them end to end.\n- **Scaling.** Stretch it.")).to.deep.equal([
      ["sentence", "Two operations:"],
      ["item", "**Adding.** Put them end to end."],
      ["item", "**Scaling.** Stretch it."],
    ]);
    expect(sentencesOf("It is **always.** Never doubt it.")).to.have.length(2);
  });

  it("join the lines of wrapped text", () => {
    expect(cut("A pipe connects\ntwo programs and the\nShell starts them. Next.")).to.deep.equal([
      ["sentence", "A pipe connects two programs and the Shell starts them."],
      ["sentence", "Next."],
    ]);
  });

  it("of Markdown join lines whatever they end with, and take no line behind a colon for an entry", () => {
    const text = "That is a problem:\nreadings are larger,\nbut we don't know why.\nAsk\nher.\n- An entry\nof two lines.";
    expect(segmentsOf({ id: "s1", title: "T", trail: [], text, isMarkdown: true }).map((one) => [one.kind, one.text])).to.deep.equal([
      ["sentence", "That is a problem: readings are larger, but we don't know why."],
      ["sentence", "Ask her."],
      ["item", "An entry of two lines."],
    ]);
  });

  it("of Markdown keep a sentence whole whose code span goes on in the next line", () => {
    const text = "Given ``hp : p``, ``And.intro hp\nhq`` has type ``p ∧ q : Prop``. Next.";
    expect(segmentsOf({ id: "s1", title: "T", trail: [], text, isMarkdown: true }).map((one) => one.text)).to.deep.equal([
      "Given `hp : p`, `And.intro hp hq` has type `p ∧ q : Prop`.",
      "Next.",
    ]);
  });

  it("know code by its fence, and without one", () => {
    expect(cut("Run this:\n```bash\n$ ls -F\n```\nDone.")).to.deep.equal([
      ["sentence", "Run this:"],
      ["code", "$ ls -F"],
      ["sentence", "Done."],
    ]);
    expect(
      cut("We can prove it as follows.\nexample (h : p ∧ q) : q ∧ p :=\n  And.intro (And.right h) (And.left h)\nThis swaps the two."),
    ).to.deep.equal([
      ["sentence", "We can prove it as follows."],
      ["code", "example (h : p ∧ q) : q ∧ p :=\n  And.intro (And.right h) (And.left h)"],
      ["sentence", "This swaps the two."],
    ]);
    expect(cut("# Count the lines.\nwc -l *.pdb | sort -n")).to.deep.equal([["code", "# Count the lines.\nwc -l *.pdb | sort -n"]]);
  });

  it("of a passage of code are the code, whole, without its caption", () => {
    const code = "import numpy as np\n\nfor _ in range(20):\n    v = A @ v\n\nprint(v @ A @ v)   # close to 3, the largest eigenvalue";
    const of = (text: string) =>
      segmentsOf({ id: "s1", title: "By repetition", trail: [], text, kind: "code" }).map((segment) => [segment.kind, segment.text]);
    expect(of(`By repetition\n${code}`)).to.deep.equal([["code", code]]);
    expect(of(code)).to.deep.equal([["code", code]]);
    expect(of("By repetition")).to.deep.equal([["code", "By repetition"]]);
  });

  it("know lists, with marks and without", () => {
    expect(cut("There are two:\n- the first\n- the second")).to.deep.equal([
      ["sentence", "There are two:"],
      ["item", "the first"],
      ["item", "the second"],
    ]);
    expect(cut("There are two:\na trailing / indicates a directory\n@ indicates a link").map(([kind]) => kind)).to.deep.equal([
      "sentence",
      "item",
      "item",
    ]);
  });

  it("do not end at the number of a long entry", () => {
    const long = `6. You should find no more clusters. (${"Other settings find them. ".repeat(12).trim()})`;
    expect(sentencesOf(long)[0]).to.equal("6. You should find no more clusters.");
  });

  it("keep formulas whole and make tables of rows parted by tabs", () => {
    expect(cut("It is\n$$\nA v = \\lambda v .\n$$")).to.deep.equal([
      ["sentence", "It is"],
      ["formula", "$$\nA v = \\lambda v .\n$$"],
    ]);
    expect(cut("name\tsize\na\t1")).to.deep.equal([["table", "| name | size |\n| --- | --- |\n| a | 1 |"]]);
  });

  it("lose what could pose as a citation, and links' addresses", () => {
    expect(cut("See [the page](http://x.test/a(b)) and [s2] or [^1].")).to.deep.equal([["sentence", "See the page and or ."]]);
  });

  it("keep the index of a list, as code and without its marks", () => {
    const sentence = "We get the first number by `odds[0]`, or by odds[1] and `[2]`.";
    expect(cut(sentence)).to.deep.equal([["sentence", sentence]]);
    expect(cut("Every matrix[^1] has odds[s2] rows.")).to.deep.equal([["sentence", "Every matrix has odds rows."]]);
  });
});
