import { expect } from "chai";
import { Drafts } from "./drafts.ts";
import { draftTabs, entitle, Full, Held, titleOf, until } from "./testing/draft-tabs.ts";

describe("draft autosave of an unloading page", () => {
  const editor = draftTabs();

  const leave = () => dispatchEvent(new PageTransitionEvent("pagehide"));
  /** A page that is gone before its next save comes to anything, but for what it wrote in one stroke. */
  class Dying extends Drafts {
    dies = false;
    override async save(...args: Parameters<Drafts["save"]>): ReturnType<Drafts["save"]> {
      return this.dies ? new Promise(() => undefined) : super.save(...args);
    }
    override async saveCopy(...args: Parameters<Drafts["saveCopy"]>): ReturnType<Drafts["saveCopy"]> {
      return this.dies ? new Promise(() => undefined) : super.saveCopy(...args);
    }
  }
  /** A tab with something kept, whose page is about to go. */
  async function dying(kept?: string) {
    const drafts = new Dying();
    const made = await editor.tab({ drafts });
    if (kept !== undefined) entitle(made.session, kept);
    await made.autosave.flush();
    drafts.dies = true;
    return made;
  }
  const copiesOf = ({ kept }: Awaited<ReturnType<typeof editor.tab>>) => kept.copies.map(({ draft }) => titleOf(draft.course));

  it("moves an unload save into place once", async () => {
    const { session, autosave } = await dying("Kept");
    entitle(session, "In the last moment");
    leave();
    autosave.dispose();
    const next = await editor.tab();
    expect([titleOf(next.kept.draft?.course), copiesOf(next)]).to.deep.equal(["In the last moment", []]);
    entitle(next.session, "Further");
    leave();
    await until(next.autosave, "kept");
    const last = await editor.tab();
    expect([titleOf(last.kept.draft?.course), copiesOf(last)]).to.deep.equal(["Further", []]);
  });

  it("prefers an unload save over an older save in progress", async () => {
    for (const ends of [true, false]) {
      const drafts = new Held();
      const { session, autosave } = await editor.tab({ drafts });
      entitle(session, `Kept ${ends}`);
      await autosave.flush();
      entitle(session, "Older");
      drafts.hold();
      const saving = autosave.flush();
      await drafts.begun;
      entitle(session, "Last but one");
      leave();
      entitle(session, "Last");
      leave();
      autosave.dispose();
      if (ends) {
        drafts.release();
        await saving;
      }
      const next = await editor.tab();
      expect([titleOf(next.kept.draft?.course), copiesOf(next)], `ends: ${ends}`).to.deep.equal(["Last", []]);
      await next.autosave.discard();
      next.autosave.dispose();
    }
  });

  it("keeps the texts of two tabs that unload together", async () => {
    const one = await dying("Kept");
    const two = await dying();
    entitle(one.session, "Of the one");
    entitle(two.session, "Of the other");
    leave();
    one.autosave.dispose();
    two.autosave.dispose();
    const next = await editor.tab();
    expect([titleOf(next.kept.draft?.course), ...copiesOf(next)]).to.have.members(["Of the one", "Of the other"]);
  });

  it("does not overwrite a newer save of another tab", async () => {
    const one = await dying("Kept");
    const two = await editor.tab();
    entitle(one.session, "Left");
    leave();
    one.autosave.dispose();
    entitle(two.session, "Saved since");
    await two.autosave.flush();
    const next = await editor.tab();
    expect([titleOf(next.kept.draft?.course), copiesOf(next)]).to.deep.equal(["Saved since", ["Left"]]);
  });

  it("keeps the last unload save of a copy", async () => {
    const one = await editor.tab();
    const drafts = new Dying();
    const two = await editor.tab({ drafts });
    entitle(one.session, "Theirs");
    await one.autosave.flush();
    entitle(two.session, "A copy");
    await two.autosave.flush();
    drafts.dies = true;
    entitle(two.session, "A copy, longer");
    leave();
    two.autosave.dispose();
    const next = await editor.tab();
    expect([titleOf(next.kept.draft?.course), copiesOf(next)]).to.deep.equal(["Theirs", ["A copy, longer"]]);
  });

  it("does not restore a discarded draft from an unload save", async () => {
    const { session, autosave } = await editor.tab({ drafts: new Full() });
    entitle(session, "Not wanted");
    leave();
    await until(autosave, "refused");
    await autosave.discard();
    expect((await editor.tab()).kept).to.deep.include({ draft: null, copies: [] });
  });
});
