import { expect } from "chai";
import { Drafts } from "./drafts.ts";
import { draftTabs, entitle, Full, Held, titleOf, until } from "./testing/draft-tabs.ts";

describe("the keeper of a draft of a page that is left", () => {
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
    await made.keeper.flush();
    drafts.dies = true;
    return made;
  }
  const copiesOf = ({ kept }: Awaited<ReturnType<typeof editor.tab>>) => kept.copies.map(({ draft }) => titleOf(draft.course));

  it("has in its place what it wrote in one stroke, and nothing of it twice", async () => {
    const { session, keeper } = await dying("Kept");
    entitle(session, "In the last moment");
    leave();
    keeper.dispose();
    const next = await editor.tab();
    expect([titleOf(next.kept.draft?.course), copiesOf(next)]).to.deep.equal(["In the last moment", []]);
    entitle(next.session, "Further");
    leave();
    await until(next.keeper, "kept");
    const last = await editor.tab();
    expect([titleOf(last.kept.draft?.course), copiesOf(last)]).to.deep.equal(["Further", []]);
  });

  it("has the last of what it wrote where a save of something older was running, whether that came to its end or not", async () => {
    for (const ends of [true, false]) {
      const drafts = new Held();
      const { session, keeper } = await editor.tab({ drafts });
      entitle(session, `Kept ${ends}`);
      await keeper.flush();
      entitle(session, "Older");
      drafts.hold();
      const saving = keeper.flush();
      await drafts.begun;
      entitle(session, "Last but one");
      leave();
      entitle(session, "Last");
      leave();
      keeper.dispose();
      if (ends) {
        drafts.letGo();
        await saving;
      }
      const next = await editor.tab();
      expect([titleOf(next.kept.draft?.course), copiesOf(next)], `ends: ${ends}`).to.deep.equal(["Last", []]);
      await next.keeper.discard();
      next.keeper.dispose();
    }
  });

  it("and another that is left with it lose nothing to each other", async () => {
    const one = await dying("Kept");
    const two = await dying();
    entitle(one.session, "Of the one");
    entitle(two.session, "Of the other");
    leave();
    one.keeper.dispose();
    two.keeper.dispose();
    const next = await editor.tab();
    expect([titleOf(next.kept.draft?.course), ...copiesOf(next)]).to.have.members(["Of the one", "Of the other"]);
  });

  it("does not write over what another tab saved since", async () => {
    const one = await dying("Kept");
    const two = await editor.tab();
    entitle(one.session, "Left");
    leave();
    one.keeper.dispose();
    entitle(two.session, "Saved since");
    await two.keeper.flush();
    const next = await editor.tab();
    expect([titleOf(next.kept.draft?.course), copiesOf(next)]).to.deep.equal(["Saved since", ["Left"]]);
  });

  it("has the last of a copy, too", async () => {
    const one = await editor.tab();
    const drafts = new Dying();
    const two = await editor.tab({ drafts });
    entitle(one.session, "Theirs");
    await one.keeper.flush();
    entitle(two.session, "A copy");
    await two.keeper.flush();
    drafts.dies = true;
    entitle(two.session, "A copy, longer");
    leave();
    two.keeper.dispose();
    const next = await editor.tab();
    expect([titleOf(next.kept.draft?.course), copiesOf(next)]).to.deep.equal(["Theirs", ["A copy, longer"]]);
  });

  it("does not come back with what was discarded after all", async () => {
    const { session, keeper } = await editor.tab({ drafts: new Full() });
    entitle(session, "Not wanted");
    leave();
    await until(keeper, "refused");
    await keeper.discard();
    expect((await editor.tab()).kept).to.deep.include({ draft: null, copies: [] });
  });
});
