import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { deleteContained, editBlockSource, editCollection, editManifest, editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import type { EditorAssetResponse } from "@colloquy/schemas/publication/requests.ts";
import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { expectAccessible, loadTheme, until } from "../../workspace/testing/browser.ts";
import { Uploads } from "../fields/uploads.ts";
import { publishingStage } from "../testing/publishing.ts";
import { openConflict } from "./open.ts";
import { wordDifference } from "./word-difference.ts";

describe("the conflict sheet", function () {
  this.timeout(90_000);
  before(loadTheme);
  let stage: ReturnType<typeof publishingStage>;
  beforeEach(() => {
    stage = publishingStage();
  });
  afterEach(() => {
    for (const sheet of document.querySelectorAll("colloquy-conflict-sheet")) sheet.remove();
    stage.close();
  });

  /** What both did since the base, and the sheet that comes of it. */
  async function conflict(mine: (course: AuthoredCourse) => AuthoredCourse, theirs: (course: AuthoredCourse) => AuthoredCourse) {
    stage.session.apply({ label: "Mine" }, mine);
    stage.service.publishAs("acc_other000", theirs(stage.service.live.course));
    await stage.publisher.leave();
    expect(stage.publisher.state.kind).to.equal("conflict");
    const ended = openConflict(stage.publisher);
    const dialog = await until(() => document.querySelector<HTMLDialogElement>("colloquy-conflict-sheet dialog[open]"), "the sheet");
    return { ended, dialog };
  }
  const unit = (dialog: HTMLElement, title: string): HTMLElement =>
    [...dialog.querySelectorAll<HTMLElement>(".unit")].find((one) => one.querySelector("legend bdi")?.textContent === title) ??
    expect.fail(`no ${title}`);
  const radio = (within: HTMLElement, value: string): HTMLInputElement =>
    within.querySelector<HTMLInputElement>(`input[value=${value}]`) ?? expect.fail(`no ${value}`);
  const button = (dialog: HTMLElement, name: string): HTMLButtonElement =>
    [...dialog.querySelectorAll<HTMLButtonElement>("footer button")].find(({ textContent }) => textContent === name) ?? expect.fail(name);

  it("shows three versions and preselects changes of one side", async () => {
    const { dialog, ended } = await conflict(
      (course) => editTopic(editBlockSource(course, "block-text", "One is my **number**."), "topic-two", { title: "Two of mine" }),
      (course) => ({
        ...editBlockSource(course, "block-text", "One is their **number**."),
        manifest: { ...course.manifest, summary: "What everybody needs." },
      }),
    );
    expect(dialog.querySelector(".who")?.textContent).to.contain("Revision 2: published by another owner (acc_other000)");
    const both = unit(dialog, "One");
    expect([radio(both, "published").checked, radio(both, "draft").checked]).to.deep.equal([false, false]);
    expect(radio(unit(dialog, "Two"), "draft").checked).to.equal(true);
    expect(radio(unit(dialog, "A small course"), "published").checked).to.equal(true);
    expect([...both.querySelectorAll("ins")].map(({ textContent }) => textContent)).to.deep.equal(["their", "my"]);
    expect(both.querySelector(".deeds")?.textContent).to.contain("changed in the published course");
    await expectAccessible(dialog);
    button(dialog, "Publish the result").click();
    expect(dialog.open).to.equal(true);
    expect(document.activeElement).to.equal(radio(both, "published"));
    radio(both, "draft").click();
    await until(() => dialog.querySelector(".result"), "the result");
    dialog.querySelector("summary")?.click();
    await expectAccessible(dialog);
    button(dialog, "Publish the result").click();
    expect(await ended).to.deep.equal({ outcome: "published", problem: null });
    const { course, sequence } = stage.service.live;
    expect(sequence).to.equal(3);
    expect(course.topics.map(({ title }) => title)).to.deep.equal(["One", "Two of mine"]);
    expect(course.topics[0]?.blocks[0]?.source).to.equal("One is my **number**.");
    expect(course.manifest.summary).to.equal("What everybody needs.");
    expect(stage.service.requests.at(-1)?.base).to.deep.equal({ sequence: 2, revisionId: "revision-2" });
  });

  it("includes an upload that completes while it is open and asks again", async () => {
    const arrived = Promise.withResolvers<EditorAssetResponse>();
    const uploads = new Uploads({ session: stage.session, accountId: "acc_owner000", send: () => arrived.promise });
    const gif = new File(["GIF89a and so on"], "tree.gif", { type: "image/gif" });
    uploads.add(gif, "block-text", 0);
    uploads.add(gif, "block-two", 0);
    const { dialog, ended } = await conflict(
      (course) => editTopic(editTopic(course, "topic-one", { title: "One of mine" }), "topic-two", { title: "Two of mine" }),
      (course) => editTopic(editTopic(course, "topic-one", { title: "One of theirs" }), "topic-two", { title: "Two of theirs" }),
    );
    radio(unit(dialog, "One of theirs"), "draft").click();
    radio(unit(dialog, "Two of theirs"), "published").click();
    const status = (words: string) => until(() => dialog.querySelector("footer [role=status]")?.textContent === words, words);
    await status("Everything is decided.");
    arrived.resolve({ schemaVersion: 1, sha256: "a".repeat(64), bytes: 16, type: "image/gif" });
    await uploads.settled();
    await status("1 part to decide.");
    expect(radio(unit(dialog, "One of theirs"), "draft").checked).to.equal(true);
    const both = unit(dialog, "Two of theirs");
    expect([radio(both, "published").checked, radio(both, "draft").checked]).to.deep.equal([false, false]);
    radio(both, "draft").click();
    await status("Everything is decided.");
    button(dialog, "Publish the result").click();
    expect(await ended).to.deep.equal({ outcome: "published", problem: null });
    const { topics, assets } = stage.service.live.course;
    expect(topics.map(({ title, blocks }) => [title, blocks[0]?.source.includes("(assets/tree.gif)")])).to.deep.equal([
      ["One of mine", true],
      ["Two of mine", true],
    ]);
    expect(assets.map(({ path }) => path)).to.deep.equal(["assets/tree.gif"]);
  });

  it("closes on sign-out and publishes nothing", async () => {
    const { dialog, ended } = await conflict(
      (course) => editTopic(course, "topic-one", { title: "One of mine" }),
      (course) => editTopic(course, "topic-two", { title: "Two of theirs" }),
    );
    stage.publisher.dispose();
    expect(await ended).to.deep.equal({ outcome: "kept", problem: null });
    expect([dialog.isConnected, stage.service.requests.length]).to.deep.equal([false, 1]);
  });

  it("asks about every difference if the base is lost", async () => {
    stage.session.apply({ label: "Mine" }, (course) => editBlockSource(course, "block-text", "One is my **number**."));
    stage.service.publishAs("acc_other000", editTopic(stage.service.live.course, "topic-two", { title: "Two of theirs" }));
    stage.session.rebase({ sequence: 1, revisionId: "revision-lost" }, stage.service.live.course, undefined, true);
    await stage.publisher.leave();
    const ended = openConflict(stage.publisher);
    const dialog = await until(() => document.querySelector<HTMLDialogElement>("colloquy-conflict-sheet dialog[open]"), "the sheet");
    expect(dialog.querySelector("header")?.textContent).to.contain("changes cannot be attributed").and.not.contain("chosen already");
    expect([...dialog.querySelectorAll<HTMLInputElement>("input")].some(({ checked }) => checked)).to.equal(false);
    const one = unit(dialog, "One");
    expect(one.querySelector(".deeds")?.textContent).to.equal("different in the two versions");
    expect([...one.querySelectorAll(".version-name")].map(({ textContent }) => textContent)).to.deep.equal(["Published now", "Your draft"]);
    expect([...one.querySelectorAll("ins")].map(({ textContent }) => textContent?.trim())).to.deep.equal(["my"]);
    await expectAccessible(dialog);
    radio(one, "draft").click();
    radio(unit(dialog, "Two of theirs"), "published").click();
    await until(() => dialog.querySelector(".result"), "the result");
    button(dialog, "Publish the result").click();
    expect(await ended).to.deep.equal({ outcome: "published", problem: null });
    const { topics } = stage.service.live.course;
    expect([topics[0]?.blocks[0]?.source, topics[1]?.title]).to.deep.equal(["One is my **number**.", "Two of theirs"]);
    expect(stage.session.state.baseLost).to.equal(false);
  });

  it("folds unchanged lines and unfolds them in all versions", async () => {
    const lines = (changed: string) => [...Array(60).keys()].map((n) => (n === 40 ? changed : `Line ${n} of the text.`)).join("\n");
    stage.service.publishAs("acc_somebody", editBlockSource(stage.service.live.course, "block-text", lines("As it was.")));
    const { course, ...base } = stage.service.live;
    stage.session.rebase(base, course, course);
    const { dialog } = await conflict(
      (now) => editBlockSource(now, "block-text", lines("As I say.")),
      (now) => editBlockSource(now, "block-text", lines("As they say.")),
    );
    const versions = [...unit(dialog, "One").querySelectorAll("pre")];
    const folds = versions.map((version) => [...version.querySelectorAll("details")]);
    expect(folds.map((own) => own.map((fold) => fold.querySelector("summary")?.textContent))).to.deep.equal(
      Array(3).fill(["38 lines the same", "17 lines the same"]),
    );
    for (const version of versions) {
      const [box, place] = [version, version.querySelector(".first-change")].map((one) => one?.getBoundingClientRect());
      expect(place?.top).to.be.within(box?.top ?? 0, box?.bottom ?? 0);
    }
    await expectAccessible(dialog);
    const open = () => folds.map((own) => own.map((fold) => fold.open));
    folds[1]?.[0]?.querySelector("summary")?.click();
    expect(open()).to.deep.equal(Array(3).fill([true, false]));
    folds[2]?.[0]?.querySelector("summary")?.click();
    expect(open()).to.deep.equal(Array(3).fill([false, false]));
  });

  it("previews the merged pages without running their scripts", async () => {
    const hostile = '<img src=x onerror="window.ran = true"> and [two](topic:topic-two)';
    const { dialog } = await conflict(
      (course) => editBlockSource(course, "block-text", `One is **mine**. ${hostile}`),
      (course) => editBlockSource(course, "block-text", "One is **theirs**."),
    );
    radio(unit(dialog, "One"), "draft").click();
    const result = await until(() => dialog.querySelector<HTMLDetailsElement>(".result"), "the result");
    result.open = true;
    const [page, ...more] = result.querySelectorAll<HTMLDetailsElement>(".result-page");
    expect(more).to.deep.equal([]);
    expect(page?.querySelector(".prose")?.childElementCount).to.equal(0);
    page?.querySelector("summary")?.click();
    const shown = (words: string) => until(() => page?.querySelector("strong")?.textContent === words, words);
    await shown("mine");
    expect(page?.querySelectorAll(".block-code, .block-key-points").length).to.equal(2);
    expect(page?.querySelector("img, script, [onerror]")).to.equal(null);
    const link = page?.querySelector<HTMLAnchorElement>("a[href]") ?? expect.fail("no link");
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    expect([link.textContent, link.dispatchEvent(click)]).to.deep.equal(["two", false]);
    await expectAccessible(dialog);
    radio(unit(dialog, "One"), "published").click();
    await shown("theirs");
    expect(page?.open).to.equal(true);
    expect("ran" in window).to.equal(false);
  });

  it("previews the heads of pages, parts and the course", async () => {
    const { dialog } = await conflict(
      (course) =>
        editCollection(
          editTopic(course, "topic-one", { summary: "Said anew.", objectives: [{ id: "objective-one", text: "Count on." }] }),
          "part-one",
          {
            summary: "The part, in short.",
          },
        ),
      (course) => editManifest(course, { title: "Theirs now" }),
    );
    const result = await until(() => dialog.querySelector<HTMLDetailsElement>(".result"), "the result");
    result.open = true;
    for (const summary of result.querySelectorAll<HTMLElement>(".result-page > summary")) summary.click();
    const read = () => [...result.querySelectorAll(".as-read")].map((page) => page.textContent?.replaceAll(/\s+/g, " ").trim() ?? "");
    await until(() => read()[2]?.includes("One is a number."), "the text is drawn");
    expect(read()[0]).to.equal("Theirs now What is needed.");
    expect(read()[1]).to.equal("The first part The part, in short.");
    expect(read()[2]).to.match(/^One Said anew\. After this page you can\s?Count on\. /);
    await expectAccessible(dialog);
  });

  it("shows a change on the first screen of a phone", async () => {
    await setViewport({ width: 390, height: 844 });
    const { dialog } = await conflict(
      (course) => editBlockSource(course, "block-text", "One is my **number**."),
      (course) => editBlockSource(course, "block-text", "One is their **number**."),
    );
    const change = dialog.querySelector("ins")?.getBoundingClientRect();
    const footer = dialog.querySelector("footer")?.getBoundingClientRect();
    expect(change?.bottom).to.be.below(footer?.top ?? 0);
    expect(dialog.scrollWidth).to.be.at.most(dialog.clientWidth);
    await setViewport({ width: 1200, height: 800 });
  });

  it("scrolls to the first change if nothing can be folded", async () => {
    const words = (changed: string) => `${"Words that stay. ".repeat(300)}${changed}`;
    stage.service.publishAs("acc_somebody", editBlockSource(stage.service.live.course, "block-text", words("As it was.")));
    const { course, ...base } = stage.service.live;
    stage.session.rebase(base, course, course);
    const { dialog } = await conflict(
      (now) => editBlockSource(now, "block-text", words("As I say.")),
      (now) => editBlockSource(now, "block-text", words("As they say.")),
    );
    for (const version of unit(dialog, "One").querySelectorAll("pre")) {
      expect(version.querySelector("details")).to.equal(null);
      expect(version.scrollTop).to.be.above(0);
      const [box, place] = [version, version.querySelector(".first-change")].map((one) => one?.getBoundingClientRect());
      expect(place?.top).to.be.within(box?.top ?? 0, box?.bottom ?? 0);
    }
  });

  it("reports a part deleted on one side and changed on the other", async () => {
    const { dialog, ended } = await conflict(
      (course) => editTopic(course, "topic-two", { title: "Two, kept" }),
      (course) => editBlockSource(deleteContained(course, "topic-two"), "block-text", "No link any more."),
    );
    const both = unit(dialog, "Two, kept");
    expect(both.querySelector(".deeds")?.textContent).to.contain("removed in the published course");
    expect(both.querySelector(".deeds")?.textContent).to.contain("changed by you");
    expect(both.textContent).to.contain("Remove it, as published");
    radio(both, "draft").click();
    await until(() => dialog.querySelector(".result"), "the result");
    button(dialog, "Publish the result").click();
    expect((await ended).outcome).to.equal("published");
    expect(stage.service.live.course.topics.map(({ title }) => title)).to.deep.equal(["One", "Two, kept"]);
  });

  it("keeps the draft and restores focus when it is closed", async () => {
    const before = document.createElement("button");
    document.body.append(before);
    before.focus();
    const { dialog, ended } = await conflict(
      (course) => editBlockSource(course, "block-text", "Mine."),
      (course) => editBlockSource(course, "block-text", "Theirs."),
    );
    expect(dialog.contains(document.activeElement)).to.equal(true);
    dialog.requestClose?.();
    if (dialog.open) dialog.close();
    expect(await ended).to.deep.equal({ outcome: "kept", problem: null });
    expect(document.activeElement).to.equal(before);
    before.remove();
    expect(stage.session.state.course.topics[0]?.blocks[0]?.source).to.equal("Mine.");
    expect(stage.session.state.base.sequence).to.equal(1);
    expect(stage.service.revisions).to.have.length(2);
  });

  it("opens again if somebody publishes while it is open", async () => {
    const { dialog, ended } = await conflict(
      (course) => editBlockSource(course, "block-text", "Mine."),
      (course) => editBlockSource(course, "block-text", "Theirs."),
    );
    stage.service.publishAs("acc_other000", editBlockSource(stage.service.live.course, "block-text", "Theirs, again."));
    radio(unit(dialog, "One"), "draft").click();
    await until(() => dialog.querySelector(".result"), "the result");
    button(dialog, "Publish the result").click();
    expect((await ended).outcome).to.equal("kept");
    expect(stage.publisher.state).to.deep.equal({ kind: "conflict", by: "another", live: { sequence: 3, revisionId: "revision-3" } });
    expect(stage.service.live.course.topics[0]?.blocks[0]?.source).to.equal("Theirs, again.");
  });

  it("diffs words in any script", () => {
    expect(wordDifference("one two three", "one 2 three").map(({ kind, text }) => `${kind}:${text}`)).to.deep.equal([
      "same:one ",
      "removed:two",
      "added:2",
      "same: three",
    ]);
    expect(
      wordDifference("Here is a long text of many words that was thrown away.", "An eigenvector is new.").map(({ kind }) => kind),
    ).to.deep.equal(["removed", "added"]);
    const [before, after] = ["الأول والثاني", "الأول والثالث"];
    const pieces = wordDifference(before, after);
    const text = (...kinds: string[]) =>
      pieces
        .filter(({ kind }) => kinds.includes(kind))
        .map((piece) => piece.text)
        .join("");
    expect([text("same", "removed"), text("same", "added")]).to.deep.equal([before, after]);
  });
});
