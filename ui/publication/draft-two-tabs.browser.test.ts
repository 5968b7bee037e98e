import { editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import { draftsDatabase } from "@colloquy/schemas/publication/drafts-database.ts";
import { expect } from "chai";
import { openCourseDrafts } from "../store/course-drafts.ts";
import { draftsTold } from "./drafts-told.ts";
import { draftTabs, entitle, titleOf, until } from "./testing/draft-tabs.ts";

describe("the keeper of a draft that two tabs have open", () => {
  const editor = draftTabs();

  it("of two tabs that both write keeps both texts, and says so in the one that came later", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Mine");
    await one.keeper.flush();
    entitle(two.session, "Also mine");
    await two.keeper.flush();
    expect(two.keeper.standing.state).to.equal("forked");
    entitle(two.session, "Also mine, longer");
    await two.keeper.flush();
    const { kept } = await editor.tab();
    expect(titleOf(kept.draft?.course)).to.equal("Mine");
    expect(kept.copies.map(({ draft }) => titleOf(draft.course))).to.deep.equal(["Also mine, longer"]);
  });

  it("tells a tab that wrote nothing that another went on, and it can go on with that", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Further");
    await one.keeper.flush();
    await until(two.keeper, "behind");
    const theirs = await two.keeper.takeOver();
    expect(titleOf(theirs?.course)).to.equal("Further");
    two.session.apply({ label: "Take over" }, () => theirs?.course ?? editor.course);
    entitle(two.session, "Further still");
    await two.keeper.flush();
    expect(two.keeper.standing.state).to.equal("kept");
    expect((await editor.tab()).kept.copies).to.deep.equal([]);
    await until(one.keeper, "behind");
  });

  it("goes on with the own text of two, the other one kept beside it", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Theirs");
    await one.keeper.flush();
    entitle(two.session, "Own");
    await two.keeper.flush();
    await two.keeper.keepMine();
    expect(two.keeper.standing.state).to.equal("kept");
    entitle(two.session, "Own, longer");
    await two.keeper.flush();
    const { kept } = await editor.tab();
    expect(titleOf(kept.draft?.course)).to.equal("Own, longer");
    expect(kept.copies.map(({ draft }) => titleOf(draft.course))).to.deep.equal(["Theirs"]);
  });

  it("leaves the draft of another tab alone when its own copy is discarded, and does not alarm that tab", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Theirs");
    await one.keeper.flush();
    entitle(two.session, "Own");
    await two.keeper.flush();
    await two.keeper.discard();
    // What is told comes in the order in which it is: once this is heard, what was told before was, too.
    const [told, heard] = [draftsTold(), draftsTold()];
    const last = new Promise((resolve) => heard.addEventListener("message", ({ data }) => data.courseId === "the-last" && resolve(null)));
    told.postMessage({ courseId: "the-last", version: null });
    await last;
    for (const channel of [told, heard]) channel.close();
    expect(one.keeper.standing.state).to.equal("kept");
    const { kept } = await editor.tab();
    expect([titleOf(kept.draft?.course), kept.copies]).to.deep.equal(["Theirs", []]);
  });

  it("puts what waited for its account in the place of no draft that another tab writes at that moment", async () => {
    const one = await editor.tab();
    entitle(one.session, "Waited");
    await one.keeper.flush();
    const waited = one.keeper.draft ?? expect.fail("no draft");
    const own = { ...waited, course: editTopic(editor.course, "topic-one", { title: "First" }) };
    await editor.tab({ account: "acc_other" });
    const database = await openCourseDrafts();
    const begun = IDBDatabase.prototype.transaction;
    let copiesRead = 0;
    IDBDatabase.prototype.transaction = function (...given: Parameters<typeof begun>) {
      // What is kept is read last of all; right behind that somebody else writes.
      if (this !== database && given[1] === "readonly") copiesRead += 1;
      else if (this !== database && copiesRead === 1) {
        copiesRead += 1;
        begun.call(database, draftsDatabase.store, "readwrite").objectStore(draftsDatabase.store).put(own, editor.courseId);
      }
      return begun.apply(this, given);
    };
    try {
      await editor.tab();
    } finally {
      IDBDatabase.prototype.transaction = begun;
      database.close();
    }
    expect(copiesRead).to.equal(2);
    const { kept } = await editor.tab();
    expect(titleOf(kept.draft?.course)).to.equal("First");
    expect(kept.copies.map(({ draft }) => titleOf(draft.course))).to.deep.equal(["Waited"]);
  });

  it("is behind nobody once its own save has found that nobody wrote, whatever it heard late", async () => {
    const { session, keeper } = await editor.tab();
    entitle(session, "One");
    await keeper.flush();
    const late = draftsTold();
    late.postMessage({ courseId: editor.courseId, version: 1 });
    await until(keeper, "behind");
    late.close();
    entitle(session, "Two");
    await keeper.flush();
    expect(keeper.standing.state).to.equal("kept");
  });

  it("never takes what another tab wrote for the draft, also once the draft is published", async () => {
    const [one, other] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Published");
    await one.keeper.flush();
    entitle(other.session, "Kept apart");
    await other.keeper.flush();
    expect(other.keeper.standing.state).to.equal("forked");
    await one.keeper.discard();
    for (const { kept } of [await editor.tab(), await editor.tab()])
      expect([kept.draft, kept.copies.map(({ draft }) => titleOf(draft.course))]).to.deep.equal([null, ["Kept apart"]]);
  });
});
