import { readFileSync } from "node:fs";
import { expect } from "chai";
import { assistantInjections } from "./assistants.ts";
import { corpus } from "./corpus/corpus.ts";
import { entryPoints } from "./corpus/injection.ts";
import { courseInjections } from "./course.ts";
import { learnerInjections } from "./learner.ts";
import { modelInjections } from "./model.ts";
import { injectionsPage, pageFile } from "./page.ts";
import { startTarget, type Target } from "./target.ts";
import { executed } from "./test-each.ts";

describe("prompt injections", function () {
  this.timeout(600_000);
  const all = corpus.flatMap(({ injections }) => injections);
  let target: Target;
  before(async () => {
    target = await startTarget();
  });
  after(() => target?.close());
  beforeEach(() => {
    target.model.calls.splice(0);
    target.model.obey = null;
  });

  it("has at least a hundred injections through every entry point", () => {
    expect(all.length).to.be.at.least(100);
    expect(new Set(all.map(({ id }) => id)).size).to.equal(all.length);
    expect(new Set(corpus.map(({ enters }) => enters))).to.have.all.keys(...Object.keys(entryPoints));
    expect(all.filter(({ text }) => text.trim() === "")).to.deep.equal([]);
  });

  it("matches docs/reports/injections.md", () => {
    expect(readFileSync(pageFile, "utf8"), "run npm run docs:injections").to.equal(injectionsPage());
  });

  describe("in the text of a course:", () => courseInjections(() => target));
  describe("in what a learner sends:", () => learnerInjections(() => target));
  describe("in what a model answers:", () => modelInjections(() => target));
  describe("in what an assistant calls:", () => assistantInjections(() => target));

  describe("all in all", () => {
    it("were brought in one by one", () => {
      expect(all.filter(({ id }) => !executed.has(id)).map(({ id }) => id)).to.deep.equal([]);
    });

    it("left no credential in the program's log", () => {
      expect(target.program.output()).not.to.include(target.credential);
    });
  });
});
