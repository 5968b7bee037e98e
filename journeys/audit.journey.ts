import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { someAnswer } from "../checks/harness/some-answer.ts";
import { eventually, openBrowser, openVisitor } from "./browser.ts";
import { learner } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

describe("an auditor replays a learner's session", () => {
  let program: Program;
  let browser: Browser;
  before(async () => {
    program = await startProgram({ DEMO_MODEL_WORD_MS: "0" });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });
  const signIn = (page: Page, as: string) => page.goto(`${program.url}/auth/demo?as=${as}&return=/audit`);

  it("is closed to learners", async () => {
    const { page } = await openVisitor(browser);
    await signIn(page, "learner");
    await page.getByRole("heading", { name: "You do not have access" }).waitFor();
  });

  it("finds a session, moves through it by keyboard and verifies it", async () => {
    const { cookie } = await learner(program.url, "learner");
    const post = async (path: string, body: object) => {
      const response = await fetch(`${program.url}/api/ai/tutor/${path}`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ schemaVersion: 1, ...body }),
      });
      const reply = (await response.json()) as {
        session: {
          sessionId: string;
          version: number;
          courseRevisionId: string;
          current: Parameters<typeof someAnswer>[0];
        };
      };
      if (!response.ok) throw new Error(JSON.stringify(reply));
      return reply;
    };
    const start = {
      requestId: "request-audit-0",
      conversationId: "conversation-audit",
      courseId: "linear-maps",
      goal: "Understand eigenvectors",
    };
    let { session } = await post("start", { ...start, references: [], model: { choice: "automatic" } });
    for (let turn = 1; turn <= 3; turn += 1) {
      const { sessionId, version: expectedVersion, courseRevisionId, current } = session;
      const action = someAnswer(current, "It is only stretched.", () => 0);
      ({ session } = await post("turn", { requestId: `request-audit-${turn}`, sessionId, expectedVersion, courseRevisionId, action }));
    }
    // An auditor's list is a read model of its own, which nobody asked to wait for.
    const auditor = await learner(program.url, "auditor");
    await eventually(async () => expect(JSON.stringify((await auditor.get("/api/audit/sessions")).body)).to.include(session.sessionId));
    const { page, complaints } = await openVisitor(browser, { width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "dark" });
    await signIn(page, "auditor");
    await page.getByLabel("Course").fill("linear");
    await page.getByRole("button", { name: "Search" }).click();
    await page.locator(".found a").first().waitFor();
    await shot(page, "search");
    await page.locator(".found a").first().click();
    const slider = page.getByRole("slider", { name: "Moment of the session" });
    await slider.waitFor();
    expect(await page.locator(".verdict").innerText()).to.equal("Ledger intact · Replay matches the recorded session");
    await slider.focus();
    await page.keyboard.press("End");
    await eventually(async () => expect(await slider.getAttribute("aria-valuetext")).to.match(/(\d+) of \1: /));
    await page.keyboard.press("ArrowLeft");
    await shot(page, "dark");
    await page.keyboard.press("Home");
    // Paused by the page, as soon as that can be: from here, a busy machine might come after the end.
    await page.getByRole("button", { name: "Play" }).evaluate(async (button) => {
      (button as HTMLElement).click();
      while (button.textContent !== "Pause") await new Promise(requestAnimationFrame);
      (button as HTMLElement).click();
    });
    await page.getByRole("button", { name: "Play" }).waitFor();
    await page.emulateMedia({ colorScheme: "light" });
    await shot(page, "wide");
    await page.setViewportSize({ width: 390, height: 844 });
    await shot(page, "narrow");
    await eventually(async () => expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(390));
    expect(complaints).to.deep.equal([]);
  });

  /** Kept for looking at, where a folder is named. */
  const shot = async (page: Page, name: string) => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/audit-${name}.png` });
  };
});
