import { expect } from "chai";
import { countUnsavedWork } from "../store/unsaved-work.ts";
import { until } from "../workspace/testing/browser.ts";
import { answerText, question } from "../workspace/testing/fixtures.ts";
import { openStage, type Stage } from "./testing/stage.ts";

describe("a question that did not reach the service", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.close());

  const answerOf = (session: ReturnType<Stage["open"]>) => session.exchanges.at(-1)?.answers.at(-1);
  async function unsent() {
    stage.service.script = { kind: "refused", code: "unavailable" };
    const session = stage.open();
    const told: string[] = [];
    session.events.on("unclaimed", () => told.push("unclaimed"));
    await session.send(question);
    stage.service.script = { kind: "answer" };
    return { session, told };
  }

  it("stays in its conversation, with address and place in the history", async () => {
    const { session, told } = await unsent();
    expect(told).to.deep.equal([]);
    expect([session.busy, session.hasUnsentQuestion, session.provisional?.question]).to.deep.equal([false, true, question]);
    expect(answerOf(session)).to.include({ state: "failed", unsent: true });
    expect(answerOf(session)?.problem?.title).to.equal("This question was not sent: the service did not respond.");
    expect(session.draftText).to.equal("");
    await session.retry(answerOf(session)?.turnId ?? "");
    expect(answerOf(session)).to.include({ state: "finished", text: answerText });
    expect(new Set(stage.service.asked.map(({ requestId }) => requestId)).size).to.equal(1);
    await stage.library.outbox.send();
    expect(stage.types()).to.deep.equal(["started", "turn_recorded"]);
    expect(await stage.store.running.getAll()).to.deep.equal([]);
  });

  it("survives a reload and is sent on request", async () => {
    const { session: before } = await unsent();
    const [row] = await stage.store.running.getAll();
    expect(row).to.include({ unsent: true, question });
    // Who signs out is told of it.
    expect((await countUnsavedWork(stage.store)).drafts).to.equal(1);
    before.dispose();
    const session = stage.open(before.id);
    if (row) await session.resume(row);
    expect([session.hasUnsentQuestion, answerOf(session)?.unsent]).to.deep.equal([true, true]);
    await session.retry(row?.key ?? "");
    expect(answerOf(session)).to.include({ state: "finished", text: answerText });
    expect(await stage.store.running.getAll()).to.deep.equal([]);
  });

  it("is sent before a later one, or withdrawn", async () => {
    const { session } = await unsent();
    stage.service.script = { kind: "refused", code: "unavailable" };
    await session.send("And then?");
    expect([session.hasUnsentQuestion, session.draftText]).to.deep.equal([true, "And then?"]);
    await session.withdrawUnsent();
    expect([session.hasUnsentQuestion, session.draftText]).to.deep.equal([false, `${question}\n\nAnd then?`]);
    expect(session.exchanges).to.deep.equal([]);
    expect(await stage.store.running.getAll()).to.deep.equal([]);
  });

  describe("in two tabs", () => {
    let tab: Awaited<ReturnType<Stage["otherTab"]>>;
    beforeEach(async () => {
      tab = await stage.otherTab();
    });
    afterEach(() => tab.close());

    async function twice() {
      const { session: one } = await unsent();
      const [row] = await tab.store.running.getAll();
      const other = tab.open(one.id);
      if (row) await other.resume(row);
      expect([one.hasUnsentQuestion, other.hasUnsentQuestion]).to.deep.equal([true, true]);
      const said: string[] = [];
      for (const session of [one, other]) session.events.on("announce", ({ text }) => said.push(text));
      return { one, other, key: row?.key ?? "", said };
    }

    it("is sent once from either, and answered in both", async () => {
      const { one, other, key, said } = await twice();
      const before = stage.service.asked.length;
      await Promise.all([one.retry(key), other.retry(key)]);
      expect(stage.service.asked).to.have.length(before + 1);
      expect(said).to.include("Another tab is sending this question. The answer comes here, too.");
      await stage.library.outbox.send();
      expect(stage.types()).to.deep.equal(["started", "turn_recorded"]);
      for (const session of [one, other]) {
        await until(() => !session.hasUnsentQuestion && session.exchanges.length === 1, "the answer in both tabs");
        expect(answerOf(session)).to.include({ state: "finished", text: answerText });
      }
      await other.retry(key);
      expect(stage.types()).to.deep.equal(["started", "turn_recorded"]);
      expect(await stage.store.running.getAll()).to.deep.equal([]);
    });

    it("is withdrawn in both", async () => {
      const { one, other, key, said } = await twice();
      await one.withdrawUnsent();
      const before = stage.service.asked.length;
      const told: string[] = [];
      other.events.on("unclaimed", () => told.push("unclaimed"));
      await other.retry(key);
      expect(stage.service.asked).to.have.length(before);
      expect([other.hasUnsentQuestion, other.exchanges.length, other.busy]).to.deep.equal([false, 0, false]);
      expect(told).to.deep.equal(["unclaimed"]);
      expect(said).to.include("This question was withdrawn in another tab.");
      expect(one.draftText).to.equal(question);
    });

    it("is checked when a tab gets the focus", async () => {
      const { one, other } = await twice();
      await other.checkOtherTabs();
      expect(other.hasUnsentQuestion).to.equal(true);
      await one.withdrawUnsent();
      await other.checkOtherTabs();
      expect(other.hasUnsentQuestion).to.equal(false);
    });

    it("waits in both again after another failure", async () => {
      const { one, other, key } = await twice();
      stage.service.script = { kind: "refused", code: "unavailable" };
      await one.retry(key);
      await other.checkOtherTabs();
      expect([one.hasUnsentQuestion, other.hasUnsentQuestion]).to.deep.equal([true, true]);
      stage.service.script = { kind: "answer" };
      await other.retry(key);
      expect(answerOf(other)).to.include({ state: "finished", text: answerText });
      await until(() => !one.hasUnsentQuestion, "the first tab to know");
    });
  });
});
