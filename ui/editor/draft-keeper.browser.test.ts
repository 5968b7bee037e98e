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
import { draftsTold } from "./drafts-told.ts";
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

  /** A browser without room. */
  class Full extends Drafts {
    isFull = true;
    override async save(...args: Parameters<Drafts["save"]>) {
      if (this.isFull) throw new DraftsRefused(new DOMException("full", "QuotaExceededError"));
      return super.save(...args);
    }
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

  describe("of a page that is left", () => {
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
      const made = await tab({ drafts });
      if (kept !== undefined) entitle(made.session, kept);
      await made.keeper.flush();
      drafts.dies = true;
      return made;
    }
    const copiesOf = ({ kept }: Awaited<ReturnType<typeof tab>>) => kept.copies.map(({ draft }) => titleOf(draft.course));

    it("has in its place what it wrote in one stroke, and nothing of it twice", async () => {
      const { session, keeper } = await dying("Kept");
      entitle(session, "In the last moment");
      leave();
      keeper.dispose();
      const next = await tab();
      expect([titleOf(next.kept.draft?.course), copiesOf(next)]).to.deep.equal(["In the last moment", []]);
      entitle(next.session, "Further");
      leave();
      await until(next.keeper, "kept");
      const last = await tab();
      expect([titleOf(last.kept.draft?.course), copiesOf(last)]).to.deep.equal(["Further", []]);
    });

    it("has the last of what it wrote where a save of something older was running, whether that came to its end or not", async () => {
      for (const ends of [true, false]) {
        const drafts = new Held();
        const { session, keeper } = await tab({ drafts });
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
        const next = await tab();
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
      const next = await tab();
      expect([titleOf(next.kept.draft?.course), ...copiesOf(next)]).to.have.members(["Of the one", "Of the other"]);
    });

    it("does not write over what another tab saved since", async () => {
      const one = await dying("Kept");
      const two = await tab();
      entitle(one.session, "Left");
      leave();
      one.keeper.dispose();
      entitle(two.session, "Saved since");
      await two.keeper.flush();
      const next = await tab();
      expect([titleOf(next.kept.draft?.course), copiesOf(next)]).to.deep.equal(["Saved since", ["Left"]]);
    });

    it("has the last of a copy, too", async () => {
      const one = await tab();
      const drafts = new Dying();
      const two = await tab({ drafts });
      entitle(one.session, "Theirs");
      await one.keeper.flush();
      entitle(two.session, "A copy");
      await two.keeper.flush();
      drafts.dies = true;
      entitle(two.session, "A copy, longer");
      leave();
      two.keeper.dispose();
      const next = await tab();
      expect([titleOf(next.kept.draft?.course), copiesOf(next)]).to.deep.equal(["Theirs", ["A copy, longer"]]);
    });

    it("does not come back with what was discarded after all", async () => {
      const { session, keeper } = await tab({ drafts: new Full() });
      entitle(session, "Not wanted");
      leave();
      await until(keeper, "refused");
      await keeper.discard();
      expect((await tab()).kept).to.deep.include({ draft: null, copies: [] });
    });
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

  it("leaves the draft of another tab alone when its own copy is discarded, and does not alarm that tab", async () => {
    const [one, two] = [await tab(), await tab()];
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
    const { kept } = await tab();
    expect([titleOf(kept.draft?.course), kept.copies]).to.deep.equal(["Theirs", []]);
  });

  it("puts what waited for its account in the place of no draft that another tab writes at that moment", async () => {
    const one = await tab();
    entitle(one.session, "Waited");
    await one.keeper.flush();
    const waited = one.keeper.draft ?? expect.fail("no draft");
    const own = { ...waited, course: editTopic(course, "topic-one", { title: "First" }) };
    await tab({ account: "acc_other" });
    const database = await openCourseDrafts();
    const begun = IDBDatabase.prototype.transaction;
    let copiesRead = 0;
    IDBDatabase.prototype.transaction = function (...given: Parameters<typeof begun>) {
      // What is kept is read last of all; right behind that somebody else writes.
      if (this !== database && given[1] === "readonly") copiesRead += 1;
      else if (this !== database && copiesRead === 1) {
        copiesRead += 1;
        begun.call(database, draftsDatabase.store, "readwrite").objectStore(draftsDatabase.store).put(own, courseId);
      }
      return begun.apply(this, given);
    };
    try {
      await tab();
    } finally {
      IDBDatabase.prototype.transaction = begun;
      database.close();
    }
    expect(copiesRead).to.equal(2);
    const { kept } = await tab();
    expect(titleOf(kept.draft?.course)).to.equal("First");
    expect(kept.copies.map(({ draft }) => titleOf(draft.course))).to.deep.equal(["Waited"]);
  });

  it("says that the browser refuses, loses nothing, and has written everything once there is room", async () => {
    const drafts = new Full();
    const { session, keeper } = await tab({ drafts });
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
    const { session, keeper } = await tab({ drafts: new Slow() });
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
    expect(titleOf((await tab()).kept.draft?.course)).to.equal("Written since");
  });

  it("is behind nobody once its own save has found that nobody wrote, whatever it heard late", async () => {
    const { session, keeper } = await tab();
    entitle(session, "One");
    await keeper.flush();
    const late = draftsTold();
    late.postMessage({ courseId, version: 1 });
    await until(keeper, "behind");
    late.close();
    entitle(session, "Two");
    await keeper.flush();
    expect(keeper.standing.state).to.equal("kept");
  });

  it("never takes what another tab wrote for the draft, also once the draft is published", async () => {
    const [one, other] = [await tab(), await tab()];
    entitle(one.session, "Published");
    await one.keeper.flush();
    entitle(other.session, "Kept apart");
    await other.keeper.flush();
    expect(other.keeper.standing.state).to.equal("forked");
    await one.keeper.discard();
    for (const { kept } of [await tab(), await tab()])
      expect([kept.draft, kept.copies.map(({ draft }) => titleOf(draft.course))]).to.deep.equal([null, ["Kept apart"]]);
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
