import { expect } from "chai";
import fc from "fast-check";
import { blockHtml } from "./growing.ts";
import { renderMarkdown } from "./server.ts";
import { advance, startStreaming, stepHtml } from "./streaming.ts";
import { trickyDocuments, trickyPieces } from "./tricky-documents.fixture.ts";

const options = { citations: "pending" } as const;
const fresh = (source: string, incomplete: boolean): string =>
  renderMarkdown(incomplete && source.endsWith("\r") ? source.slice(0, -1) : source, { ...options, leaves: "wait", incomplete });

/** Streams a text in pieces of these sizes; at every step what stands must be what a fresh parse of that much would give, ended here or not. */
function follow(source: string, sizes: readonly number[]): void {
  let state = startStreaming(options);
  let at = 0;
  for (let turn = 0; at < source.length; turn++) {
    at = Math.min(source.length, at + (sizes[turn % sizes.length] ?? 1));
    const prefix = source.slice(0, at);
    const step = advance(state, prefix, false);
    if (stepHtml(step) !== fresh(prefix, true)) expect(stepHtml(step), `growing: ${JSON.stringify(prefix)}`).to.equal(fresh(prefix, true));
    state = step.state;
    const ended = stepHtml(advance(state, prefix, true));
    if (ended !== fresh(prefix, false)) expect(ended, `ended: ${JSON.stringify(prefix)}`).to.equal(fresh(prefix, false));
  }
}

const committed = (source: string) => advance(startStreaming(options), source, false).committed.length;

describe("advance", () => {
  for (const [name, document] of Object.entries(trickyDocuments))
    it(`shows every beginning of a document as a fresh parse would: ${name}`, () => {
      follow(document, [1]);
      follow(document.repeat(2), [2, 3]);
      follow(`${document}\n\nwords between\n\n${document}`, [7]);
    });

  it("equals a fresh parse for every pair of those documents", () => {
    const documents = Object.values(trickyDocuments);
    const pair = fc.tuple(fc.constantFrom(...documents), fc.constantFrom("", "\n", "\n\n", "\n\ntext\n\n"), fc.constantFrom(...documents));
    fc.assert(
      fc.property(pair, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 }), ([one, between, other], sizes) =>
        follow(one + between + other, sizes),
      ),
      { numRuns: 150 },
    );
  }).timeout(120_000);

  it("equals a fresh parse for random texts in pieces of any size", () => {
    const text = fc.array(fc.constantFrom(...trickyPieces), { maxLength: 45 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 }), (source, sizes) =>
        follow(source, sizes),
      ),
      { numRuns: 500 },
    );
  }).timeout(120_000);

  it("equals a fresh parse for whatever follows a long nested list", () => {
    const more = fc.constantFrom(
      "  - sub\n",
      "  - **sub",
      "\n",
      "  ",
      "    - deeper\n",
      "- item\n",
      "  words\n",
      "words\n",
      "  1. one\n",
      "  * other\n",
      "  - [ ] task\n",
      ...trickyPieces,
    );
    const begin = fc.constantFrom("- a\n- b\n", "- b\n", "* [ ] b\n", "- a\n- `b`\n  c\n");
    const text = fc.tuple(begin, fc.integer({ min: 9, max: 13 }), fc.array(more, { maxLength: 25 }));
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), ([head, count, rest], sizes) =>
        follow(head + "  - sub item\n".repeat(count) + rest.join(""), sizes),
      ),
      { numRuns: 400 },
    );
  }).timeout(120_000);

  it("never changes a final block, except for links defined later", () => {
    const text = fc.array(fc.constantFrom(...trickyPieces), { maxLength: 45 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (source) => {
        let state = startStreaming(options);
        let before: ReturnType<typeof advance>["committed"] = [];
        for (let at = 0; at <= source.length; at += 5) {
          const step = advance(state, source.slice(0, at), false);
          expect(step.committed.length).to.be.at.least(before.length);
          before.forEach((block, index) => {
            expect(step.committed[index]?.id).to.equal(block.id);
            if (!/\[/.test(source)) expect(step.committed[index]).to.equal(block);
          });
          before = step.committed;
          state = step.state;
        }
      }),
      { numRuns: 150 },
    );
  });

  it("finalises a block once two more follow or a long block has begun", () => {
    expect(committed("one\n\ntwo")).to.equal(0);
    expect(committed("one\n\ntwo\n\nthree")).to.equal(1);
    expect(committed("# one\n- two\n\nthree\n\nfour")).to.equal(2);
    expect(committed("one\n\n- a\n- b\n")).to.equal(0);
    expect(committed("one\n- a\n- b\n- c")).to.equal(1);
  });

  /** What may still change of the last block. */
  const live = (source: string): string => {
    let state = startStreaming(options);
    for (let at = 1; at < source.length; at += 7) state = advance(state, source.slice(0, at), false).state;
    const block = advance(state, source, false).tail.at(-1);
    if (!block || block.kind === "whole") return blockHtml(block ?? { kind: "whole", html: "nothing" });
    return block.kind === "code" ? block.live : block.live.join("");
  };

  it("keeps only the last parts of a list, table or fence open", () => {
    const many = Array.from({ length: 200 }, (_, index) => index);
    expect(live(many.map((index) => `- item ${index}\n`).join(""))).to.equal("<li>item 198</li>\n<li>item 199</li>\n");
    expect(live(`| a |\n|---|\n${many.map((index) => `| cell ${index} |\n`).join("")}`)).to.equal("<tr>\n<td>cell 199</td>\n</tr>\n");
    expect(live(`\`\`\`js\n${many.map((index) => `let a${index};\n`).join("")}let`)).to.equal("\nlet");
  });

  it("re-renders only the blocks that use a late definition", () => {
    const start = "see [it]\n\nplain [^1] [other]\n\nthree\n\nfour";
    const first = advance(startStreaming(options), start, false);
    const next = advance(first.state, `${start}\n\n[it]: /there\n`, false);
    expect(blockHtml(next.committed[0] ?? { kind: "whole", html: "" })).to.contain('href="/there"');
    expect(next.committed[1]).to.equal(first.committed[1]);
  });

  it("shows unclosed constructs as source while the text grows", () => {
    const tail = (source: string) => stepHtml(advance(startStreaming(options), source, false));
    expect(tail("$$\nx +")).to.contain("math-growing").and.not.contain("data-pending");
    expect(tail("$$\nx\n$$")).to.contain('data-pending="math"');
    expect(tail("```mermaid\ngraph TD")).to.not.contain("data-diagram");
    expect(tail("```mermaid\ngraph TD\n```")).to.contain("data-diagram");
    expect(tail("```js\nlet a")).to.not.contain("data-pending");
    expect(tail("```js\nlet a\n```")).to.contain('data-pending="code"');
  });

  it("never treats an unclosed fence as closed", () => {
    const code = "```js\nlet a;\n    \n  ``\n\n      ```\n  let b;\n\t\n";
    for (const source of [code, `- ${code.replaceAll("\n", "\n  ")}`, `> ${code.replaceAll("\n", "\n> ")}`])
      for (let at = 4; at <= source.length; at += 1)
        expect(stepHtml(advance(startStreaming(options), source.slice(0, at), false)), source.slice(0, at)).to.not.contain("data-pending");
  });

  it("starts over if the text is no continuation", () => {
    const first = advance(startStreaming(options), "one\n\ntwo\n\nthree", false);
    expect(stepHtml(advance(first.state, "other", true))).to.equal("<p>other</p>\n");
  });
});
