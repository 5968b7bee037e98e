import { expect } from "chai";
import { patchElement } from "./patch.ts";

describe("patchElement", () => {
  let text: HTMLElement;
  beforeEach(() => {
    text = document.createElement("article");
    document.body.append(text);
  });
  afterEach(() => text.remove());

  const block = (id: string, inner: string) => `<section class="block" id="${id}">${inner}</section>\n`;
  const fragment = (html: string): DocumentFragment => document.createRange().createContextualFragment(html);
  const put = (html: string): void => text.replaceChildren(fragment(html));
  const at = (selector: string): HTMLElement => text.querySelector<HTMLElement>(selector) ?? expect.fail(`no ${selector}`);

  it("changes nothing if the text is equal, whatever the reader did", () => {
    const html =
      block("a", `<details class="fold"><summary>Solution</summary><p>42</p></details>`) +
      block("b", `<p>One <a href="/x" rel="noopener">two</a> three</p><button type="button" data-action="copy-code">Copy</button>`);
    put(html);
    at("details").setAttribute("open", "");
    at("[data-action]").textContent = "Copied";
    at("[data-action]").setAttribute("aria-live", "polite");
    const mark = document.createElement("mark");
    mark.className = "cited";
    at("a").before(mark);
    mark.append(at("a"));
    text.append(document.createElement("colloquy-drawing"));
    const before = text.innerHTML;
    expect(patchElement(text, fragment(html))).to.equal(false);
    expect(text.innerHTML).to.equal(before);
  });

  it("keeps equal nodes, also when blocks move", () => {
    put(`${block("a", "<p>A</p>") + block("b", "<p>B</p>") + block("c", "<p>C</p>")}<colloquy-drawing></colloquy-drawing>`);
    const [a, b, c] = [at("#a"), at("#b"), at("#c")];
    expect(
      patchElement(text, fragment(block("c", "<p>C</p>") + block("a", "<p>A</p>") + block("new", "<p>N</p>") + block("b", "<p>B!</p>"))),
    ).to.equal(true);
    expect([...text.querySelectorAll("section")].map(({ id }) => id)).to.deep.equal(["c", "a", "new", "b"]);
    expect([at("#a") === a, at("#b") === b, at("#c") === c]).to.deep.equal([true, true, true]);
    expect(at("#b").textContent).to.equal("B!");
    expect(text.lastElementChild?.localName).to.equal("colloquy-drawing");
  });

  it("keeps the selection while other words change", () => {
    put(block("a", "<p>The quick brown fox jumps.</p><p>Second.</p>"));
    const words = at("p").firstChild as Text;
    getSelection()?.setBaseAndExtent(words, 10, words, 15);
    expect(String(getSelection())).to.equal("brown");
    patchElement(text, fragment(block("z", "<p>Before</p>") + block("a", "<p>See: the quick brown fox leaps.</p><p>Second, too.</p>")));
    expect(text.textContent).to.contain("See: the quick brown fox leaps.");
    expect(String(getSelection())).to.equal("brown");
  });

  it("keeps a changed disclosure open and removes a deleted one", () => {
    const fold = (words: string) => `<p>Task</p><details class="fold"><summary>Solution</summary><p>${words}</p></details>`;
    put(block("a", fold("old")) + block("b", fold("gone")));
    for (const details of text.querySelectorAll("details")) details.open = true;
    const answer = at("#a details");
    patchElement(text, fragment(block("a", `<p>New first line</p>${fold("new")}`)));
    expect(at("#a details")).to.equal(answer);
    expect(answer.hasAttribute("open")).to.equal(true);
    expect(answer.textContent).to.contain("new");
    expect(text.querySelector("#b")).to.equal(null);
  });

  it("keeps a focused video link while the title changes", () => {
    const html = (title: string) =>
      `<header><div class="page-way"><nav><a href="/c">Course</a></nav><div class="page-actions"><a class="button ask" href="/ai">Ask</a></div></div><h1>${title}</h1></header>`;
    put(html("Old"));
    const film = Object.assign(document.createElement("a"), { className: "button film", href: "/film", textContent: "Film" });
    at(".ask").before(film);
    film.focus();
    expect(patchElement(text, fragment(html("New")))).to.equal(true);
    expect([at("h1").textContent, film.nextElementSibling, document.activeElement]).to.deep.equal(["New", at(".ask"), film]);
    expect(patchElement(text, fragment(html("New"))), "nothing is different then").to.equal(false);
  });

  it("removes citation marks only where the text changed", () => {
    const within = (blocks: string) => `<div class="text">${blocks}</div>`;
    put(within(block("a", "<p>One two</p>") + block("b", "<p>Three four</p>")));
    for (const id of ["a", "b"]) at(`#${id} p`).innerHTML = at(`#${id} p`).innerHTML.replace(/^(\w+)/, '<mark class="cited">$1</mark>');
    patchElement(text, fragment(within(block("a", "<p>One two</p>") + block("b", "<p>Three five</p>"))));
    expect(at("#a mark").textContent).to.equal("One");
    expect(text.querySelector("#b mark")).to.equal(null);
    expect(at("#b").textContent).to.equal("Three five");
  });

  it("keeps diagrams with equal source and loaded remote pictures", () => {
    const html = (source: string) =>
      block("a", `<figure class="diagram" data-diagram><pre class="diagram-source"><code>${source}</code></pre></figure>`) +
      block(
        "b",
        `<p><span class="remote-image"><a href="https://site.example/x.png" data-action="load-image" data-alt="X">X</a></span></p>`,
      );
    put(html("graph A"));
    const figure = at("figure");
    figure.insertAdjacentHTML("beforeend", `<div class="diagram-drawing"><svg></svg></div>`);
    figure.dataset.drawn = "";
    const picture = Object.assign(document.createElement("img"), {
      alt: "X",
      referrerPolicy: "no-referrer",
      src: "https://site.example/x.png",
    });
    at(".remote-image").replaceWith(picture);
    expect(patchElement(text, fragment(html("graph A")))).to.equal(false);
    expect([at("figure") === figure, at("img") === picture]).to.deep.equal([true, true]);
    expect(patchElement(text, fragment(html("graph B")))).to.equal(true);
    expect(text.querySelector(".diagram-drawing")).to.equal(null);
    expect(at("img")).to.equal(picture);
  });

  it("produces the new text for any pair of texts", () => {
    const words = [
      "<p>a</p>",
      "<p>b</p>",
      "text",
      "<ul><li>x</li><li>y</li></ul>",
      "<h2 id='h'>t</h2>",
      "<p>a <b>c</b> d</p>",
      "<pre>p</pre>",
    ];
    const texts = ["a b c", "a c", "x a, b c d!", "", "c b a"];
    let seed = 7;
    const random = (most: number): number => {
      seed = (seed * 48271) % 2147483647;
      return seed % most;
    };
    const some = (): string => {
      const blocks = [...new Set(Array.from({ length: random(6) }, () => `b${random(8)}`))];
      return blocks
        .map((id) =>
          block(
            id,
            Array.from({ length: random(5) }, () =>
              random(3) ? words[random(words.length)] : `<p>${texts[random(texts.length)]}</p>`,
            ).join(""),
          ),
        )
        .join("");
    };
    const whole = document.createElement("article");
    for (let round = 0; round < 300; round += 1) {
      const next = some();
      whole.replaceChildren(fragment(next));
      const before = text.cloneNode(true);
      whole.normalize();
      const changed = patchElement(text, fragment(next));
      text.normalize();
      expect(text.innerHTML, `round ${round}`).to.equal(whole.innerHTML);
      before.normalize();
      expect(changed, `round ${round}`).to.equal(!before.isEqualNode(text));
    }
  });
});
