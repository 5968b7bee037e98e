import { editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import { expect } from "chai";
import { uuidv7 } from "../api/uuid.ts";
import type { EditorBlock } from "../publication/block.ts";
import { Drafts } from "../publication/drafts.ts";
import { smallCourse } from "../publication/testing/course.ts";
import { deleteCourseDrafts } from "../store/course-drafts.ts";
import { loadTheme, until } from "../workspace/testing/browser.ts";
import { offerModes } from "./modes.ts";

const accountId = "acc_owner000";

describe("the modes of a page", function () {
  this.timeout(90_000);
  const { fetch } = window;
  const course = smallCourse(`course-${uuidv7()}`);
  const { courseId } = course.manifest;
  /** How the next questions whether the course may be edited are answered, before they are answered as they should be. */
  let troubles: ("none" | "down")[];
  before(loadTheme);
  beforeEach(() => {
    troubles = [];
    window.fetch = async (input, init) => {
      const address = String(input instanceof Request ? input.url : input);
      if (address.includes("/source")) return Response.json({ schemaVersion: 1, course, sequence: 1, revisionId: "revision-1" });
      const trouble = address.includes("/session") ? troubles.shift() : undefined;
      if (trouble === "none") throw new TypeError("nobody answers");
      if (trouble === "down") return new Response(null, { status: 503 });
      if (address.includes("/session")) return Response.json({ editable: true, base: { sequence: 1, revisionId: "revision-1" } });
      return address.includes("/api/") ? new Response(null, { status: 503 }) : fetch(input, init);
    };
  });
  afterEach(async () => {
    window.fetch = fetch;
    document.querySelector("main")?.remove();
    await deleteCourseDrafts(accountId);
  });

  const press = (on: Element, more: KeyboardEventInit = {}) =>
    on.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true, composed: true, ...more }));

  function page() {
    const main = document.body.appendChild(document.createElement("main"));
    main.innerHTML = '<div><button data-mode="read">Read</button><button data-mode="edit" hidden>Edit</button></div><article></article>';
    const [bar, published] = [main.querySelector("div"), main.querySelector("article")];
    const button = main.querySelector<HTMLButtonElement>("[data-mode='edit']");
    if (!bar || !published || !button) return expect.fail("no page");
    Object.assign(published.dataset, { account: accountId, course: courseId, topic: "topic-one", sequence: "1" });
    offerModes(bar, published);
    return button;
  }

  it("appear with the draft once the service is available again", async () => {
    const drafts = new Drafts();
    const draft: CourseDraft = {
      draftVersion: 1,
      courseId,
      accountId,
      base: { sequence: 1, revisionId: "revision-1" },
      course,
      renamedIds: [],
      savedAt: new Date().toISOString(),
      version: 1,
      requestId: null,
      receipt: null,
    };
    await drafts.save(draft, null);
    drafts.close();
    troubles = ["none", "down"];
    const button = page();
    await until(() => !button.hidden, "Edit");
    const offer = await until(() => document.querySelector("colloquy-return-offer"), "the draft that is offered");
    expect([troubles, offer.draft?.courseId]).to.deep.equal([[], courseId]);
    offer.remove();
  });

  it("stay in Edit until the author decides about unfinished text", async () => {
    const button = page();
    await until(() => !button.hidden, "Edit");
    button.click();
    const editor = await until(() => document.querySelector("colloquy-editor"), "the editor");
    editor.session?.apply({ label: "Emptied" }, (now) =>
      editTopic({ ...now, topics: now.topics.map((one) => ({ ...one, blocks: [] })) }, "topic-one", {}),
    );
    const read = document.querySelector<HTMLButtonElement>("[data-mode='read']");
    const question = () => document.querySelector<HTMLDialogElement>("colloquy-unfinished dialog[open]");
    read?.click();
    (await until(question, "the question")).close("");
    await until(() => !button.hasAttribute("aria-busy") && !read?.hasAttribute("aria-busy"), "the mode");
    expect(button.getAttribute("aria-pressed")).to.equal("true");
    read?.click();
    (await until(question, "the question")).close("publish");
    await until(() => read?.getAttribute("aria-pressed") === "true", "the page to read");
  });

  it("end by Escape one level at a time, but not by a held key", async () => {
    const button = page();
    await until(() => !button.hidden, "Edit");
    button.click();
    const isEditing = () => button.getAttribute("aria-pressed") === "true";
    await until(isEditing, "the draft");
    const editor = await until(() => document.querySelector("colloquy-editor"), "the editor");
    await editor.showBlock("topic-one", "block-text", "block");
    const chosen = () => editor.querySelector<EditorBlock>("colloquy-editor-block[chosen]");
    await until(chosen, "the chosen block");
    // As after an outline was closed: the focus is on its button, in the bar.
    button.focus();
    press(button);
    await until(() => !chosen(), "nothing chosen");
    press(button, { repeat: true });
    await until(() => !button.hasAttribute("aria-busy"), "the mode");
    expect(isEditing()).to.equal(true);
    press(button);
    await until(() => !isEditing(), "the page to read");
  });
});
