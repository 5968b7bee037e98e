import { expect } from "chai";
import { withoutLink } from "./remove-link.ts";

describe("removing a link", () => {
  it("keeps its words and every other link", () => {
    const source = 'One [here](#gone).\r\n\nSee [it](#gone "Why") and [that](#kept), [again](<#gone>).';
    expect(withoutLink(source, 3, "#gone")).to.equal("One [here](#gone).\r\n\nSee it and [that](#kept), again.");
    expect(withoutLink(source, 1, "#gone")).to.equal('One here.\r\n\nSee [it](#gone "Why") and [that](#kept), [again](<#gone>).');
  });

  it("takes a definition out with all that uses it, outside code", () => {
    const source =
      "See [it][there], [There][] and [there], not `[there]` or [that][kept].\n\n    [there]\n\n[there]: #gone 'Why'\n[kept]: #kept\n";
    expect(withoutLink(source, 5, "#gone")).to.equal(
      "See it, There and there, not `[there]` or [that][kept].\n\n    [there]\n\n[kept]: #kept\n",
    );
    expect(withoutLink("A [b].\r\n\r\n[b]: <#gone>\r\n", 3, "#gone")).to.equal("A b.");
  });

  it("is not possible for mere definitions, pictures and other addresses", () => {
    for (const source of ["[a]: #gone", "[a]: #gone\n\n![b][a]", "[![a](a.svg)](#gone)", "![a](#gone)", "\\[a](#gone)", "[a](#gone-2)", ""])
      expect(withoutLink(source, 1, "#gone"), source).to.equal(null);
  });
});
