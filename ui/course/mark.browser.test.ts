import { expect } from "chai";
import { showCitedPassage } from "./cited-passage.ts";
import { markQuote, unmark } from "./mark.ts";

const katex =
  '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2 \\ge 0</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x²≥0</span></span>';

describe("markQuote", () => {
  let root: HTMLElement;
  const show = (html: string) => {
    root.innerHTML = html;
    return root.innerHTML;
  };
  const marked = () => [...root.querySelectorAll("mark.cited")].map((mark) => mark.textContent);
  beforeEach(() => {
    root = document.createElement("div");
    document.body.append(root);
  });
  afterEach(() => root.remove());

  it("marks a sentence with its full stop, and nothing else", () => {
    show("<p>One thing. The vertical bar is called a pipe. Another thing.</p>");
    markQuote(root, "The vertical bar is called a pipe.");
    expect(marked()).to.deep.equal(["The vertical bar is called a pipe."]);
  });

  it("runs across emphasis, code, links and what stands between them", () => {
    show("<p>See <em>the <b>vertical</b></em> <code>|</code>, or <a href='#'>pipe</a>: it joins.</p>");
    markQuote(root, "the vertical |, or pipe: it joins.");
    expect(marked().join("")).to.equal("the vertical |, or pipe: it joins.");
    expect(root.textContent).to.equal("See the vertical |, or pipe: it joins.");
  });

  it("runs across paragraphs and items without marking the space between them", () => {
    show("<p>First words.</p>\n<ul>\n<li>second words</li>\n<li>third words</li>\n</ul>");
    markQuote(root, "First words. second words third words");
    expect(marked()).to.deep.equal(["First words.", "second words", "third words"]);
  });

  it("takes typographic signs, white space, Markdown and case for what they are", () => {
    show("<p>It\u2019s the user\u2019s \u201chome\u201d\n   directory\u00a0\u2013 not <strong>root</strong>.</p>");
    expect(markQuote(root, "It's the user's \"home\" directory - not **root**")).to.not.have.length(0);
    expect(marked().join("")).to.contain("home").and.contain("root");
  });

  it("knows a formula by its source and marks it whole", () => {
    show(`<p>Since ${katex} always, done.</p>`);
    markQuote(root, "Since $x^2 \\ge 0$ always");
    expect(root.querySelector("mark > .katex")).to.not.equal(null);
    expect(marked()).to.have.length(3);
  });

  it("does not read what stands beside the text", () => {
    show(
      '<h2>Pipes<a class="anchor">#</a></h2><figure class="code"><figcaption>Shell<button>Copy</button></figcaption><pre><code>ls | wc</code></pre></figure>',
    );
    markQuote(root, "Pipes ls | wc");
    expect(marked()).to.deep.equal(["Pipes", "ls | wc"]);
  });

  it("marks the longest beginning or end it finds when the rest has changed, and nothing for chance hits", () => {
    show("<p>The shell starts every program in a pipeline at once, said the new text.</p>");
    markQuote(root, "The shell starts every program in a pipeline at once and connects them.");
    expect(marked().join("")).to.match(/^The shell starts every program in a pipeline at once/);
    show("<p>The shell.</p>");
    expect(markQuote(root, "The shell starts every program in a pipeline at once.")).to.have.length(0);
    expect(markQuote(root, "…")).to.have.length(0);
  });

  it("handles letters outside the basic plane and composed ones", () => {
    show("<p>Les \u00e9l\u00e8ves \u{1d49c} lisent \u6f22\u5b57\u3092\u8aad\u3080\u3002</p>");
    markQuote(root, "e\u0301le\u0300ves \u{1d49c} lisent \u6f22\u5b57");
    expect(marked()).to.deep.equal(["\u00e9l\u00e8ves \u{1d49c} lisent \u6f22\u5b57"]);
  });

  it("leaves the text as it was when marks are taken away", () => {
    const before = show("<p>a <em>b</em> c d.</p>");
    unmark(markQuote(root, "b c"));
    expect(root.innerHTML).to.equal(before);
    expect(root.querySelector("p")?.childNodes).to.have.length(3);
  });

  it("stays quick on a long page", () => {
    const timeOf = (paragraphs: number): number => {
      show(`${"<p>word <em>and</em> another</p>".repeat(paragraphs)}<p>the very last sentence of them all</p>`);
      const start = performance.now();
      markQuote(root, "the very last sentence of them all");
      expect(marked()).to.have.length(1);
      return performance.now() - start;
    };
    const short = timeOf(500);
    expect(timeOf(5_000)).to.be.lessThan(Math.max(2_000, short * 40));
  });
});

describe("showCitedPassage", () => {
  let article: HTMLElement;
  const words = async () => {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return document.querySelector(".cited-note")?.textContent ?? "";
  };
  const address = (quote: string, block = "two") => new URL(`?mark=${encodeURIComponent(quote)}#${block}`, location.href);
  beforeEach(() => {
    article = document.createElement("article");
    article.innerHTML =
      '<section id="one"><p>Same words here.</p></section><div style="height:3000px"></div><section id="two"><details><summary>Solution</summary><p>Same words here.</p></details></section>';
    document.body.append(article);
  });
  afterEach(() => {
    article.remove();
    document.querySelector(".cited-note")?.remove();
    scrollTo(0, 0);
  });

  it("marks within the named block, unfolds it, and says so politely", async () => {
    showCitedPassage(article, address("Same words here."));
    expect(article.querySelector("#two mark")?.textContent).to.equal("Same words here.");
    expect(article.querySelector("#one mark")).to.equal(null);
    expect(article.querySelector("details")?.open).to.equal(true);
    expect(await words()).to.contain("The cited passage is marked.");
    expect(document.querySelector(".cited-note")?.getAttribute("role")).to.equal("status");
  });

  it("takes the mark away again, from the page and from the address", async () => {
    const before = location.href;
    showCitedPassage(article, address("Same words here."));
    await words();
    document.querySelector<HTMLButtonElement>(".cited-note button")?.click();
    expect(article.querySelector("mark")).to.equal(null);
    expect(document.querySelector(".cited-note")).to.equal(null);
    expect(location.search).to.not.contain("mark=");
    history.replaceState(null, "", before);
  });

  it("says when the words have changed, and when the passage is gone", async () => {
    showCitedPassage(article, address("Words that nobody ever wrote on this page."));
    expect(await words()).to.contain("have changed");
    document.querySelector(".cited-note")?.remove();
    showCitedPassage(article, address("Words that nobody ever wrote on this page.", "three"));
    expect(await words()).to.contain("not on this page any more");
  });

  it("does nothing without a quote", () => {
    showCitedPassage(article, new URL("#two", location.href));
    expect(document.querySelector(".cited-note")).to.equal(null);
  });
});
