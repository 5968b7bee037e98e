import { editBlockSource, editTopic, insertBlock } from "@colloquy/schemas/courses/editing/edit.ts";
import { starterSource } from "@colloquy/schemas/courses/editing/starters.ts";
import { remark } from "@colloquy/schemas/courses/remarks.ts";
import type { ErrorPlace } from "@colloquy/schemas/publication/places.ts";
import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { expectAccessible, loadTheme, mount, unmountAll, until } from "../../workspace/testing/browser.ts";
import { publishingStage } from "../testing/publishing.ts";
import "./status.ts";
import type { EditorStatus } from "./status.ts";

describe("the editor status", function () {
  this.timeout(90_000);
  before(loadTheme);
  let stage: ReturnType<typeof publishingStage>;
  let status: EditorStatus;
  let undone = 0;
  beforeEach(async () => {
    undone = 0;
    stage = publishingStage();
    const undo = () => (undone += 1);
    status = await mount<EditorStatus>(
      html`<colloquy-editor-status .publisher=${stage.publisher} .autosave=${stage.autosave} .tutored=${stage.tutored} .undo=${undo}></colloquy-editor-status>`,
    );
  });
  afterEach(() => {
    unmountAll();
    stage.close();
  });

  const write = (source: string): void =>
    stage.session.apply({ label: "Typing" }, (course) => editBlockSource(course, "block-text", source));
  const said = (): string => status.querySelector(".said")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  const says = (words: string) => until(() => said().includes(words), words);
  const button = (name: string): HTMLButtonElement =>
    [...status.querySelectorAll<HTMLButtonElement>(".actions button")].find(({ textContent }) => textContent === name) ??
    expect.fail(`no ${name} beside “${said()}”`);
  const live = (): string => status.querySelector("[role=status]")?.textContent ?? "";

  it("shows nothing without a draft", async () => {
    expect(status.querySelector(".pill")).to.equal(null);
    await expectAccessible(status);
  });

  it("shows when a draft was saved without announcing it; undoes", async () => {
    write("New words.");
    await stage.autosave.flush();
    await says("Draft saved");
    expect(said(), "and what Read does with it").to.contain("in this browser only until “Read” publishes it");
    expect(live()).to.equal("");
    button("Undo").click();
    expect(undone).to.equal(1);
    await expectAccessible(status);
  });

  it("warns about learners whose sessions restart, and announces it", async () => {
    const warning = (): string => status.querySelector(".warning")?.textContent ?? "";
    stage.service.learners = 12;
    write("New words.");
    await stage.autosave.flush();
    await until(() => warning().startsWith("12 learners are being tutored on text that you changed."), "the warning");
    expect(stage.service.places).to.deep.equal([["block-text"]]);
    expect(live()).to.equal(warning());
    await expectAccessible(status);
    stage.service.learners = "some";
    stage.session.apply({ label: "Title" }, (course) => editTopic(course, "topic-one", { summary: "Other words." }));
    await stage.autosave.flush();
    await until(() => warning().startsWith("Some learners are being tutored"), "a small number");
    expect(stage.service.places.at(-1)).to.include("block-text").and.to.have.length(2);
    button("Publish now").click();
    await says("Published");
    expect(warning()).to.equal("");
    write("Newer words.");
    stage.service.learners = 0;
    await stage.autosave.flush();
    await says("Draft saved");
    await until(() => stage.service.places.length === 3, "the question");
    expect(warning()).to.equal("");
  });

  it("hides the warning while typing in a low window", async () => {
    await setViewport({ width: 320, height: 420 });
    stage.service.learners = 12;
    write("New words.");
    await stage.autosave.flush();
    const isShown = (): boolean => status.querySelector(".warning")?.checkVisibility() ?? false;
    await until(isShown, "the warning");
    const field = await mount<HTMLElement>(html`<colloquy-block-field><textarea aria-label="Text"></textarea></colloquy-block-field>`);
    field.querySelector("textarea")?.focus();
    expect(isShown()).to.equal(false);
    await setViewport({ width: 320, height: 660 });
    await until(isShown, "the warning where there is room");
    await setViewport({ width: 320, height: 420 });
    button("Publish now").focus();
    expect(isShown()).to.equal(true);
    await setViewport({ width: 800, height: 600 });
  });

  it("announces a publication and closes on request", async () => {
    write("New words.");
    await stage.autosave.flush();
    await says("Draft saved");
    button("Publish now").click();
    await says("Published");
    expect(said()).to.contain("for everyone");
    await until(() => live().includes("for everyone"), "the announcement");
    await expectAccessible(status);
    button("Close").click();
    await until(() => !status.querySelector(".pill"), "nothing to say");
  });

  it("stops publishing by keyboard", async () => {
    stage.service.troubles = ["hang"];
    write("New words.");
    void stage.publisher.leave();
    await says("Publishing…");
    button("Stop").focus();
    expect(document.activeElement).to.equal(button("Stop"));
    button("Stop").click();
    await says("Publishing stopped");
    await expectAccessible(status);
  });

  it("keeps the same Stop button between retries", async () => {
    stage.service.troubles = [{ code: "rate_limited", status: 429, retryAfterSeconds: 60 }, "hang"];
    write("New words.");
    await stage.publisher.leave();
    await says("Too many publications at once");
    const stop = button("Stop");
    stop.focus();
    void stage.publisher.publishNow();
    await says("Publishing…");
    expect(button("Stop")).to.equal(stop);
    expect(document.activeElement).to.equal(stop);
    stop.click();
    await says("Publishing stopped");
  });

  it("counts down silently to a retry and retries at once on request", async () => {
    stage.service.troubles = [{ code: "rate_limited", status: 429, retryAfterSeconds: 60 }];
    write("New words.");
    await stage.publisher.leave();
    await says("Too many publications at once");
    expect(said()).to.match(/again in \d+ seconds/);
    expect(live()).to.not.match(/\d/);
    await expectAccessible(status);
    button("Try again").click();
    await says("Published");
  });

  it("offers to save and import a copy after a permanent failure", async () => {
    stage.service.troubles = [{ code: "invalid_request", status: 400 }];
    write("New words.");
    await stage.publisher.leave();
    await says("Not published: this page does not fit the service any more");
    expect(said()).to.contain("in this browser only");
    button("Save a copy");
    const input = status.querySelector<HTMLInputElement>("input[type=file]") ?? expect.fail("no way to take a copy in");
    await expectAccessible(status);
    const files = new DataTransfer();
    files.items.add(new File(["{}"], "draft.json"));
    input.files = files.files;
    input.dispatchEvent(new Event("change"));
    await until(() => status.querySelector("[role=alert]")?.textContent?.includes("not a course draft"), "why it was refused");
  });

  it("offers to sign in after a session ended", async () => {
    stage.service.troubles = [{ code: "sign_in_required", status: 401 }];
    write("New words.");
    await stage.publisher.leave();
    await says("Not published: sign in to continue");
    expect(status.querySelector<HTMLAnchorElement>("a")?.getAttribute("href")).to.contain("/sign-in?return=");
    await expectAccessible(status);
  });

  it("lists validation errors and goes to their places", async () => {
    stage.session.apply({ label: "Title" }, (course) => editTopic(course, "topic-two", { title: "" }));
    write("---\nno end");
    await stage.publisher.leave();
    await says("to fix");
    expect(status.querySelector(".errors")?.textContent).to.contain("Title: ");
    const places: ErrorPlace[] = [];
    status.addEventListener("colloquy-place-wanted", ({ place }) => places.push(place));
    for (const error of status.querySelectorAll<HTMLButtonElement>(".errors button")) error.click();
    expect(places.map(({ kind, topicId, field }) => [kind, topicId, field])).to.deep.include(["topic", "topic-two", "title"]);
    await expectAccessible(status);
  });

  it("keeps the list open, and the focus in it, while its problems are repaired", async () => {
    write("See [one](#gone) and\n\nsee [two][there].\n\n[there]: #lost\n");
    await stage.publisher.leave();
    const places: ErrorPlace[] = [];
    status.addEventListener("colloquy-place-wanted", ({ place }) => places.push(place));
    const remove = () => [...status.querySelectorAll<HTMLButtonElement>(".errors .remove")];
    await until(() => remove().length === 2, "two problems");
    remove()[0]?.click();
    await until(() => remove().length === 1, "one problem");
    expect(said()).to.contain("1 problem to fix");
    await until(() => document.activeElement === status.querySelector(".errors li button"), "the focus on what is left");
    expect(places, "nothing leads elsewhere").to.deep.equal([]);
    remove()[0]?.click();
    await until(() => !status.querySelector(".errors"), "nothing left");
    await until(() => places.length === 1, "its place");
    expect(stage.session.state.course.topics[0]?.blocks[0]?.source).to.equal("See one and\n\nsee two.");
  });

  it("closes and reopens the list of errors", async () => {
    const errors = () => status.querySelector(".errors");
    const close = () => status.querySelector<HTMLButtonElement>(".errors .fold") ?? expect.fail("no way to close the list");
    const writing = await mount<HTMLTextAreaElement>(html`<textarea aria-label="Text"></textarea>`);
    stage.session.apply({ label: "Title" }, (course) => editTopic(course, "topic-two", { title: "" }));
    await stage.publisher.leave();
    await until(errors, "the list");
    writing.focus();
    close().focus();
    close().click();
    await until(() => !errors(), "the list is closed");
    expect(document.activeElement, "back where it was").to.equal(writing);
    expect(said()).to.contain("to fix");
    await expectAccessible(status);
    button("Show the list").focus();
    button("Show the list").click();
    const first = await until(() => errors()?.querySelector<HTMLButtonElement>("li button"), "the list again");
    await until(() => document.activeElement === first, "what is first");
    first.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
    await until(() => !errors(), "closed by the keyboard");
    await until(() => document.activeElement === button("Show the list"), "what opens it again");
    button("Try again").click();
    await until(errors, "what is refused anew is listed again");
  });

  it("saves a copy of a draft that cannot be published", async () => {
    stage.session.apply({ label: "Title" }, (course) => editTopic(course, "topic-two", { title: "" }));
    await stage.publisher.leave();
    await says("to fix");
    let name = "";
    const saved = (event: Event) => {
      if (!(event.target instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      name = event.target.download;
    };
    const { click } = HTMLAnchorElement.prototype;
    // A link outside the page sends no event to it.
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      this.addEventListener("click", saved, { once: true });
      click.call(this);
    };
    try {
      button("Save a copy").click();
    } finally {
      HTMLAnchorElement.prototype.click = click;
    }
    expect(name).to.match(/-draft-\d+\.json$/);
  });

  it("opens the conflict sheet by itself and on request", async () => {
    write("Mine.");
    stage.service.publishAs("acc_other000", editBlockSource(stage.service.live.course, "block-text", "Theirs."));
    await stage.publisher.leave();
    const dialog = () => document.querySelector<HTMLDialogElement>("colloquy-conflict-sheet dialog[open]");
    (await until(dialog, "the sheet")).close();
    await until(() => live() === "Nothing was published. Your draft is kept in this browser.", "what became of the draft");
    expect(stage.session.state.course.topics[0]?.blocks[0]?.source).to.equal("Mine.");
    button("Compare and choose").click();
    (await until(dialog, "the sheet again")).close();
    await until(() => !document.querySelector("colloquy-conflict-sheet"), "the page without a sheet");
  });

  it("says what to do about a refusal, in no words of the service", async () => {
    const fields = [
      { path: "topics.0.blocks.2.source", message: "Too big: expected string to have <=65536 characters" },
      { path: "topics.1.id", ...remark("rename-known", { id: "topic-gone" }) },
    ];
    stage.service.troubles = [
      { code: "course_invalid", status: 422, fields },
      { code: "invalid_request", status: 400 },
      { code: "not_owner", status: 403 },
      { code: "course_not_editable", status: 403 },
    ];
    write("New words.");
    await stage.publisher.publishNow();
    await says("Not published: 2 problems");
    const listed = [...status.querySelectorAll(".errors li")].map((one) => one.textContent?.replace(/\s+/g, " ").trim());
    expect(listed).to.deep.equal([
      "The service does not accept this as it is. Change or delete it, then publish again.One, block 3 (Key points)",
      "Id: the id “topic-gone” belonged to something else before: choose another id for this pageTwo".replaceAll(/[“”]/g, '"'),
    ]);
    await expectAccessible(status);
    button("Try again").click();
    await says("Not published: this page does not fit the service any more");
    expect(said()).to.contain("reload the page");
    button("Reload the page");
    button("Try again").click();
    await says("Sign in as an owner of this course in another tab");
    button("Try again").click();
    await says("ask who runs this site");
    expect(live()).to.contain("ask who runs this site");
  });

  it("removes a link to a deleted block from the list of problems", async () => {
    const places: (string | null)[] = [];
    status.addEventListener("colloquy-place-wanted", ({ place }) => places.push(place.id));
    write("First.\n\nSee [there](#block-deleted).");
    await stage.publisher.publishNow();
    await says("Not published: 1 problem");
    expect(status.querySelector(".errors li button")?.textContent?.replace(/\s+/g, " "))
      .to.contain("change or remove the link")
      .and.contain("One, block 1 (Text), line 3");
    await expectAccessible(status);
    status.querySelector<HTMLElement>(".errors .remove")?.click();
    expect(stage.session.state.course.topics[0]?.blocks[0]?.source).to.equal("First.\n\nSee there.");
    await until(() => places.length === 1, "where it stood");
    expect(places).to.deep.equal(["block-text"]);
    await stage.publisher.publishNow();
    await says("Published");
  });

  it("removes a question's reference to a deleted block from the list of problems", async () => {
    const question =
      "---\nkind: single\nabout: block-deleted, block-text\n---\nWhich?\n\n- [x] This\n- [ ] That\n\n::: explanation\nIt says so.\n:::\n";
    stage.session.apply({ label: "Inserted" }, (course) =>
      insertBlock(course, "topic-one", 1, { id: "block-asks", type: "core.question", source: question }),
    );
    await stage.publisher.publishNow();
    await says("Not published: 1 problem");
    expect(status.querySelector(".errors li button")?.textContent).to.contain("block-deleted").and.contain("Question");
    status.querySelector<HTMLElement>(".errors .remove")?.click();
    expect(stage.session.state.course.topics[0]?.blocks[1]?.source).to.contain("about: block-text\n");
    await stage.publisher.publishNow();
    await says("Published");
  });

  it("asks by name before unfinished text is published", async () => {
    stage.session.apply({ label: "Inserted" }, (course) =>
      insertBlock(course, "topic-one", 1, { id: "block-new", type: "core.exercise", source: starterSource("core.exercise") }),
    );
    await stage.autosave.flush();
    await says("Draft saved");
    const dialog = () => document.querySelector("colloquy-unfinished dialog");
    const choose = async (name: string) => {
      await until(() => dialog()?.hasAttribute("open"), "the question");
      const found = [...(dialog()?.querySelectorAll("button") ?? [])].find(({ textContent }) => textContent?.includes(name));
      (found ?? expect.fail(`no ${name}`)).click();
      await until(() => !dialog(), "the end of the question");
    };
    const places: (string | null)[] = [];
    status.addEventListener("colloquy-place-wanted", ({ place }) => places.push(place.id));
    button("Publish now").click();
    await until(() => dialog()?.hasAttribute("open"), "the question");
    expect(dialog()?.querySelector("li")?.textContent)
      .to.contain("One, block 2 (Exercise)")
      .and.contain("text that a new block begins with");
    await expectAccessible(dialog()?.parentElement as HTMLElement);
    await choose("Continue editing");
    button("Publish now").click();
    await choose("One, block 2");
    expect([places, stage.service.requests.length]).to.deep.equal([["block-new"], 0]);
    button("Publish now").click();
    await choose("Publish anyway");
    await says("Published");
  });

  it("asks before a picture is published that nobody described", async () => {
    write("One.\n\n![Describe the picture](https://example.org/a-tree.png)");
    await stage.autosave.flush();
    button("Publish now").click();
    const dialog = await until(() => document.querySelector("colloquy-unfinished dialog[open]"), "the question");
    expect(dialog.querySelector("li")?.textContent).to.contain("One, block 1 (Text)").and.contain("not described yet");
    await expectAccessible(dialog.parentElement as HTMLElement);
    [...dialog.querySelectorAll("button")].find(({ textContent }) => textContent?.includes("Continue editing"))?.click();
    await until(() => !document.querySelector("colloquy-unfinished"), "the end of the question");
    expect(stage.service.requests).to.deep.equal([]);
  });

  it("lists published invalid formulas until fixed or closed", async () => {
    write("One.\n\nTwo $\\frac{1$.");
    await stage.publisher.leave();
    await says("for everyone; 1 formula has an error");
    const list = status.querySelector<HTMLElement>(".errors") ?? expect.fail("no list");
    expect(list.textContent).to.contain("This formula has an error").and.contain("One, block 1 (Text), line 3");
    await expectAccessible(status);
    let wanted: ErrorPlace | null = null;
    status.addEventListener("colloquy-place-wanted", ({ place }) => (wanted = place), { once: true });
    list.querySelector<HTMLElement>("li button")?.click();
    expect(wanted).to.deep.include({ kind: "block", id: "block-text", line: 3 });
    button("Close").click();
    await until(() => !status.querySelector(".errors, .pill"), "it is put away");
  });

  for (const [account, words] of [
    ["acc_owner000", "published by you, in another window or on another device"],
    ["acc_other000", "published by another owner"],
  ] as const)
    it(`names the other publisher: ${words}`, async () => {
      write("Mine.");
      stage.service.publishAs(account, editBlockSource(stage.service.live.course, "block-text", "Theirs."));
      await stage.publisher.leave();
      const dialog = await until(() => document.querySelector<HTMLDialogElement>("colloquy-conflict-sheet dialog[open]"), "the sheet");
      expect(dialog.querySelector(".who")?.textContent).to.contain(words);
      await says(words);
      dialog.close();
      await until(() => !document.querySelector("colloquy-conflict-sheet"), "the page without a sheet");
    });
});
