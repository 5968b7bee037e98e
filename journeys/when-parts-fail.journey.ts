import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "@colloquy/infra/launch/ports.ts";
import { expect } from "chai";
import type { Browser } from "playwright-core";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { type Program, startProgram } from "./program.ts";

const home = fileURLToPath(new URL("..", import.meta.url));
const page = "/courses/linear-maps/directions-that-stay/eigenvectors";

/** A demonstration model of its own process. Its answers take some seconds to write, so that something can happen meanwhile. */
async function startModel(port: number): Promise<{ kill(): Promise<void> }> {
  const child = spawn(process.execPath, [join(home, "infra/demo/model/main.ts")], {
    env: { ...process.env, DEMO_MODEL_PORT: String(port), DEMO_MODEL_WORD_MS: "120" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  return {
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

describe("when parts fail", () => {
  let program: Program;
  let modelPort: number;
  let model: { kill(): Promise<void> } | undefined;
  let browser: Browser;
  let mira: Visitor;

  before(async () => {
    [modelPort = 0] = await freePorts(1);
    model = await startModel(modelPort);
    program = await startProgram({ DEMO_MODEL_URL: `http://127.0.0.1:${modelPort}/v1` });
    browser = await openBrowser();
    mira = await openVisitor(browser);
    await mira.page.goto(`${program.url}/auth/demo?as=learner&return=${encodeURIComponent("/ai")}`);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
    await model?.kill();
  });

  const ask = async (question: string): Promise<void> => {
    await mira.page.getByRole("textbox", { name: "Your question" }).fill(question);
    await mira.page.keyboard.press("Enter");
  };

  it("a model failure keeps the partial answer, and a retry works", async () => {
    await ask("What is an eigenvector?");
    const article = mira.page.getByRole("article", { name: "What is an eigenvector?" });
    await article
      .getByText(/eigenvector/i)
      .nth(1)
      .waitFor();
    await model?.kill();
    const problem = mira.page.getByRole("group", { name: /^(Interrupted|No answer)$/ });
    await problem.getByRole("button", { name: "Continue" }).waitFor();
    expect(await article.innerText()).to.match(/eigenvector/i);
    model = await startModel(modelPort);
    // As a person would: once more, until the model is back.
    const again = problem.getByRole("button", { name: /^(Regenerate|Try again)$/ });
    const answered = mira.page.getByRole("button", { name: "Regenerate" });
    while ((await problem.isVisible()) || !(await answered.isVisible())) {
      await again.or(answered).first().waitFor();
      if (await again.isVisible()) await again.click({ timeout: 5_000 }).catch(() => undefined);
    }
  });

  it("without the event store reading works, and the turn arrives later", async () => {
    await ask("What is a determinant?");
    program.kill("event-store/embedded/main.ts");
    const reading = await fetch(`${program.url}${page}`);
    expect(reading.status).to.equal(200);
    await mira.page.getByRole("button", { name: "Regenerate" }).nth(1).waitFor({ timeout: 60_000 });
    await program.ready();
    const id = new URL(mira.page.url()).searchParams.get("conversation");
    let stored: string[] = [];
    for (let tries = 0; tries < 300 && !stored.includes("What is a determinant?"); tries += 1) {
      await mira.page.waitForTimeout(200);
      const response = await mira.page.request.get(`${program.url}/api/conversations/${id}`);
      const body = response.ok() ? ((await response.json()) as { conversation: { turns: { question: string }[] } }) : null;
      stored = body?.conversation.turns.map((turn) => turn.question) ?? [];
    }
    expect(stored.filter((question) => question === "What is a determinant?")).to.have.length(1);
  });

  it("Escape stops an answer: the text stays, marked as stopped, also after a reload", async () => {
    const question = "What happens when a map is repeated many times?";
    await ask(question);
    const article = mira.page.getByRole("article", { name: question });
    await article
      .getByText(/eigenvector|map|power/)
      .nth(1)
      .waitFor();
    await mira.page.getByRole("textbox", { name: "Your question" }).focus();
    await mira.page.keyboard.press("Escape");
    await article.getByText("Stopped. The text so far is kept.").waitFor();
    const id = new URL(mira.page.url()).searchParams.get("conversation");
    await eventually(async () => {
      const stored = await mira.page.request.get(`${program.url}/api/conversations/${id}`);
      expect(await stored.text()).to.include(question);
    });
    await mira.page.reload();
    await article.getByText("Stopped. The text so far is kept.").waitFor();
  });

  it("a wrong address of a course page shows suggestions", async () => {
    const { page } = await openVisitor(browser);
    const response = await page.goto(`${program.url}/courses/linear-maps/no-such-topic`);
    expect(response?.status()).to.equal(404);
    expect(await page.getByRole("link").count()).to.be.greaterThan(1);
  });
});

describe("without a model", () => {
  let program: Program;
  let browser: Browser;
  before(async () => {
    program = await startProgram({ DEMO_MODEL: "off" });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  it("the composer says what to configure, and sends nothing", async () => {
    const { page } = await openVisitor(browser);
    await page.goto(`${program.url}/auth/demo?as=learner&return=${encodeURIComponent("/ai")}`);
    await page
      .getByText(/P1_API_KEY/)
      .first()
      .waitFor();
    await eventually(async () => expect(await page.getByRole("button", { name: "Send" }).isDisabled()).to.equal(true));
  });
});
