import { growthOf, linearGrowth } from "@colloquy/schemas/text/growth.fixture.ts";
import { expect } from "chai";
import { until } from "../workspace/testing/browser.ts";
import { showCitedPassage } from "./cited-passage.ts";
import { markQuote, unmark } from "./mark.ts";

const gone = async () => new Response(null, { status: 404 });
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

  it("marks a sentence with its full stop only", () => {
    show("<p>One thing. The vertical bar is called a pipe. Another thing.</p>");
    markQuote(root, "The vertical bar is called a pipe.");
    expect(marked()).to.deep.equal(["The vertical bar is called a pipe."]);
  });

  it("marks across emphasis, code and links", () => {
    show("<p>See <em>the <b>vertical</b></em> <code>|</code>, or <a href='#'>pipe</a>: it joins.</p>");
    markQuote(root, "the vertical |, or pipe: it joins.");
    expect(marked().join("")).to.equal("the vertical |, or pipe: it joins.");
    expect(root.textContent).to.equal("See the vertical |, or pipe: it joins.");
  });

  it("marks across blocks without the whitespace between them", () => {
    show("<p>First words.</p>\n<ul>\n<li>second words</li>\n<li>third words</li>\n</ul>");
    markQuote(root, "First words. second words third words");
    expect(marked()).to.deep.equal(["First words.", "second words", "third words"]);
  });

  it("marks the title of code, not its language", () => {
    show(
      '<figure class="code"><figcaption><span class="code-title">Watch it settle</span> <span class="code-language">Python</span><button class="code-copy">Copy</button></figcaption><pre><code>a = 1</code></pre></figure>',
    );
    markQuote(root, "Watch it settle");
    expect(marked()).to.deep.equal(["Watch it settle"]);
    show('<figure class="code"><figcaption><span class="code-language">Python</span></figcaption><pre><code>a = 1</code></pre></figure>');
    expect(markQuote(root, "Python")).to.deep.equal([]);
  });

  it("marks no part of a word, also where only a part of the quote is left", () => {
    show("<p>It is part of the whole.</p>");
    expect(markQuote(root, "art of the whole")).to.deep.equal([]);
    show("<p>A pipe joins the output of one program to the inputs of others.</p>");
    markQuote(root, "A pipe joins the output of one program to the input, as said.");
    expect(marked()).to.deep.equal(["A pipe joins the output of one program to the"]);
  });

  it("marks whole words and numbers before parts of others", () => {
    for (const [html, quote, before] of [
      ["<p>Cost is 10. Cost is 1.</p>", "Cost is 1.", "Cost is 10. "],
      ["<p>The art of it.</p><p>heart</p><p>beats</p>", "heart", "The art of it."],
    ] as const) {
      show(html);
      const [mark] = markQuote(root, quote);
      expect(mark?.textContent).to.equal(quote);
      const range = document.createRange();
      range.setStart(root, 0);
      range.setEndBefore(mark as Node);
      expect(range.toString()).to.equal(before);
    }
  });

  it("ignores typography, whitespace, Markdown and case", () => {
    show("<p>It\u2019s the user\u2019s \u201chome\u201d\n   directory\u00a0\u2013 not <strong>root</strong>.</p>");
    expect(markQuote(root, "It's the user's \"home\" directory - not **root**")).to.not.have.length(0);
    expect(marked().join("")).to.contain("home").and.contain("root");
  });

  it("compares formulas by source and marks them whole", () => {
    show(`<p>Since ${katex} always, done.</p>`);
    markQuote(root, "Since $x^2 \\ge 0$ always");
    expect(root.querySelector("mark > .katex")).to.not.equal(null);
    expect(marked()).to.have.length(3);
  });

  it("ignores elements that are not text", () => {
    show(
      '<h2>Pipes<a class="anchor">#</a></h2><figure class="code"><figcaption>Shell<button>Copy</button></figcaption><pre><code>ls | wc</code></pre></figure>',
    );
    markQuote(root, "Pipes ls | wc");
    expect(marked()).to.deep.equal(["Pipes", "ls | wc"]);
  });

  it("marks the longest prefix or suffix of a changed quote", () => {
    show("<p>The shell starts every program in a pipeline at once, said the new text.</p>");
    markQuote(root, "The shell starts every program in a pipeline at once and connects them.");
    expect(marked().join("")).to.match(/^The shell starts every program in a pipeline at once/);
    show("<p>The shell.</p>");
    expect(markQuote(root, "The shell starts every program in a pipeline at once.")).to.have.length(0);
    expect(markQuote(root, "…")).to.have.length(0);
  });

  it("handles surrogate pairs and combining characters", () => {
    show("<p>Les \u00e9l\u00e8ves \u{1d49c} lisent \u6f22\u5b57\u3092\u8aad\u3080\u3002</p>");
    markQuote(root, "e\u0301le\u0300ves \u{1d49c} lisent \u6f22\u5b57");
    expect(marked()).to.deep.equal(["\u00e9l\u00e8ves \u{1d49c} lisent \u6f22\u5b57"]);
  });

  it("restores the text when marks are removed", () => {
    const before = show("<p>a <em>b</em> c d.</p>");
    unmark(markQuote(root, "b c"));
    expect(root.innerHTML).to.equal(before);
    expect(root.querySelector("p")?.childNodes).to.have.length(3);
  });

  it("takes linear time", () => {
    const page = (paragraphs: number) => {
      show(`${"<p>word <em>and</em> another</p>".repeat(paragraphs)}<p>the very last sentence of them all</p>`);
      return () => expect(markQuote(root, "the very last sentence of them all")).to.have.length(1);
    };
    expect(growthOf(page, { smallest: 500, largest: 8_000 }, () => performance.now() * 1_000)).to.be.below(linearGrowth);
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

  it("marks within the block, opens disclosures and announces it", async () => {
    showCitedPassage(article, address("Same words here."));
    expect(article.querySelector("#two mark")?.textContent).to.equal("Same words here.");
    expect(article.querySelector("#one mark")).to.equal(null);
    expect(article.querySelector("details")?.open).to.equal(true);
    expect(await words()).to.contain("The cited passage is marked.");
    expect(document.querySelector(".cited-note")?.getAttribute("role")).to.equal("status");
  });

  it("removes the mark from the page and the address", async () => {
    const before = location.href;
    showCitedPassage(article, address("Same words here."));
    await words();
    document.querySelector<HTMLButtonElement>(".cited-note button")?.click();
    expect(article.querySelector("mark")).to.equal(null);
    expect(document.querySelector(".cited-note")).to.equal(null);
    expect(location.search).to.not.contain("mark=");
    history.replaceState(null, "", before);
  });

  it("hides the note out of view and shows it again without announcing", async () => {
    showCitedPassage(article, address("Same words here."), { atOnce: true });
    await words();
    const note = () => document.querySelector(".cited-note");
    const isAway = () => note()?.classList.contains("away");
    // Told of after the note's own observer, which is the older one.
    await new Promise<void>((resolve) => {
      const observer = new IntersectionObserver((changes) => {
        if (!changes.at(-1)?.isIntersecting) return;
        observer.disconnect();
        resolve();
      });
      for (const mark of article.querySelectorAll("mark")) observer.observe(mark);
    });
    expect(isAway()).to.equal(false);
    scrollTo(0, 0);
    await until(isAway, "the note is out of the way");
    expect(note()?.getAttribute("role")).to.equal(null);
    article.querySelector("mark")?.scrollIntoView();
    await until(() => !isAway(), "the note is back");
  });

  it("reports changed text and a missing passage", async () => {
    showCitedPassage(article, address("Words that nobody ever wrote on this page."));
    expect(await words()).to.contain("were changed");
    document.querySelector(".cited-note")?.remove();
    showCitedPassage(article, address("Words that nobody ever wrote on this page.", "three"), { open: gone });
    await until(() => document.querySelector(".cited-note span")?.textContent?.includes("no longer on this page"), "the words");
  });

  it("links to the page that a passage was moved to", async () => {
    const asked: string[] = [];
    let answer: (response: Response) => void = () => undefined;
    const open: typeof fetch = (input) => {
      asked.push(String(input));
      return new Promise((resolve) => (answer = resolve));
    };
    const moved = () => Response.json({ schemaVersion: 1, source: { href: "/courses/shell/loops#three" } });
    const from = new URL("/courses/shell/pipes?mark=It%20moved#three", location.href);
    showCitedPassage(article, from, { open });
    answer(moved());
    const link = await until(() => document.querySelector<HTMLAnchorElement>(".cited-note a"), "the way there");
    expect(link.getAttribute("href")).to.equal("/courses/shell/loops?mark=It%20moved#three");
    expect(asked).to.deep.equal([`/api/courses/source?href=${encodeURIComponent("/courses/shell/pipes#three")}`]);
    document.querySelector(".cited-note")?.remove();
    showCitedPassage(article, from, { open }).remove();
    answer(moved());
    expect(await words()).to.equal("");
  });

  it("marks nothing on a page that does not have the cited block", async () => {
    const open = gone;
    showCitedPassage(article, address("Same words here.", "three"), { open });
    await until(() => document.querySelector(".cited-note span")?.textContent?.includes("no longer on this page"), "the words");
    expect(article.querySelector("mark")).to.equal(null);
  });

  it("marks the passage in a block whose id was changed", async () => {
    const open = async () => Response.json({ schemaVersion: 1, source: { href: `${location.pathname}#two` } });
    showCitedPassage(article, address("Same words here.", "former"), { open });
    await until(() => article.querySelector("#two mark"), "the mark");
    expect(article.querySelector("#one mark")).to.equal(null);
  });

  it("leads from a link without a quote to the page that has its block now", async () => {
    const open = async () => Response.json({ schemaVersion: 1, source: { href: "/courses/shell/loops#three" } });
    showCitedPassage(article, new URL("/courses/shell/pipes#three", location.href), { open });
    const link = await until(() => document.querySelector<HTMLAnchorElement>(".cited-note a"), "the way there");
    expect(link.getAttribute("href")).to.equal("/courses/shell/loops#three");
  });

  it("says that a linked block is gone", async () => {
    showCitedPassage(article, new URL("/courses/shell/pipes#three", location.href), { open: gone });
    await until(() => document.querySelector(".cited-note span")?.textContent?.includes("linked passage is no longer"), "the words");
  });

  it("leads to the revision that a deleted or changed passage was cited from", async () => {
    const cited = (block: string) => new URL(`/courses/shell/pipes?mark=Words%20nobody%20wrote&revision=abc#${block}`, location.href);
    for (const block of ["three", "two"]) {
      const shown = showCitedPassage(article, cited(block), { open: gone });
      const link = await until(() => document.querySelector<HTMLAnchorElement>(".cited-note a"), "the way to it");
      expect([link.textContent, link.getAttribute("href")]).to.deep.equal([
        "Read it as cited",
        `/courses/shell/revisions/abc/${block}?mark=Words%20nobody%20wrote#${block}`,
      ]);
      shown.remove();
    }
  });

  it("marks no part of a quote on a page without a cited block", async () => {
    // Long enough that it would be marked within a cited block.
    const part = "The shell starts every program in a pipeline at once";
    article.querySelector("#two p")?.replaceChildren(`${part}, said the new text.`);
    const quote = `${part} and connects them.`;
    showCitedPassage(article, new URL(`?mark=${encodeURIComponent(quote)}`, location.href));
    expect(await words()).to.contain("no longer on this page");
    expect(article.querySelector("mark")).to.equal(null);
  });

  it("says when only a part of the quote was found, and leads to it as it was cited", async () => {
    const part = "The shell starts every program in a pipeline at once";
    article.querySelector("#two p")?.replaceChildren(`${part}, said the new text.`);
    const quote = `${part} and connects them.`;
    const shown = showCitedPassage(article, address(quote));
    expect(article.querySelector("#two mark")?.textContent).to.match(new RegExp(`^${part}`));
    expect(await words()).to.equal("Only a part of the cited passage was found. It is marked.Remove the mark");
    shown.remove();
    const cited = new URL(`/courses/shell/pipes?mark=${encodeURIComponent(quote)}&revision=abc#two`, location.href);
    showCitedPassage(article, cited);
    expect(await words()).to.contain("Read it as cited");
  });

  it("offers to check again while the service cannot be reached", async () => {
    let isReachable = false;
    const open: typeof fetch = async () => {
      if (!isReachable) throw new TypeError("Failed to fetch");
      return gone();
    };
    for (const from of [address("Same words here.", "three"), new URL("#three", location.href)]) {
      isReachable = false;
      const shown = showCitedPassage(article, from, { open });
      const again = await until(() => document.querySelector<HTMLButtonElement>(".cited-note button"), "the note");
      expect(await words()).to.equal("The passage cannot be looked up right now.Try again");
      isReachable = true;
      again.click();
      await until(() => document.querySelector(".cited-note span")?.textContent?.includes("no longer on this page"), "the words");
      shown.remove();
      expect(document.querySelector(".cited-note")).to.equal(null);
    }
  });

  it("does nothing for a link whose block is on the page", () => {
    showCitedPassage(article, new URL("#two", location.href));
    expect(document.querySelector(".cited-note")).to.equal(null);
  });
});
