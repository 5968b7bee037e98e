import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { axeFindingsInBothThemes, horizontalOverflow } from "./accessible.ts";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { waitForServiceWorker } from "./browser-storage.ts";
import { change, learner, opening, turn } from "./learner.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;
const question = "What is an eigenvector?";
const renamed = "Arrows, looked at again";

describe("every state of the workspace is accessible", () => {
  let program: SharedProgram;
  let browser: Browser;
  let mira: Visitor;

  before(async () => {
    program = await sharedProgram();
    browser = await openBrowser();
    mira = await openVisitor(browser, { width: 1440, height: 900 });
    const device = await learner(program.url, { cookie: await program.cookie("learner") }, "another-device");
    const names = ["Maps and matrices", "Lengths and angles"];
    for (const [at, name] of names.entries())
      await device.push([
        change(`change-open-${at}`, `conversation-${at}`, "started", opening(name)),
        change(`change-turn-${at}`, `conversation-${at}`, "turn_recorded", turn(`turn-000${at}`, name, "A map keeps sums.")),
      ]);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const signIn = (page: Page, to: string, as = "learner") => program.signIn(page, to, as);
  const composer = (page: Page) => page.getByRole("textbox", { name: "Your question" });
  const history = (page: Page) => page.locator("colloquy-history");
  /** Opens what can be done with a conversation of the history. */
  async function openRowMenu(page: Page, title: string): Promise<void> {
    const row = history(page)
      .getByRole("listitem")
      .filter({ has: page.getByRole("link", { name: title }) });
    await row.hover();
    await row.getByRole("button", { name: /^Actions for/ }).click();
  }
  const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

  /** Sound in both themes. Nothing scrolls sideways. */
  async function expectSound(page: Page, name: string): Promise<void> {
    const look = async (theme: string) => pictures && page.screenshot({ path: `${pictures}/${name}-${theme}.png` });
    expect(await axeFindingsInBothThemes(page, look), name).to.deep.equal([]);
    await eventually(async () => expect(await horizontalOverflow(page), `${name}: pixels to the side`).to.equal(0));
  }

  /** The same page narrow, and at twice its size. */
  async function expectNarrow(page: Page, name: string): Promise<void> {
    const before = page.viewportSize();
    for (const width of [320, 640]) {
      await page.setViewportSize({ width, height: 700 });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      await eventually(async () => expect(await horizontalOverflow(page), `${name} at ${width} px`).to.equal(0));
    }
    if (before) await page.setViewportSize(before);
  }

  it("signed out, at the sign-in, on the offline page", async () => {
    const { page } = mira;
    for (const [path, name] of [
      ["/ai", "visitor"],
      ["/sign-in", "sign-in"],
      ["/offline", "instead"],
      ["/courses/linear-maps", "course"],
      ["/courses/linear-maps/nowhere", "missing"],
    ] as const) {
      await page.goto(program.url + path);
      await page.waitForFunction(() => !document.querySelector(":not(:defined)"));
      await expectSound(page, name);
      await expectNarrow(page, name);
    }
  });

  it("new, answered, and beside a page of the course", async () => {
    const { page } = mira;
    await signIn(page, "/ai");
    await composer(page).waitFor();
    await history(page).getByRole("link", { name: "Maps and matrices" }).waitFor();
    await expectSound(page, "new");
    await composer(page).fill(question);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Regenerate" }).waitFor({ timeout: 60_000 });
    await expectSound(page, "answered");
    await page.locator("a.cite").first().click();
    await page.locator("colloquy-course-page:visible mark.cited").first().waitFor();
    await expectSound(page, "split");
    await expectNarrow(page, "split");
    // What follows is checked without a page of formulas, which is most of what axe would read each time.
    await page.getByRole("tab", { selected: true }).last().focus();
    await page.keyboard.press("Delete");
    await page.locator("colloquy-course-page:visible").waitFor({ state: "detached" });
  });

  it("with a row's menu, rename, deletion dialog, and undo of archiving", async () => {
    const { page } = mira;
    await openRowMenu(page, question);
    await expectSound(page, "row-menu");
    await item(page, "Rename").click();
    await history(page).getByRole("textbox", { name: "Title of the conversation" }).fill(renamed);
    await expectSound(page, "renaming");
    await page.keyboard.press("Enter");
    await history(page).getByRole("link", { name: renamed }).waitFor();
    await openRowMenu(page, "Lengths and angles");
    await item(page, "Delete…").click();
    await expectSound(page, "deleting");
    await page.getByRole("button", { name: "Keep it" }).click();
    await openRowMenu(page, "Lengths and angles");
    await item(page, "Archive").click();
    // Whoever is on their way to the button is not hurried, however long it is looked at.
    await page.getByRole("button", { name: "Undo" }).hover();
    await expectSound(page, "archived");
    await page.getByRole("button", { name: "Undo" }).click();
    await history(page).getByRole("link", { name: "Lengths and angles" }).waitFor();
  });

  it("with search results and without", async () => {
    const { page } = mira;
    const field = page.getByRole("searchbox", { name: "Search conversations" });
    await field.fill("sums");
    await history(page).getByRole("list", { name: "Results" }).waitFor();
    await expectSound(page, "found");
    await field.fill("zzzz");
    await history(page).getByText("No results for").waitFor();
    await expectSound(page, "found-nothing");
    await field.fill("");
  });

  it("with the account's menu, the settings, a tab's menu, and the tutor", async () => {
    const { page } = mira;
    await page.getByRole("button", { name: "Mira" }).click();
    await expectSound(page, "account-menu");
    expect(await item(page, "Audit").count()).to.equal(0);
    await item(page, "Settings").click();
    await expectSound(page, "settings");
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: renamed }).focus();
    await page.keyboard.press("Shift+F10");
    await expectSound(page, "tab-menu");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+j");
    await page
      .getByRole("button", { name: "Tutor", exact: true })
      .or(page.getByRole("radio", { name: "Tutor" }))
      .first()
      .click({ force: true });
    await page.locator("colloquy-tutor-start, colloquy-tutor").first().waitFor();
    await expectSound(page, "tutor");
    await expectNarrow(page, "tutor");
  });

  it("keeps the focus while another device renames a listed conversation", async () => {
    const { page } = mira;
    const device = await learner(program.url, { cookie: await program.cookie("learner") }, "another-device");
    const row = history(page).getByRole("link", { name: "Maps and matrices" });
    await row.focus();
    await device.push([change("change-rename-0", "conversation-0", "renamed", { title: "Maps, and more" })]);
    await history(page).getByRole("link", { name: "Maps, and more" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.textContent?.trim() === "Maps, and more");
  });

  it("offline, with a missing page, and asked before leaving unsaved changes", async () => {
    const { page, context } = mira;
    await waitForServiceWorker(page);
    await history(page).getByRole("link", { name: renamed }).click();
    await page.locator("a.cite:visible").first().click();
    await page.locator("colloquy-course-page:visible mark.cited").first().waitFor();
    await context.setOffline(true);
    await page.getByText("You are offline.").first().waitFor();
    await expectSound(page, "offline");
    await page.locator("colloquy-course-page:visible").locator("a[rel=next], a[rel=prev]").first().click();
    await page.locator("colloquy-course-page:visible .says").waitFor();
    await expectSound(page, "pane-offline");
    await openRowMenu(page, "Lengths and angles");
    await item(page, "Pin").click();
    await page.getByRole("button", { name: "Mira" }).click();
    await item(page, "Sign out").click();
    await page.getByRole("dialog", { name: "Sign out and lose unsaved work?" }).waitFor();
    await expectSound(page, "leaving");
    await page.getByRole("button", { name: "Stay signed in", exact: true }).click();
    await context.setOffline(false);
    await page.getByText("You are offline.").first().waitFor({ state: "hidden" });
  });

  it("without browser storage", async () => {
    const full = await openVisitor(browser, { width: 1440, height: 900 });
    await full.context.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await signIn(full.page, "/ai");
    await full.page.getByText("This browser does not store data for this site.").waitFor();
    await expectSound(full.page, "keeps-nothing");
    await full.context.close();
  });

  it("on a phone: conversation, sheets and menus, and the focus after closing", async () => {
    const { page } = mira;
    await page.setViewportSize({ width: 390, height: 844 });
    const open = () => page.getByRole("button", { name: "Conversations" }).click();
    await open();
    await expectSound(page, "phone-history");
    await openRowMenu(page, "Lengths and angles");
    await expectSound(page, "phone-row-menu");
    await item(page, "Archive").click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.getByRole("button", { name: "Close the conversations" }).click();
    await page.getByRole("button", { name: "Undo" }).hover();
    await expectSound(page, "phone-undo");
    await page.getByRole("button", { name: "Undo" }).click();
    await open();
    await history(page).getByRole("link", { name: "Lengths and angles" }).waitFor();
    await openRowMenu(page, "Lengths and angles");
    await item(page, "Delete…").click();
    await expectSound(page, "phone-deleting");
    await page.getByRole("button", { name: "Keep it" }).click();
    await history(page).getByRole("link", { name: renamed }).click();
    await page.getByRole("heading", { level: 1, name: renamed }).waitFor();
    await expectSound(page, "phone");
    await page.getByRole("button", { name: "Tab actions" }).click();
    await expectSound(page, "phone-tab-menu");
    await page.keyboard.press("Escape");
  });

  it("the audit page, linked only from an auditor's menu", async () => {
    const nils = await openVisitor(browser, { width: 1440, height: 900 });
    await signIn(nils.page, "/ai", "auditor");
    await nils.page.getByRole("button", { name: "Nils" }).click();
    await item(nils.page, "Audit").click();
    await nils.page.waitForURL(/\/audit$/);
    await nils.page.getByRole("heading", { level: 1, name: "Tutoring sessions" }).waitFor();
    await expectSound(nils.page, "audit");
    await expectNarrow(nils.page, "audit");
    await nils.context.close();
  });
});
