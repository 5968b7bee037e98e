import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { type Program, startProgram } from "./program.ts";

/** What the service alone knows of a question: a learner who has read the course knows it, too. */
interface Key {
  itemId: string;
  prompt: string;
  right: string[];
  modelAnswer: string;
}

describe("a learner is tutored", () => {
  let program: Program;
  let browser: Browser;
  let mira: Visitor;
  let address = "";

  before(async () => {
    program = await startProgram({ DEMO_MODEL_WORD_MS: "4" });
    browser = await openBrowser();
    mira = await visit(browser, { width: 1440, height: 900 });
    await signIn(mira.page, "/ai");
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const signIn = (page: Page, path: string) => page.goto(`${program.url}/auth/demo?as=learner&return=${encodeURIComponent(path)}`);
  const card = (page: Page) => page.locator("colloquy-tutor-card");
  const rested = (page: Page) => page.locator("colloquy-tutor-flow[aria-busy=false]").waitFor({ timeout: 60_000 });
  const mastered = (page: Page) => page.locator("colloquy-tutor-path li.mastered").count();

  /** The keys of every question that was made, from the store's own tool. */
  async function keys(): Promise<Key[]> {
    const printed = await program.tool(
      "infra/event-store/cli/events.ts",
      "tail",
      "--once",
      "--lines",
      "2000",
      "--prefix",
      "tutor-",
      "--json",
      "--data",
    );
    return printed.split("\n").flatMap((line) => {
      if (!line.startsWith("{")) return [];
      const { data } = JSON.parse(line) as { data?: { items?: Key[]; item?: Key } };
      return [...(data?.items ?? []), ...(data?.item ? [data.item] : [])];
    });
  }

  /** Answers the question that waits as somebody who knows; `wrongly`: as somebody who does not. */
  async function answer(page: Page, wrongly = false): Promise<void> {
    const ids = await card(page)
      .locator("input")
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    const known = await keys();
    if (ids.length) {
      const key = known.find(({ right }) => right.length > 0 && right.every((id) => ids.includes(id)));
      const wanted = ids.filter((id) => key?.right.includes(id) !== wrongly).slice(0, wrongly ? 1 : ids.length);
      for (const id of wanted) await card(page).locator(`label:has(input[value="${id}"])`).click();
    } else {
      const key = known.findLast(({ right, modelAnswer }) => !right.length && modelAnswer);
      await card(page)
        .locator("textarea")
        .fill(key?.modelAnswer ?? "I do not know.");
    }
    await card(page).locator("button.primary").click();
    await rested(page);
  }

  it("chooses a course, says a goal, and is asked before anything is taught", async () => {
    const { page } = mira;
    await page.getByRole("button", { name: "Tutor", exact: true }).click();
    const goal = page.getByRole("textbox", { name: "Your goal" });
    await goal.fill("Know which directions a map leaves alone");
    await goal.press("Enter");
    await page.getByText("Choose a course first").first().waitFor();
    expect(await page.getByRole("radio", { checked: true }).count()).to.equal(0);
    await page.getByRole("radio", { name: /^Linear Maps/ }).check();
    await goal.press("Enter");
    await card(page).waitFor({ timeout: 60_000 });
    address = page.url();
    expect(address).to.contain("conversation=");
    await page.getByRole("heading", { name: /^Tutor: Know which/ }).waitFor({ state: "attached" });
  });

  it("takes a hint, which makes the answer count less, and learns from the source why an answer was wrong", async () => {
    const { page } = mira;
    await card(page).getByRole("button", { name: "Hint" }).click();
    await card(page)
      .getByText(/^Hint 1 of/)
      .waitFor();
    await card(page).getByText("With help, this answer counts less").waitFor();
    await answer(page, true);
    const verdict = page.locator("colloquy-tutor-answered").last();
    await verdict.getByText("Not right", { exact: true }).waitFor();
    await verdict.getByText(/counts less: with 1 hint · event \d+/).waitFor();
    await verdict.getByText("Right answer").first().waitFor();
    await verdict
      .getByRole("button", { name: /source/ })
      .or(verdict.locator("summary"))
      .first()
      .waitFor();
  });

  it("is led from the first questions to a plan, a lesson with citations and a check", async () => {
    const { page } = mira;
    for (let count = 0; count < 8 && !(await page.locator("colloquy-tutor-path li").count()); count += 1) await answer(page, true);
    await page.locator("colloquy-tutor-path [aria-current=step]").waitFor();
    await page.getByText("Verified", { exact: true }).waitFor();
    expect(await page.locator(".taught a.cite").count()).to.be.greaterThan(0);
    await card(page)
      .getByText(/^Check/)
      .waitFor();
  });

  it("pauses, and goes on in another browser, where the first one is brought up to it", async () => {
    const { page } = mira;
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("heading", { name: /^Paused at/ }).waitFor();
    const other = await visit(browser, { width: 390, height: 844 });
    await signIn(other.page, new URL(address).pathname + new URL(address).search);
    await other.page.getByRole("heading", { name: /^Paused at/ }).waitFor({ timeout: 60_000 });
    await other.page.getByRole("button", { name: "Go on" }).click();
    await card(other.page).waitFor();
    await other.page.getByRole("button", { name: "Progress" }).click();
    await other.page.getByRole("dialog").getByRole("meter").first().waitFor();
    await other.page.getByRole("button", { name: "Close" }).click();
    // Here it still looks paused; going on once more meets a session that has moved.
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByText("The session went on elsewhere").first().waitFor();
    await card(page).waitFor();
    expect(other.complaints).to.deep.equal([]);
    await other.context.close();
  });

  it("asks for a quiz beside it, and comes back to the same question", async () => {
    const { page } = mira;
    const prompt = await card(page).locator(".prompt").innerText();
    await page.getByRole("textbox", { name: "Your question" }).fill("/quiz 2 questions on eigenvectors");
    await page.keyboard.press("Enter");
    await page
      .locator("colloquy-quiz")
      .getByRole("group", { name: /^Question 1/ })
      .waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Regenerate" }).waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Tutor", exact: true }).click();
    expect(await card(page).locator(".prompt").innerText()).to.equal(prompt);
  });

  it("answers until a step is mastered, each answer with its receipt, and finds it so after a reload", async () => {
    const { page } = mira;
    for (let count = 0; count < 16 && !(await mastered(page)); count += 1) await answer(page);
    expect(await mastered(page)).to.be.greaterThan(0);
    await page
      .locator("colloquy-tutor-progress")
      .getByText(/^Mastered at event \d+$/)
      .first()
      .waitFor();
    await page.reload();
    await page.locator("colloquy-tutor-path li.mastered").first().waitFor({ timeout: 60_000 });
    expect(mira.complaints.filter((text) => !text.includes("409"))).to.deep.equal([]);
  });
});
