import { expect } from "chai";
import { Drafts } from "./drafts.ts";
import { draftTabs, entitle, Held, titleOf, until } from "./testing/draft-tabs.ts";

describe("the keeper of a draft that is published", () => {
  const editor = draftTabs();

  it("gives the same request id for the same content, also after a reload, and another for another", async () => {
    const { session, keeper } = await editor.tab();
    entitle(session, "To publish");
    const first = await keeper.attempt();
    expect((await keeper.attempt()).requestId).to.equal(first.requestId);
    const reloaded = await editor.tab();
    expect(reloaded.kept.draft?.requestId).to.equal(first.requestId);
    expect((await reloaded.keeper.attempt()).requestId).to.equal(first.requestId);
    entitle(reloaded.session, "Something else");
    expect((await reloaded.keeper.attempt()).requestId).not.to.equal(first.requestId);
  });

  it("has the request id in the database before it gives it away, also where a save was running that had it not", async () => {
    const drafts = new Held();
    const { session, keeper } = await editor.tab({ drafts });
    entitle(session, "To publish");
    drafts.hold();
    const saving = keeper.flush();
    await drafts.begun;
    const attempt = keeper.attempt();
    // Its digest takes a moment: by then the attempt knows its id, and the save that runs does not.
    while (keeper.snapshot().requestId === null) await new Promise((resolve) => setTimeout(resolve));
    drafts.letGo();
    const { requestId } = await attempt;
    const { draft } = (await editor.tab()).kept;
    expect(draft?.requestId).to.equal(requestId);
    expect(draft?.sent).to.have.length(1);
    await saving;
  });

  it("goes on with what another tab sent and was not answered together with its text", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Sent there");
    const { requestId, state } = await one.keeper.attempt();
    await until(two.keeper, "behind");
    await two.keeper.takeOver();
    two.session.apply({ label: "Take over" }, () => state.course);
    expect((await two.keeper.attempt()).requestId).to.equal(requestId);
    entitle(two.session, "Further");
    await two.keeper.flush();
    expect(await two.keeper.wasSent(state.course)).to.equal(true);
    expect((await editor.tab()).kept.draft?.sent).to.have.length(1);
  });

  it("keeps what was published as a receipt until a page shows it; what was typed since stays a draft", async () => {
    const next = { sequence: 2, revisionId: "revision-2" };
    const { session, keeper } = await editor.tab();
    entitle(session, "Published");
    const { state } = await keeper.attempt();
    session.rebase(next, state.course);
    await keeper.settle(next);
    expect((await editor.tab()).kept.draft).to.deep.include({ receipt: next, base: next });
    await keeper.seen(1);
    expect((await editor.tab()).kept.draft?.receipt).to.deep.equal(next);
    await keeper.seen(2);
    expect((await editor.tab()).kept.draft).to.equal(null);

    entitle(session, "Sent");
    const sent = await keeper.attempt();
    entitle(session, "Typed since");
    session.rebase({ sequence: 3, revisionId: "revision-3" }, sent.state.course);
    await keeper.settle({ sequence: 3, revisionId: "revision-3" });
    expect((await editor.tab()).kept.draft).to.deep.include({ receipt: null, requestId: null });
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Typed since");
  });

  it("lets nothing go that was written since, in this tab's own copy or not saved yet, when a page shows what was published", async () => {
    const next = { sequence: 2, revisionId: "revision-2" };
    const { session, keeper } = await editor.tab();
    entitle(session, "Published");
    const { state } = await keeper.attempt();
    session.rebase(next, state.course);
    await keeper.settle(next);
    entitle(session, "Not saved yet");
    await keeper.seen(2);
    await keeper.flush();
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Not saved yet");
    expect((await editor.tab()).kept.draft?.receipt).to.equal(null);
  });

  it("keeps what is written at the very moment at which a receipt is let go", async () => {
    const { promise: gone, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    class Slow extends Drafts {
      override async remove(...args: Parameters<Drafts["remove"]>) {
        begin();
        await gone;
        return super.remove(...args);
      }
    }
    const { session, keeper } = await editor.tab({ drafts: new Slow() });
    entitle(session, "Published");
    await keeper.flush();
    session.rebase({ sequence: 2, revisionId: "revision-2" }, session.state.course);
    await keeper.settle({ sequence: 2, revisionId: "revision-2" });
    const seen = keeper.seen(2);
    await begun;
    entitle(session, "Written since");
    letGo();
    await seen;
    expect(keeper.wouldLose).to.equal(true);
    await keeper.flush();
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Written since");
  });
});
