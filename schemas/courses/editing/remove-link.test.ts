import { expect } from "chai";
import { withoutLink } from "./remove-link.ts";

describe("removing a link", () => {
  it("keeps its words and every other link", () => {
    const source = 'One [here](#gone).\r\n\nSee [it](#gone "Why") and [that](#kept), [again](<#gone>).';
    expect(withoutLink(source, 3, "#gone")).to.equal("One [here](#gone).\r\n\nSee it and [that](#kept), again.");
    expect(withoutLink(source, 1, "#gone")).to.equal('One here.\r\n\nSee [it](#gone "Why") and [that](#kept), [again](<#gone>).');
  });

  it("is not possible for definitions, pictures with links and other addresses", () => {
    for (const source of ["[a]: #gone", "[![a](a.svg)](#gone)", "![a](#gone)", "\\[a](#gone)", "[a](#gone-2)", ""])
      expect(withoutLink(source, 1, "#gone"), source).to.equal(null);
  });
});
