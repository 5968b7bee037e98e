import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { type Canaries, plantCanaries } from "../checks/fuzz/canaries.ts";
import { openBrowser, openVisitor } from "./browser.ts";
import { allStoredText, waitForServiceWorker } from "./browser-storage.ts";
import { type Program, startProgram } from "./program.ts";
import { answerTutor, tutorCard } from "./tutor-answers.ts";

const topic = "/courses/linear-maps/directions-that-stay/eigenvectors";

describe("the program's credentials, in browsers", () => {
  let canaries: Canaries;
  let program: Program;
  let browser: Browser;
  let learner: Page;
  let owner: Page;

  before(async () => {
    canaries = await plantCanaries();
    program = await startProgram({ ...canaries.environment, DEMO_MODEL: "on", DEMO_MODEL_WORD_MS: "1" });
    browser = await openBrowser();
    [learner, owner] = await Promise.all([arrives("learner"), arrives("owner")]);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
    canaries?.close();
  });

  async function arrives(as: string): Promise<Page> {
    const { page } = await openVisitor(browser);
    await page.goto(`${program.url}/auth/demo?as=${as}&return=${encodeURIComponent(topic)}`);
    return page;
  }

  const question = (page: Page) => page.getByRole("textbox", { name: "Your question" });

  it("are used while a learner asks and is tutored", async () => {
    await learner.goto(`${program.url}/ai`);
    await question(learner).fill("What is an eigenvector?");
    await question(learner).press("Enter");
    await learner.getByRole("button", { name: "Regenerate" }).waitFor();
    await learner.getByRole("button", { name: /^Model: / }).click();
    await learner.getByRole("radio", { name: /Nemotron 3 Super/ }).check();
    await learner.keyboard.press("Escape");
    await question(learner).fill("And what is an eigenvalue?");
    await question(learner).press("Enter");
    await learner.getByRole("button", { name: "Try again" }).waitFor();
    expect([...canaries.asked]).to.deep.equal(["p6"]);
    await learner.goto(`${program.url}/ai`);
    await learner.getByRole("button", { name: "Tutor", exact: true }).click();
    await learner.getByRole("radio", { name: /^Linear Maps/ }).check();
    const goal = learner.getByRole("textbox", { name: "Your goal" });
    await goal.fill("Know which directions a map leaves alone");
    await goal.press("Enter");
    await tutorCard(learner).waitFor();
    await answerTutor(program, learner);
    await waitForServiceWorker(learner);
  });

  it("are used while an owner edits", async () => {
    await owner.getByRole("button", { name: "Edit", exact: true }).click();
    await owner.locator("colloquy-editor-block").first().waitFor();
  });

  it("are in no browser storage", async () => {
    const [learners, owners] = [await allStoredText(learner), await allStoredText(owner)];
    expect(learners.databases, "what is kept is read").to.contain("What is an eigenvector?");
    expect(learners.caches).to.contain("<colloquy-");
    for (const kept of [learners, owners])
      for (const [place, text] of Object.entries(kept)) expect(canaries.in(text), place).to.deep.equal([]);
  });

  it("would be found in any browser storage", async () => {
    const { METRICS_TOKEN = "" } = canaries.environment;
    await learner.evaluate(async (secret) => {
      localStorage.setItem("planted", secret);
      sessionStorage.setItem("planted", secret);
      // biome-ignore lint/suspicious/noDocumentCookie: what a careless page would do.
      document.cookie = `planted=${secret}`;
      await (await caches.open("planted")).put("/planted", new Response(secret));
      const open = indexedDB.open("planted");
      open.onupgradeneeded = () => open.result.createObjectStore("planted").put(secret, "planted");
      await new Promise((resolve) => (open.onsuccess = resolve));
      open.result.close();
    }, METRICS_TOKEN);
    for (const [place, text] of Object.entries(await allStoredText(learner)))
      expect(canaries.in(text), place).to.deep.equal(["METRICS_TOKEN"]);
  });
});
