import { draftsDatabase } from "@colloquy/schemas/publication/drafts-database.ts";
import { expect } from "chai";
import { openAccountStore } from "../store/account-store.ts";
import { countCourseDrafts, deleteCourseDrafts, openCourseDrafts } from "../store/course-drafts.ts";
import { countUnsavedWork } from "../store/unsaved-work.ts";
import { Drafts } from "./drafts.ts";
import { accountId, base, draftTabs, entitle, Full, titleOf, until } from "./testing/draft-tabs.ts";

describe("the keeper of a draft", () => {
  const editor = draftTabs();

  it("writes after a pause, and another visit goes on with it", async () => {
    const { session, keeper } = await editor.tab({ idleMs: 5 });
    expect(keeper.standing.state).to.equal("none");
    entitle(session, "Begun");
    expect(keeper.standing.state).to.equal("unsaved");
    await until(keeper, "kept");
    const { kept, keeper: later } = await editor.tab();
    expect(titleOf(kept.draft?.course)).to.equal("Begun");
    expect(kept.draft).to.deep.include({ base, courseId: editor.courseId, accountId, requestId: null, receipt: null });
    expect(later.standing.state).to.equal("kept");
  });

  it("writes at once when the page is hidden or left", async () => {
    const { session, keeper } = await editor.tab();
    entitle(session, "Leaving");
    dispatchEvent(new PageTransitionEvent("pagehide"));
    await until(keeper, "kept");
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Leaving");
  });

  it("saves one thing at a time, the last one last, and says it is kept only when all is", async () => {
    const writes: string[] = [];
    let running = 0;
    class Slow extends Drafts {
      override async save(...[draft, known]: Parameters<Drafts["save"]>) {
        running += 1;
        expect(running).to.equal(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        const saved = await super.save(draft, known);
        writes.push(titleOf(draft.course) ?? "");
        running -= 1;
        return saved;
      }
    }
    const { session, keeper } = await editor.tab({ drafts: new Slow() });
    const flushes: Promise<void>[] = [];
    for (const title of ["a", "b", "c", "d"]) {
      entitle(session, title);
      flushes.push(keeper.flush());
    }
    await Promise.all(flushes);
    expect(keeper.standing.state).to.equal("kept");
    expect(writes.at(0)).to.equal("a");
    expect(writes.at(-1)).to.equal("d");
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("d");
  });

  it("keeps nothing of a course that is as it was again", async () => {
    const { session, keeper } = await editor.tab();
    entitle(session, "A slip");
    await keeper.flush();
    session.undo();
    await keeper.flush();
    expect(keeper.standing.state).to.equal("none");
    expect((await editor.tab()).kept.draft).to.equal(null);
  });

  it("says that the browser refuses, loses nothing, and has written everything once there is room", async () => {
    const drafts = new Full();
    const { session, keeper } = await editor.tab({ drafts });
    entitle(session, "Too much");
    await keeper.flush();
    expect(keeper.standing).to.deep.include({ state: "refused", refusal: "full" });
    expect(keeper.wouldLose).to.equal(true);
    expect(titleOf(keeper.snapshot().course)).to.equal("Too much");
    drafts.isFull = false;
    entitle(session, "Too much, longer");
    await keeper.flush();
    expect(keeper.standing.state).to.equal("kept");
    expect(keeper.wouldLose).to.equal(false);
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Too much, longer");
  });

  it("shows an account's draft to no other, and gives it back when it returns", async () => {
    const mine = await editor.tab();
    entitle(mine.session, "Private");
    await mine.keeper.flush();
    const theirs = await editor.tab({ account: "acc_other" });
    expect(theirs.kept).to.deep.include({ draft: null, copies: [] });
    entitle(theirs.session, "Theirs");
    await theirs.keeper.flush();
    expect([await countCourseDrafts(accountId), await countCourseDrafts("acc_other")]).to.deep.equal([1, 1]);
    await deleteCourseDrafts("acc_other");
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Private");
  });

  it("puts aside what it cannot read, and begins anew", async () => {
    const database = await openCourseDrafts();
    const transaction = database.transaction(draftsDatabase.store, "readwrite");
    transaction.objectStore(draftsDatabase.store).put({ accountId, draftVersion: 99, text: "from the future" }, editor.courseId);
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
    const { kept, session, keeper } = await editor.tab();
    expect(kept.draft).to.equal(null);
    expect(kept.unreadable).to.have.length(1);
    entitle(session, "New");
    await keeper.flush();
    expect(keeper.standing.state).to.equal("kept");
    expect((await editor.tab()).kept.unreadable).to.have.length(1);
  });

  it("is counted before a sign-out, which takes it away", async () => {
    const { session, keeper } = await editor.tab({ account: "acc_leaving" });
    entitle(session, "Not published");
    await keeper.flush();
    const store = await openAccountStore("acc_leaving");
    expect((await countUnsavedWork(store)).courseDrafts).to.equal(1);
    await store.remove();
    expect(await countCourseDrafts("acc_leaving")).to.equal(0);
  });

  it("after a sign-out writes nothing any more", async () => {
    const { session, keeper } = await editor.tab();
    entitle(session, "Late");
    keeper.dispose();
    await keeper.flush();
    expect(await countCourseDrafts(accountId)).to.equal(0);
  });
});
