import { expect } from "chai";
import { deadLinks, linksOf, mostWords, pages, readPage, wordsByPage } from "./pages.ts";

describe("documentation", () => {
  it("stays within its number of hand-written words", () => {
    const total = [...wordsByPage().values()].reduce((sum, count) => sum + count, 0);
    expect(total).to.be.greaterThan(1_000).and.at.most(mostWords);
  });

  it("keeps the README within 700 words", () => {
    expect(wordsByPage().get("README.md")).to.be.at.most(700);
  });

  it("keeps the glossary within 60 terms", () => {
    const terms = [...readPage("docs/glossary.md").matchAll(/^\| (?!term \|)(.+?) \|/gm)].map(([, term]) => term);
    expect(terms).to.have.length.within(30, 60);
    expect(terms).to.deep.equal([...new Set(terms)].toSorted());
  });

  it("has no dead link", () => {
    expect(pages.flatMap((page) => deadLinks(page))).to.deep.equal([]);
  });

  it("finds a missing page, a missing heading and a missing picture", () => {
    const text = "[a](gone.md) [b](#gone) ![c](docs/images/gone.png) [d](#here) `[e](code.md)`\n\n## Here\n";
    expect(deadLinks("README.md", text)).to.deep.equal(["README.md: gone.md", "README.md: #gone", "README.md: docs/images/gone.png"]);
  });

  it("leads to every page from another one", () => {
    const linked = new Set(pages.flatMap((page) => linksOf(page).flatMap(({ path }) => (path === page ? [] : [path]))));
    expect(pages.filter((page) => !linked.has(page) && page !== "README.md" && page !== "CHANGELOG.md")).to.deep.equal([]);
  });
});
