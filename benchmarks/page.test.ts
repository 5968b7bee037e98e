import { readFileSync } from "node:fs";
import { expect } from "chai";
import { benchmarksPage, withSections } from "./page.ts";

const own = benchmarksPage("2 cores");
const section = (name: string, figure: string): string =>
  `## About ${name}\n\n\`npm run bench -- ${name}\` · baseline: none\n\n| what |\n|---|\n| ${figure} |\n`;
const page = `# Benchmarks\n\nHead.\n\n${section("alpha", "1")}\n${section("gamma", "3")}`;

describe("the page of benchmarks", () => {
  it("replaces the section of one benchmark and keeps the others", () => {
    const written = withSections(page, new Map([["gamma", section("gamma", "33")]]), own);
    expect(written).to.include(section("alpha", "1")).and.include("| 33 |").and.not.include("| 3 |");
    expect(withSections(written, new Map([["gamma", section("gamma", "33")]]), own)).to.equal(written);
  });

  it("inserts a new section in the order of names", () => {
    const written = withSections(page, new Map([["beta", section("beta", "2")]]), own);
    expect([...written.matchAll(/About (\w+)/g)].map(([, name]) => name)).to.deep.equal(["alpha", "beta", "gamma"]);
  });

  it("keeps every section of the current page", () => {
    const real = readFileSync(new URL("../docs/reports/benchmarks.md", import.meta.url), "utf8");
    const titles = (text: string) => [...text.matchAll(/^## .*$/gm)].map(([title]) => title);
    expect(titles(withSections(real, new Map([["zeta", section("zeta", "9")]]), own))).to.have.members([...titles(real), "## About zeta"]);
  });
});
