import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor } from "./browser.ts";
import { type Program, startProgram } from "./program.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;
const question = "What is an eigenvector?";

describe("the pages of a signed-in person are routes of one document", () => {
  let program: Program;
  let browser: Browser;
  before(async () => {
    program = await startProgram({ DEMO_MODEL_WORD_MS: "120" });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const signIn = (page: Page, to: string, as = "learner") =>
    page.goto(`${program.url}/auth/demo?as=${as}&return=${encodeURIComponent(to)}`);
  const composer = (page: Page) => page.getByRole("textbox", { name: "Your question" });
  const address = (page: Page) => page.url().slice(program.url.length);
  /** Marks the document: a page that is loaded anew has no mark. */
  const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute("data-mark", ""));
  const isMarked = (page: Page) => page.evaluate(() => document.documentElement.hasAttribute("data-mark"));
  const answer = (page: Page) => page.locator("colloquy-answer").last().innerText();
  async function choose(page: Page, name: string | RegExp): Promise<void> {
    const sheet = page.getByRole("button", { name: "Conversations", exact: true });
    if (await sheet.isVisible()) await sheet.click();
    await page.locator("button.account").locator("visible=true").first().click();
    await page.getByRole("menuitem", { name }).click();
  }
  async function picture(page: Page, name: string): Promise<void> {
    if (!pictures) return;
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` });
    }
    await page.emulateMedia({ colorScheme: "light" });
  }

  for (const [device, size] of Object.entries({ desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844, touch: true } }))
    it(`continues an answer while the learner reviews, on a ${device}`, async () => {
      const { page, complaints, context } = await openVisitor(browser, size);
      await signIn(page, "/ai");
      await composer(page).fill(question);
      await composer(page).press("Enter");
      await page.waitForURL(/conversation=/);
      const asked = address(page);
      if (await page.getByRole("button", { name: "Send" }).isVisible()) await page.getByRole("button", { name: "Send" }).click();
      await eventually(async () => expect((await answer(page)).length).to.be.above(20));
      await mark(page);
      await picture(page, `${device}-asking`);
      await choose(page, /^Review/);
      await page.getByRole("heading", { name: "Nothing to review yet" }).waitFor();
      expect(address(page)).to.equal("/review");
      expect(await page.title()).to.equal("Review · Colloquy");
      expect(await page.evaluate(() => document.activeElement?.id)).to.equal("content");
      expect(await page.locator("colloquy-workspace").isVisible(), "the workspace over it").to.equal(false);
      await picture(page, `${device}-review`);
      const before = (await page.evaluate(() => document.querySelector("colloquy-answer")?.textContent))?.length ?? 0;
      await eventually(async () =>
        expect((await page.evaluate(() => document.querySelector("colloquy-answer")?.textContent))?.length).to.be.above(before),
      );
      await page.getByRole("link", { name: "Ask", exact: true }).click();
      await eventually(async () => expect(address(page), "where the learner was").to.equal(asked));
      await page.getByText(question).first().waitFor();
      await page.locator("colloquy-exchange .acts").waitFor();
      await picture(page, `${device}-answered`);
      await page.goBack();
      await page.getByRole("heading", { name: "Nothing to review yet" }).waitFor();
      await page.goBack();
      await eventually(async () => expect(address(page)).to.equal(asked));
      await page.goForward();
      await page.getByRole("heading", { name: "Nothing to review yet" }).waitFor();
      expect(await isMarked(page)).to.equal(true);
      await page.reload();
      await page.getByRole("heading", { name: "Nothing to review yet" }).waitFor();
      expect(await isMarked(page)).to.equal(false);
      await page.goBack();
      await page.getByText(question).first().waitFor();
      expect(address(page)).to.equal(asked);
      expect(complaints).to.deep.equal([]);
      await context.close();
    });

  it("keeps the place of a conversation that started during review", async () => {
    const { page, complaints, context } = await openVisitor(browser);
    await signIn(page, "/ai");
    await composer(page).fill(question);
    await composer(page).press("Enter");
    await choose(page, /^Review/);
    await page.getByRole("heading", { name: "Nothing to review yet" }).waitFor();
    await page.goBack();
    await eventually(async () => expect(address(page)).to.match(/conversation=/));
    await page.getByText(question).first().waitFor();
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it("has settings at an address, closed by Back", async () => {
    const { page, complaints, context } = await openVisitor(browser);
    await signIn(page, "/ai");
    await composer(page).waitFor();
    await mark(page);
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await choose(page, "Settings");
    await dialog.waitFor();
    expect(address(page)).to.equal("/settings");
    await picture(page, "desk-settings");
    await page.goBack();
    await dialog.waitFor({ state: "hidden" });
    expect(address(page)).to.equal("/ai");
    await page.goForward();
    await dialog.waitFor();
    await dialog.getByRole("button", { name: "Close settings" }).click();
    await eventually(async () => expect(address(page)).to.equal("/ai"));
    expect(await isMarked(page)).to.equal(true);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  for (const [device, size] of Object.entries({ desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844, touch: true } }))
    it(`opens settings at their address, over the workspace, on a ${device}`, async () => {
      const { page, complaints, context } = await openVisitor(browser, size);
      await signIn(page, "/settings");
      await page.getByRole("dialog", { name: "Settings" }).waitFor();
      await picture(page, `${device}-settings`);
      await page.keyboard.press("Escape");
      await eventually(async () => expect(address(page)).to.equal("/ai"));
      await composer(page).waitFor();
      expect(complaints).to.deep.equal([]);
      await context.close();
    });

  it("opens a page of another role as the service answers it", async () => {
    const { page, context } = await openVisitor(browser);
    await signIn(page, "/ai");
    await composer(page).waitFor();
    await page.evaluate(() => (document.querySelector("colloquy-shell") as HTMLElement & { open(href: string): void }).open("/audit"));
    await page.getByRole("heading", { name: "You do not have access" }).waitFor();
    await context.close();
  });

  it("shows an auditor's page and searches without a reload", async () => {
    const { page, complaints, context } = await openVisitor(browser);
    await signIn(page, "/ai", "auditor");
    await composer(page).waitFor();
    await mark(page);
    await choose(page, "Audit");
    await page.getByRole("heading", { name: "Tutoring sessions" }).waitFor();
    await picture(page, "desk-audit");
    await page.getByRole("textbox", { name: "Course" }).fill("shell");
    await page.getByRole("button", { name: "Search" }).click();
    await eventually(async () => expect(address(page)).to.equal("/audit?course=shell"));
    await page.goBack();
    await eventually(async () => expect(await page.getByRole("textbox", { name: "Course" }).inputValue()).to.equal(""));
    await page.goBack();
    await composer(page).waitFor();
    expect(await isMarked(page)).to.equal(true);
    expect(complaints).to.deep.equal([]);
    await context.close();
  });
});
