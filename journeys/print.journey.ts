import { expect } from "chai";
import type { Browser } from "playwright-core";
import { eventually, openBrowser, openVisitor } from "./browser.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;

describe("a conversation on paper", () => {
  let program: SharedProgram;
  let browser: Browser;
  before(async () => {
    program = await sharedProgram();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  it("prints title, questions, answers and sources without controls", async () => {
    const { page, complaints } = await openVisitor(browser, { width: 1440, height: 900 });
    await program.signIn(page, "/ai");
    for (const question of ["What is an eigenvector?", "What does the determinant say?"]) {
      await page.getByRole("textbox", { name: "Your question" }).fill(question);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Regenerate" }).last().waitFor({ timeout: 60_000 });
      await page.locator("colloquy-exchange", { hasText: question }).locator("colloquy-sources").waitFor({ timeout: 60_000 });
    }
    // As wide as a sheet of A4 within its margins.
    await page.setViewportSize({ width: 700, height: 990 });
    await page.emulateMedia({ media: "print" });
    if (pictures) await page.screenshot({ path: `${pictures}/print.png`, fullPage: true });
    for (const question of ["What is an eigenvector?", "What does the determinant say?"])
      await page.locator(".said p", { hasText: question }).waitFor();
    await page.locator("colloquy-sources q:visible").nth(1).waitFor();
    for (const operated of ["colloquy-composer", "button", "nav", "colloquy-tab-strip", ".next"])
      await eventually(async () => expect(await page.locator(`colloquy-workspace ${operated}:visible`).count(), operated).to.equal(0));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await eventually(async () => {
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(height, "the whole of it is laid out").to.be.greaterThan(990);
    });
    expect(complaints).to.deep.equal([]);
  });
});
