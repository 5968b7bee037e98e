import { expect } from "chai";
import { html } from "lit";
import { loadHighlighter, loadMath } from "../rendering/engines.ts";
import { loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { answerText, citations } from "../workspace/testing/fixtures.ts";
import "./answer.ts";
import type { Answer } from "./answer.ts";

const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

const long = `# Heading

A paragraph with **bold**, a [link](/courses/a) and a citation[^1].

- one
- two with \`code\`

  and a paragraph

1. first
2. second

| a | b |
|---|---|
| 1 | 2 |

> a quote

\`\`\`python
def f():
    return 1
\`\`\`

Inline $a^2$ and

$$\\sum_i x_i$$

The end[^2].

${answerText}`;

async function grow(answer: Answer, text: string, step: number, each?: (at: number) => void): Promise<void> {
  for (let at = step; at < text.length; at += step) {
    answer.text = text.slice(0, at);
    await answer.updateComplete;
    await frame();
    each?.(at);
  }
}

async function finish(answer: Answer): Promise<void> {
  answer.text = long;
  answer.citations = citations;
  await answer.updateComplete;
  await frame();
  await until(() => !answer.querySelector("[data-pending]"), "formulas and code");
}

const shape = (answer: Element): string => answer.innerHTML.replace(/\s+/g, " ");

describe("an answer", () => {
  before(async () => {
    await loadTheme();
    // So that what is compared does not depend on when they arrive.
    await Promise.all([loadMath(), loadHighlighter()]);
  });
  afterEach(unmountAll);

  it("looks the same in one piece or in pieces of any size", async () => {
    const atOnce = await mount<Answer>(html`<colloquy-answer .text=${long} .citations=${citations}></colloquy-answer>`);
    await until(() => atOnce.querySelector("a.cite"), "the answer");
    await finish(atOnce);
    for (const step of [17, 60, 211]) {
      const grown = await mount<Answer>(html`<colloquy-answer .text=${""}></colloquy-answer>`);
      await grow(grown, long, step);
      await finish(grown);
      expect(shape(grown), `pieces of ${step}`).to.equal(shape(atOnce));
    }
  });

  it("keeps its nodes from the first letter to the end", async () => {
    const answer = await mount<Answer>(html`<colloquy-answer .text=${"First paragraph, "}></colloquy-answer>`);
    await until(() => answer.querySelector("p"), "the first paragraph");
    const paragraph = answer.querySelector("p");
    const text = "First paragraph, whole now.\n\n```js\nlet a = 1;\n```\n\nSecond.\n\nThird.\n\nFourth[^1].";
    const seen = new Set<Element | null>();
    await grow(answer, text, 9, () => {
      seen.add(answer.querySelector("p"));
    });
    answer.text = text;
    answer.citations = citations;
    await answer.updateComplete;
    await frame();
    expect([...seen]).to.deep.equal([paragraph]);
    expect(answer.querySelector("p")).to.equal(paragraph);
    expect(answer.querySelectorAll("p")).to.have.length(4);
  });

  it("keeps a selection through every step", async () => {
    const answer = await mount<Answer>(html`<colloquy-answer .text=${"Select these words please, "}></colloquy-answer>`);
    const node = await until(() => answer.querySelector("p")?.firstChild, "the first words");
    getSelection()?.setBaseAndExtent(node, 7, node, 18);
    expect(String(getSelection())).to.equal("these words");
    const text = `Select these words please, and go on.\n\n${long}`;
    await grow(answer, text, 97);
    answer.text = text;
    answer.citations = citations;
    await answer.updateComplete;
    await frame();
    expect(String(getSelection())).to.equal("these words");
    getSelection()?.removeAllRanges();
  });

  it("shows a citation as a number, then as a link", async () => {
    const answer = await mount<Answer>(html`<colloquy-answer .text=${"So it is[^1]. And[^9]."}></colloquy-answer>`);
    await until(() => answer.querySelector(".cite"), "the number");
    expect(answer.querySelector("a.cite")).to.equal(null);
    answer.citations = citations;
    await answer.updateComplete;
    await frame();
    const link = answer.querySelector<HTMLAnchorElement>("a.cite");
    expect(link?.getAttribute("href")).to.match(/^\/courses\/shell-novice\/pipes-and-filters\?mark=It%20tells.*#block-pipe-1$/);
    expect(answer.querySelector("span.cite-unresolved")?.textContent).to.equal("9");
  });

  it("never runs a model's HTML", async () => {
    const text =
      '<img src=x onerror="window.hacked=1"> [x](javascript:window.hacked=1) <script>window.hacked=1</script> $\\href{javascript:window.hacked=1}{x}$';
    const answer = await mount<Answer>(html`<colloquy-answer .text=${text} .citations=${[]}></colloquy-answer>`);
    await until(() => answer.querySelector("p"), "the text");
    expect(answer.querySelector("img, script, a[href^='javascript']")).to.equal(null);
    expect("hacked" in window).to.equal(false);
  });

  it("renders at most once a frame", async () => {
    const answer = await mount<Answer>(html`<colloquy-answer .text=${"Begin. "}></colloquy-answer>`);
    await until(() => answer.querySelector("p"), "the first words");
    let drawn = 0;
    answer.addEventListener("colloquy-written", () => {
      drawn += 1;
    });
    let frames = 0;
    let counting = true;
    const count = () => {
      frames += 1;
      if (counting) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    for (let piece = 0; piece < 200; piece++) {
      answer.text += "more ";
      await answer.updateComplete;
    }
    await frame();
    counting = false;
    expect(drawn).to.be.lessThan(frames + 2);
    expect(answer.textContent?.match(/more/g)).to.have.length(200);
  });
});
