import { expect } from "chai";
import type { Browser } from "playwright-core";
import { openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { change, learner, opening, turn } from "./learner.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

const conversationId = "conversation-mine-1";

describe("deleting everything on one of two devices", () => {
  let program: SharedProgram;
  let browser: Browser;
  let desk: Visitor;
  let phone: Visitor;
  before(async () => {
    [program, browser] = await Promise.all([sharedProgram(), openBrowser()]);
    // Nothing but a conversation: the account's own stream holds no event.
    const mira = await learner(program.url, { cookie: await program.cookie("learner") });
    await mira.push([
      change("change-0001", conversationId, "started", opening("Pipes")),
      change("change-0002", conversationId, "turn_recorded", turn("turn-0001", "What is a pipe?", "It joins programs.")),
    ]);
    desk = await openVisitor(browser, { width: 1440, height: 900 });
    phone = await openVisitor(browser, { width: 390, height: 844 });
    for (const { page } of [desk, phone]) {
      await program.signIn(page, `/ai?conversation=${conversationId}`);
      await page.locator("colloquy-answer p").first().waitFor();
    }
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  it("asks about a draft before a sign-out", async () => {
    const { page } = desk;
    await page.locator("colloquy-composer textarea").first().fill("Half a question");
    await page.getByRole("button", { name: /Mira/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign out and lose unsaved work?" });
    await dialog.getByText("1 question you wrote and have not sent").waitFor();
    await dialog.getByRole("button", { name: "Stay signed in", exact: true }).click();
    expect(await page.locator("colloquy-composer textarea").first().inputValue()).to.equal("Half a question");
  });

  it("confirms the deletion and closes the account's tabs on the other device", async () => {
    const { page } = desk;
    await page.getByRole("button", { name: /Mira/ }).click();
    await page.getByRole("menuitem", { name: "Delete all my data…" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete all your data?" });
    await dialog.getByRole("textbox").fill("delete everything");
    await dialog.getByRole("button", { name: "Delete everything", exact: true }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await page.getByText("All your data here is deleted, and you are signed out.").waitFor();
    await phone.page.waitForURL((url) => url.pathname === "/ai" && !url.search);
    await phone.page.locator("colloquy-composer textarea").first().waitFor();
    await phone.page.getByText("It joins programs.").first().waitFor({ state: "detached" });
    await page.reload({ waitUntil: "networkidle" });
    expect(await page.getByText("All your data here is deleted").count()).to.equal(0);
  });
});
