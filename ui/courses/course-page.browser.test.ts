import { expect } from "chai";
import { html } from "lit";
import "./course-page.ts";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../workspace/testing/browser.ts";
import type { CoursePage } from "./course-page.ts";

const pageHtml = (title: string, text: string) => `<!doctype html><html lang="en"><head><title>${title}</title></head>
<body class="reading"><nav class="side">Contents</nav><main id="content"><article lang="en"><header class="page-head"><h1>${title}</h1></header>
<div class="prose text"><div class="block" id="links">${text}</div><div style="height: 3000px"></div><div class="block" id="end"><p>The very end of it.</p></div></div></article></main></body></html>`;

describe("a course page in a pane", () => {
  before(loadTheme);
  afterEach(unmountAll);

  let asked: string[] = [];
  beforeEach(() => {
    asked = [];
  });
  const answer = (body: string, status = 200): typeof fetch => {
    return async (input) => {
      asked.push(String(input));
      return new Response(body, { status });
    };
  };
  const show = (href: string, open: typeof fetch) =>
    mount<CoursePage>(
      html`<colloquy-course-page style="height: 400px" .href=${href} .tabId=${"tab"} .open=${open}></colloquy-course-page>`,
    );
  const inside = (page: CoursePage, selector: string) => page.renderRoot.querySelector<HTMLElement>(selector);

  it("shows the page without its surroundings and reports its title", async () => {
    const told: string[] = [];
    const holder = document.body;
    const listen = (event: Event) => told.push((event as HTMLElementEventMap["colloquy-page-read"]).title);
    holder.addEventListener("colloquy-page-read", listen);
    const page = await show("/courses/shell/loops?x=1#links", answer(pageHtml("Loops", "<p>A loop repeats.</p>")));
    await until(() => inside(page, ".page:not([hidden]) h1"), "the page");
    holder.removeEventListener("colloquy-page-read", listen);
    expect(asked).to.deep.equal(["/courses/shell/loops"]);
    expect(told).to.deep.equal(["Loops"]);
    expect(inside(page, ".side")).to.equal(null);
    expect(page.ariaLabel).to.equal("Course page: Loops");
    await expectAccessible(page);
  });

  it("links to a video of the page only if the course has videos", async () => {
    const way = `<div class="page-way"><div class="page-actions"><a class="button ask" href="/ai?page=x">Ask about this page</a><a class="button quiz" href="/ai?page=x&amp;start=quiz">Quiz</a></div></div><h1>`;
    const body = pageHtml("Loops", "<p>A loop repeats.</p>")
      .replace("<article", `<article data-account="acc_mira_0001" data-course="shell" data-topic="topic-loops"`)
      .replace("<h1>", way);
    const serving = (offered: boolean): typeof fetch => {
      const pages = answer(body);
      return async (input, init) => {
        if (!String(input).startsWith("/api/")) return pages(input, init);
        asked.push(`${String(input)} ${new Headers(init?.headers).get("x-colloquy-account")}`);
        return Response.json({ schemaVersion: 1, offered, left: 3, voices: false });
      };
    };
    const page = await show("/courses/shell/loops", serving(true));
    const link = await until(() => inside(page, ".page-actions .quiz + .film"), "the way to a film");
    expect(link.getAttribute("href")).to.equal("/ai?explainer=shell.topic-loops");
    expect(asked.at(-1)).to.equal("/api/visual-explainers/offer?courseId=shell acc_mira_0001");
    await expectAccessible(page);
    const other = await show("/courses/shell/loops", serving(false));
    await until(() => asked.length === 4 && inside(other, ".page:not([hidden]) .ask"), "it was asked");
    expect(inside(other, ".film")).to.equal(null);
  });

  it("keeps clobbering names but removes scripts and handlers", async () => {
    const hostile = `<p>Fine</p><img src="/nowhere.png" onerror="window.ran = true"><script>window.ran = true</script><a href="javascript:window.ran=true">x</a>`;
    const page = await show("/courses/shell/loops", answer(pageHtml("Loops", hostile)));
    await until(() => inside(page, "#links p"), "the block");
    expect(inside(page, "script")).to.equal(null);
    expect(inside(page, "[onerror]")).to.equal(null);
    expect(inside(page, "a")?.getAttribute("href")).to.equal(null);
    expect("ran" in window).to.equal(false);
  });

  it("marks a cited passage and scrolls to it; the mark can be removed", async () => {
    const page = await show("/courses/shell/loops?mark=very%20end%20of%20it#end", answer(pageHtml("Loops", "<p>A loop repeats.</p>")));
    const mark = await until(() => inside(page, "mark.cited"), "the mark");
    expect(mark.textContent).to.equal("very end of it.");
    const box = page.getBoundingClientRect();
    expect(mark.getBoundingClientRect().top).to.be.within(box.top, box.bottom);
    const button = await until(() => inside(page, ".cited-note button"), "the note");
    const hrefs: string[] = [];
    page.addEventListener("colloquy-page-read", (event) => hrefs.push(event.href));
    button.click();
    expect(inside(page, "mark.cited")).to.equal(null);
    expect(hrefs).to.deep.equal(["/courses/shell/loops#end"]);
  });

  it("goes to another passage of the page without loading it again", async () => {
    const page = await show("/courses/shell/loops", answer(pageHtml("Loops", "<p>A loop repeats.</p>")));
    await until(() => inside(page, ".page:not([hidden])"), "the page");
    page.href = "/courses/shell/loops?mark=A%20loop%20repeats#links";
    await until(() => inside(page, "mark.cited")?.textContent === "A loop repeats.", "the first mark");
    page.href = "/courses/shell/loops?mark=very%20end#end";
    await until(() => inside(page, "mark.cited")?.textContent === "very end", "the second mark");
    expect(page.renderRoot.querySelectorAll("mark.cited, .cited-note")).to.have.length(2);
    expect(asked).to.have.length(1);
  });

  it("reports that the cited text has changed", async () => {
    const page = await show("/courses/shell/loops?mark=Something%20that%20nobody%20ever%20wrote", answer(pageHtml("Loops", "<p>A</p>")));
    await until(() => inside(page, ".cited-note")?.textContent?.includes("no longer on this page"), "the words");
  });

  it("reports a missing page and links to the course", async () => {
    const page = await show("/courses/shell/gone", answer("", 404));
    await until(() => inside(page, ".says h2")?.textContent === "Page not found", "the words");
    expect(inside(page, ".says a")?.getAttribute("href")).to.equal("/courses/shell");
    await expectAccessible(page);
  });

  it("reports a page that cannot be loaded and retries", async () => {
    let up = false;
    const page = await show("/courses/shell/loops", async () => {
      if (!up) throw new TypeError("Failed to fetch");
      return new Response(pageHtml("Loops", "<p>A</p>"));
    });
    const again = await until(() => inside(page, ".says button"), "the way to try again");
    await expectAccessible(page);
    up = true;
    again.click();
    await until(() => inside(page, ".page:not([hidden])"), "the page");
  });

  it("follows fragment links and leaves others to the pane", async () => {
    const page = await show(
      "/courses/shell/loops",
      answer(pageHtml("Loops", `<a href="#end">down</a> <a href="/courses/shell/pipes">on</a>`)),
    );
    await until(() => inside(page, ".page:not([hidden])"), "the page");
    inside(page, "a[href='#end']")?.click();
    expect(page.scrollTop).to.be.greaterThan(1_000);
    let prevented: boolean | null = null;
    document.addEventListener(
      "click",
      (event) => {
        prevented = event.defaultPrevented;
        event.preventDefault();
      },
      { once: true },
    );
    inside(page, "a[href='/courses/shell/pipes']")?.click();
    expect(prevented).to.equal(false);
  });

  it("refreshes in place after a publication, keeping the scroll position", async function () {
    this.timeout(120_000);
    let sequence = 1;
    const made = (words: string) => pageHtml("Loops", `<p>${words}</p>`).replace("<article", `<article data-sequence="${sequence}"`);
    const page = await show("/courses/shell/loops#end", async (input) => {
      if (String(input) === "/api/courses/shell/revision")
        return Response.json({ schemaVersion: 1, courseId: "shell", sequence, revisionId: "r" });
      return new Response(made(sequence === 1 ? "A loop repeats." : "A loop repeats.<br><br>Even this."), { status: 200 });
    });
    const end = () => inside(page, "#end");
    await until(() => inside(page, ".page:not([hidden]) #end"), "the page");
    expect(end()?.hasAttribute("data-target")).to.equal(true);
    await until(() => page.scrollTop > 0, "the end in view");
    const before = end()?.getBoundingClientRect().top ?? 0;
    sequence = 2;
    await until(() => inside(page, "#links")?.textContent?.includes("Even this."), "the new text");
    await until(() => Math.abs((end()?.getBoundingClientRect().top ?? 0) - before) < 2, "the place");
    expect(inside(page, ".page")?.hidden).to.equal(false);
  });

  it("keeps the mark on the cited words through publications, and says when they are gone", async function () {
    this.timeout(120_000);
    let sequence = 1;
    const texts = ["A loop repeats.", "Always: a loop repeats.", "Nothing like it."];
    const made = () =>
      pageHtml(`Loops ${sequence}`, `<p>${texts[sequence - 1]}</p>`).replace("<article", `<article data-sequence="${sequence}"`);
    const page = await show("/courses/shell/loops?mark=A%20loop%20repeats.#links", async (input) => {
      if (String(input) === "/api/courses/shell/revision")
        return Response.json({ schemaVersion: 1, courseId: "shell", sequence, revisionId: "r" });
      return new Response(made(), { status: 200 });
    });
    const note = () => inside(page, ".cited-note")?.textContent ?? "";
    await until(() => note().includes("is marked"), "the mark");
    sequence = 2;
    await until(() => inside(page, "h1")?.textContent === "Loops 2", "the second text");
    await until(() => inside(page, "mark.cited")?.textContent === "a loop repeats.", "the mark on its words");
    await until(() => note().includes("is marked"), "the note");
    sequence = 3;
    await until(() => inside(page, "h1")?.textContent === "Loops 3", "the third text");
    await until(() => note().includes("changed"), "what became of it");
    expect(inside(page, "mark.cited")).to.equal(null);
  });

  it("marks what an earlier text does not have, once its revision is shown", async function () {
    this.timeout(120_000);
    for (const [block, before, said] of [
      ["links", `<div class="block" id="links"><p>A loop ends.</p></div>`, "changed"],
      ["new", "", "cannot be looked up"],
    ] as const) {
      let sequence = 1;
      let isKnown = false;
      const after = `<div class="block" id="${block}"><p>A loop repeats.</p></div>`;
      const made = () =>
        pageHtml(`Loops ${sequence}`, "").replace(
          /<article lang="en">([\s\S]*)<div class="block" id="links"><\/div>/,
          `<article data-sequence="${sequence}">$1${sequence === 1 ? before : after}`,
        );
      const page = await show("/courses/shell/loops", async (input) => {
        if (String(input).startsWith("/api/courses/source"))
          return Response.json({ schemaVersion: 1, source: { href: `/courses/shell/loops#${block}` } });
        // The answering server learns of a publication later than another.
        if (String(input) === "/api/courses/shell/revision")
          return Response.json({ schemaVersion: 1, courseId: "shell", sequence: isKnown ? 2 : 1, revisionId: "r" });
        return new Response(made(), { status: 200 });
      });
      await until(() => inside(page, ".page:not([hidden]) #end"), "the page");
      page.href = `/courses/shell/loops?mark=A%20loop%20repeats.#${block}`;
      await until(() => inside(page, ".cited-note")?.textContent?.includes(said), "what the earlier text allows");
      sequence = 2;
      isKnown = true;
      await until(() => inside(page, "mark.cited")?.textContent === "A loop repeats.", "the mark");
      await until(() => inside(page, ".cited-note")?.textContent?.includes("is marked"), "the words");
      expect(page.renderRoot.querySelectorAll(".cited-note")).to.have.length(1);
      unmountAll();
    }
  });

  it("shows the live text before it marks a passage in a page that was in the background", async () => {
    let sequence = 1;
    const made = () =>
      pageHtml(`Loops ${sequence}`, sequence === 1 ? "<p>A loop repeats.</p>" : "<p>A loop ends.</p>").replace(
        "<article",
        `<article data-sequence="${sequence}"`,
      );
    const page = await show("/courses/shell/loops", async (input) =>
      String(input) === "/api/courses/shell/revision"
        ? Response.json({ schemaVersion: 1, courseId: "shell", sequence, revisionId: "r" })
        : new Response(made(), { status: 200 }),
    );
    await until(() => inside(page, ".page:not([hidden]) #end"), "the page");
    page.inert = true;
    sequence = 2;
    const marks: string[] = [];
    const observer = new MutationObserver(() =>
      marks.push(...[...page.renderRoot.querySelectorAll("mark")].map(({ outerHTML }) => outerHTML)),
    );
    observer.observe(page.renderRoot, { childList: true, subtree: true });
    page.href = "/courses/shell/loops?mark=A%20loop%20repeats.#links";
    await until(() => inside(page, ".cited-note")?.textContent?.includes("were changed"), "the words");
    observer.disconnect();
    expect(marks).to.deep.equal([]);
    expect(inside(page, "h1")?.textContent).to.equal("Loops 2");
  });
});
