import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";
import { smallTargets } from "./touch-targets.ts";

const topic = "/courses/linear-maps/directions-that-stay/eigenvectors";

describe("a finger hits every control on a phone", () => {
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

  const phone = (): Promise<Visitor> => openVisitor(browser, { width: 390, height: 844, touch: true });
  /** Once the page has settled. */
  const expectLarge = (page: Page, what: string) => eventually(async () => expect(await smallTargets(page), what).to.deep.equal([]));

  it("in the workspace, in an answer, its sources and the conversations", async () => {
    const { page, context } = await phone();
    await program.signIn(page, "/ai");
    await page.getByRole("textbox", { name: "Your question" }).waitFor();
    await expectLarge(page, "workspace");
    await page.getByRole("textbox", { name: "Your question" }).fill("What is an eigenvector?");
    await page.getByRole("button", { name: "Send" }).tap();
    await page.getByRole("button", { name: "Regenerate" }).waitFor();
    await expectLarge(page, "answer");
    await page.getByRole("button", { name: /^\d+ sources?$/ }).tap();
    await page.getByRole("dialog", { name: /sources?$/ }).waitFor();
    await expectLarge(page, "sources");
    await page.goBack();
    await page.getByRole("button", { name: "Conversations" }).tap();
    await page.getByRole("dialog", { name: "Conversations" }).waitFor();
    await expectLarge(page, "conversations");
    await context.close();
  });

  it("on the pages beside the workspace", async () => {
    const { page, context } = await phone();
    await program.signIn(page, "/");
    for (const path of ["/", "/courses", "/courses/linear-maps", topic, "/review", "/settings", "/developers"]) {
      await page.goto(program.url + path);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await expectLarge(page, path);
    }
    await context.close();
  });

  it("in a tutoring session and a quiz", async () => {
    const { page, context } = await phone();
    await program.signIn(page, topic);
    await page.getByRole("link", { name: "Tutor", exact: true }).tap();
    await page.getByRole("textbox").last().fill("Know which directions a map leaves alone");
    await page
      .getByRole("button", { name: /^(?:Send|Start)/ })
      .last()
      .tap();
    await page.locator("colloquy-tutor-card button.primary").waitFor();
    await expectLarge(page, "tutor");
    await page.goto(program.url + topic);
    await page.getByRole("link", { name: "Quiz", exact: true }).tap();
    await page.getByText(/^Quiz me on /).waitFor();
    await page.locator("colloquy-quiz").waitFor();
    await expectLarge(page, "quiz");
    await context.close();
  });

  it("in the editor and the audit", async () => {
    const { page, context } = await phone();
    await program.signIn(page, topic, "owner");
    await page.getByRole("button", { name: "Edit", exact: true }).tap();
    await page.locator("[data-mode=edit][aria-pressed=true]").waitFor();
    await page.locator(".text .block").first().tap();
    await page.locator("colloquy-block-field textarea").first().waitFor();
    await expectLarge(page, "editor");
    await context.close();
    const auditor = await phone();
    await program.signIn(auditor.page, "/audit", "auditor");
    await auditor.page.getByRole("heading", { level: 1 }).waitFor();
    await expectLarge(auditor.page, "audit");
    await auditor.context.close();
  });
});
