import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { type Program, startProgram } from "./program.ts";

/** Questions of the demonstration course whose answers take some seconds to write. */
const questions = [
  "What is an eigenvector?",
  "What is a determinant?",
  "What is a kernel?",
  "What happens when a map is repeated many times?",
];

describe("an answer whose connection is lost", () => {
  let program: Program;
  let browser: Browser;
  let mira: Visitor;
  /** The address of the conversation whose page never returns. */
  let abandoned: string;

  before(async () => {
    program = await startProgram({ DEMO_MODEL_WORD_MS: "150" });
    browser = await openBrowser();
    mira = await openVisitor(browser);
    await signIn(mira.page);
    // First, because the service waits half a minute for the page.
    abandoned = await askAndLeave(questions[2] ?? "");
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const signIn = (page: Page) => page.goto(`${program.url}/auth/demo?as=learner&return=${encodeURIComponent("/ai")}`);
  const article = (page: Page, question: string) => page.getByRole("article", { name: question });
  const answerOf = (page: Page, question: string) => article(page, question).locator("colloquy-answer");
  /** Asks, and waits until some of the answer is there. */
  async function begin(page: Page, question: string): Promise<void> {
    await page.getByRole("textbox", { name: "Your question" }).fill(question);
    await page.keyboard.press("Enter");
    await answerOf(page, question)
      .getByText(/\w{3,}/)
      .first()
      .waitFor();
  }
  /** Asks on a page that is closed during the answer; returns its address. */
  async function askAndLeave(question: string): Promise<string> {
    const { page, context } = await openVisitor(browser);
    await signIn(page);
    await begin(page, question);
    await page.waitForURL(/conversation=/);
    const address = page.url();
    await context.close();
    return address;
  }
  const finished = (page: Page, question: string) =>
    article(page, question).getByRole("button", { name: "Regenerate" }).waitFor({ timeout: 60_000 });
  /** The answer as it stands, once its formulas are drawn; with `expected` once it says the same. */
  async function settled(page: Page, question: string, expected?: string): Promise<string> {
    let text = "";
    for (let tries = 0; tries < 300; tries += 1) {
      const now = await answerOf(page, question).innerText();
      if (now && (expected === undefined ? now === text : now === expected)) return now;
      text = now;
      await page.waitForTimeout(200);
    }
    return text;
  }
  /** The stored answer, once there is one. */
  async function stored(page: Page, question: string): Promise<{ answer: string; outcome: string; citations: unknown[] }> {
    for (let tries = 0; tries < 600; tries += 1) {
      const id = new URL(page.url()).searchParams.get("conversation");
      const response = await page.request.get(`${program.url}/api/conversations/${id}`);
      type Turns = { conversation: { turns: { question: string; answer: string; outcome: string; citations: unknown[] }[] } };
      const turns = response.ok() ? ((await response.json()) as Turns).conversation.turns : [];
      const found = turns.filter((turn) => turn.question === question);
      expect(found.length, "recorded once").to.be.lessThan(2);
      if (found[0]) return found[0];
      await page.waitForTimeout(100);
    }
    throw new Error(`${question} was never stored`);
  }

  it("continues after a reload to the same text on every device", async () => {
    const { page } = mira;
    const [question = ""] = questions;
    await begin(page, question);
    await page.waitForTimeout(600);
    const before = (await answerOf(page, question).innerText()).trim();
    await page.reload();
    await article(page, question).getByRole("heading", { name: "Answer" }).waitFor({ state: "attached" });
    expect(await article(page, question).getByText("Stopped. The text so far is kept.").count()).to.equal(0);
    await finished(page, question);
    const turn = await stored(page, question);
    expect(turn.outcome).to.equal("finished");
    expect((await answerOf(page, question).innerText()).replace(/\W/g, "")).to.contain(before.replace(/\W/g, "").slice(0, 20));
    const other = await openVisitor(browser);
    await signIn(other.page);
    await other.page.goto(page.url());
    await finished(other.page, question);
    const here = await settled(page, question);
    expect(await settled(other.page, question, here)).to.equal(here);
    await other.context.close();
  });

  it("continues when the network is back", async () => {
    const { page, context } = mira;
    const [, question = ""] = questions;
    await begin(page, question);
    await context.setOffline(true);
    await page.waitForTimeout(1_500);
    await context.setOffline(false);
    await finished(page, question);
    expect((await stored(page, question)).outcome).to.equal("finished");
    expect(await article(page, question).getByText("Stopped. The text so far is kept.").count()).to.equal(0);
  });

  it("is recorded by the service and synced if its page never returns", async () => {
    const [, , question = ""] = questions;
    const { page } = mira;
    const link = page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: question });
    await link.waitFor({ timeout: 90_000 });
    await link.click();
    await page.waitForURL(abandoned);
    await finished(page, question);
    const turn = await stored(page, question);
    expect(turn.outcome).to.equal("finished");
    expect(turn.citations.length).to.be.greaterThan(0);
  });

  it("keeps its sources when stopped, also after a reload", async () => {
    const { page } = mira;
    const question = questions.at(-1) ?? "";
    await page.goto(`${program.url}/ai`);
    await begin(page, question);
    await article(page, question).locator(".cite").first().waitFor();
    await page.getByRole("textbox", { name: "Your question" }).focus();
    await page.keyboard.press("Escape");
    await article(page, question).getByText("Stopped. The text so far is kept.").waitFor();
    const turn = await stored(page, question);
    expect(turn.outcome).to.equal("stopped");
    expect(turn.citations.length).to.be.greaterThan(0);
    await page.reload();
    await article(page, question).locator("a.cite").first().waitFor();
  });
});
