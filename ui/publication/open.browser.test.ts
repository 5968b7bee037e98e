import { editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import { renameContainer } from "@colloquy/schemas/courses/editing/rename.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import type { EditorSourceResponse } from "@colloquy/schemas/publication/requests.ts";
import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import { deleteCourseDrafts } from "../store/course-drafts.ts";
import { loadTheme, until } from "../workspace/testing/browser.ts";
import { Drafts } from "./drafts.ts";
import { type Editor, openEditor } from "./open.ts";
import { PageWantedEvent } from "./outline/events.ts";
import { rename } from "./outline/outline-actions.ts";
import { smallCourse } from "./testing/course.ts";

const accountId = "acc_owner000";

describe("opening the editor", function () {
  this.timeout(90_000);
  const { fetch } = window;
  const course = smallCourse(`course-${uuidv7()}`);
  const { courseId } = course.manifest;
  let sent: string[];
  let source: EditorSourceResponse;
  before(loadTheme);
  beforeEach(() => {
    sent = [];
    source = { schemaVersion: 1, course, sequence: 1, revisionId: "revision-1" };
    window.fetch = async (input, init) => {
      const address = String(input instanceof Request ? input.url : input);
      if (!address.includes("/api/course-editor/")) return fetch(input, init);
      if (address.includes("/source")) return Response.json(source);
      sent.push(address);
      return new Response(null, { status: 503 });
    };
  });
  afterEach(async () => {
    window.fetch = fetch;
    document.querySelector("main")?.remove();
    await deleteCourseDrafts(accountId);
  });

  it("rebases an unchanged session on re-entry, but not a changed one", async () => {
    const main = document.body.appendChild(document.createElement("main"));
    const [bar, published] = [main.appendChild(document.createElement("div")), main.appendChild(document.createElement("article"))];
    Object.assign(published.dataset, { course: courseId, topic: "topic-one", sequence: "1" });
    const editor = await openEditor({ accountId, courseId, published, bar, live: source, toMode: () => undefined });
    await editor.enter();
    const element = await until(() => document.querySelector("colloquy-editor"), "the draft");
    const session = element.session ?? expect.fail("no session");
    const publish = (sequence: number, title: string): void => {
      source = { ...source, course: editTopic(course, "topic-one", { title }), sequence, revisionId: `revision-${sequence}` };
      published.dataset.sequence = String(sequence);
    };
    const shown = () => [session.state.base.sequence, session.changed, session.state.course.topics[0]?.title];
    editor.leave();
    await until(() => !element.isConnected, "the page as it is published");
    publish(2, "Theirs");
    await editor.enter();
    expect(shown()).to.deep.equal([2, false, "Theirs"]);
    session.apply({ label: "Title" }, (now) => editTopic(now, "topic-one", { title: "Mine" }));
    editor.leave();
    publish(3, "Theirs again");
    await editor.enter();
    expect(shown()).to.deep.equal([2, true, "Mine"]);
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId, from: "another tab" });
    await until(() => !element.isConnected, "the page as it is published");
    other.close();
  });

  it("opens the page itself when a draft has renamed it, and follows undo to its former id", async () => {
    const drafts = new Drafts();
    const renamed = renameContainer(course, "topic-one", "topic-first", uuidv7) ?? expect.fail("not renamed");
    const draft: CourseDraft = {
      draftVersion: 1,
      courseId,
      accountId,
      base: { sequence: 1, revisionId: "revision-1" },
      ...renamed,
      savedAt: new Date().toISOString(),
      version: 1,
      requestId: null,
      receipt: null,
    };
    await drafts.save(draft, null);
    const main = document.body.appendChild(document.createElement("main"));
    const [bar, published] = [main.appendChild(document.createElement("div")), main.appendChild(document.createElement("article"))];
    Object.assign(published.dataset, { course: courseId, topic: "topic-one", sequence: "1" });
    const editor = await openEditor({ accountId, courseId, published, bar, live: source, toMode: () => undefined });
    await editor.enter();
    const element = await until(() => document.querySelector("colloquy-editor"), "the draft");
    expect(element.pageId).to.equal("topic-first");
    const session = element.session ?? expect.fail("no session");
    rename(session, "topic-first", "topic-second");
    await until(() => element.pageId === "topic-second", "the page under its next id");
    session.undo();
    await until(() => element.pageId === "topic-first", "the page under its former id");
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId, from: "another tab" });
    await until(() => !element.isConnected, "the page as it is published");
    other.close();
    drafts.close();
  });

  it("puts a question of the bank behind its passages, once, and retires it where its owner decides so", async () => {
    const main = document.body.appendChild(document.createElement("main"));
    const [bar, published] = [main.appendChild(document.createElement("div")), main.appendChild(document.createElement("article"))];
    Object.assign(published.dataset, { course: courseId, topic: "topic-one", sequence: "1" });
    const wanted: string[] = [];
    const editor = await openEditor({ accountId, courseId, published, bar, live: source, toMode: (mode) => void wanted.push(mode) });
    const body = "What is one?\n\n- [x] a number\n- [ ] a letter\n\n::: explanation\nSo.\n:::";
    const addition = { topicId: "topic-one", after: "block-code", source: `---\nkind: single\nplace: bank\n---\n${body}` };
    editor.add(addition);
    expect(wanted).to.deep.equal(["edit"]);
    await editor.enter();
    const element = await until(() => document.querySelector("colloquy-editor"), "the draft");
    const session = element.session ?? expect.fail("no session");
    const blocks = () => session.state.course.topics[0]?.blocks ?? [];
    expect(blocks().map(({ type }) => type)).to.deep.equal(["core.theory", "core.code", "core.question", "core.key-points"]);
    const [, , added] = blocks();
    await until(() => document.activeElement?.closest(`[data-block-id="${added?.id}"]`), "its field");
    editor.add(addition);
    expect(blocks()).to.have.length(4);
    editor.add({ ...addition, source: addition.source.replace("place: bank", "place: bank\nretired: true") });
    expect(blocks()[2]).to.deep.include({ id: added?.id, source: `---\nkind: single\nplace: bank\nretired: true\n---\n${body}` });
    editor.add({ ...addition, after: "block-gone", source: addition.source.replace("What is one?", "And two?") });
    expect(blocks()[4]?.source).to.include("And two?");
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId, from: "another tab" });
    await until(() => !element.isConnected, "the page as it is published");
    other.close();
  });

  it("frames a topic that is edited from the front of its course, with Draw", async () => {
    const modes = document.body.appendChild(document.createElement("section"));
    modes.className = "page-modes";
    modes.innerHTML = '<div class="modes"></div>';
    document.body.classList.add("front");
    const main = document.body.appendChild(document.createElement("main"));
    const published = main.appendChild(document.createElement("div"));
    Object.assign(published.dataset, { course: courseId, collection: "", sequence: "1" });
    const wanted: string[] = [];
    const toMode = (mode: string) => void wanted.push(mode);
    const editor = await openEditor({ accountId, courseId, published, bar: modes, live: source, toMode });
    await editor.enter();
    const element = await until(() => document.querySelector("colloquy-editor"), "the draft");
    expect(document.querySelector(".side")).to.equal(null);
    element.dispatchEvent(new PageWantedEvent("topic-one"));
    await until(() => document.querySelector(".side [aria-current=page]")?.textContent === "One", "the contents");
    expect(document.body.className).to.equal("reading");
    [...modes.querySelectorAll("button")].find(({ textContent }) => textContent === "Draw")?.click();
    expect(wanted).to.deep.equal(["read"]);
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId, from: "another tab" });
    await until(() => !element.isConnected, "the page as it is published");
    other.close();
    expect([document.body.className, document.querySelector(".side")]).to.deep.equal(["front", null]);
    document.body.classList.remove("front");
    modes.remove();
  });

  it("notes a newer revision when editing continues a draft without asking", async () => {
    const drafts = new Drafts();
    const mine = editTopic(course, "topic-one", { title: "Mine" });
    const draft: CourseDraft = {
      draftVersion: 1,
      courseId,
      accountId,
      base: { sequence: 1, revisionId: "revision-1" },
      course: mine,
      renamedIds: [],
      savedAt: new Date().toISOString(),
      version: 1,
      requestId: null,
      receipt: null,
    };
    await drafts.save(draft, null);
    const main = document.body.appendChild(document.createElement("main"));
    const [bar, published] = [main.appendChild(document.createElement("div")), main.appendChild(document.createElement("article"))];
    Object.assign(published.dataset, { course: courseId, topic: "topic-one", sequence: "3" });
    const live = { sequence: 3, revisionId: "revision-3" };
    const editor = await openEditor({ accountId, courseId, published, bar, live, toMode: () => undefined });
    await until(() => document.querySelector("colloquy-return-offer"), "the offer, which is left unanswered");
    await editor.enter();
    await until(
      () => document.querySelector("colloquy-editor-status")?.textContent?.includes("based on revision 1. Revision 3 is published now"),
      "what the draft began from",
    );
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId, from: "another tab" });
    await until(() => !document.querySelector("colloquy-editor"), "the page as it is published");
    other.close();
    drafts.close();
  });

  it("reports a course that cannot be loaded and retries on request", async () => {
    const main = document.body.appendChild(document.createElement("main"));
    const [bar, published] = [main.appendChild(document.createElement("div")), main.appendChild(document.createElement("article"))];
    Object.assign(published.dataset, { course: courseId, topic: "topic-one", sequence: "1" });
    const modes: string[] = [];
    const editor = await openEditor({ accountId, courseId, published, bar, live: source, toMode: (mode) => void modes.push(mode) });
    const given = window.fetch;
    window.fetch = async () => new Response(null, { status: 503 });
    const notes = () => [...document.querySelectorAll(".cited-note")];
    expect(await editor.enter()).to.equal(false);
    expect(await editor.enter()).to.equal(false);
    const again = await until(() => notes()[0]?.querySelector("button"), "another try");
    expect([notes().length, notes()[0]?.textContent, published.hidden]).to.deep.equal([
      1,
      "What is published could not be read, so there is nothing to edit yet. A draft of yours stays in this browser.Try again",
      false,
    ]);
    again.click();
    expect([modes, notes()]).to.deep.equal([["edit"], []]);
    window.fetch = given;
    expect(await editor.enter()).to.equal(true);
    const element = await until(() => document.querySelector("colloquy-editor"), "the draft");
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId, from: "another tab" });
    await until(() => !element.isConnected, "the page as it is published");
    other.close();
  });

  it("reports a failed upload after its field was closed, with a link to it", async () => {
    const main = document.body.appendChild(document.createElement("main"));
    const [bar, published] = [main.appendChild(document.createElement("div")), main.appendChild(document.createElement("article"))];
    Object.assign(published.dataset, { course: courseId, topic: "topic-one", sequence: "1" });
    const editor = await openEditor({ accountId, courseId, published, bar, live: source, toMode: () => undefined });
    await editor.enter();
    const element = await until(() => document.querySelector("colloquy-editor"), "the draft");
    element.uploads?.add(new File(["no picture"], "notes.txt"), "block-text", 0);
    const note = await until(() => document.querySelector("colloquy-editor-status .cited-note button"), "the note");
    expect(note.parentElement?.textContent).to.match(/^“notes.txt” is not a supported picture/);
    (note as HTMLElement).click();
    const field = await until(() => element.querySelector("colloquy-block-field"), "its field");
    expect(field.blockId).to.equal("block-text");
    await until(() => field.querySelector(".uploads .failed"), "why, once more");
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId, from: "another tab" });
    await until(() => !element.isConnected, "the page as it is published");
    other.close();
  });

  it("publishes nothing and hides the draft after sign-out in another tab", async () => {
    const main = document.body.appendChild(document.createElement("main"));
    const [bar, published] = [main.appendChild(document.createElement("div")), main.appendChild(document.createElement("article"))];
    Object.assign(published.dataset, { course: courseId, topic: "topic-one", sequence: "1" });
    const modes: string[] = [];
    let editor: Editor | null = null;
    const toMode = (mode: string): void => {
      modes.push(mode);
      if (mode === "read") editor?.leave();
    };
    editor = await openEditor({ accountId, courseId, published, bar, live: { sequence: 1, revisionId: "revision-1" }, toMode });
    await editor.enter();
    const element = await until(() => document.querySelector("colloquy-editor"), "the draft");
    element.session?.apply({ label: "Title" }, (now) => editTopic(now, "topic-one", { title: "Not to go out" }));
    const other = new BroadcastChannel("colloquy-account");
    other.postMessage({ accountId, from: "another tab" });
    await until(() => !element.isConnected && modes.length, "the page as it is published");
    other.close();
    dispatchEvent(new Event("online"));
    // Time enough for whatever would go out.
    const drafts = new Drafts();
    for (let look = 0; look < 5; look += 1) await drafts.open(courseId, accountId);
    drafts.close();
    expect([modes, sent]).to.deep.equal([["read"], []]);
    expect(document.querySelector("colloquy-editor-status")).to.equal(null);
  });
});
