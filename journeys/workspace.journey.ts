import { expect } from "chai";
import type { Browser, Locator, Page } from "playwright-core";
import { axeFindings } from "./accessible.ts";
import { eventually, openBrowser, openVisitor, settled, type Visitor } from "./browser.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

const question = "What is an eigenvector?";
const other = "How does one multiply two matrices?";
/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;

describe("a learner arranges the workspace", () => {
  let program: SharedProgram;
  let browser: Browser;
  let mira: Visitor;
  let first: string;
  let second: string;

  before(async () => {
    program = await sharedProgram();
    browser = await openBrowser();
    mira = await openVisitor(browser, { width: 1440, height: 900 });
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const panes = (page: Page) => page.locator("colloquy-panes > section.pane:not([hidden])");
  const tabs = (page: Page) => page.getByRole("tab");
  const selected = async (page: Page) => (await page.getByRole("tab", { selected: true }).allInnerTexts()).map((text) => text.trim());
  const separator = (page: Page) => page.getByRole("separator");
  const coursePage = (page: Page) => page.locator("colloquy-course-page:visible");
  const heading = (page: Page) => coursePage(page).locator("h1");
  /** Waits for it: what was done shows a moment later. */
  const expectCount = (locator: Locator, count: number) => eventually(async () => expect(await locator.count()).to.equal(count));
  const box = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const restingBox = (locator: Locator) => settled(() => box(locator));
  const said = (page: Page) => page.locator("colloquy-announcer").innerText();
  const expectFocus = (page: Page, name: string) =>
    eventually(async () => expect(await page.evaluate(() => document.activeElement?.localName)).to.equal(name));
  const expectSaid = (page: Page, words: string) => eventually(async () => expect(await said(page)).to.contain(words));
  const expectSelected = (page: Page, tab: string) => eventually(async () => expect(await selected(page)).to.include(tab));
  const expectAddress = (page: Page, where: string) => eventually(async () => expect(address(page)).to.equal(where));
  const address = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;
  const menu = async (page: Page, tab: string, item: string) => {
    await page.getByRole("tab", { name: tab }).focus();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };

  async function ask(page: Page, text: string): Promise<string> {
    await page.getByRole("textbox", { name: "Your question" }).fill(text);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Regenerate" }).waitFor({ timeout: 60_000 });
    return address(page);
  }

  /** Fails with what axe finds wrong in the page as it stands. */
  async function expectAccessible(page: Page, name: string): Promise<void> {
    expect(await axeFindings(page), name).to.deep.equal([]);
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
  }

  it("has a live composer at once, and an unused conversation leaves nothing", async () => {
    const { page } = mira;
    await program.signIn(page, "/ai");
    const composer = page.getByRole("textbox", { name: "Your question" });
    await composer.waitFor();
    const skip = page.getByRole("link", { name: "Skip to main content" });
    expect(await skip.evaluate((link) => link.parentElement?.firstElementChild === link)).to.equal(true);
    await skip.focus();
    await eventually(async () => expect((await box(skip)).y).to.be.greaterThan(0));
    await page.keyboard.press("Enter");
    await expectFocus(page, "colloquy-composer");
    await page.reload();
    await composer.waitFor();
    await expectAddress(page, "/ai");
    await expectCount(tabs(page), 1);
    await expectCount(page.getByRole("navigation", { name: "Conversations" }).getByRole("listitem"), 0);
  });

  it("asks, and opens the marked passage beside the conversation", async () => {
    const { page } = mira;
    first = await ask(page, question);
    const chip = page.locator("a.cite").first();
    expect(await chip.getAttribute("href")).to.match(/^\/courses\/linear-maps\//);
    await chip.click();
    await heading(page).waitFor();
    await expectCount(panes(page), 2);
    const mark = coursePage(page).locator("mark.cited").first();
    await mark.waitFor();
    await eventually(async () => {
      const at = await box(mark);
      const pane = await box(panes(page).nth(1));
      expect(at.y).to.be.within(pane.y, pane.y + pane.height);
      expect(at.x).to.be.greaterThan(pane.x);
    });
    expect(await page.locator("colloquy-conversation .end").count()).to.be.greaterThan(0);
    await expectFocus(page, "colloquy-course-page");
    expect(address(page)).to.equal(first);
  });

  it("never changes a conversation's references from another pane", async () => {
    const { page } = mira;
    await expectCount(page.getByRole("list", { name: "Attached sources" }).getByRole("listitem"), 0);
    await coursePage(page).locator("p").first().click();
    await expectCount(page.getByRole("list", { name: "Attached sources" }).getByRole("listitem"), 0);
    await page.getByRole("button", { name: /^Add page/ }).waitFor();
  });

  it("moves between panes by F6, with an announcement", async () => {
    const { page } = mira;
    await coursePage(page).focus();
    await expectFocus(page, "colloquy-course-page");
    await page.keyboard.press("F6");
    await expectFocus(page, "colloquy-composer");
    await expectSaid(page, `Pane 1 of 2: ${question}, conversation`);
    await page.keyboard.press("F6");
    await expectFocus(page, "colloquy-transcript");
    await page.keyboard.press("F6");
    await expectFocus(page, "colloquy-course-page");
    await expectSaid(page, "Pane 2 of 2:");
    await page.keyboard.press("Shift+F6");
    await expectFocus(page, "colloquy-composer");
  });

  it("resizes by keyboard, collapses the first pane and restores it", async () => {
    const { page } = mira;
    const line = separator(page);
    const before = (await restingBox(panes(page).first())).width;
    const stands = (share: string) => eventually(async () => expect(await line.getAttribute("aria-valuenow")).to.equal(share));
    const isNarrow = (pane: Locator) => eventually(async () => expect((await box(pane)).width).to.be.within(240, 330));
    await line.focus();
    for (let count = 0; count < 5; count += 1) await page.keyboard.press("ArrowRight");
    await eventually(async () => expect((await box(panes(page).first())).width).to.be.greaterThan(before + 80));
    await stands("60");
    await page.keyboard.press("Home");
    await isNarrow(panes(page).first());
    await page.keyboard.press("End");
    await isNarrow(panes(page).nth(1));
    await page.keyboard.press("Enter");
    await expectCount(panes(page), 1);
    await stands("0");
    await expectAccessible(page, "folded");
    await page.keyboard.press("Enter");
    await expectCount(panes(page), 2);
    await page.keyboard.press("Shift+ArrowLeft");
    for (let count = 0; count < 2; count += 1) await page.keyboard.press("Shift+ArrowLeft");
  });

  it("resizes by the mouse", async () => {
    const { page } = mira;
    const line = await restingBox(separator(page));
    const before = (await restingBox(panes(page).first())).width;
    await page.mouse.move(line.x + 5, line.y + line.height / 2);
    await page.mouse.down();
    await page.mouse.move(line.x - 95, line.y + line.height / 2, { steps: 5 });
    await page.mouse.up();
    await eventually(async () => expect((await box(panes(page).first())).width).to.be.closeTo(before - 100, 3));
  });

  it("starts a second conversation in a new tab without a reload", async () => {
    const { page } = mira;
    await page.keyboard.press("Control+j");
    await page.getByRole("tab", { name: "New conversation" }).waitFor();
    second = await ask(page, other);
    expect(second).not.to.equal(first);
    await expectSelected(page, other);
    await expectCount(tabs(page), 3);
  });

  it("splits a tab below by the menu, and moves it to the other pane", async () => {
    const { page } = mira;
    await menu(page, other, "Split down");
    await expectCount(panes(page), 3);
    const [above, below] = [await restingBox(panes(page).first()), await restingBox(panes(page).nth(1))];
    expect(below.y).to.be.greaterThan(above.y + above.height - 1);
    expect(below.x).to.be.closeTo(above.x, 1);
    await page.locator("colloquy-answer").nth(1).waitFor();
    await expectAccessible(page, "three");
    await menu(page, other, "Move to previous pane");
    await expectCount(panes(page), 2);
    await expectCount(panes(page).first().getByRole("tab"), 2);
    const order = () => panes(page).first().getByRole("tab").allInnerTexts();
    const [one, two] = await settled(order);
    await menu(page, other, "Move tab back");
    await eventually(async () => expect(await order()).to.deep.equal([two, one]));
    await expectFocus(page, "a");
    await expectSaid(page, "Tab 1 of 2");
    await menu(page, other, "Move tab forward");
  });

  it("drags a tab into the other pane, and to an edge for a new pane", async () => {
    const { page } = mira;
    const drag = async (name: string, to: { x: number; y: number }) => {
      const from = await restingBox(page.getByRole("tab", { name }));
      await page.mouse.move(from.x + 20, from.y + 12);
      await page.mouse.down();
      await page.mouse.move(from.x + 40, from.y + 30, { steps: 3 });
      await page.mouse.move(to.x, to.y, { steps: 6 });
      await page.mouse.move(to.x + 1, to.y + 1);
      await page.mouse.up();
    };
    const right = await restingBox(panes(page).nth(1));
    await drag(other, { x: right.x + right.width / 2, y: right.y + right.height / 2 });
    await expectCount(panes(page).nth(1).getByRole("tab"), 2);
    await expectCount(panes(page).first().getByRole("tab"), 1);
    await drag(other, { x: right.x + right.width / 2, y: right.y + right.height - 20 });
    await expectCount(panes(page), 3);
    await page.getByRole("tab", { name: other }).focus();
    await menu(page, other, "Move to previous pane");
    await expectCount(panes(page), 2);
  });

  it("restores everything after a reload", async () => {
    const { page } = mira;
    const stands = async () => ({
      tabs: await tabs(page).allInnerTexts(),
      selected: await selected(page),
      width: Math.round((await box(panes(page).first())).width),
    });
    const before = await settled(stands);
    const here = address(page);
    await page.reload();
    await page.getByRole("tab", { name: other }).waitFor();
    await eventually(async () => expect(await stands()).to.deep.equal(before));
    await expectAddress(page, here);
    await page.getByRole("tab", { name: /Eigenvectors/ }).click();
    await heading(page).waitFor();
  });

  it("follows a link within its pane, and goes back and forward", async () => {
    const { page } = mira;
    const before = await settled(() => heading(page).innerText());
    await coursePage(page).locator("a[rel=next], a[rel=prev]").first().click();
    await page.waitForFunction(
      (title) => document.querySelector("colloquy-course-page")?.shadowRoot?.querySelector("h1")?.textContent !== title,
      before,
    );
    await heading(page).waitFor();
    const after = await settled(() => heading(page).innerText());
    await expectCount(panes(page), 2);
    await page.goBack();
    await coursePage(page).getByRole("heading", { level: 1, name: before }).waitFor();
    await page.goForward();
    await coursePage(page).getByRole("heading", { level: 1, name: after }).waitFor();
    const history = page.getByRole("navigation", { name: "Conversations" });
    await history.getByRole("link", { name: question }).click();
    await expectAddress(page, first);
    await history.getByRole("link", { name: other }).click();
    await expectAddress(page, second);
    await page.goBack();
    await page.waitForURL((url) => url.pathname + url.search === first);
    await expectSelected(page, question);
    await page.goForward();
    await page.waitForURL((url) => url.pathname + url.search === second);
  });

  it("gives every tab and citation an address for another browser tab", async () => {
    const { page, context } = mira;
    await eventually(async () => expect(await page.getByRole("tab", { name: question }).getAttribute("href")).to.equal(first));
    const coming = context.waitForEvent("page");
    await page.getByRole("tab", { name: question }).click({ modifiers: ["Control"] });
    const opened = await coming;
    await opened.locator("colloquy-answer p").first().waitFor();
    await expectAddress(opened, first);
    await expectCount(opened.getByRole("tab"), 1);
    await opened.close();
    const chip = context.waitForEvent("page");
    await page.locator(".panel:not([inert]) a.cite").first().click({ button: "middle" });
    const passage = await chip;
    await passage.waitForURL(/\/courses\//);
    await passage.locator("mark.cited").first().waitFor();
    await passage.close();
  });

  it("asks about a page from its pane in a new conversation, once", async () => {
    const { page } = mira;
    await page
      .getByRole("tab", { name: /^(?!How|What)/ })
      .last()
      .click();
    const title = await heading(page).innerText();
    await coursePage(page).getByRole("link", { name: "Ask about this page" }).first().click();
    const attached = page.locator(".panel:not([inert])").getByRole("list", { name: "Attached sources" });
    await attached.getByText(title).waitFor();
    await expectAddress(page, "/ai");
    await page.getByRole("button", { name: `Remove ${title}` }).click();
    await page.getByRole("tab", { name: "New conversation" }).focus();
    await page.keyboard.press("Delete");
    await expectCount(page.getByRole("tab", { name: "New conversation" }), 0);
  });

  it("collapses the history permanently; closing a tab deletes nothing", async () => {
    const { page } = mira;
    await page.getByRole("button", { name: "Hide conversations" }).click();
    await expectCount(page.getByRole("link", { name: "Colloquy" }), 0);
    await expectAccessible(page, "history-folded");
    await page.reload();
    await page.getByRole("button", { name: "Show conversations" }).click();
    const history = page.getByRole("navigation", { name: "Conversations" });
    await page.getByRole("tab", { name: other }).click();
    await menu(page, other, "Close");
    await expectCount(page.getByRole("tab", { name: other }), 0);
    await history.getByRole("link", { name: other }).click();
    await page.locator(".panel:not([inert]) colloquy-answer p").first().waitFor();
  });

  it("keeps the look on every page and device of the account", async () => {
    const { page, context } = mira;
    await page.getByRole("button", { name: "Mira" }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    for (const name of ["Dark", "Larger", "Less"]) await dialog.getByRole("radio", { name, exact: true }).check();
    await expectAccessible(page, "settings");
    await page.keyboard.press("Escape");
    const chosen = { theme: "dark", readingSize: "larger", motion: "reduced" };
    const looks = (at: Page) =>
      eventually(async () => expect(await at.evaluate(() => ({ ...document.documentElement.dataset }))).to.deep.equal(chosen));
    await looks(page);
    const course = await context.newPage();
    await course.goto(`${program.url}/courses`);
    await looks(course);
    expect(await course.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).to.equal("dark");
    await course.close();
    const other = await openVisitor(browser);
    await program.signIn(other.page, "/ai");
    await other.page.locator("html[data-theme=dark][data-reading-size=larger]").waitFor();
    await other.page.getByRole("button", { name: "Mira" }).click();
    await other.page.getByRole("menuitem", { name: "Settings" }).click();
    for (const name of ["Medium"])
      await other.page.getByRole("dialog", { name: "Settings" }).getByRole("radio", { name, exact: true }).check();
    for (const name of ["Theme", "Motion"])
      await other.page.getByRole("group", { name }).getByRole("radio", { name: "System", exact: true }).check();
    await page.locator("html:not([data-theme]):not([data-reading-size]):not([data-motion])").waitFor();
    await other.context.close();
  });

  it("is dark, too, and fits 320 px and 200 % without horizontal scrolling", async () => {
    const { page } = mira;
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page, "dark");
    await page.emulateMedia({ colorScheme: "light" });
    for (const width of [320, 720]) {
      await page.setViewportSize({ width, height: 700 });
      await eventually(async () => expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).to.equal(width));
      await expectAccessible(page, `wide-${width}`);
    }
  });

  it("has one pane on a phone, and keeps the wide layout", async () => {
    const { page } = mira;
    await page.setViewportSize({ width: 390, height: 844 });
    await expectCount(panes(page), 1);
    await expectCount(separator(page), 0);
    await page.getByRole("button", { name: "Conversations" }).click();
    const sheet = page.getByRole("dialog", { name: "Conversations" });
    await sheet.getByRole("button", { name: "Mira" }).click();
    await sheet.getByRole("menuitem", { name: "Settings" }).click();
    await expectAccessible(page, "phone-settings");
    await page.getByRole("button", { name: "Close settings" }).click();
    await sheet.getByRole("button", { name: "Close the conversations" }).click();
    await sheet.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Conversations" }).click();
    await sheet.getByRole("link", { name: question }).click();
    await sheet.waitFor({ state: "hidden" });
    await page.getByRole("heading", { level: 1, name: question }).waitFor();
    await eventually(async () => {
      const composer = await box(page.locator("colloquy-composer:visible"));
      expect(composer.y + composer.height).to.be.within(780, 844);
    });
    await page.locator(".panel:not([inert]) a.cite").first().click();
    await heading(page).waitFor();
    await expectAccessible(page, "phone-page");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: question }).waitFor();
    await page
      .locator(".panel:not([inert])")
      .getByRole("button", { name: /^\d+ sources?$/ })
      .click();
    const sources = page.getByRole("dialog", { name: /sources?$/ });
    await expectAccessible(page, "phone-sources");
    await sources.getByRole("link").first().click();
    await sources.waitFor({ state: "hidden" });
    await heading(page).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: question }).waitFor();
    await page.getByRole("button", { name: /open tabs$/ }).click();
    await page.getByRole("menuitem", { name: other }).click();
    await page.getByRole("heading", { level: 1, name: other }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectCount(panes(page), 2);
  });

  it("reports no browser errors", () => {
    expect(mira.complaints).to.deep.equal([]);
  });
});
