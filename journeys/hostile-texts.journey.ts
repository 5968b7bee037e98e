import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedServer, startScriptedServer } from "@colloquy/command-api/model-gateway/scripted-server.fixture.ts";
import { validateCourse } from "@colloquy/schemas/courses/validate.ts";
import { hostile, hostileTexts } from "@colloquy/ui/rendering/hostile-texts.fixture.ts";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor } from "./browser.ts";
import { change, type Learner, learner, opening, turn } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

const kinds = Object.entries(hostile);
const idOf = (kind: string): string => `hostile-${kind}`;
/** The longest title and quote a client may send. */
const bounded = (text: string, length = 200): string => text.slice(0, length).trim() || "x";

/** A block that an author may publish; null for what the validator refuses. */
function block(id: string, type: string, source: string): string | null {
  const course = {
    manifest: { courseId: "hostile-course", title: "x", summary: "", language: "en", root: [{ kind: "topic", id: "topic-one" }] },
    collections: [],
    topics: [{ id: "topic-one", slug: "one", title: "x", objectives: [], blocks: [{ id, type, source }] }],
    assets: [],
  };
  return !source.includes("<!-- core.") && validateCourse(course).ok ? `<!-- ${type} ${id} -->\n${source}\n` : null;
}

/** A topic holds only so many blocks. */
const textsPerTopic = 60;
const topics = kinds.flatMap(([kind, texts]) =>
  Array.from({ length: Math.ceil(texts.length / textsPerTopic) }, (_, at) => ({
    name: `${kind}-${at + 1}`,
    texts: texts.slice(at * textsPerTopic, (at + 1) * textsPerTopic),
  })),
);

/** A course that says everything hostile an author can say. */
function writeCourse(folder: string): number {
  mkdirSync(join(folder, "topics"), { recursive: true });
  let blocks = 0;
  const quoted = (text: string) => JSON.stringify(bounded(text));
  for (const { name: kind, texts } of topics) {
    const found = texts.flatMap((text, index) => {
      const id = (name: string) => `${kind}-${name}-${index}`;
      // Every body of text draws diagrams by the same code: those of the theory stand for the others.
      const body = kind.startsWith("mermaid") ? "x" : text;
      const bare = text.replace(/^```mermaid\n|\n```$|^\$\$?\n?|\n?\$\$?$/g, "");
      return [
        block(id("theory"), "core.theory", text),
        block(id("points"), "core.key-points", `---\ntitle: ${quoted(text)}\n---\n- ${text.replaceAll("\n", " ")}`),
        block(id("callout"), "core.callout", `---\ntitle: ${quoted(text)}\n---\n${body}`),
        block(id("exercise"), "core.exercise", `---\ntitle: ${quoted(text)}\n---\nDo it.\n\n::: solution x\n${body}\n:::`),
        block(id("code"), "core.code", `---\nlanguage: xml\ntitle: ${quoted(text)}\n---\n${bare}`),
        kind.startsWith("mermaid") ? block(id("diagram"), "core.diagram", `---\ndescription: ${quoted(text)}\n---\n${bare}`) : null,
        kind.startsWith("mathematics") ? block(id("formula"), "core.math", `---\ncaption: ${quoted(text)}\n---\n${bare}`) : null,
      ].filter((one) => one !== null);
    });
    blocks += found.length;
    const title = quoted(hostile.titles[blocks % hostile.titles.length] ?? "x");
    const front = `---\nid: topic-${kind}\nslug: ${kind}\ntitle: ${title}\nsummary: ${title}\nobjectives:\n  - id: objective-${kind}\n    text: ${title}\n---\n\n`;
    writeFileSync(join(folder, "topics", `${kind}.md`), front + found.join("\n"));
  }
  const title = quoted(hostile.titles[1] ?? "x");
  const contents = topics.map(({ name }) => `  - ${name}\n`).join("");
  writeFileSync(join(folder, "course.yaml"), `title: ${title}\nsummary: ${title}\nlanguage: en\ncontents:\n${contents}`);
  return blocks;
}

/** A catalogue file that names one scripted model. */
function writeCatalogue(file: string, url: string): void {
  const timeouts = { connectMs: 5_000, firstTokenMs: 20_000, idleMs: 20_000, wholeMs: 60_000 };
  const models = [
    { id: "scripted", serviceId: "scripted", name: "Scripted", tutor: true, quiz: true, default: true, structuredOutput: "json_schema" },
  ];
  const slots = [{ slot: "p1", label: "Scripted", baseUrl: url, credentials: ["P1_API_KEY"], timeouts, models }];
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, slots }));
}

declare global {
  interface Window {
    __xss?: (...given: unknown[]) => void;
  }
}

describe("hostile texts in the whole program, under its real policy", function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), "colloquy-hostile-"));
  /** What ran, opened, was fetched from elsewhere or was stopped by the policy alone. */
  const seen: string[] = [];
  let program: Program;
  let browser: Browser;
  let model: ScriptedServer;
  let mira: Learner;
  let page: Page;

  before(async () => {
    model = await startScriptedServer({ kind: "stream", words: ["Nothing."] });
    writeCatalogue(join(folder, "catalogue.json"), model.url);
    program = await startProgram({ PROVIDER_CATALOG: join(folder, "catalogue.json"), P1_API_KEY: "scripted" });
    mira = await learner(program.url, "learner");
    browser = await openBrowser();
    ({ page } = await openVisitor(browser, { height: 2_000 }));
    await page.exposeFunction("__xss", (...given: unknown[]) => seen.push(`ran ${given.join()}`));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        // Purifiers parse into documents where nothing can run; Chromium reports the handlers there, too. `provoke` looks for those that stand.
        if (violatedDirective !== "script-src-attr") window.__xss?.(`stopped by the policy: ${violatedDirective} ${blockedURI}`);
      });
    });
    page.on("dialog", (dialog) => {
      seen.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("popup", (popup) => seen.push(`window ${popup.url()}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(program.url) && !/^(?:data|blob):/.test(request.url())) seen.push(`fetched ${request.url()}`);
    });
    await page.goto(`${program.url}/auth/demo?as=learner&return=${encodeURIComponent("/ai")}`);
  });
  beforeEach(() => seen.splice(0));
  after(async () => {
    await browser?.close();
    await program?.stop();
    await model?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Brings everything into view, so that diagrams are drawn, then points at, focuses and presses what does not lead away. */
  async function provoke(): Promise<void> {
    await page.evaluate(async () => {
      const all = (root: ParentNode): Element[] =>
        [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
      // Two frames: whoever looks for what comes into view has been told by then.
      const breath = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
      for (const details of document.querySelectorAll("details")) details.open = true;
      for (const element of document.querySelectorAll("colloquy-exchange, .block")) {
        const { top, bottom } = element.getBoundingClientRect();
        // What came into view with the one before has had its breath; a diagram is drawn once it is looked at, so each has its own.
        if (top >= 0 && bottom <= innerHeight && !element.querySelector(".diagram")) continue;
        element.scrollIntoView();
        await breath();
      }
      while (document.querySelector(".diagram[aria-busy]")) await breath();
      for (const element of all(document)) {
        for (const { name, value } of element.attributes)
          if (name.startsWith("on") || (/href|src|action|data$/.test(name) && /^\s*(?:javascript|vbscript|data:text)/i.test(value)))
            window.__xss?.(`stands: ${element.localName} ${name}`);
        for (const type of ["pointerenter", "mouseover", "animationstart"]) element.dispatchEvent(new Event(type));
        if (element instanceof HTMLElement) element.focus({ preventScroll: true });
        const leads = element.closest("a[href], button, summary");
        if (!leads || /^\s*(?:javascript|data|vbscript):/i.test(leads.getAttribute("href") ?? ""))
          element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
  }

  it("detects code that runs, is fetched or is blocked", async () => {
    await page.goto(`${program.url}/courses`);
    await page.evaluate(() => {
      document.body.insertAdjacentHTML("beforeend", '<img src="https://evil.example/p.png"><p onclick="__xss(1)">x</p>');
      document.body.append(Object.assign(document.createElement("script"), { textContent: "__xss(2)" }));
    });
    await provoke();
    for (const sign of [/stopped by the policy: img-src/, /stopped by the policy: script-src-elem/, /stands: p onclick/])
      await eventually(async () => expect(seen.join("\n")).to.match(sign));
    expect(hostileTexts.length).to.be.greaterThan(500);
  });

  it("shows them as text on course pages, diagrams included", async () => {
    const blocks = writeCourse(join(folder, "course"));
    expect(blocks).to.be.greaterThan(hostileTexts.length);
    expect(await program.tool("command-api/publication/import/cli.ts", join(folder, "course"), "--id", "hostile-course")).to.contain(
      "Published",
    );
    let drawn = 0;
    for (const path of ["/courses", "/courses/hostile-course", ...topics.map(({ name }) => `/courses/hostile-course/${name}`)]) {
      const response = await page.goto(program.url + path);
      expect(response?.status(), path).to.equal(200);
      await provoke();
      drawn += await page.locator(".diagram svg").count();
      expect(seen, path).to.deep.equal([]);
    }
    expect(drawn).to.be.greaterThan(10);
  });

  it("shows them as text in titles, questions, answers, sources and quizzes", async () => {
    for (const [number, [kind, texts]] of kinds.entries()) {
      const title = bounded(hostile.titles[number % hostile.titles.length] ?? "x");
      const turns = texts.map((text, index) => {
        const quote = bounded(text, 300);
        const citation = {
          number: 1,
          sourceId: "source-0001",
          href: "/courses/hostile-course",
          title: bounded(text),
          trail: [bounded(text)],
          revisionId: "revision-1",
          quote,
        };
        const id = `${kind}-turn-${index}`;
        const choices = [bounded(text), `not ${bounded(text)}`].map((words, choice) => ({
          choiceId: `choice-${id}-${choice}`,
          text: words,
        }));
        const asked = {
          questionId: `question-${id}`,
          kind: "single",
          prompt: bounded(text),
          choices,
          correct: [`choice-${id}-0`],
          explanation: bounded(text),
          sourceIds: [],
        };
        const artifact = { type: "quiz", quizId: `quiz-${id}`, title: bounded(text), questions: [asked], sources: [citation] };
        const recorded = { ...turn(id, text.trim() || "x", index % 4 === 3 ? "" : `${text}\n\nso[^1]`), citations: [citation] };
        return change(`change-${id}`, idOf(kind), "turn_recorded", index % 4 === 3 ? { ...recorded, artifact } : recorded);
      });
      const changes = [change(`change-${kind}-start`, idOf(kind), "started", opening(title)), ...turns];
      for (let at = 0; at < changes.length; at += 50) {
        const { results } = await mira.push(changes.slice(at, at + 50));
        expect(results.filter(({ outcome }) => outcome !== "accepted")).to.deep.equal([]);
      }
    }
    for (const [kind, texts] of kinds) {
      await page.goto(`${program.url}/ai?conversation=${idOf(kind)}`);
      await page
        .locator("colloquy-exchange")
        .nth(texts.length - 1)
        .waitFor();
      await page.locator("colloquy-answer > *").first().waitFor();
      await provoke();
      await page.locator("colloquy-answer a.cite").last().hover();
      // The history's rows come with the feed.
      await page
        .getByRole("navigation", { name: "Conversations" })
        .getByRole("link")
        .nth(kinds.length - 1)
        .waitFor();
      expect(seen, kind).to.deep.equal([]);
    }
  });

  it("shows them as text while they stream from a model", async () => {
    for (const [kind, texts] of kinds) {
      // What opens a fence or a formula ends with its own paragraph, so that the next text is read anew.
      const words =
        texts
          .map((text) => `${text}\n\n\`\`\`\n\`\`\`\n\n`)
          .join("")
          .match(/[\s\S]{1,40}/g) ?? [];
      model.script({ kind: "stream", words: [...words, "[s1]."] });
      await page.goto(`${program.url}/ai`);
      await page.getByRole("textbox", { name: "Your question" }).fill("What is an eigenvector?");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Regenerate" }).waitFor({ timeout: 60_000 });
      await provoke();
      expect(seen, kind).to.deep.equal([]);
    }
  });
});
