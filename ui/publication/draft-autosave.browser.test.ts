import { draftsDatabase } from "@colloquy/schemas/publication/drafts-database.ts";
import { expect } from "chai";
import { openAccountStore } from "../store/account-store.ts";
import { countCourseDrafts, deleteCourseDrafts, openCourseDrafts } from "../store/course-drafts.ts";
import { countUnsavedWork } from "../store/unsaved-work.ts";
import { Drafts } from "./drafts.ts";
import { accountId, base, draftTabs, entitle, Full, titleOf, until } from "./testing/draft-tabs.ts";

describe("draft autosave", () => {
  const editor = draftTabs();

  it("saves after a pause and restores the draft on the next visit", async () => {
    const { session, autosave } = await editor.tab({ idleMs: 5 });
    expect(autosave.status.state).to.equal("none");
    entitle(session, "Begun");
    expect(autosave.status.state).to.equal("unsaved");
    await until(autosave, "kept");
    const { kept, autosave: later } = await editor.tab();
    expect(titleOf(kept.draft?.course)).to.equal("Begun");
    expect(kept.draft).to.deep.include({ base, courseId: editor.courseId, accountId, requestId: null, receipt: null });
    expect(later.status.state).to.equal("kept");
  });

  it("saves at once when the page is hidden or left", async () => {
    const { session, autosave } = await editor.tab();
    entitle(session, "Leaving");
    dispatchEvent(new PageTransitionEvent("pagehide"));
    await until(autosave, "kept");
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Leaving");
  });

  it("saves sequentially and reports saved only after the last change", async () => {
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
    const { session, autosave } = await editor.tab({ drafts: new Slow() });
    const flushes: Promise<void>[] = [];
    for (const title of ["a", "b", "c", "d"]) {
      entitle(session, title);
      flushes.push(autosave.flush());
    }
    await Promise.all(flushes);
    expect(autosave.status.state).to.equal("kept");
    expect(writes.at(0)).to.equal("a");
    expect(writes.at(-1)).to.equal("d");
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("d");
  });

  it("removes the draft when the course equals its base again", async () => {
    const { session, autosave } = await editor.tab();
    entitle(session, "A slip");
    await autosave.flush();
    session.undo();
    await autosave.flush();
    expect(autosave.status.state).to.equal("none");
    expect((await editor.tab()).kept.draft).to.equal(null);
  });

  it("reports a full quota and saves everything once there is space", async () => {
    const drafts = new Full();
    const { session, autosave } = await editor.tab({ drafts });
    entitle(session, "Too much");
    await autosave.flush();
    expect(autosave.status).to.deep.include({ state: "refused", refusal: "full" });
    expect(autosave.wouldLose).to.equal(true);
    expect(titleOf(autosave.snapshot().course)).to.equal("Too much");
    drafts.isFull = false;
    entitle(session, "Too much, longer");
    await autosave.flush();
    expect(autosave.status.state).to.equal("kept");
    expect(autosave.wouldLose).to.equal(false);
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Too much, longer");
  });

  it("hides a draft from other accounts and restores it for its owner", async () => {
    const mine = await editor.tab();
    entitle(mine.session, "Private");
    await mine.autosave.flush();
    const theirs = await editor.tab({ account: "acc_other" });
    expect(theirs.kept).to.deep.include({ draft: null, copies: [] });
    entitle(theirs.session, "Theirs");
    await theirs.autosave.flush();
    expect([await countCourseDrafts(accountId), await countCourseDrafts("acc_other")]).to.deep.equal([1, 1]);
    await deleteCourseDrafts("acc_other");
    expect(titleOf((await editor.tab()).kept.draft?.course)).to.equal("Private");
  });

  it("sets an unreadable draft aside and starts a new one", async () => {
    const database = await openCourseDrafts();
    const transaction = database.transaction(draftsDatabase.store, "readwrite");
    transaction.objectStore(draftsDatabase.store).put({ accountId, draftVersion: 99, text: "from the future" }, editor.courseId);
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
    const { kept, session, autosave } = await editor.tab();
    expect(kept.draft).to.equal(null);
    expect(kept.unreadable).to.have.length(1);
    entitle(session, "New");
    await autosave.flush();
    expect(autosave.status.state).to.equal("kept");
    expect((await editor.tab()).kept.unreadable).to.have.length(1);
  });

  it("counts drafts before sign-out and deletes them with it", async () => {
    const { session, autosave } = await editor.tab({ account: "acc_leaving" });
    entitle(session, "Not published");
    await autosave.flush();
    const store = await openAccountStore("acc_leaving");
    expect((await countUnsavedWork(store)).courseDrafts).to.equal(1);
    await store.remove();
    expect(await countCourseDrafts("acc_leaving")).to.equal(0);
  });

  it("saves nothing after sign-out", async () => {
    const { session, autosave } = await editor.tab();
    entitle(session, "Late");
    autosave.dispose();
    await autosave.flush();
    expect(await countCourseDrafts(accountId)).to.equal(0);
  });
});
