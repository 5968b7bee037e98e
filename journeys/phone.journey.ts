import { expect } from "chai";
import type { Browser, Locator, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor, settled, type Visitor } from "./browser.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

const pictures = process.env.SCREENSHOTS;

describe("a learner with a phone goes back", () => {
  let program: SharedProgram;
  let browser: Browser;
  let mira: Visitor;
  let page: Page;

  before(async () => {
    program = await sharedProgram();
    browser = await openBrowser();
    mira = await openVisitor(browser, { width: 390, height: 844, touch: true });
    page = mira.page;
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  /** How many sheets and cards have an entry of the browser's history over the page's own. */
  const depth = () => page.evaluate(() => (history.state as { over?: { depth: number } } | null)?.over?.depth ?? 0);
  const address = () => new URL(page.url()).pathname + new URL(page.url()).search;
  const conversations = () => page.getByRole("dialog", { name: "Conversations" });
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });

  async function ask(text: string): Promise<string> {
    await page.getByRole("textbox", { name: "Your question" }).fill(text);
    await button("Send").tap();
    await button("Regenerate").last().waitFor({ timeout: 60_000 });
    return address();
  }

  /** Opens something, sees it, goes back: it is closed, and one is where one was. */
  async function backCloses(name: string, open: () => Promise<unknown>, shown: Locator): Promise<void> {
    const here = address();
    const before = await settled(depth);
    await open();
    await shown.waitFor();
    // It is seen a moment before it has its entry: a popover tells that it is open in a task of its own, and a menu's entry is left first.
    await eventually(async () => expect(await settled(depth)).to.equal(before + 1));
    if (pictures) await page.screenshot({ path: `${pictures}/back-${name}.png` });
    await page.goBack();
    await shown.waitFor({ state: "hidden" });
    await eventually(async () => expect(address(), name).to.equal(here));
  }

  it("from an overlay to the conversation, then to the previous one", async () => {
    await program.signIn(page, "/ai");
    await page.getByRole("textbox", { name: "Your question" }).waitFor();
    const first = await ask("What is an eigenvector?");
    const chip = page.locator("a.cite").first();
    await backCloses("citation", () => chip.tap(), page.locator("colloquy-citation-card:popover-open"));
    await backCloses("sources", () => button(/^\d+ sources?$/).tap(), page.getByRole("dialog", { name: /sources?$/ }));
    await backCloses("menu", () => button("Tab actions").tap(), page.getByRole("menu"));
    await backCloses("models", () => page.getByRole("button", { name: /^Model:/ }).tap(), page.getByRole("dialog", { name: "Model" }));
    await backCloses("conversations", () => button("Conversations").tap(), conversations());

    await button("Conversations").tap();
    await backCloses("delete", () => deletion(), page.getByRole("dialog", { name: /^Delete/ }));
    await backCloses("settings", () => settings(), page.getByRole("dialog", { name: "Settings" }));
    await conversations().waitFor();

    await conversations()
      .getByRole("link", { name: /^New conversation/ })
      .tap();
    await conversations().waitFor({ state: "hidden" });
    const second = await ask("How does one multiply two matrices?");
    expect(second).not.to.equal(first);
    await backCloses("tabs", () => button("2 open tabs").tap(), page.getByRole("menu"));
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "What is an eigenvector?" }).waitFor();
    await eventually(async () => expect(address()).to.equal(first));
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "How does one multiply two matrices?" }).waitFor();
    await eventually(async () => expect(address()).to.equal(second));
  });

  it("to a conversation whose sheet was open at a reload, in one step", async () => {
    const here = address();
    await button("Conversations").tap();
    await conversations().waitFor();
    await eventually(async () => expect(await depth()).to.equal(1));
    await page.reload();
    await button("Conversations").waitFor();
    await eventually(async () => expect(await depth()).to.equal(0));
    expect(address()).to.equal(here);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "What is an eigenvector?" }).waitFor();
    expect(mira.complaints).to.deep.equal([]);
  });

  async function deletion(): Promise<void> {
    await conversations().getByRole("button", { name: "Actions for What is an eigenvector?" }).tap();
    await page.getByRole("menuitem", { name: /^Delete/ }).tap();
  }

  async function settings(): Promise<void> {
    await conversations().getByRole("button", { name: "Mira" }).tap();
    await page.getByRole("menuitem", { name: "Settings" }).tap();
  }
});
