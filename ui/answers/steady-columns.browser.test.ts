import { expect } from "chai";
import { html } from "lit";
import { renderMarkdown } from "../rendering/markdown.ts";
import { sanitize } from "../rendering/sanitize.ts";
import { loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { AnswerWriter, answerOptions } from "./answer-writer.ts";

const head = "| what | how many | why |\n|---|--:|---|\n";
const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `| row ${from + index} | ${index} | because of this |\n`).join("");
/** It wraps, and would ask for a wider column. */
const wordy = "| a row of many more words than any before it had | 5 | and so its reason, which goes on and on and on |\n";

describe("the columns of a growing table", () => {
  let stage: HTMLElement;
  let writer: AnswerWriter;
  before(loadTheme);
  beforeEach(async () => {
    stage = await mount<HTMLElement>(html`<div class="prose" style="inline-size: 420px"></div>`);
    writer = new AnswerWriter(stage);
  });
  afterEach(() => {
    writer.end();
    unmountAll();
  });

  const widths = (within: ParentNode = stage): number[] =>
    [...within.querySelectorAll("th")].map((cell) => Math.round(cell.getBoundingClientRect().width));
  const fixed = () => getComputedStyle(stage.querySelector("table") as Element).tableLayout === "fixed";
  const write = (text: string) => writer.write({ text, citations: null });
  const grow = async (text: string, first = head + rows(3)) => {
    write(first);
    write(text);
    await until(fixed, "the columns are kept");
  };
  const fresh = (text: string): HTMLElement => {
    const other = document.createElement("div");
    other.innerHTML = sanitize(renderMarkdown(text, answerOptions));
    return other;
  };

  it("are chosen by the browser while there are few rows", async () => {
    write(head + rows(3));
    write(head + rows(8));
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(fixed()).to.equal(false);
  });

  it("stay for wider rows, with the HTML of a fresh page", async () => {
    await grow(head + rows(16));
    const before = widths();
    const text = head + rows(16) + wordy + rows(6, 16);
    write(text);
    expect(widths()).to.deep.equal(before);
    writer.write({ text, citations: [] });
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(widths()).to.deep.equal(before);
    const other = fresh(text);
    expect(stage.innerHTML).to.equal(other.innerHTML);
    stage.append(other);
    expect(widths(other), "what the browser would have chosen").not.to.deep.equal(before);
  });

  it("are measured again when a word does not fit", async () => {
    await grow(head + rows(16));
    const [before = 0] = widths();
    write(`${head + rows(16)}| Donaudampfschifffahrtsgesellschaftskapitän | 5 | because |\n${rows(2)}`);
    await until(() => (widths()[0] ?? 0) > before + 20, "a wider column");
    await until(fixed, "the new columns are kept");
    for (const cell of stage.querySelectorAll("td")) expect(cell.scrollWidth).to.be.at.most(cell.clientWidth + 1);
  });

  it("are measured again for another page width", async () => {
    // With a row that wraps, the columns of a wide page are not those of a narrow one made wider in proportion.
    const text = head + wordy + rows(16);
    await grow(text, head + wordy + rows(3));
    stage.style.inlineSize = "700px";
    const other = fresh(text);
    stage.append(other);
    const chosen = widths(other);
    await until(() => widths(stage.querySelector("table") as Element).join() === chosen.join(), "the columns of a fresh page");
  });

  it("leave no style sheet behind", async () => {
    const { length } = document.adoptedStyleSheets;
    await grow(head + rows(16));
    expect(document.adoptedStyleSheets.length).to.equal(length + 1);
    writer.end();
    expect(document.adoptedStyleSheets.length).to.equal(length);
  });
});
