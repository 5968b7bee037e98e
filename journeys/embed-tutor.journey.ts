import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { type ForeignSite, foreignSite } from "./foreign-site.ts";
import { type Program, startProgram } from "./program.ts";
import { answerQuestion } from "./quiz-answers.ts";

const page = "/courses/linear-maps/directions-that-stay/eigenvectors";
const body = `<colloquy-tutor course="linear-maps" goal="Know which directions a map leaves alone"></colloquy-tutor><colloquy-ask page="${page}"></colloquy-ask><colloquy-quiz page="${page}"></colloquy-quiz>`;

/** Its answer takes some seconds to write. */
const long = "What is a kernel, and what is it for?";

interface Progress {
  sessionId: string;
  phase: string;
  paused: boolean;
  objectives: number;
}
interface Tutor extends HTMLElement {
  session: string | null;
  progress: Progress | null;
}
interface Listed {
  conversationId: string;
  title: string;
}

describe("tutoring on another site appears in the history", () => {
  let program: Program;
  let browser: Browser;
  let site: ForeignSite;
  let mira: Visitor;
  /** Requests of the page itself that carried a cookie to the service. */
  const cookies: string[] = [];

  before(async () => {
    site = await foreignSite();
    program = await startProgram({ EMBED_ORIGINS: site.origin, DEMO_MODEL_WORD_MS: "30" });
    site.show({ service: program.url, body });
    browser = await openBrowser(["--test-third-party-cookie-phaseout"]);
    mira = await openVisitor(browser);
    mira.page.on("request", (request) => {
      if (!request.url().startsWith(program.url)) return;
      void request.headersArray().then(
        (headers) => {
          if (headers.some(({ name }) => name.toLowerCase() === "cookie")) cookies.push(request.url());
        },
        () => undefined,
      );
    });
    await mira.page.goto(site.origin);
    await signIn(mira.page, "colloquy-tutor");
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
    await site?.close();
  });

  /** A window that has been agreed in before closes by itself. */
  async function signIn(at: Page, tag: string): Promise<void> {
    const opening = at.context().waitForEvent("page");
    await at.locator(tag).getByRole("button", { name: "Sign in" }).click();
    const opened = await opening;
    const agree = opened.getByRole("button", { name: "Continue" });
    const through = async (): Promise<void> => {
      const choice = opened.getByRole("link", { name: /Mira/ });
      await choice.or(agree).first().waitFor();
      if (await choice.count()) await choice.click();
      await agree.click();
    };
    const signedIn = at.waitForFunction(
      (name) => (document.querySelector(name) as unknown as { state: string }).state === "signed-in",
      tag,
    );
    await Promise.all([signedIn, through().catch(() => undefined)]);
  }
  const tutor = (at: Page) => at.locator("colloquy-tutor");
  const card = (at: Page) => tutor(at).locator(".card");
  const progress = (at: Page) => at.evaluate(() => (document.querySelector("colloquy-tutor") as Tutor).progress);
  const rested = (at: Page) => tutor(at).locator("[role=region][aria-label=Tutor][aria-busy=false]").waitFor({ timeout: 60_000 });
  async function history(): Promise<Listed[]> {
    const response = await mira.context.request.get(`${program.url}/api/conversations`);
    return (await response.json()).conversations;
  }
  async function record(title: RegExp) {
    for (let tries = 0; tries < 1_200; tries += 1) {
      const found = (await history()).find((conversation) => title.test(conversation.title));
      if (found) {
        const response = await mira.context.request.get(`${program.url}/api/conversations/${found.conversationId}`);
        return (await response.json()).conversation as {
          mode: string;
          turns: { answer: string; outcome: string }[];
          quizAttempts: { score: number }[];
        };
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`nothing called ${title} came into the history`);
  }
  /** Answers with the keyboard: with the first choice, or a few words. */
  async function answer(at: Page): Promise<void> {
    await card(at).locator("input, textarea, select, .mover").first().waitFor({ state: "attached" });
    const choice = card(at).locator("input[type=radio], input[type=checkbox]").first();
    // On other sites the names of inner elements have an ending.
    if (await card(at).locator("fieldset .prompt").count()) await answerQuestion(card(at));
    else if (await choice.count()) {
      await choice.focus();
      await at.keyboard.press("Space");
    } else {
      await card(at).locator("textarea").focus();
      await at.keyboard.type("It is only stretched.");
    }
    await card(at).locator("button.primary").focus();
    await at.keyboard.press("Enter");
    await rested(at);
  }

  it("starts a session by keyboard, asks first and gives a hint", async () => {
    const goal = tutor(mira.page).getByRole("textbox", { name: "Your goal" });
    expect(await tutor(mira.page).getByRole("button", { name: "Make a quiz" }).count()).to.equal(0);
    expect(await goal.getAttribute("placeholder")).to.equal("What do you want to learn?");
    const wanted = await goal.inputValue();
    for (const command of ["/quiz eigenvectors", "/tutor eigenvectors", "/model"]) {
      await goal.fill(command);
      await goal.press("Enter");
      await tutor(mira.page).locator("#hint").getByText("This command does not work here.").waitFor();
      expect(await goal.inputValue()).to.equal(command);
    }
    if (process.env.SCREENSHOTS) await mira.page.screenshot({ path: `${process.env.SCREENSHOTS}/embed-command.png` });
    await goal.fill(wanted);
    await goal.press("Enter");
    await card(mira.page).waitFor({ timeout: 60_000 });
    const begun = await progress(mira.page);
    expect(begun).to.include({ phase: "probing", paused: false });
    await card(mira.page).getByRole("button", { name: "Hint" }).press("Enter");
    await card(mira.page)
      .getByText(/^Hint 1 of/)
      .waitFor();
    const told = await mira.page.evaluate(() => (window as unknown as { events: { name: string; detail: Progress }[] }).events);
    expect(told.findLast(({ name }) => name === "progress")?.detail.sessionId).to.equal(begun?.sessionId);
  });

  it("teaches a step with citations and checks it", async () => {
    for (let count = 0; count < 8 && !(await tutor(mira.page).locator(".taught").count()); count += 1) await answer(mira.page);
    await tutor(mira.page).locator(".taught a.cite").first().waitFor();
    await card(mira.page).waitFor();
    await eventually(async () =>
      expect(
        await mira.page.evaluate(() => document.querySelector("colloquy-tutor")?.shadowRoot?.activeElement !== null),
        "the keyboard is where the next question is",
      ).to.equal(true),
    );
  });

  it("pauses and continues after a reload, with its conversation in the history", async () => {
    await tutor(mira.page).getByRole("button", { name: "Pause" }).click();
    await tutor(mira.page)
      .getByRole("heading", { name: /^Paused/ })
      .waitFor();
    const { sessionId = "" } = (await progress(mira.page)) ?? {};
    expect((await record(/^Tutor: Know which/)).mode).to.equal("tutor");
    await mira.page.reload();
    await mira.page.evaluate((id) => document.querySelector("colloquy-tutor")?.setAttribute("session", id), sessionId);
    await signIn(mira.page, "colloquy-tutor");
    await tutor(mira.page)
      .getByRole("heading", { name: /^Paused/ })
      .waitFor();
    await tutor(mira.page).getByRole("button", { name: "Continue" }).click();
    await card(mira.page).waitFor({ timeout: 60_000 });
  });

  it("hides a session of another account", async () => {
    const { sessionId = "" } = (await progress(mira.page)) ?? {};
    const tomas = await openVisitor(browser);
    await tomas.page.goto(`${program.url}/auth/demo?as=learner2&return=/`);
    await tomas.page.goto(site.origin);
    await tomas.page.evaluate((id) => document.querySelector("colloquy-tutor")?.setAttribute("session", id), sessionId);
    const opening = tomas.context.waitForEvent("page");
    await tutor(tomas.page).getByRole("button", { name: "Sign in" }).click();
    await (await opening).getByRole("button", { name: "Continue" }).click();
    await tutor(tomas.page).getByRole("textbox", { name: "Your goal" }).waitFor();
    expect(await progress(tomas.page)).to.equal(null);
    await tomas.context.close();
  });

  it("stores a stopped answer at once", async () => {
    const ask = mira.page.locator("colloquy-ask");
    await ask.getByRole("textbox").fill(long);
    await ask.getByRole("textbox").press("Enter");
    // Pressed by the page, as soon as there is enough: from here, a busy machine might come after the end.
    await mira.page.waitForFunction(() => {
      const all = (root: ParentNode): HTMLElement[] =>
        [...root.querySelectorAll<HTMLElement>("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
      const within = all(document.querySelector("colloquy-ask")?.shadowRoot ?? document);
      const said = within.some(({ localName, textContent }) => localName.startsWith("colloquy-answer") && (textContent ?? "").length > 60);
      const stop = within.find(({ localName, ariaLabel, innerText }) => localName === "button" && /^Stop/.test(ariaLabel ?? innerText));
      if (said) stop?.click();
      return said && stop !== undefined;
    });
    await eventually(async () => {
      const { turns } = await record(/a kernel/);
      expect(turns.map(({ outcome }) => outcome)).to.deep.equal(["stopped"]);
      expect(turns[0]?.answer.length).to.be.greaterThan(20);
    });
  });

  it("stores a quiz attempt with its conversation", async () => {
    const quiz = mira.page.locator("colloquy-quiz");
    await quiz.getByRole("button", { name: "Make a quiz" }).click();
    await quiz.getByRole("button", { name: "Check all" }).waitFor({ timeout: 60_000 });
    for (const question of await quiz.getByRole("group", { name: /^Question \d+ of \d+/ }).all()) await answerQuestion(question);
    await quiz.getByRole("button", { name: "Check all" }).click();
    await eventually(async () => expect((await record(/quiz/i)).quizAttempts).to.have.length(1));
  });

  it("keeps draft and messages when the reader must sign in again", async () => {
    const ask = mira.page.locator("colloquy-ask");
    await mira.context.request.post(`${program.url}/auth/sign-out`, { data: { schemaVersion: 1 }, headers: { origin: program.url } });
    await ask.getByRole("textbox").fill("What is kept when a token is over?");
    await ask.getByRole("textbox").press("Enter");
    await ask.getByRole("button", { name: "Sign in" }).waitFor();
    await signIn(mira.page, "colloquy-ask");
    await eventually(async () => expect(await ask.getByRole("textbox").inputValue()).to.equal("What is kept when a token is over?"));
    await ask.getByText(long).first().waitFor();
    await card(mira.page).waitFor();
  });

  it("records an answer whose page was closed", async () => {
    const ask = mira.page.locator("colloquy-ask");
    await ask.getByRole("textbox").fill("What becomes of a page that goes away?");
    await ask.getByRole("textbox").press("Enter");
    await ask.getByRole("button", { name: /^Stop/ }).first().waitFor();
    await mira.page.waitForTimeout(600);
    expect(mira.complaints.filter((words) => !/40[19]/.test(words))).to.deep.equal([]);
    expect(cookies, "no request of the page needs a cookie").to.deep.equal([]);
    await mira.page.close();
    let turns: { outcome: string }[] = [];
    for (let tries = 0; tries < 600 && !turns.some(({ outcome }) => outcome === "finished"); tries += 1) {
      turns = (await record(/a kernel/)).turns;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(turns.map(({ outcome }) => outcome)).to.deep.equal(["stopped", "finished"]);
  });
});
