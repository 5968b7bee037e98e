import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor, settled, type Visitor } from "./browser.ts";
import { answerQuestion } from "./quiz-answers.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

describe("a learner asks for a quiz", () => {
  let program: SharedProgram;
  let browser: Browser;
  let mira: Visitor;

  before(async () => {
    program = await sharedProgram();
    browser = await openBrowser();
    mira = await openVisitor(browser);
    await signIn(mira.page);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const signIn = (page: Page, path = "/ai") => program.signIn(page, path);
  const quiz = (page: Page) => page.locator("colloquy-quiz");
  const questions = (page: Page) => quiz(page).getByRole("group", { name: /^Question \d of \d/ });
  const result = (page: Page) => quiz(page).getByRole("group", { name: /of \d points$/ });
  const marked = (page: Page) => quiz(page).locator("colloquy-quiz-course-question .marked");
  /** What is chosen, typed, matched and put in order. */
  const given = (page: Page) =>
    questions(page).evaluateAll((sets) =>
      sets.map((set) => [
        ...[...set.querySelectorAll("input")].map(({ type, checked, value }) => (type === "text" ? value : checked)),
        ...[...set.querySelectorAll("select")].map(({ value }) => value),
      ]),
    );
  it("in plain words, and gets questions instead of prose", async () => {
    const { page } = mira;
    await page.getByRole("textbox", { name: "Your question" }).fill("Quiz me with 6 questions on eigenvectors");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Regenerate" }).waitFor({ timeout: 60_000 });
    await eventually(async () => expect(await questions(page).count()).to.equal(6));
    expect(await page.locator("colloquy-answer").count()).to.equal(0);
    expect(await quiz(page).locator("colloquy-quiz-course-question").count()).to.equal(6);
    await page
      .locator("colloquy-trace summary")
      .getByText(/^(?:Read|Wrote) /)
      .waitFor();
  });

  it("answers, and finds the answers after a reload", async () => {
    const { page } = mira;
    for (const question of (await questions(page).all()).slice(0, 5)) await answerQuestion(question);
    await questions(page).first().getByRole("button", { name: "Check", exact: true }).click();
    await marked(page).first().waitFor();
    await page.waitForFunction(() => document.activeElement?.className === "marked");
    const before = await given(page);
    await page.reload();
    await marked(page).first().waitFor();
    await eventually(async () => expect(await given(page)).to.deep.equal(before));
    expect(await marked(page).count()).to.equal(1);
  });

  it("checks all answers, and sees the score after a reload", async () => {
    const { page } = mira;
    await quiz(page).getByRole("button", { name: "Check all" }).click();
    await result(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.className === "result");
    await eventually(async () => expect(await marked(page).count()).to.equal(6));
    const score = await quiz(page).locator(".score").innerText();
    expect(score).to.match(/^[\d.]+ of 6 points$/);
    await page.reload();
    await result(page).waitFor();
    await eventually(async () => expect(await quiz(page).locator(".score").innerText()).to.equal(score));
  });

  it("sees the attempts in a second browser, live", async () => {
    const other = await openVisitor(browser);
    await signIn(other.page, new URL(mira.page.url()).pathname + new URL(mira.page.url()).search);
    await result(other.page).waitFor({ timeout: 60_000 });
    const same = () => eventually(async () => expect(await given(other.page)).to.deep.equal(await given(mira.page)));
    expect(await quiz(other.page).locator(".score").innerText()).to.equal(await quiz(mira.page).locator(".score").innerText());
    await same();
    await quiz(mira.page).getByRole("button", { name: "Repeat all questions" }).click();
    await answerQuestion(questions(mira.page).first());
    await quiz(mira.page).getByRole("button", { name: "Check all" }).click();
    await quiz(other.page).getByText("Your attempts:").waitFor();
    await same();
    expect(other.complaints).to.deep.equal([]);
  });

  it("opens the cited passage and exports the quiz", async () => {
    const { page } = mira;
    const chip = quiz(page).locator("a.cite").first();
    // Scrolling takes a card away, so the pointer comes once the page rests.
    await chip.scrollIntoViewIfNeeded();
    await settled(() => chip.boundingBox());
    await chip.hover();
    await page.locator("colloquy-citation-card:popover-open blockquote").waitFor();
    await page.keyboard.press("Escape");
    await quiz(page).getByText("Export", { exact: true }).click();
    for (const [name, pattern, content] of [
      ["QTI 3", /\.qti3\.zip$/, /^PK[\s\S]*imsmanifest\.xml[\s\S]*<qti-assessment-item /],
      ["Moodle GIFT", /\.gift\.txt$/, /::eigenvectors 1::\[html\]/],
      ["Anki", /\.anki\.txt$/, /^#separator:tab\n#html:true\n/],
    ] as const) {
      const coming = page.waitForEvent("download");
      await quiz(page)
        .getByRole("button", { name: new RegExp(`^${name}`) })
        .click();
      const download = await coming;
      expect(download.suggestedFilename()).to.match(pattern);
      expect(await readFile(await download.path(), "latin1")).to.match(content);
    }
    expect(mira.complaints).to.deep.equal([]);
  });
});
