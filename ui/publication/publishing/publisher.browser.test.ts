import { deleteBlock, duplicateBlock, editBlockSource, editTopic, moveContained } from "@colloquy/schemas/courses/editing/edit.ts";
import { remark } from "@colloquy/schemas/courses/remarks.ts";
import { readStoredDraft } from "@colloquy/schemas/publication/stored-draft.ts";
import { expect } from "chai";
import { pageRefreshedEvent } from "../../courses/refresh/events.ts";
import { pinnedSequence } from "../../courses/refresh/pinned.ts";
import { expectAccessible, loadTheme, until } from "../../workspace/testing/browser.ts";
import { DraftAutosave } from "../draft-autosave.ts";
import { rename } from "../outline/outline-actions.ts";
import { EditingSession } from "../session.ts";
import { publishingStage } from "../testing/publishing.ts";
import { importDraftFile } from "./draft-file.ts";
import type { PublishState } from "./machine.ts";
import { Publisher } from "./publisher.ts";

describe("the publisher", function () {
  this.timeout(90_000);
  before(loadTheme);
  let stage: ReturnType<typeof publishingStage>;
  beforeEach(() => {
    stage = publishingStage();
  });
  afterEach(() => {
    stage.close();
    document.querySelector("main")?.remove();
  });

  const write = (source: string): void =>
    stage.session.apply({ label: "Typing" }, (course) => editBlockSource(course, "block-text", source));
  /** Resolves when the publisher is in such a state. */
  const reached = (kind: PublishState["kind"]): Promise<PublishState> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (stage.publisher.state.kind === kind) resolve(stage.publisher.state);
      };
      stage.publisher.addEventListener("change", look);
      look();
    });
  const kept = () => stage.drafts.read(stage.courseId);
  /** A page of the course, as the service drew it. */
  const page = (sequence: number): void => {
    const main = document.createElement("main");
    const article = main.appendChild(document.createElement("article"));
    Object.assign(article.dataset, { course: stage.courseId, sequence: String(sequence) });
    document.body.append(main);
  };

  it("publishes, pins the revision and keeps a receipt until a page shows it", async () => {
    write("New words.");
    expect(await stage.publisher.leave()).to.equal("published");
    expect(stage.service.live.course.topics[0]?.blocks[0]?.source).to.equal("New words.");
    expect(pinnedSequence(stage.courseId)).to.equal(2);
    expect(stage.session.state.base).to.deep.equal({ sequence: 2, revisionId: "revision-2" });
    expect((await kept())?.receipt).to.deep.equal({ sequence: 2, revisionId: "revision-2" });
    page(1);
    await stage.publisher.confirmReceipt();
    expect(await kept()).to.not.equal(null);
    document.querySelector("main article")?.setAttribute("data-sequence", "2");
    dispatchEvent(new Event(pageRefreshedEvent));
    await stage.publisher.confirmReceipt();
    expect(await kept()).to.equal(null);
  });

  it("publishes a page under a new id together with a block that was inserted before", async () => {
    stage.session.apply({ label: "Inserted" }, (course) => duplicateBlock(course, "block-text", () => "topic-one-copy"));
    expect(rename(stage.session, "topic-one", "topic-first")).to.equal(null);
    expect(await stage.publisher.leave()).to.equal("published");
    const [request] = stage.service.requests;
    expect(request?.renamedIds).to.deep.include({ from: "topic-one", to: "topic-first" });
    expect(request?.renamedIds.map(({ from }) => from)).to.not.include("topic-one-copy");
  });

  it("publishes a page under a new id without the block that was deleted from it since", async () => {
    rename(stage.session, "topic-one", "topic-first");
    const { to = "" } = stage.session.state.renamedIds.find(({ from }) => from === "block-code") ?? {};
    stage.session.apply({ label: "Deleted" }, (course) => deleteBlock(course, to));
    expect(await stage.publisher.leave()).to.equal("published");
    const told = stage.service.requests[0]?.renamedIds.map(({ from }) => from);
    expect(told).to.include("block-text");
    expect(told).to.not.include("block-code");
  });

  it("says which page's change of id the service does not take, and what to do", async () => {
    rename(stage.session, "topic-two", "topic-last");
    const { renamedIds } = stage.session.state;
    const at = renamedIds.findIndex(({ from }) => from === "block-two");
    const fields = [{ path: `renamedIds.${at}.from`, message: 'what had the id "block-two" was deleted before' }];
    stage.service.troubles = [{ code: "course_invalid", status: 422, fields }];
    await stage.publisher.leave();
    const said = remark("rename-refused", { from: "block-two", to: renamedIds[at]?.to ?? "" });
    expect(stage.publisher.state).to.deep.equal({ kind: "invalid", errors: [{ path: "topics.1.id", ...said }] });
  });

  it("names the page whose id the service refuses, once", async () => {
    rename(stage.session, "topic-two", "topic-gone");
    const message = remark("rename-known", { id: "topic-gone" });
    const fields = [0, 1].map((at) => ({ path: `renamedIds.${at}.to`, ...message }));
    stage.service.troubles = [{ code: "course_invalid", status: 422, fields }];
    expect(await stage.publisher.leave()).to.equal("kept");
    expect(stage.publisher.state).to.deep.equal({ kind: "invalid", errors: [{ path: "topics.1.id", ...message }] });
  });

  it("names the largest page of a course that is too large", async () => {
    write("Many words. ".repeat(40));
    stage.service.troubles = [{ code: "too_large", status: 413 }];
    await stage.publisher.leave();
    const { state } = stage.publisher;
    expect(state.kind === "invalid" && state.errors.map(({ path, remark }) => [path, remark])).to.deep.equal([
      ["topics.0", "course-large"],
    ]);
  });

  it("sends the same content under a new request id when the service knows the old one", async () => {
    write("New words.");
    stage.service.troubles = [{ code: "request_id_reused", status: 409 }];
    expect(await stage.publisher.leave()).to.equal("published");
    const [first, second, ...more] = stage.service.requests.map(({ requestId }) => requestId);
    expect([first === second, more]).to.deep.equal([false, []]);
  });

  it("sends nothing without changes", async () => {
    expect(await stage.publisher.leave()).to.equal("unchanged");
    write("New words.");
    stage.session.undo();
    expect(await stage.publisher.leave()).to.equal("unchanged");
    expect(stage.service.requests).to.deep.equal([]);
    expect(stage.publisher.state.kind).to.equal("idle");
  });

  it("repeats the same request after a lost answer and publishes once", async () => {
    write("New words.");
    stage.service.troubles = ["lost-after", "lost-before"];
    expect(await stage.publisher.leave()).to.equal("kept");
    expect((await kept())?.requestId).to.equal(stage.service.requests[0]?.requestId);
    await reached("published");
    expect(stage.service.requests).to.have.length(3);
    expect(new Set(stage.service.requests.map(({ requestId }) => requestId)).size).to.equal(1);
    expect(stage.service.revisions).to.have.length(2);
  });

  it("adopts its own publication whose answer was lost", async () => {
    write("First.");
    stage.service.troubles = ["lost-after"];
    await stage.publisher.leave();
    stage.publisher.stop();
    write("Second.");
    expect(await stage.publisher.publishNow()).to.equal("published");
    const ids = stage.service.requests.map(({ requestId }) => requestId);
    expect(new Set(ids).size).to.equal(2);
    expect(stage.service.revisions.map(({ course }) => course.topics[0]?.blocks[0]?.source).slice(1)).to.deep.equal(["First.", "Second."]);
  });

  it("recognises its own publication after normalisation by the service", async () => {
    const reorder = (title: string) =>
      stage.session.apply({ label: "Moved" }, (course) =>
        editTopic(moveContained(course, "topic-two", "part-one", 0), "topic-two", { title }),
      );
    reorder("Two ");
    stage.service.troubles = ["lost-after"];
    await stage.publisher.leave();
    stage.publisher.stop();
    expect(stage.service.live.course.topics.map(({ title }) => title)).to.deep.equal(["Two", "One"]);
    write("Second.");
    expect(await stage.publisher.publishNow()).to.equal("published");
    expect(stage.service.revisions).to.have.length(3);
    reorder("Two again ");
    stage.service.publishAs("acc_other000", stage.session.state.course);
    expect(await stage.publisher.publishNow()).to.equal("published");
    expect(stage.service.revisions).to.have.length(4);
  });

  it("remembers unanswered requests across a reload", async () => {
    const { courseId, service, drafts } = stage;
    write("First.");
    service.troubles = ["lost-after"];
    await stage.publisher.leave();
    stage.publisher.stop();
    write("Second.");
    await stage.autosave.flush();
    const draft = await kept();
    expect(draft).to.deep.include({ requestId: null, base: { sequence: 1, revisionId: "revision-1" } });
    const read = readStoredDraft(structuredClone(draft)) ?? expect.fail("no draft");
    stage.publisher.dispose();
    stage.autosave.dispose();
    const { course, ...base } = await service.source(courseId, read.base.revisionId);
    const session = new EditingSession({ base, baseCourse: course, course: read.course, renamedIds: [] });
    const autosave = new DraftAutosave({ session, drafts, courseId, accountId: "acc_owner000", draft: read });
    const publisher = new Publisher({ api: service, session, autosave, courseId, accountId: "acc_owner000" });
    expect(await publisher.publishNow()).to.equal("published");
    expect(service.revisions.map((one) => one.course.topics[0]?.blocks[0]?.source).slice(1)).to.deep.equal(["First.", "Second."]);
    expect((await kept())?.sent).to.equal(undefined);
    publisher.dispose();
    autosave.dispose();
  });

  it("has no conflict if somebody else published the same content", async () => {
    write("Same words.");
    stage.service.publishAs("acc_other000", stage.session.state.course);
    expect(await stage.publisher.leave()).to.equal("published");
    expect(stage.service.revisions).to.have.length(2);
    expect(stage.session.state.base.sequence).to.equal(2);
  });

  it("keeps the draft and reports a conflict with another publication", async () => {
    write("Mine.");
    const { live } = stage.service;
    stage.service.publishAs("acc_other000", editTopic(live.course, "topic-two", { title: "Theirs" }));
    expect(await stage.publisher.leave()).to.equal("kept");
    expect(stage.publisher.state).to.deep.equal({ kind: "conflict", live: { sequence: 2, revisionId: "revision-2" }, by: "another" });
    expect(await stage.publisher.publishNow()).to.equal("kept");
    expect(stage.service.requests).to.have.length(1);
    expect((await kept())?.course.topics[0]?.blocks[0]?.source).to.equal("Mine.");
  });

  it("reports validation errors before sending", async () => {
    write("---\nno end");
    stage.session.apply({ label: "Title" }, (course) => editTopic(course, "topic-two", { title: "" }));
    expect(await stage.publisher.leave()).to.equal("kept");
    const { state } = stage.publisher;
    expect(state.kind === "invalid" && state.errors.map(({ path }) => path)).to.include("topics.1.title");
    expect(stage.service.requests).to.deep.equal([]);
    stage.session.undo();
    expect(stage.publisher.state.kind).to.equal("idle");
  });

  it("publishes invalid formulas and lists those of changed pages", async () => {
    const { session, publisher } = stage;
    write("One $a$.\n\nTwo $\\frac{1$.");
    session.apply({ label: "Summary" }, (course) => editTopic(course, "topic-one", { summary: "With $\\nothing$." }));
    expect(await publisher.leave()).to.equal("published");
    const paths = () => publisher.state.kind === "published" && publisher.state.invalidFormulas.map(({ path }) => path);
    expect(paths()).to.deep.equal(["topics.0.summary", "topics.0.blocks.0.source:3"]);
    // What another publication does not touch is not named again.
    session.apply({ label: "Title" }, (course) => editTopic(course, "topic-two", { title: "Two, anew" }));
    expect(await publisher.leave()).to.equal("published");
    expect(paths()).to.deep.equal([]);
  });

  it("keeps the draft when the author stops it", async () => {
    write("New words.");
    stage.service.troubles = ["hang"];
    const leaving = stage.publisher.leave();
    while (stage.service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stage.publisher.stop();
    expect(await leaving).to.equal("kept");
    expect(stage.publisher.state.kind).to.equal("stopped");
    expect((await kept())?.course.topics[0]?.blocks[0]?.source).to.equal("New words.");
    expect(await stage.publisher.publishNow()).to.equal("published");
    expect(stage.service.requests[1]?.requestId).to.equal(stage.service.requests[0]?.requestId);
  });

  it("sends nothing after dispose and keeps the draft", async () => {
    const { service, publisher } = stage;
    write("New words.");
    service.troubles = ["lost-before"];
    expect(await publisher.leave()).to.equal("kept");
    expect(publisher.state.kind).to.equal("waiting");
    publisher.dispose();
    dispatchEvent(new Event("online"));
    expect([await publisher.leave(), await publisher.publishNow(), await publisher.resolved()]).to.deep.equal(["kept", "kept", "kept"]);
    expect((await kept())?.course.topics[0]?.blocks[0]?.source).to.equal("New words.");
    expect([service.requests.length, service.revisions.length]).to.deep.equal([1, 1]);
  });

  for (const [when, method] of [
    ["what is published is asked for", "source"],
    ["that is compared with what went out", "wasSent"],
  ] as const)
    it(`stays stopped where the author stops it while ${when}`, async () => {
      const { service, publisher, autosave } = stage;
      write("First.");
      service.troubles = ["lost-after"];
      await publisher.leave();
      publisher.stop();
      write("Second.");
      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      const held = async () => {
        asked.resolve();
        await answer.promise;
      };
      const source = service.source.bind(service);
      const wasSent = autosave.wasSent.bind(autosave);
      if (method === "source") service.source = (...of) => held().then(() => source(...of));
      else autosave.wasSent = (...of) => held().then(() => wasSent(...of));
      const ended = publisher.publishNow();
      await asked.promise;
      publisher.stop();
      expect(await ended).to.equal("kept");
      answer.resolve();
      // Whatever would have gone on goes on within these.
      await autosave.flush();
      await kept();
      await kept();
      expect(publisher.state.kind).to.equal("stopped");
      expect(stage.session.state.base.sequence).to.equal(1);
      expect([service.requests.length, service.revisions.length]).to.deep.equal([2, 2]);
    });

  it("keeps typing during a request as a draft on the new revision", async () => {
    write("Sent.");
    stage.service.troubles = ["lost-before"];
    await stage.publisher.leave();
    write("Sent, and more.");
    await reached("published");
    // The pause was over with what stood there then.
    expect(stage.service.live.course.topics[0]?.blocks[0]?.source).to.equal("Sent, and more.");
    write("And more.");
    expect(stage.session.changed).to.equal(true);
    await stage.autosave.flush();
    expect((await kept())?.base.sequence).to.equal(2);
    expect((await kept())?.receipt).to.equal(null);
  });

  it("publishes later typing when Edit is left during a request", async () => {
    const { service, publisher } = stage;
    const publish = service.publish.bind(service);
    let left: Promise<unknown> = Promise.resolve();
    service.publish = (...request) => {
      service.publish = publish;
      write("Written since.");
      left = publisher.leave();
      return publish(...request);
    };
    write("Sent.");
    expect(await publisher.publishNow()).to.equal("published");
    expect(await left).to.equal("published");
    expect(service.revisions.map(({ course }) => course.topics[0]?.blocks[0]?.source).slice(1)).to.deep.equal(["Sent.", "Written since."]);
    expect(stage.session.changed).to.equal(false);
  });

  it("asks before a file replaces a newer draft, but not an older one", async () => {
    const needs = { courseId: stage.courseId, session: stage.session, api: stage.service, autosave: stage.autosave };
    write("From the file.");
    await stage.autosave.flush();
    const saved = stage.autosave.snapshot();
    const older = new Blob([JSON.stringify({ ...saved, savedAt: "2026-01-02T10:00:00.000Z" })]);
    const newer = new Blob([JSON.stringify({ ...saved, savedAt: "2999-01-02T10:00:00.000Z" })]);
    const source = () => stage.session.state.course.topics[0]?.blocks[0]?.source;
    const answer = async (name: string) => {
      const dialog = await until(() => document.querySelector<HTMLDialogElement>("colloquy-newer-draft dialog[open]"), "the question");
      await expectAccessible(dialog);
      [...dialog.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click();
    };
    write("Written since.");
    await stage.autosave.flush();
    for (const [name, taken] of [
      ["Keep the newer one", false],
      ["Load the file", true],
    ] as const) {
      const taking = importDraftFile(older, needs);
      await answer(name);
      expect(await taking).to.deep.equal({ imported: taken, problem: null });
      expect(source()).to.equal(taken ? "From the file." : "Written since.");
      expect(document.querySelector("colloquy-newer-draft")).to.equal(null);
    }
    stage.session.undo();
    expect(source()).to.equal("Written since.");
    expect(await importDraftFile(newer, needs)).to.deep.equal({ imported: true, problem: null });
    expect(source()).to.equal("From the file.");
  });

  it("imports a file with a lost base over the live revision", async () => {
    write("Mine.");
    const lost = { ...stage.autosave.snapshot(), base: { sequence: 1, revisionId: "f".repeat(64) } };
    stage.session.undo();
    const needs = { courseId: stage.courseId, session: stage.session, api: stage.service, autosave: stage.autosave };
    expect(await importDraftFile(new Blob([JSON.stringify(lost)]), needs)).to.deep.equal({ imported: true, problem: null });
    expect(stage.session.state).to.deep.include({ base: lost.base, baseLost: true });
    expect(stage.session.state.course.topics[0]?.blocks[0]?.source).to.equal("Mine.");
    await stage.publisher.leave();
    expect(stage.publisher.state.kind).to.equal("conflict");
  });

  it("imports a file with another base and rejects other files", async () => {
    write("Mine.");
    const file = new Blob([JSON.stringify(stage.autosave.snapshot())]);
    stage.session.undo();
    stage.service.publishAs("acc_other000", editTopic(stage.service.live.course, "topic-two", { title: "Theirs" }));
    const { sequence, revisionId, course } = stage.service.live;
    stage.session.rebase({ sequence, revisionId }, course, course);
    const needs = { courseId: stage.courseId, session: stage.session, api: stage.service, autosave: stage.autosave };
    expect((await importDraftFile(new Blob(["{"]), needs)).problem).to.contain("not a course draft");
    expect((await importDraftFile(file, { ...needs, courseId: "another-course" })).problem).to.contain("another course");
    expect(stage.session.state.course).to.equal(course);
    expect(await importDraftFile(file, needs)).to.deep.equal({ imported: true, problem: null });
    expect(stage.session.state.base.sequence).to.equal(1);
    expect(stage.session.state.course.topics[0]?.blocks[0]?.source).to.equal("Mine.");
    await stage.publisher.leave();
    expect(stage.publisher.state.kind).to.equal("conflict");
  });
});
