import { editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import { draftsDatabase } from "@colloquy/schemas/publication/drafts-database.ts";
import { expect } from "chai";
import { openCourseDrafts } from "../store/course-drafts.ts";
import { openDraftChannel } from "./draft-channel.ts";
import { draftTabs, entitle, titleOf, until } from "./testing/draft-tabs.ts";

describe("draft autosave in two tabs", () => {
  const editor = draftTabs();

  it("keeps both texts of two writing tabs and reports it in the later one", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Mine");
    await one.autosave.flush();
    entitle(two.session, "Also mine");
    await two.autosave.flush();
    expect(two.autosave.status.state).to.equal("forked");
    entitle(two.session, "Also mine, longer");
    await two.autosave.flush();
    const { kept } = await editor.tab();
    expect(titleOf(kept.draft?.course)).to.equal("Mine");
    expect(kept.copies.map(({ draft }) => titleOf(draft.course))).to.deep.equal(["Also mine, longer"]);
  });

  it("lets an unchanged tab continue with another tab's draft", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Further");
    await one.autosave.flush();
    await until(two.autosave, "behind");
    const theirs = await two.autosave.adoptOtherTab();
    expect(titleOf(theirs?.course)).to.equal("Further");
    two.session.apply({ label: "Take over" }, () => theirs?.course ?? editor.course);
    entitle(two.session, "Further still");
    await two.autosave.flush();
    expect(two.autosave.status.state).to.equal("kept");
    expect((await editor.tab()).kept.copies).to.deep.equal([]);
    await until(one.autosave, "behind");
  });

  it("promotes this tab's text and keeps the other as a copy", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Theirs");
    await one.autosave.flush();
    entitle(two.session, "Own");
    await two.autosave.flush();
    await two.autosave.promoteCopy();
    expect(two.autosave.status.state).to.equal("kept");
    entitle(two.session, "Own, longer");
    await two.autosave.flush();
    const { kept } = await editor.tab();
    expect(titleOf(kept.draft?.course)).to.equal("Own, longer");
    expect(kept.copies.map(({ draft }) => titleOf(draft.course))).to.deep.equal(["Theirs"]);
  });

  it("discards its own copy without touching the other tab's draft", async () => {
    const [one, two] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Theirs");
    await one.autosave.flush();
    entitle(two.session, "Own");
    await two.autosave.flush();
    await two.autosave.discard();
    // What is told comes in the order in which it is: once this is heard, what was told before was, too.
    const [told, heard] = [openDraftChannel(), openDraftChannel()];
    const last = new Promise((resolve) => heard.addEventListener("message", ({ data }) => data.courseId === "the-last" && resolve(null)));
    told.postMessage({ courseId: "the-last", version: null });
    await last;
    for (const channel of [told, heard]) channel.close();
    expect(one.autosave.status.state).to.equal("kept");
    const { kept } = await editor.tab();
    expect([titleOf(kept.draft?.course), kept.copies]).to.deep.equal(["Theirs", []]);
  });

  it("does not restore a set-aside draft over one saved meanwhile", async () => {
    const one = await editor.tab();
    entitle(one.session, "Waited");
    await one.autosave.flush();
    const waited = one.autosave.draft ?? expect.fail("no draft");
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

  it("clears the behind state after its own save succeeds", async () => {
    const { session, autosave } = await editor.tab();
    entitle(session, "One");
    await autosave.flush();
    const late = openDraftChannel();
    late.postMessage({ courseId: editor.courseId, version: 1 });
    await until(autosave, "behind");
    late.close();
    entitle(session, "Two");
    await autosave.flush();
    expect(autosave.status.state).to.equal("kept");
  });

  it("never turns another tab's copy into the draft after publication", async () => {
    const [one, other] = [await editor.tab(), await editor.tab()];
    entitle(one.session, "Published");
    await one.autosave.flush();
    entitle(other.session, "Kept apart");
    await other.autosave.flush();
    expect(other.autosave.status.state).to.equal("forked");
    await one.autosave.discard();
    for (const { kept } of [await editor.tab(), await editor.tab()])
      expect([kept.draft, kept.copies.map(({ draft }) => titleOf(draft.course))]).to.deep.equal([null, ["Kept apart"]]);
  });
});
