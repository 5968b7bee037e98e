import { translatorFor } from "@colloquy/messages/translators.ts";
import { createAnchors } from "@colloquy/schemas/courses/markdown-text.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { growthOfText, linearGrowth } from "@colloquy/schemas/text/growth.fixture.ts";
import { expect } from "chai";
import { parseFragment } from "parse5";
import { withTranslator } from "../messages/page.ts";
import { citationHref } from "./citations.ts";
import type { Heading } from "./headings.ts";
import { hostileTexts } from "./hostile-texts.fixture.ts";
import { renderInline, renderMarkdown } from "./server.ts";

interface Node {
  nodeName: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
}

/** Every element a browser's parser would make of it. */
function elements(html: string): Node[] {
  const found: Node[] = [];
  const walk = (node: Node) => {
    if (node.attrs) found.push(node);
    for (const child of node.childNodes ?? []) walk(child);
  };
  walk(parseFragment(html) as unknown as Node);
  return found;
}

const live = new Set([
  "script",
  "iframe",
  "object",
  "embed",
  "form",
  "style",
  "link",
  "meta",
  "base",
  "template",
  "foreignobject",
  "animate",
  "set",
  "use",
]);

/** What could run, load or lead astray: no text may ever become one of these. */
function liveParts(html: string): string[] {
  return elements(html).flatMap(({ nodeName, attrs = [] }) => [
    ...(live.has(nodeName.toLowerCase()) ? [`<${nodeName}>`] : []),
    ...attrs.filter(({ name }) => /^on|^(?:srcdoc|formaction|action|ping|srcset)$/i.test(name)).map(({ name }) => `${nodeName}@${name}`),
    ...attrs
      .filter(({ name, value }) => /^(?:href|src|xlink:href)$/i.test(name) && !/^(?:https?:\/\/|mailto:|\/(?![/\\])|#|\?)/i.test(value))
      .map(({ name, value }) => `${nodeName}@${name}=${value}`),
    ...(nodeName === "img" && attrs.some(({ name, value }) => name === "src" && /^https?:/.test(value)) ? ["remote img"] : []),
  ]);
}

const citation = (number: number, more: Partial<Citation> = {}): Citation => ({
  number,
  sourceId: "source-0001",
  href: "/courses/shell/pipes#block-one",
  title: "Pipes",
  trail: [],
  revisionId: "revision-1",
  quote: "a filter & a pipe",
  ...more,
});

describe("renderMarkdown", () => {
  describe("safety", () => {
    it("lets a word of thousands of letters break, and no word that anybody writes", () => {
      expect(renderMarkdown(`> ${"a".repeat(1_000)}<`)).to.contain(`${"a".repeat(400)}<wbr>${"a".repeat(400)}<wbr>${"a".repeat(200)}&lt;`);
      expect(renderMarkdown("a".repeat(400))).to.not.contain("wbr");
      expect(renderMarkdown("\u5b57".repeat(1_000))).to.not.contain("wbr");
    });

    it("shows alternative texts without marks of emphasis", () => {
      expect(renderMarkdown("![A *big* `wc` [tree](x) ![in](y)](https://a.test/p.png)")).to.contain('data-alt="A big wc tree in"');
    });

    it("keeps brackets in pairs in addresses without a scheme", () => {
      const href = (text: string) => /href="([^"]*)"/.exec(renderMarkdown(text))?.[1];
      expect(href("See www.a.test/wiki/X_(y).")).to.equal("https://www.a.test/wiki/X_(y)");
      expect(href("(see www.a.test/x)")).to.equal("https://www.a.test/x");
      expect(href("(see www.a.test/x_(y))")).to.equal("https://www.a.test/x_(y)");
      expect(href("See www.a.test:8080/path, and")).to.equal("https://www.a.test:8080/path");
      expect(href("(www.a.test:8080)")).to.equal("https://www.a.test:8080");
      expect(href("www.a.test: yes")).to.equal("https://www.a.test");
      expect(href("www.a.test, then")).to.equal("https://www.a.test");
    });

    it("names a diagram by what it says that it shows", () => {
      const label = (source: string) => /aria-label="([^"]*)"/.exec(renderMarkdown(`\`\`\`mermaid\n${source}\n\`\`\``))?.[1];
      expect(label("flowchart LR\n accDescr {Two steps,\n then a third}\n A --> B")).to.equal("Two steps, then a third");
      expect(label("flowchart LR\n accTitle: Steps\n accDescr: Two steps\n A --> B")).to.equal("Two steps");
      expect(label("flowchart LR\n accTitle: Steps\n A --> B")).to.equal("Steps");
      expect(label("flowchart LR\n A --> B")).to.equal(undefined);
    });

    it("shows text however deep it stands in lists and quotations", () => {
      const list = Array.from({ length: 80 }, (_, depth) => `${"  ".repeat(depth)}- word-${depth}.`).join("\n");
      const html = renderMarkdown(`${list}\n\nAfter the list.\n\n${"> ".repeat(250)}quoted\n\nThe end.`);
      const words = [...Array.from({ length: 80 }, (_, depth) => `word-${depth}.`), "<p>After the list.</p>", "quoted", "<p>The end.</p>"];
      for (const word of words) expect(html).to.contain(word);
    });

    it("has enough hostile inputs", () => {
      expect(hostileTexts.length).to.be.greaterThan(500);
      expect(
        liveParts('<a href="javascript:x" onclick=y>z</a><script></script><img src="https://x.y">'),
        "the check itself sees",
      ).to.have.length(4);
    });
    for (const text of hostileTexts)
      it(JSON.stringify(text.slice(0, 60)), () => {
        const answers = [
          renderMarkdown(text),
          renderMarkdown(text, { headingIds: true, citations: [citation(1)], newTab: true }),
          renderMarkdown(text, { citations: "pending", incomplete: true }),
          renderMarkdown(text, { resolveLink: (href) => href, resolveImage: (src) => ({ src }) }),
          renderInline(text, { docId: text }),
        ];
        for (const html of answers) expect(liveParts(html)).to.deep.equal([]);
      });
  });

  describe("mathematics and money", () => {
    const money = [
      "costs $5 and $10",
      "from $/PR to $/session",
      "US$5 and CA$7",
      "$5, or 10$ for two",
      "a \\$5 note and \\$6",
      "$20k–$30k a year",
      "only $5",
      "$ 5 and 6 $",
      "pay `$x` or `$y`",
      "$1 and `a$b`",
    ];
    for (const text of money)
      it(`leaves ${JSON.stringify(text)} as text`, () => {
        expect(renderMarkdown(text)).to.not.contain("katex");
      });
    const formulas: [string, number][] = [
      ["the $n$th term $x^2$", 2],
      ["$3$ and $2 + 3$ and $10$", 3],
      ["so $$x$$ ok", 1],
      ["$$x$$ and $$y$$", 2],
      ["$$x$$ | $$y$$\n---|---\n1|2", 2],
      ["\\(a_b\\), \\(n\\) and \\[c = 1\\] here", 3],
      ["$$\na\n\nb\n$$", 1],
      ["\\[ a \\\\[2pt]\n b \\]", 1],
      ["\\[\n1, 2\n\\]", 1],
      ["\\[x^2\n+ 1\\]", 1],
      ["- item\n\n  $$\n  x\n\n  y\n  $$\n- next", 1],
      ["> $$\n> x\n> $$", 1],
      ["| a |\n|---|\n| $x$ |", 1],
      ["```math\nx^2\n```", 1],
    ];
    for (const [text, count] of formulas)
      it(`typesets ${count} in ${JSON.stringify(text)}`, () => {
        expect(renderMarkdown(text).match(/class="katex"/g)).to.have.length(count);
      });
    const escapedBrackets: [string, string][] = [
      ["Type ls \\[path\\] to see it.", "ls [path] to see"],
      ["ls \\[-l\\] \\[file_name\\]", "ls [-l] [file_name]"],
      ["a set \\[a-z\\] or \\[0-9\\]", "[a-z] or [0-9]"],
      ["as \\[1\\] says", "as [1] says"],
      ["a word \\(see the note\\)", "a word (see the note)"],
      ["git \\[key=value\\]", "git [key=value]"],
      ["- \\[x\\] done", "[x] done"],
      ["\\[see {name}\\]", "[see {name}]"],
      ["ls \\[--color=when\\] \\[path\\]", "ls [--color=when] [path]"],
      ["\\[See the long\nnote about it\\]", "[See the long\nnote about it]"],
      ["\\[foo]: x\n\nA text with a = b.\n\nand \\]", "[foo]: x"],
    ];
    for (const [text, shown] of escapedBrackets)
      it(`leaves the escaped brackets of ${JSON.stringify(text)} as brackets`, () => {
        expect(renderMarkdown(text)).to.contain(shown).and.not.contain("katex");
      });
    it("does not treat an escaped bracket as an opener", () => {
      expect(renderMarkdown("ls \\[path] lists \\[x^2\\] files")).to.contain("ls [path] lists").and.contain("katex");
    });
    it("treats an unclosed opener as text", () => {
      expect(renderMarkdown("$$ a\n\nstill text\n\nmore")).to.contain("<p>still text</p>").and.not.contain("katex");
    });
    it("shows an invalid formula as source", () => {
      expect(renderMarkdown("$\\frac{1}$ and $\\nosuchmacro$"))
        .to.contain("katex-error")
        .and.contain('class="katex-error" lang="en"')
        .and.contain("\\nosuchmacro");
    });
    it("carries MathML for assistive technology", () => {
      expect(renderMarkdown("$x$")).to.contain("<math").and.contain('aria-hidden="true"');
    });
    it("stays linear on adversarial texts", () => {
      for (const piece of ["\\(", "\\[a\n", "$$a\n", "$a ", "[", "*a", "![", "> "])
        expect(growthOfText(renderMarkdown, piece), piece).to.be.below(linearGrowth);
    });
  });

  describe("GitHub-flavoured Markdown", () => {
    it("names footnotes in the page's language", () => {
      const names = (language: "de" | "ar") =>
        withTranslator(translatorFor(language), () => elements(renderMarkdown("a[^1]\n\n[^1]: note"))).flatMap(({ attrs = [] }) =>
          attrs.flatMap(({ name, value }) => (name === "aria-label" ? [value] : [])),
        );
      expect(names("de")).to.deep.equal(["Fußnote 1", "Fußnoten", "Zurück zum Text"]);
      expect(names("ar")).to.deep.equal(["الحاشية 1", "الحواشي", "العودة إلى النص"]);
    });

    it("supports tables, tasks, strikethrough, autolinks, footnotes and alerts", () => {
      const html = renderMarkdown(
        "| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n~~gone~~ www.example.com/a. https://b.example\n\nnote[^n]\n\n[^n]: below\n\n> [!TIP]\n> try",
        { docId: "b1" },
      );
      expect(html).to.contain('<td class="align-right">2</td>').and.contain('role="region" tabindex="0"');
      expect(html.match(/type="checkbox"/g)).to.have.length(2);
      expect(html).to.contain("<s>gone</s>").and.contain('href="https://www.example.com/a"').and.contain('href="https://b.example"');
      expect(html).to.contain('id="footnote-b1-1"').and.contain('href="#footnote-ref-b1-1"');
      expect(html).to.contain("callout-tip").and.not.contain("[!TIP]");
    });
    it("gives headings the anchors that link checks use", () => {
      const headings: Heading[] = [];
      const anchors = createAnchors(["block-one"]);
      const html = renderMarkdown("# Why *pipes*? {#why}\n## The `|` sign\n## The `|` sign\n# Block one", {
        headingIds: true,
        anchors,
        headings,
        topHeadingLevel: 2,
      });
      expect(headings).to.deep.equal([
        { id: "why", level: 2, text: "Why pipes?" },
        { id: "the--sign", level: 2, text: "The | sign" },
        { id: "the--sign-1", level: 2, text: "The | sign" },
        { id: "block-one-1", level: 2, text: "Block one" },
      ]);
      expect(html).to.not.contain("{#why}").and.not.contain("<h1");
    });
    it("highlights known languages only", () => {
      const html = renderMarkdown(
        "```python {.numberLines}\ndef f(): pass\n```\n\n```nosuch\nx < y\n```\n\n```lean\ntheorem foo : True := by trivial\n```",
      );
      expect(html).to.contain('<span class="hljs-keyword">def</span>').and.contain(">Python<");
      expect(html).to.contain("x &lt; y").and.contain(">nosuch<");
      expect(html).to.contain('<span class="hljs-keyword">theorem</span>').and.contain('<span class="hljs-title function_">foo</span>');
    });
    it("keeps a diagram's source", () => {
      expect(renderMarkdown("```mermaid\ngraph TD\n  A --> B\n```")).to.contain('data-diagram="mermaid"').and.contain("A --&gt; B");
    });
  });

  describe("links and pictures", () => {
    it("makes external links safe and drops unknown targets", () => {
      const resolveLink = (href: string) => (href === "topic:one#a" ? "/courses/c/one#a" : null);
      const html = renderMarkdown("[a](topic:one#a) [b](topic:two) [c](https://x.example)", { resolveLink, newTab: true });
      expect(html).to.contain('href="/courses/c/one#a">a</a>').and.contain('<span class="link-broken"');
      expect(html).to.contain('rel="noopener noreferrer" class="external" target="_blank">c</a>');
    });
    it("renders own, missing and remote pictures", () => {
      const resolveImage = (src: string) => (src === "assets/a.svg" ? { src: "/api/courses/c/assets/00", width: 40, height: 30 } : null);
      const html = renderMarkdown("![own](assets/a.svg) ![gone](assets/b.svg) ![far](https://x.example/p.png)", { resolveImage });
      expect(html).to.contain('<img src="/api/courses/c/assets/00" alt="own" width="40" height="30" loading="lazy" decoding="async">');
      expect(html).to.contain("this picture is missing").and.contain('data-action="load-image"').and.contain("loads from x.example");
      expect(html.match(/<img/g)).to.have.length(1);
    });
    it("loads pictures lazily except the first", () => {
      const resolveImage = (src: string) => ({ src, ...(src === "/one.svg" && { first: true }) });
      const html = renderMarkdown("![](/one.svg) ![](/two.svg)", { resolveImage });
      expect(html).to.contain('<img src="/one.svg" alt="" fetchpriority="high" decoding="sync">');
      expect(html).to.contain('<img src="/two.svg" alt="" loading="lazy" decoding="async">');
    });
  });

  describe("pictures in answers", () => {
    it("come from course assets only", () => {
      const picture = `/api/courses/linear-maps/assets/${"0a".repeat(32)}`;
      const html = renderMarkdown(`![own](${picture}) ![in](/auth/demo?as=owner) ![up](${picture}/../../../../../auth/login) ![x](x.png)`);
      expect(html.match(/<img/g)).to.have.length(1);
      expect(html).to.contain(`<img src="${picture}" alt="own"`);
      expect(html.match(/this picture is missing/g)).to.have.length(3);
    });
  });

  describe("citations", () => {
    it("become chips linked to the passage, outside code only", () => {
      const html = renderMarkdown("a[^1] `[^1]`\n\n```\n[^1]\n```\n\nb[^2]", { citations: [citation(1)] });
      expect(html.match(/<a class="cite"/g)).to.have.length(1);
      expect(html)
        .to.contain('href="/courses/shell/pipes?mark=a%20filter%20%26%20a%20pipe&amp;revision=revision-1#block-one"')
        .and.contain("<code>[^1]</code>");
      expect(html).to.contain('cite-unresolved" data-citation="2"');
    });
    it("have no source while the answer streams", () => {
      expect(renderMarkdown("a[^1]", { citations: "pending" })).to.contain('<span class="cite" data-citation="1">1</span>');
    });
    it("do not replace a course's footnotes", () => {
      expect(renderMarkdown("a[^1]\n\n[^1]: note")).to.contain("footnote").and.not.contain("cite");
    });
    it("keep the fragment after the mark parameter", () => {
      expect(citationHref({ href: "/c/t?x=1#b", quote: "q" })).to.equal("/c/t?x=1&mark=q#b");
      expect(citationHref({ href: "/c/t", quote: "" })).to.equal("/c/t");
      expect(citationHref({ href: "/c/t#b", quote: "q", revisionId: "r" })).to.equal("/c/t?mark=q&revision=r#b");
    });
  });
});
