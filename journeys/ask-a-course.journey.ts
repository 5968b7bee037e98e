import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { Browser } from "playwright-core";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { type Program, startProgram } from "./program.ts";

const lesson = fileURLToPath(new URL("../../shared/data/courses/shell-novice", import.meta.url));

/** The imported lesson where it lies beside the checkout, else the demonstration course: the same journey on another text. */
const course = existsSync(lesson)
  ? {
      id: "shell-novice",
      page: "/courses/shell-novice/04-pipefilter",
      title: "Pipes and Filters",
      question: "What is a pipe?",
      answer: /pipe/i,
    }
  : {
      id: "linear-maps",
      page: "/courses/linear-maps/directions-that-stay/eigenvectors",
      title: "Eigenvectors",
      question: "What is an eigenvector?",
      answer: /eigenvector/i,
    };

describe(`a learner asks about ${course.id}`, () => {
  let program: Program;
  let browser: Browser;
  let mira: Visitor;
  let address: string;

  before(async () => {
    // Slow enough to be watched on a busy machine, too.
    program = await startProgram({ DEMO_MODEL_WORD_MS: "30" });
    if (existsSync(lesson)) {
      const report = await program.tool("command-api/publication/import/cli.ts", lesson, "--id", "shell-novice");
      expect(report).to.contain("Published as revision 1");
    } else
      console.log("      !! ../shared/data/courses is not here: the journey runs on the demonstration course instead of the shell lesson");
    browser = await openBrowser();
    mira = await openVisitor(browser);
    // What the page itself breaks off. Chromium's own word for it does not do: it calls some bodies aborted that were read to their end.
    await mira.page.addInitScript(() => {
      const { cancel } = ReadableStreamDefaultReader.prototype;
      ReadableStreamDefaultReader.prototype.cancel = function (reason) {
        console.error("a body was broken off");
        return cancel.call(this, reason);
      };
    });
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  it("finds the course in the catalogue and reads a page without signing in", async () => {
    const { page } = mira;
    await page.goto(`${program.url}/courses`);
    await page.locator(`a[href="/courses/${course.id}"]`).first().click();
    await page.locator(`a[href="${course.page}"]`).first().click();
    await page.getByRole("heading", { level: 1, name: course.title }).waitFor();
    await page.locator("main [id]").nth(5).waitFor({ state: "attached" });
  });

  it("asks about a page, signs in with one click and has the page attached", async () => {
    const { page } = mira;
    await page.getByRole("link", { name: "Ask about this page" }).first().click();
    await page.getByRole("link", { name: /Mira/ }).first().click();
    await page.getByRole("list", { name: "Attached sources" }).getByText(course.title).waitFor();
    await page.waitForURL((url) => url.pathname === "/ai" && !url.search);
  });

  it("streams an answer with citations; the first turn sets the address", async () => {
    const { page } = mira;
    // Looked at in the page, frame by frame, and from the beginning: from here, a slow machine would see too few of them.
    const lengths = await page.evaluateHandle(() => {
      const seen = new Set<number>();
      const look = (): void => {
        const answer = document.querySelector<HTMLElement>("colloquy-conversation colloquy-answer");
        if (answer) seen.add(answer.innerText.length);
        if (seen.size <= 4) requestAnimationFrame(look);
      };
      look();
      return seen;
    });
    await page.getByRole("textbox", { name: "Your question" }).fill(course.question);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/ai\?conversation=/);
    address = page.url();
    const article = page.getByRole("article").first();
    await page.getByRole("button", { name: "Regenerate" }).waitFor();
    expect(await lengths.evaluate((seen) => seen.size)).to.be.greaterThan(4);
    expect(await article.innerText()).to.match(course.answer);
    await page.locator("a.cite").first().waitFor();
    expect(page.url()).to.equal(address);
  });

  it("opens the marked passage beside the answer by a citation", async () => {
    const { page } = mira;
    const chip = page.locator("a.cite").first();
    await chip.hover();
    const card = page.locator("colloquy-citation-card");
    await card.locator("blockquote").first().waitFor();
    const quote = await card.locator("blockquote").first().innerText();
    await chip.click();
    const beside = page.locator("colloquy-course-page");
    const mark = beside.locator("mark.cited").first();
    await mark.waitFor();
    const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");
    const marked = (await beside.locator("mark.cited").allInnerTexts()).map(letters).join("");
    expect(letters(quote)).to.contain(marked.slice(0, 20));
    // It is scrolled to.
    await eventually(async () =>
      expect(
        await mark.evaluate((element) => element.getBoundingClientRect().top >= 0 && element.getBoundingClientRect().bottom <= innerHeight),
      ).to.equal(true),
    );
    expect(page.url()).to.equal(address);
  });

  it("opens the marked passage on the page by a citation's address", async () => {
    const { page, context } = mira;
    const passage = await context.newPage();
    await passage.goto(new URL((await page.locator("a.cite").first().getAttribute("href")) ?? "", program.url).href);
    await passage.locator("main mark.cited").first().waitFor();
    await passage.close();
  });

  it("finds the conversation in the history after a reload", async () => {
    const { page } = mira;
    await page.reload();
    await page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: course.question }).waitFor();
    await page.locator("a.cite").first().waitFor();
    expect(await page.getByRole("article").first().innerText()).to.match(course.answer);
  });

  it("follows the conversation in a second browser", async () => {
    const other = await openVisitor(browser);
    await other.page.goto(`${program.url}/auth/demo?as=learner&return=${encodeURIComponent("/ai")}`);
    const link = other.page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: course.question });
    await link.click();
    await other.page.locator("a.cite").first().waitFor();
    await mira.page.getByRole("textbox", { name: "Your question" }).fill("And what is a filter?");
    await mira.page.keyboard.press("Enter");
    await other.page.getByText("And what is a filter?").waitFor();
    expect(other.complaints).to.deep.equal([]);
    await other.context.close();
  });

  it("hides the conversation from other learners", async () => {
    const tomas = await openVisitor(browser);
    await tomas.page.goto(`${program.url}/auth/demo?as=learner2&return=${encodeURIComponent("/ai")}`);
    await tomas.page.getByRole("textbox", { name: "Your question" }).waitFor();
    expect(await tomas.page.getByRole("link", { name: course.question }).count()).to.equal(0);
    const id = new URL(address).searchParams.get("conversation");
    const response = await tomas.page.request.get(`${program.url}/api/conversations/${id}`);
    expect(response.status()).to.equal(404);
    await tomas.context.close();
  });

  it("reports no browser errors and no broken answer", () => {
    expect(mira.complaints).to.deep.equal([]);
  });
});
