import { expect } from "chai";
import { until } from "../workspace/testing/browser.ts";
import { handleTextActions } from "./actions.ts";
import { renderMarkdown } from "./markdown.ts";
import { sanitize, sanitizeDrawing } from "./sanitize.ts";
import { upgrade } from "./upgrade.ts";

declare global {
  interface Window {
    ran?: boolean;
  }
}

const hostileHtml = [
  "<img src=x onerror='window.ran=true'>",
  "<svg><script>window.ran=true</script></svg>",
  "<svg onload='window.ran=true'><animate onbegin='window.ran=true' attributeName=x dur=1s>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=window.ran=true&gt;'>",
  "<a href='javascript:window.ran=true' class=go>x</a>",
  "<form action='javascript:window.ran=true'><button>x</button></form>",
  "<iframe srcdoc='<script>parent.ran=true</script>'></iframe>",
  "<template><img src=x onerror='window.ran=true'></template>",
  "<button formaction='javascript:window.ran=true' popovertarget=x>x</button>",
  "<svg><a xlink:href='javascript:window.ran=true'><text>x</text></a></svg>",
  "<math href='javascript:window.ran=true'>x</math>",
  "<semantics><annotation-xml encoding='text/html'><img src=x onerror='window.ran=true'></annotation-xml></semantics>",
  "<style>*{background:url(//evil.example)}</style>",
];

describe("sanitize", () => {
  let stage: HTMLElement;
  beforeEach(() => {
    stage = document.createElement("div");
    document.body.append(stage);
    window.ran = false;
  });
  afterEach(() => stage.remove());

  const settle = () => new Promise((resolve) => setTimeout(resolve, 60));
  const live = () =>
    [...stage.querySelectorAll("*")].filter(
      (element) =>
        /^(?:script|iframe|style|form|template|object|embed|animate|set|use)$/i.test(element.localName) ||
        [...element.attributes].some(
          ({ name, value }) =>
            name.startsWith("on") ||
            (/^(?:xlink:)?href$|^src$/.test(name) && !/^(?:https?:\/\/|mailto:|\/(?!\/)|#|data:image\/png)/.test(value)),
        ),
    );

  it("neutralises hostile input", async () => {
    for (const html of hostileHtml) {
      stage.innerHTML = sanitize(html);
      expect(
        live().map((element) => element.outerHTML),
        html,
      ).to.deep.equal([]);
      stage.querySelector<HTMLElement>(".go")?.click();
    }
    await settle();
    expect(window.ran).to.equal(false);
  });

  it("leaves the renderer's output unchanged", async () => {
    const source =
      "# Title {#t}\n\ntext **b** `c` [l](https://x.example) [p](/courses/a#b) $x^2$ a[^1]\n\n- [x] done\n\n| a |\n|--:|\n| 1 |\n\n> [!TIP]\n> tip\n\n```js\nlet a\n```\n\n```mermaid\ngraph TD\n```\n\n![far](https://x.example/p.png)";
    const citations = [
      { number: 1, sourceId: "source-0001", href: "/courses/a#b", title: "T", trail: [], revisionId: "revision-1", quote: "q" },
    ];
    const html = renderMarkdown(source, { headingIds: true, citations, newTab: true });
    const plain = document.createElement("div");
    plain.innerHTML = html;
    stage.innerHTML = sanitize(html);
    expect(stage.innerHTML).to.equal(plain.innerHTML);
  });

  it("removes remote pictures", () => {
    const html = sanitize('<img src="https://evil.example/p.png"><img src="//evil.example/p.png"><img src="/own.png" alt="own">');
    const inert = new DOMParser().parseFromString(html, "text/html");
    expect([...inert.querySelectorAll("img")].map((image) => image.getAttribute("src"))).to.deep.equal(["/own.png"]);
  });

  it("keeps a drawing's styles but removes loading and scripting", () => {
    const svg =
      '<svg viewBox="0 0 10 10" width="10"><style>#a{fill:red}</style><style>@import "//evil.example"</style><style>a{background:url(https://evil.example)}</style>' +
      '<g id="a" onclick="window.ran=true"><path d="M0 0h9" marker-end="url(#m)"></path><text dominant-baseline="middle">x</text></g>' +
      '<image href="https://evil.example/p.png"/><a href="https://evil.example"><text>y</text></a><foreignObject><img src=x onerror="window.ran=true"></foreignObject><use href="#a"/></svg>';
    stage.innerHTML = sanitizeDrawing(svg);
    expect(stage.querySelectorAll("style")).to.have.length(1);
    expect(stage.innerHTML)
      .to.contain('viewBox="0 0 10 10"')
      .and.contain('d="M0 0h9"')
      .and.contain("marker-end")
      .and.contain("dominant-baseline");
    expect(stage.innerHTML).to.not.contain("evil.example").and.not.contain("onclick").and.not.contain("<img");
  });

  it("typesets formulas once the engine is loaded", async () => {
    stage.innerHTML = sanitize(renderMarkdown("so $x^2$ and\n\n$$\ny\n$$"));
    expect(stage.querySelectorAll("[data-pending]")).to.have.length(2);
    await upgrade(stage);
    expect(stage.querySelectorAll(".katex")).to.have.length(2);
    expect(stage.querySelectorAll(".katex-display")).to.have.length(1);
    expect(stage.querySelector("annotation")?.textContent).to.equal("x^2");
    expect(stage.querySelectorAll("[data-pending]")).to.have.length(0);
  });
});

describe("handleTextActions", () => {
  it("copies code without prompts, also inside a shadow root", async () => {
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "open" });
    document.body.append(host);
    root.innerHTML =
      '<figure class="code"><figcaption><button data-action="copy-code">Copy</button></figcaption><pre><code><span class="hljs-meta prompt_">$ </span>ls\n<span class="hljs-meta prompt_">$ </span>wc</code></pre></figure>';
    const copied: string[] = [];
    const original = navigator.clipboard.writeText;
    navigator.clipboard.writeText = async (text) => void copied.push(text);
    try {
      handleTextActions(root);
      root.querySelector("button")?.click();
      await new Promise((resolve) => setTimeout(resolve));
      expect(copied).to.deep.equal(["ls\nwc"]);
      expect(root.querySelector("button")?.textContent).to.equal("Copied");
    } finally {
      navigator.clipboard.writeText = original;
      host.remove();
    }
  });

  it("loads a remote picture only after a click and if allowed", async () => {
    const stage = document.createElement("div");
    document.body.append(stage);
    const picture = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
    stage.innerHTML = `<p><span class="remote-image"><a href="${picture}" data-action="load-image" data-alt="far">Show</a></span></p>`;
    handleTextActions(stage);
    const link = stage.querySelector("a");
    const stay = (event: Event) => event.preventDefault();
    document.addEventListener("click", stay);
    link?.click();
    expect(stage.querySelector("img")).to.equal(null);
    document.documentElement.dataset.remoteImages = "ask";
    link?.click();
    expect((await until(() => stage.querySelector("img"), "the picture")).alt).to.equal("far");
    delete document.documentElement.dataset.remoteImages;
    document.removeEventListener("click", stay);
    stage.remove();
  });
});
