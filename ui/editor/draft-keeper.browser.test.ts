import { draftsDatabase } from "@colloquy/schemas/course-editor/drafts-database.ts";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import { openAccountStore } from "../store/account-store.ts";
import { countCourseDrafts, forgetCourseDrafts, openCourseDrafts } from "../store/course-drafts.ts";
import { countOnlyHere } from "../store/only-here.ts";
import { DraftKeeper } from "./draft-keeper.ts";
import { Drafts, DraftsRefused } from "./drafts.ts";
import { EditingSession } from "./session.ts";
import { smallCourse } from "./testing/course.ts";

const accountId = "acc_owner";
const base = { sequence: 1, revisionId: "revision-1" };
const entitle = (session: EditingSession, title: string) =>
  session.apply({ label: "Title" }, (course) => editTopic(course, "topic-one", { title }));
const titleOf = (course: AuthoredCourse | undefined) => course?.topics[0]?.title;

describe("the keeper of a draft", () => {
  let courseId: string;
  let course: AuthoredCourse;
  const opened: { close(): void }[] = [];
  beforeEach(() => {
    courseId = `course-${uuidv7()}`;
    course = smallCourse(courseId);
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) one.close();
    await forgetCourseDrafts(accountId);
    await forgetCourseDrafts("acc_other");
  });

  /** A tab that opens the editor. */
  async function tab(more: { drafts?: Drafts; idleMs?: number; account?: string } = {}) {
    const account = more.account ?? accountId;
    const drafts = more.drafts ?? new Drafts();
    const kept = await drafts.open(courseId, account);
    const { draft } = kept;
    const own = draft && !draft.receipt ? draft : null;
    const session = new EditingSession({ base, baseCourse: course, course: own?.course ?? course, renamedIds: own?.renamedIds ?? [] });
    const keeper = new DraftKeeper({ session, drafts, courseId, accountId: account, draft, idleMs: more.idleMs ?? 60_000 });
    opened.push({
      close() {
        keeper.dispose();
        drafts.close();
      },
    });
    return { session, keeper, drafts, kept };
  }
  const until = async (keeper: DraftKeeper, state: string): Promise<void> => {
    while (keeper.standing.state !== state) await new Promise((heard) => keeper.addEventListener("change", heard, { once: true }));
  };

  it("writes after a pause, and another visit goes on with it", async () => {
    const { session, keeper } = await tab({ idleMs: 5 });
    expect(keeper.standing.state).to.equal("none");
    entitle(session, "Begun");
    expect(keeper.standing.state).to.equal("unsaved");
    await until(keeper, "kept");
    const { kept, keeper: later } = await tab();
    expect(titleOf(kept.draft?.course)).to.equal("Begun");
    expect(kept.draft).to.deep.include({ base, courseId, accountId, requestId: null, receipt: null });
    expect(later.standing.state).to.equal("kept");
  });

  it("writes at once when the page is hidden or left", async () => {
    const { session, keeper } = await tab();
    entitle(session, "Leaving");
    dispatchEvent(new PageTransitionEvent("pagehide"));
    await until(keeper, "kept");
    expect(titleOf((await tab()).kept.draft?.course)).to.equal("Leaving");
  });

  it("has in its place what a page wrote in one stroke while it was left, and nothing of it twice", async () => {
    const { session, keeper, drafts } = await tab();
    entitle(session, "Kept");
    await keeper.flush();
    entitle(session, "In the last moment");
    drafts.saveLeaving(keeper.snapshot());
    keeper.dispose();
    const { kept, session: later, keeper: again } = await tab();
    expect(titleOf(kept.draft?.course)).to.equal("In the last moment");
    expect(kept.copies).to.deep.equal([]);
    entitle(later, "Further");
    dispatchEvent(new PageTransitionEvent("pagehide"));
    await until(again, "kept");
    const last = await tab();
    expect(titleOf(last.kept.draft?.course)).to.equal("Further");
    expect(last.kept.copies).to.deep.equal([]);
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
    const { session, keeper } = await tab({ drafts: new Slow() });
    const flushes: Promise<void>[] = [];
    for (const title of ["a", "b", "c", "d"]) {
      entitle(session, title);
      flushes.push(keeper.flush());
    }
    await Promise.all(flushes);
    expect(keeper.standing.state).to.equal("kept");
    expect(writes.at(0)).to.equal("a");
    expect(writes.at(-1)).to.equal("d");
    expect(titleOf((await tab()).kept.draft?.course)).to.equal("d");
  });

  it("keeps nothing of a course that is as it was again", async () => {
    const { session, keeper } = await tab();
    entitle(session, "A slip");
    await keeper.flush();
    session.undo();
    await keeper.flush();
    expect(keeper.standing.state).to.equal("none");
    expect((await tab()).kept.draft).to.equal(null);
  });

  it("of two tabs that both write keeps both texts, and says so in the one that came later", async () => {
    const [one, two] = [await tab(), await tab()];
    entitle(one.session, "Mine");
    await one.keeper.flush();
    entitle(two.session, "Also mine");
    await two.keeper.flush();
    expect(two.keeper.standing.state).to.equal("forked");
    entitle(two.session, "Also mine, longer");
    await two.keeper.flush();
    const { kept } = await tab();
    expect(titleOf(kept.draft?.course)).to.equal("Mine");
    expect(kept.copies.map(({ draft }) => titleOf(draft.course))).to.deep.equal(["Also mine, longer"]);
  });

  it("tells a tab that wrote nothing that another went on, and it can go on with that", async () => {
    const [one, two] = [await tab(), await tab()];
    entitle(one.session, "Further");
    await one.keeper.flush();
    await until(two.keeper, "behind");
    const theirs = await two.keeper.takeOver();
    expect(titleOf(theirs?.course)).to.equal("Further");
    two.session.apply({ label: "Take over" }, () => theirs?.course ?? course);
    entitle(two.session, "Further still");
    await two.keeper.flush();
    expect(two.keeper.standing.state).to.equal("kept");
    expect((await tab()).kept.copies).to.deep.equal([]);
    await until(one.keeper, "behind");
  });

  it("goes on with the own text of two, the other one kept beside it", async () => {
    const [one, two] = [await tab(), await tab()];
    entitle(one.session, "Theirs");
    await one.keeper.flush();
    entitle(two.session, "Own");
    await two.keeper.flush();
    await two.keeper.keepMine();
    expect(two.keeper.standing.state).to.equal("kept");
    entitle(two.session, "Own, longer");
    await two.keeper.flush();
    const { kept } = await tab();
    expect(titleOf(kept.draft?.course)).to.equal("Own, longer");
    expect(kept.copies.map(({ draft }) => titleOf(draft.course))).to.deep.equal(["Theirs"]);
  });

  it("says that the browser refuses, loses nothing, and has written everything once there is room", async () => {
    let full = true;
    class Full extends Drafts {
      override async save(...args: Parameters<Drafts["save"]>) {
        if (full) throw new DraftsRefused(new DOMException("full", "QuotaExceededError"));
        return super.save(...args);
      }
    }
    const { session, keeper } = await tab({ drafts: new Full() });
    entitle(session, "Too much");
    await keeper.flush();
    expect(keeper.standing).to.deep.include({ state: "refused", refusal: "full" });
    expect(keeper.wouldLose).to.equal(true);
    expect(titleOf(keeper.snapshot().course)).to.equal("Too much");
    full = false;
    entitle(session, "Too much, longer");
    await keeper.flush();
    expect(keeper.standing.state).to.equal("kept");
    expect(keeper.wouldLose).to.equal(false);
    expect(titleOf((await tab()).kept.draft?.course)).to.equal("Too much, longer");
  });

  it("gives the same request id for the same content, also after a reload, and another for another", async () => {
    const { session, keeper } = await tab();
    entitle(session, "To publish");
    const first = await keeper.attempt();
    expect((await keeper.attempt()).requestId).to.equal(first.requestId);
    const reloaded = await tab();
    expect(reloaded.kept.draft?.requestId).to.equal(first.requestId);
    expect((await reloaded.keeper.attempt()).requestId).to.equal(first.requestId);
    entitle(reloaded.session, "Something else");
    expect((await reloaded.keeper.attempt()).requestId).not.to.equal(first.requestId);
  });

  /** A database whose next save waits, as on a slow disk, until it is let go. */
  class Held extends Drafts {
    begun: Promise<void> | null = null;
    letGo = (): void => undefined;
    #hold: Promise<void> | null = null;
    hold(): void {
      const begun = Promise.withResolvers<void>();
      const going = Promise.withResolvers<void>();
      this.begun = begun.promise;
      this.letGo = going.resolve;
      this.#hold = going.promise;
      this.#begin = begun.resolve;
    }
    #begin = (): void => undefined;
    override async save(...args: Parameters<Drafts["save"]>) {
      this.#begin();
      const hold = this.#hold;
      this.#hold = null;
      await hold;
      return super.save(...args);
    }
  }

  it("has the request id in the database before it gives it away, also where a save was running that had it not", async () => {
    const drafts = new Held();
    const { session, keeper } = await tab({ drafts });
    entitle(session, "To publish");
    drafts.hold();
    const saving = keeper.flush();
    await drafts.begun;
    const attempt = keeper.attempt();
    // Its digest takes a moment: by then the attempt knows its id, and the save that runs does not.
    while (keeper.snapshot().requestId === null) await new Promise((resolve) => setTimeout(resolve));
    drafts.letGo();
    const { requestId } = await attempt;
    const { draft } = (await tab()).kept;
    expect(draft?.requestId).to.equal(requestId);
    expect(draft?.sent).to.have.length(1);
    await saving;
  });

  it("goes on with what another tab sent and was not answered together with its text", async () => {
    const [one, two] = [await tab(), await tab()];
    entitle(one.session, "Sent there");
    const { requestId, state } = await one.keeper.attempt();
    await until(two.keeper, "behind");
    await two.keeper.takeOver();
    two.session.apply({ label: "Take over" }, () => state.course);
    expect((await two.keeper.attempt()).requestId).to.equal(requestId);
    entitle(two.session, "Further");
    await two.keeper.flush();
    expect(await two.keeper.wasSent(state.course)).to.equal(true);
    expect((await tab()).kept.draft?.sent).to.have.length(1);
  });

  it("keeps what was published as a receipt until a page shows it; what was typed since stays a draft", async () => {
    const next = { sequence: 2, revisionId: "revision-2" };
    const { session, keeper } = await tab();
    entitle(session, "Published");
    const { state } = await keeper.attempt();
    session.rebase(next, state.course);
    await keeper.settle(next);
    expect((await tab()).kept.draft).to.deep.include({ receipt: next, base: next });
    await keeper.seen(1);
    expect((await tab()).kept.draft?.receipt).to.deep.equal(next);
    await keeper.seen(2);
    expect((await tab()).kept.draft).to.equal(null);

    entitle(session, "Sent");
    const sent = await keeper.attempt();
    entitle(session, "Typed since");
    session.rebase({ sequence: 3, revisionId: "revision-3" }, sent.state.course);
    await keeper.settle({ sequence: 3, revisionId: "revision-3" });
    expect((await tab()).kept.draft).to.deep.include({ receipt: null, requestId: null });
    expect(titleOf((await tab()).kept.draft?.course)).to.equal("Typed since");
  });

  it("lets nothing go that was written since, in this tab's own copy or not saved yet, when a page shows what was published", async () => {
    const next = { sequence: 2, revisionId: "revision-2" };
    const { session, keeper } = await tab();
    entitle(session, "Published");
    const { state } = await keeper.attempt();
    session.rebase(next, state.course);
    await keeper.settle(next);
    entitle(session, "Not saved yet");
    await keeper.seen(2);
    await keeper.flush();
    expect(titleOf((await tab()).kept.draft?.course)).to.equal("Not saved yet");
    expect((await tab()).kept.draft?.receipt).to.equal(null);
  });

  it("shows an account's draft to no other, and gives it back when it returns", async () => {
    const mine = await tab();
    entitle(mine.session, "Private");
    await mine.keeper.flush();
    const theirs = await tab({ account: "acc_other" });
    expect(theirs.kept).to.deep.include({ draft: null, copies: [] });
    entitle(theirs.session, "Theirs");
    await theirs.keeper.flush();
    expect([await countCourseDrafts(accountId), await countCourseDrafts("acc_other")]).to.deep.equal([1, 1]);
    await forgetCourseDrafts("acc_other");
    expect(titleOf((await tab()).kept.draft?.course)).to.equal("Private");
  });

  it("puts aside what it cannot read, and begins anew", async () => {
    const database = await openCourseDrafts();
    const transaction = database.transaction(draftsDatabase.store, "readwrite");
    transaction.objectStore(draftsDatabase.store).put({ accountId, draftVersion: 99, text: "from the future" }, courseId);
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
    const { kept, session, keeper } = await tab();
    expect(kept.draft).to.equal(null);
    expect(kept.unreadable).to.have.length(1);
    entitle(session, "New");
    await keeper.flush();
    expect(keeper.standing.state).to.equal("kept");
    expect((await tab()).kept.unreadable).to.have.length(1);
  });

  it("is counted before a sign-out, which takes it away", async () => {
    const { session, keeper } = await tab({ account: "acc_leaving" });
    entitle(session, "Not published");
    await keeper.flush();
    const store = await openAccountStore("acc_leaving");
    expect((await countOnlyHere(store)).courseDrafts).to.equal(1);
    await store.remove();
    expect(await countCourseDrafts("acc_leaving")).to.equal(0);
  });

  it("after a sign-out writes nothing any more", async () => {
    const { session, keeper } = await tab();
    entitle(session, "Late");
    keeper.dispose();
    await keeper.flush();
    expect(await countCourseDrafts(accountId)).to.equal(0);
  });
});
