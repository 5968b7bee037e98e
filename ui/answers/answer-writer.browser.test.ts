import { expect } from "chai";
import { html } from "lit";
import { citationChip } from "../rendering/citations.ts";
import { loadHighlighter, loadMath } from "../rendering/engines.ts";
import { renderMarkdown } from "../rendering/markdown.ts";
import { sanitize } from "../rendering/sanitize.ts";
import { trickyDocuments } from "../rendering/tricky-documents.fixture.ts";
import { upgrade } from "../rendering/upgrade.ts";
import { mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { AnswerWriter, answerOptions, writeInline } from "./answer-writer.ts";

/** Fails where a page that is given this text alone would show something else. */
async function expectFresh(shown: Element, name: string, text: string, incomplete: boolean): Promise<void> {
  const holder = document.createElement("div");
  const source = incomplete && text.endsWith("\r") ? text.slice(0, -1) : text;
  holder.innerHTML = sanitize(renderMarkdown(source, { ...answerOptions, leaves: "wait", incomplete }));
  await upgrade(holder);
  for (const chip of holder.querySelectorAll<HTMLElement>("span.cite"))
    if (!incomplete) chip.outerHTML = citationChip(Number(chip.dataset.citation), []);
  // The writer lets the page breathe between its formulas on a slow machine.
  if (!shown.isEqualNode(holder)) await until(() => !shown.querySelector("[data-pending]"), "formulas and code");
  // The order of attributes says nothing.
  if (!shown.isEqualNode(holder)) expect(shown.innerHTML, `${name}: ${JSON.stringify(text)}`).to.equal(holder.innerHTML);
}

describe("the answer writer", function () {
  this.timeout(120_000);
  let stage: HTMLElement;
  let writer: AnswerWriter;
  before(async () => {
    await Promise.all([loadMath(), loadHighlighter()]);
  });
  beforeEach(async () => {
    stage = await mount<HTMLElement>(html`<div></div>`);
    writer = new AnswerWriter(stage);
  });
  afterEach(() => {
    writer.end();
    getSelection()?.removeAllRanges();
    unmountAll();
  });

  const write = (text: string) => writer.write({ text, citations: null });
  const words = (text: string): Text => {
    const texts = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node instanceof Text; node = texts.nextNode()) if (node.data.includes(text)) return node;
    throw new Error(`nowhere is ${text}`);
  };
  const select = (text: string) => {
    const node = words(text);
    const at = node.data.indexOf(text);
    getSelection()?.setBaseAndExtent(node, at, node, at + text.length);
  };

  it("renders every prefix of difficult documents like a fresh page", async () => {
    for (const [name, source] of Object.entries(trickyDocuments))
      for (const size of [2, 13]) {
        const holder = document.createElement("div");
        const one = new AnswerWriter(holder);
        for (let at = size; at < source.length; at += size) {
          const text = source.slice(0, at);
          one.write({ text, citations: null });
          await expectFresh(holder, name, text, true);
        }
        one.write({ text: source, citations: [] });
        await expectFresh(holder, name, source, false);
        one.end();
      }
  });

  it("never changes final items, rows and lines", () => {
    const pieces = { list: (n: number) => `- item ${n}\n`, table: (n: number) => `| cell ${n} |\n`, code: (n: number) => `line ${n}\n` };
    const heads = { list: "", table: "| a |\n|---|\n", code: "```js\n" };
    for (const kind of ["list", "table", "code"] as const) {
      const holder = stage.appendChild(document.createElement("div"));
      const one = new AnswerWriter(holder);
      let text = heads[kind];
      let touched: Node[] = [];
      let first: Node | null = null;
      const changes = new MutationObserver((records) => touched.push(...records.map(({ target }) => target)));
      for (let n = 0; n < 60; n++) {
        text += pieces[kind](n);
        one.write({ text, citations: null });
        first ??= holder.querySelector("li, tbody tr, code")?.firstChild ?? null;
        if (n === 10) changes.observe(holder, { subtree: true, childList: true, characterData: true, attributes: true });
      }
      touched = changes.takeRecords().map(({ target }) => target);
      changes.disconnect();
      expect(holder.querySelector("li, tbody tr, code")?.firstChild, kind).to.equal(first);
      const settled = [...holder.querySelectorAll("li, tbody tr")].slice(0, 5);
      expect(
        settled.some((element) => touched.some((node) => element.contains(node))),
        kind,
      ).to.equal(false);
      expect(touched.length, kind).to.be.lessThan(400);
      one.end();
    }
  });

  it("keeps a selection when code is highlighted or a list loosens", async () => {
    const code = "```js\nlet first = 1;\nlet second = 2;\n";
    write(code);
    select("first = 1");
    write(`${code}\`\`\`\n\nand on`);
    await until(() => stage.querySelector(".hljs-keyword"), "the colours");
    expect(String(getSelection())).to.equal("first = 1");

    const list = "- the first item\n- the second item\n- the third item\n- the fourth item\n";
    write(list);
    select("second");
    write(`${list}\n- the fifth item\n`);
    expect(stage.querySelectorAll("li > p")).to.have.length(5);
    expect(String(getSelection())).to.equal("second");
  });

  it('keeps a "Copied" button and highlights after the closing fence', async () => {
    write("```js\nlet a = 1;\nlet b");
    const button = stage.querySelector("button");
    if (button) button.textContent = "Copied";
    expect(stage.querySelector(".hljs-keyword")).to.equal(null);
    write("```js\nlet a = 1;\nlet b;\n```\n");
    await until(() => stage.querySelector(".hljs-keyword"), "the colours");
    write("```js\nlet a = 1;\nlet b;\n```\n\nand on, and on");
    expect(stage.querySelector("button")).to.equal(button);
    expect(button?.textContent).to.equal("Copied");
    expect(stage.querySelector(".hljs-keyword")).to.not.equal(null);
  });

  it("keeps a formula's nodes while its paragraph grows", () => {
    write("so $x^2$ is");
    const formula = stage.querySelector(".katex");
    write("so $x^2$ is, and $y$ too");
    expect(stage.querySelector(".katex")).to.equal(formula);
    expect(stage.querySelectorAll(".katex")).to.have.length(2);
  });

  it("sets a line of a displayed formula, and shows a part of one as it is written", () => {
    const line = document.createElement("p");
    const shown = (text: string) => {
      writeInline(line, text);
      return [line.querySelectorAll(".katex").length, line.querySelector(".katex-error"), line.querySelector("code")?.textContent ?? ""];
    };
    expect(shown("T(v + w) = T(v) + T(w) \\qquad\\text{and if}\\qquad T(c\\,v) = c\\,T(v).")).to.deep.equal([1, null, ""]);
    expect(shown("A B = \\begin{pmatrix} b_1 & b_2 \\\\ 0 & 1 \\end{pmatrix}")).to.deep.equal([1, null, ""]);
    expect(shown("x = \\begin{pmatrix} 1 \\\\")).to.deep.equal([0, null, "x = \\begin{pmatrix} 1 \\\\"]);
    expect(shown("It is \\(x^2\\) times that.")).to.deep.equal([1, null, ""]);
    expect(shown("See C:\\temp.")).to.deep.equal([0, null, ""]);
  });
});
