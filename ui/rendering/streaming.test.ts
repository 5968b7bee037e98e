import { expect } from "chai";
import fc from "fast-check";
import { renderMarkdown } from "./server.ts";
import { advance, startStreaming, withCitations } from "./streaming.ts";

const pieces = [
  "# Heading\n",
  "## Two `code`\n",
  "Plain words, *emphasis* and **strong**.\n",
  "\n",
  "\n\n",
  "- item\n",
  "  - nested\n",
  "  continued\n",
  "1. first\n",
  "2",
  "2.",
  "2. second\n",
  "> quote\n",
  "> > deeper\n",
  "```js\nlet a = 1;\n",
  "```\n",
  "~~~\n",
  "| a | b |\n|---|---|\n| 1 | 2 |\n",
  "| 3 | 4 |\n",
  "$x^2$ ",
  "$$\n",
  "a + b\n",
  "\\[\n",
  "\\]\n",
  "\\(c\\) ",
  "[link][ref] ",
  "[ref]: https://a.example 'title'\n",
  "[ref]: https://b.example\n",
  "[other][] and [other]\n",
  "[other]: /x\n",
  "cited[^1] ",
  "[^2]",
  "---\n",
  "===\n",
  "    indented\n",
  "\t",
  "#",
  "**",
  "`",
  "- [ ] task\n",
  "> [!NOTE]\n",
  "\r\n",
  "\r",
  "日本語。",
  "https://x.example/y ",
  "|",
  "*",
  "<b>html</b>",
  "\\",
  "mermaid",
  "```mermaid\ngraph TD\n",
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 45 }).map((parts) => parts.join(""));

const options = { citations: "pending" } as const;
const whole = (step: ReturnType<typeof advance>): string => step.committed.map((block) => block.html).join("") + step.tail;

describe("advance", () => {
  it("ends, for every text and every chunking, in what a fresh rendering gives", () => {
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 }), (source, sizes) => {
        let state = startStreaming(options);
        let at = 0;
        for (let turn = 0; at < source.length; turn++) {
          at = Math.min(source.length, at + (sizes[turn % sizes.length] ?? 1));
          state = advance(state, source.slice(0, at), false).state;
          expect(whole(advance(state, source.slice(0, at), true)), JSON.stringify(source.slice(0, at))).to.equal(
            renderMarkdown(source.slice(0, at), options),
          );
        }
      }),
      { numRuns: 600 },
    );
  });

  it("never changes a final block, except for links defined later", () => {
    fc.assert(
      fc.property(text, (source) => {
        let state = startStreaming(options);
        let before: readonly { id: string; html: string }[] = [];
        for (let at = 0; at <= source.length; at += 5) {
          const step = advance(state, source.slice(0, at), false);
          expect(step.committed.length).to.be.at.least(before.length);
          before.forEach((block, index) => {
            expect(step.committed[index]?.id).to.equal(block.id);
            if (!/\[/.test(source)) expect(step.committed[index]?.html).to.equal(block.html);
          });
          before = step.committed;
          state = step.state;
        }
      }),
      { numRuns: 150 },
    );
  });

  it("settles a block once a blank line and two more blocks follow", () => {
    const at = (source: string) => advance(startStreaming(options), source, false).committed.length;
    expect(at("one\n\ntwo")).to.equal(0);
    expect(at("one\n\ntwo\n\nthree")).to.equal(1);
    expect(at("# one\n- two\n\nthree\n\nfour")).to.equal(2);
  });

  it("renders again only the blocks a late definition may concern", () => {
    const first = advance(startStreaming(options), "see [it]\n\nplain\n\nthree\n\nfour", false);
    const next = advance(first.state, "see [it]\n\nplain\n\nthree\n\nfour\n\n[it]: /there\n", false);
    expect(next.committed[0]?.html).to.contain('href="/there"');
    expect(next.committed[1]).to.equal(first.committed[1]);
  });

  it("keeps what is not closed as its source while the text grows", () => {
    const tail = (source: string) => advance(startStreaming(options), source, false).tail;
    expect(tail("$$\nx +")).to.contain("math-growing").and.not.contain("katex");
    expect(tail("$$\nx\n$$")).to.contain("katex");
    expect(tail("```mermaid\ngraph TD")).to.not.contain("data-diagram");
    expect(tail("```mermaid\ngraph TD\n```")).to.contain("data-diagram");
    expect(tail("```js\nlet a")).to.not.contain("hljs-");
  });

  it("starts over for a text that is no continuation", () => {
    const first = advance(startStreaming(options), "one\n\ntwo\n\nthree", false);
    expect(whole(advance(first.state, "other", true))).to.equal("<p>other</p>\n");
  });

  it("gives the chips their sources and leaves every other block alone", () => {
    const source = "cited[^1]\n\nplain\n\nthree\n\nfour[^1]";
    const done = advance(startStreaming(options), source, false);
    const citations = [{ number: 1, sourceId: "source-0001", href: "/c/t#b", title: "T", trail: [], revisionId: "revision-1", quote: "q" }];
    const cited = advance(withCitations(done.state, citations), source, true);
    expect(whole(cited)).to.equal(renderMarkdown(source, { citations }));
    expect(cited.committed[1]).to.equal(done.committed[1]);
  });
});
