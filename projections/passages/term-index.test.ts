import { expect } from "chai";
import type { TermCounts } from "./scoring.ts";
import { bestOf, createTermIndex } from "./term-index.ts";

const counted = (text: string, heading = ""): TermCounts => {
  const termsOf = (words: string) => words.split(" ").filter(Boolean);
  const countsOf = (words: string) => new Map([...Map.groupBy(termsOf(words), (term) => term)].map(([term, all]) => [term, all.length]));
  return {
    fields: { title: countsOf(""), heading: countsOf(heading), text: countsOf(text), nearby: countsOf("") },
    lengths: { title: 0, heading: termsOf(heading).length, text: termsOf(text).length, nearby: 0 },
    headingTerms: new Set(termsOf(heading)),
    sequence: termsOf(text),
  };
};

describe("the term index", () => {
  const indexOf = (texts: string[]) => {
    const index = createTermIndex();
    for (const [slot, text] of texts.entries()) index.add(slot, counted(text));
    return index;
  };
  const all = new Float32Array(10).fill(1);

  it("finds the passages with rare terms before those with frequent ones", () => {
    const index = indexOf(["pipe file", "file file", "loop file", "file"]);
    expect(
      index.best(
        new Map([
          ["pipe", 1],
          ["file", 1],
        ]),
        all,
        2,
      )[0],
    ).to.equal(0);
  });

  it("leaves out passages without weight, and respects the count", () => {
    const index = indexOf(["pipe", "pipe", "pipe pipe"]);
    expect(index.best(new Map([["pipe", 1]]), Float32Array.of(1, 1, 0), 10)).to.deep.equal([0, 1]);
    expect(index.best(new Map([["pipe", 1]]), all, 1)).to.have.length(1);
  });

  it("forgets a removed passage and its terms", () => {
    const index = indexOf(["pipe file", "pipe", "loop"]);
    index.remove(0, counted("pipe file"));
    expect(index.best(new Map([["pipe", 1]]), all, 10)).to.deep.equal([1]);
    expect(index.documentFrequency("file")).to.equal(0);
    expect(index.similar("fila")).to.deep.equal([]);
    expect([index.passages, index.meanLength("text")]).to.deep.equal([2, 1]);
  });

  it("reuses a slot without mixing its terms with the old ones", () => {
    const index = indexOf(["pipe", "loop"]);
    index.remove(0, counted("pipe"));
    index.add(0, counted("shell"));
    expect(index.best(new Map([["pipe", 1]]), all, 10)).to.deep.equal([]);
    expect(index.best(new Map([["shell", 1]]), all, 10)).to.deep.equal([0]);
  });

  it("counts a term in heading and text once", () => {
    const index = createTermIndex();
    index.add(0, counted("pipe pipe", "pipe"));
    expect(index.documentFrequency("pipe")).to.equal(1);
  });

  it("finds similar spellings by a fifth of the letters, two at most", () => {
    const index = indexOf(["redirect output"]);
    expect(index.similar("rediretc")).to.deep.equal(["redirect"]);
    expect(index.similar("oxtpxx")).to.deep.equal([]);
  });

  it("keeps counts beyond its bits at the largest", () => {
    const index = createTermIndex();
    index.add(0, counted("pipe ".repeat(5_000), "pipe ".repeat(100)));
    index.add(1, counted("pipe"));
    expect(index.best(new Map([["pipe", 1]]), all, 10).toSorted()).to.deep.equal([0, 1]);
  });
});

describe("the best of many", () => {
  it("are those that sorting finds, ties in order", () => {
    const values = Array.from({ length: 500 }, (_, at) => (at * 7919) % 61);
    const slots = values.map((_, at) => at);
    const sorted = slots.filter((slot) => (values[slot] ?? 0) > 0).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
    for (const count of [1, 2, 7, 100, 499, 1_000])
      expect(
        bestOf(slots, (slot) => values[slot] ?? 0, count),
        `${count}`,
      ).to.deep.equal(sorted.slice(0, count));
  });
});
