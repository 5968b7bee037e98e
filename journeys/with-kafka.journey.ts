import { startTestBroker, type TestBroker, testBrokerHere } from "@colloquy/infra/kafka/test-broker/start.ts";
import { expect } from "chai";
import type { Browser } from "playwright-core";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { change, learner, opening } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

const jars = await testBrokerHere();

interface Readiness {
  ready: boolean;
  relay?: { ok: boolean; state: string; position: string | null; lagMs: number | null };
  projections: { name: string; lagMs: number }[];
}

(jars ? describe : describe.skip)("with Kafka between the events and the read models", function () {
  this.timeout(300_000);
  let broker: TestBroker;
  let program: Program;
  let browser: Browser;
  let mira: Visitor;
  before(async () => {
    broker = await startTestBroker(jars ?? "");
    program = await startProgram({ KAFKA_BROKERS: broker.address, KAFKA_PARTITIONS: "3", DEMO_MODEL_WORD_MS: "4" });
    browser = await openBrowser();
    mira = await openVisitor(browser);
    mira.page.setDefaultTimeout(90_000);
    await mira.page.goto(`${program.url}/auth/demo?as=learner&return=${encodeURIComponent("/ai")}`);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
    await broker?.remove();
  });

  const readiness = async () => (await (await fetch(`${program.url}/readyz`)).json()) as Readiness;
  async function until(done: () => Promise<boolean>): Promise<void> {
    while (!(await done())) await mira.page.waitForTimeout(200);
  }
  async function ask(question: string): Promise<void> {
    await mira.page.getByRole("textbox", { name: "Your question" }).fill(question);
    await mira.page.keyboard.press("Enter");
    await mira.page.getByRole("article", { name: question }).getByRole("button", { name: "Regenerate" }).waitFor();
  }
  /** The questions another device would be shown. */
  async function stored(): Promise<string[]> {
    const id = new URL(mira.page.url()).searchParams.get("conversation");
    const response = await mira.page.request.get(`${program.url}/api/conversations/${id}`);
    const body = response.ok() ? ((await response.json()) as { conversation: { turns: { question: string }[] } }) : null;
    return body?.conversation.turns.map((turn) => turn.question) ?? [];
  }

  it("a question is stored and followed in a second browser", async () => {
    await ask("What is an eigenvector?");
    const other = await openVisitor(browser);
    other.page.setDefaultTimeout(90_000);
    await other.page.goto(`${program.url}/auth/demo?as=learner&return=${encodeURIComponent("/ai")}`);
    const history = other.page.getByRole("navigation", { name: "Conversations" });
    await history.getByRole("link", { name: "What is an eigenvector?" }).click();
    await other.page.locator("a.cite").first().waitFor();
    await ask("What is a determinant?");
    await other.page.getByText("What is a determinant?").first().waitFor();
    await other.context.close();
    expect(mira.complaints).to.deep.equal([]);
  });

  it("shows the relay's progress as text and as metrics", async () => {
    await eventually(async () => {
      const { ready, relay } = await readiness();
      expect(ready).to.equal(true);
      expect(relay).to.include({ ok: true, state: "relaying", lagMs: 0 });
      expect(relay?.position).to.match(/^\d+$/);
    });
    expect(program.output())
      .to.match(/relay to Kafka +127\.0\.0\.1:\d+/)
      .and.to.match(/Kafka +127\.0\.0\.1:\d+ +topics colloquy\.\*/);
    await eventually(async () => {
      const metrics = await (await fetch(`${program.url}/metrics`)).text();
      expect(metrics).to.match(/colloquy_service_up\{service="relay"\} 1/);
      expect(metrics).to.match(/colloquy_relay_lag_seconds\{service="relay"\} 0/);
      expect(metrics).to.match(/colloquy_relay_relayed_events\{service="relay"\} [1-9]/);
      expect(metrics).to.match(/colloquy_relay_events_per_second\{service="relay"\}/);
    });
  });

  it("answers continue without the broker, and everything arrives later", async () => {
    await broker.kill();
    await ask("What is a basis?");
    const tomas = await learner(program.url, "learner2");
    const { results } = await tomas.push([change("change-0001", "conversation-down", "started", opening("While it is down"))]);
    expect(results.map(({ outcome }) => outcome)).to.deep.equal(["accepted"]);
    await until(async () => ((await readiness()).relay?.lagMs ?? 0) > 0);
    await until(async () => (await readiness()).relay?.state === "retrying");
    await until(async () => (await readiness()).projections.some(({ lagMs }) => lagMs > 0));
    await until(async () => /relay to Kafka: the relay was interrupted and restarts/.test(program.output()));
    expect(await stored()).to.not.include("What is a basis?");
    await broker.start();
    await until(async () => (await stored()).includes("What is a basis?"));
    expect(await stored()).to.deep.equal(["What is an eigenvector?", "What is a determinant?", "What is a basis?"]);
    await until(async () => (await tomas.get("/api/conversations/conversation-down")).status === 200);
    await until(async () => (await readiness()).relay?.ok === true && (await readiness()).ready);
    expect(await program.tool("projections/cli.ts", "verify")).to.not.match(/DIFFERS/);
  });
});
