import { expect } from "chai";
import { Drafts } from "./drafts.ts";
import { draftTabs, entitle, Held, titleOf, until } from "./testing/draft-tabs.ts";

describe("draft autosave of a published draft", () => {
  const editor = draftTabs();

  it("keeps the request id per content, also after a reload", async () => {
    const { session, autosave } = await editor.tab();
    entitle(session, "To publish");
    const first = await autosave.prepareRequest();
    expect((await autosave.prepareRequest()).requestId).to.equal(first.requestId);
    const reloaded = await editor.tab();
    expect(reloaded.kept.draft?.requestId).to.equal(first.requestId);
    expect((await reloaded.autosave.prepareRequest()).requestId).to.equal(first.requestId);
    entitle(reloaded.session, "Something else");
    expect((await reloaded.autosave.prepareRequest()).requestId).not.to.equal(first.requestId);
  });

  it("stores the request id before returning it, even during another save", async () => {
    const drafts = new Held();
    const { session, autosave } = await editor.tab({ drafts });
    entitle(session, "To publish");
    drafts.hold();
    const saving = autosave.flush();
    await drafts.begun;
    const attempt = autosave.prepareRequest();
    // Its digest takes a moment: by then the attempt knows its id, and the save that runs does not.
    while (autosave.snapshot().requestId === null) await new Promise((resolve) => setTimeout(resolve));
    drafts.release();
    const { requestId } = await attempt;
    const { draft } = (await editor.tab()).kept;
    expect(draft?.requestId).to.equal(requestId);
    expect(draft?.sent).to.have.length(1);
    await saving;
  });

  it("adopts unanswered requests together with another tab's text", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Sent there");
    const { requestId, state } = await one.autosave.prepareRequest();
    await until(two.autosave, "behind");
    await two.autosave.adoptOtherTab();
    two.session.apply({ label: "Take over" }, () => state.course);
    expect((await two.autosave.prepareRequest()).requestId).to.equal(requestId);
    entitle(two.session, "Further");
    await two.autosave.flush();
    expect(await two.autosave.wasSent(state.course)).to.equal(true);
    expect((await editor.tab()).kept.draft?.sent).to.have.length(1);
  });

  it("keeps a receipt until a page shows the revision; later typing stays a draft", async () => {
    const next = { sequence: 2, revisionId: "revision-2" };
    const { session, autosave } = await editor.tab();
    entitle(session, "Published");
    const { state } = await autosave.prepareRequest();
    session.rebase(next, state.course);
    await autosave.markPublished(next);
    expect((await editor.tab()).kept.draft).to.deep.include({ receipt: next, base: next });
    await autosave.confirmReceipt(1);
    expect((await editor.tab()).kept.draft?.receipt).to.deep.equal(next);
    await autosave.confirmReceipt(2);
    expect((await editor.tab()).kept.draft).to.equal(null);

    entitle(session, "Sent");
    const sent = await autosave.prepareRequest();
    entitle(session, "Typed since");
    session.rebase({ sequence: 3, revisionId: "revision-3" }, sent.state.course);
    await autosave.markPublished({ sequence: 3, revisionId: "revision-3" });
    expect((await editor.tab()).kept.draft).to.deep.include({ receipt: null, requestId: null });
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Typed since");
  });

  it("keeps later changes and copies when a receipt is confirmed", async () => {
    const next = { sequence: 2, revisionId: "revision-2" };
    const { session, autosave } = await editor.tab();
    entitle(session, "Published");
    const { state } = await autosave.prepareRequest();
    session.rebase(next, state.course);
    await autosave.markPublished(next);
    entitle(session, "Not saved yet");
    await autosave.confirmReceipt(2);
    await autosave.flush();
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Not saved yet");
    expect((await editor.tab()).kept.draft?.receipt).to.equal(null);
  });

  it("keeps typing that happens while a receipt is removed", async () => {
    const { promise: gone, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    class Slow extends Drafts {
      override async remove(...args: Parameters<Drafts["remove"]>) {
        begin();
        await gone;
        return super.remove(...args);
      }
    }
    const { session, autosave } = await editor.tab({ drafts: new Slow() });
    entitle(session, "Published");
    await autosave.flush();
    session.rebase({ sequence: 2, revisionId: "revision-2" }, session.state.course);
    await autosave.markPublished({ sequence: 2, revisionId: "revision-2" });
    const seen = autosave.confirmReceipt(2);
    await begun;
    entitle(session, "Written since");
    release();
    await seen;
    expect(autosave.wouldLose).to.equal(true);
    await autosave.flush();
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Written since");
  });
});
