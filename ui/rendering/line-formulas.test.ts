import { expect } from "chai";
import { formulasInLine, lineWithFormulas } from "./line-formulas.ts";
import "./server.ts";

describe("lineWithFormulas", () => {
  it("take labels, references and boxes of LaTeX, and keep nothing that a formula defines", () => {
    for (const tex of ["a = b \\label{eq:x_1}", "\\mbox{if $x$}", "see \\eqref{eq:a_b}"])
      expect(lineWithFormulas(`$${tex}$`), tex)
        .to.contain("katex")
        .and.not.contain("katex-error");
    lineWithFormulas("$\\gdef\\mbox#1{\\unknown}$");
    expect(lineWithFormulas("$\\mbox{if}$")).to.not.contain("katex-error");
  });

  it("typesets formulas and keeps other characters literal", () => {
    const line = lineWithFormulas("Where *all* <b> of $A v = \\lambda v$ & `code` hold [x](y)");
    expect(line).to.contain('<span class="math"><span class="katex">');
    expect(line.replace(/<span class="math">.*<\/span>/s, "…")).to.equal("Where *all* &lt;b&gt; of … &amp; `code` hold [x](y)");
  });

  it("treats prices, escaped and single dollars as text", () => {
    for (const text of ["It costs 5$ or $6.", "From $5 for one to $10 for all", "A \\$x\\$ shell variable", "$ alone", "C:\\[dir\\]"])
      expect(formulasInLine(text), text).to.deep.equal([]);
    expect(lineWithFormulas("A \\$x\\$ here")).to.equal("A $x$ here");
  });

  it("lists formulas and shows invalid ones as source", () => {
    expect(formulasInLine("One $a$, two \\(b\\).")).to.deep.equal(["a", "b"]);
    expect(lineWithFormulas("$\\frac{1$")).to.contain("katex-error").and.contain("\\frac{1");
  });

  it("leaves formulas as source with the option wait", () => {
    expect(lineWithFormulas("Say $a$", { leaves: "wait" })).to.equal('Say <span class="math" data-pending="math">a</span>');
  });
});
