import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { Browser } from "playwright-core";
import { eventually, eventuallyLater, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { waitUntilStored } from "./browser-storage.ts";
import { type Program, startProgram } from "./program.ts";
import { publishShortCourse } from "./short-course.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;
const courseId = "drafted-maps";
const path = `/courses/${courseId}/directions-that-stay/eigenvectors`;

describe("a draft of a course follows its author", () => {
  let program: Program;
  let browser: Browser;
  let owner: Visitor;

  before(async () => {
    program = await startProgram();
    await publishShortCourse(program, courseId);
    browser = await openBrowser();
    owner = await openVisitor(browser, { width: 1440, height: 900 });
    await owner.page.goto(`${program.url}/auth/demo?as=owner&return=${encodeURIComponent(path)}`);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const page = () => owner.page;
  const mode = (name: string) => page().getByRole("region", { name: "Mode" }).getByRole("button", { name, exact: true });
  const blocks = () => page().locator("colloquy-editor-block");
  const tools = () => page().locator("colloquy-editor-block[chosen] colloquy-block-toolbar");
  const pill = () => page().getByRole("group", { name: "Draft and publication" });
  const offer = () => page().getByRole("region", { name: "Your draft of this course" });
  const undo = () => page().locator("colloquy-editing-tools button").first();
  const count = async (wanted: number) => {
    await page().waitForFunction((all) => document.querySelectorAll("colloquy-editor-block").length === all, wanted);
  };
  let copy = "";

  it("is announced in another open tab and continues there", async () => {
    const other = await owner.context.newPage();
    await other.goto(program.url + path);
    const modeThere = (name: string) => other.getByRole("region", { name: "Mode" }).getByRole("button", { name, exact: true });
    const reading = await owner.context.newPage();
    await reading.goto(program.url + path);
    await mode("Edit").click();
    const summary = page().locator('colloquy-page-head [data-field="summary"]');
    const notice = reading.getByRole("region", { name: "Your draft of this course" });
    const heading = notice.getByRole("heading", { name: "Another tab is editing this course" });
    let words = "";
    let saves = 0;
    // Written on, because a page looks for drafts only once it is at rest.
    await eventually(async () => {
      words = `Written in the first tab, ${++saves}.`;
      await summary.fill(words);
      await waitUntilStored(page(), words);
      expect(await heading.count()).to.equal(1);
    });
    expect(await notice.getByRole("button", { name: "Discard…" }).count(), "it is in use").to.equal(0);
    await modeThere("Edit").click();
    await other.locator('colloquy-page-head [data-field="summary"]').waitFor();
    expect(await other.locator('colloquy-page-head [data-field="summary"]').inputValue()).to.equal(words);
    await summary.fill("Written on in the first tab.");
    await other.getByText("This draft was changed in another tab.").waitFor();
    await pill().getByRole("button", { name: "Discard draft…" }).click();
    await page().getByRole("dialog", { name: "Discard this draft?" }).getByRole("button", { name: "Discard draft", exact: true }).click();
    await notice.waitFor({ state: "detached" });
    await other.close();
    await reading.close();
    await page().goto(program.url + path);
  });

  it("duplicates and converts a block, and undoes both", async () => {
    await mode("Edit").click();
    await blocks().first().waitFor();
    const before = await blocks().count();
    await page()
      .locator("colloquy-editor-block .block-theory")
      .first()
      .click({ position: { x: 4, y: 4 } });
    const original = await page().locator("colloquy-editor-block[chosen]").getAttribute("data-block-id");
    await tools().getByRole("button", { name: "Duplicate" }).click();
    await count(before + 1);
    await page().waitForFunction(
      (id) => document.querySelector(`[data-block-id="${id}"]`)?.nextElementSibling?.matches("[chosen]"),
      original,
    );
    await tools().getByRole("button", { name: "Convert" }).click();
    await page().getByRole("menuitem", { name: "Call-out" }).click();
    await page().locator('colloquy-editor-block[chosen][aria-label^="Call-out"]').waitFor();
    await undo().click();
    await page().locator('colloquy-editor-block[chosen][aria-label^="Call-out"]').waitFor({ state: "detached" });
    await undo().click();
    await count(before);
  });

  it("survives a reload with an untitled page, and is saved as a file", async () => {
    await page().getByRole("button", { name: "Outline" }).click();
    const outline = page().getByRole("dialog", { name: "Outline of the course" });
    await outline.getByRole("button", { name: "Page", exact: true }).click();
    await outline.locator('[data-field="title"]').fill("");
    await outline.locator('[data-field="summary"]').fill("What nobody has named yet.");
    await outline.getByRole("button", { name: "Edit this page" }).click();
    await waitUntilStored(page(), "What nobody has named yet.");
    await page().goto(program.url + path);
    await offer().getByRole("button", { name: "Continue editing" }).click();
    await page().locator(".draft-tree a", { hasText: "Without a title" }).click();
    await page().locator('colloquy-page-head [data-field="title"]').waitFor();
    await pill().getByRole("button", { name: "Discard draft…" }).click();
    const download = page().waitForEvent("download");
    const dialog = page().getByRole("dialog", { name: "Discard this draft?" });
    await dialog.getByRole("button", { name: "Save a copy" }).click();
    copy = await (await download).path();
    expect(await readFile(copy, "utf8")).to.contain("What nobody has named yet.");
    await dialog.getByRole("button", { name: "Keep the draft" }).click();
  });

  it("is discarded from another page, which then shows the published text", async () => {
    await page().locator(".draft-tree a", { hasText: "Diagonalisation" }).click();
    await page().waitForFunction(() => document.title.startsWith("Diagonalisation"));
    await pill().getByRole("button", { name: "Discard draft…" }).click();
    await page().getByRole("dialog", { name: "Discard this draft?" }).getByRole("button", { name: "Discard draft", exact: true }).click();
    await page().waitForURL(/diagonali[sz]ation/);
    await page().locator("article:not([hidden]) h1", { hasText: "Diagonalisation" }).waitFor();
    await mode("Edit").click();
    await blocks().first().waitFor();
    expect(await page().locator(".draft-tree a", { hasText: "Without a title" }).count()).to.equal(0);
    expect(await offer().count()).to.equal(0);
  });

  it("is imported from a file, over a newer draft only after confirmation", async () => {
    await page().locator('colloquy-page-head [data-field="summary"]').fill("Newer than the file.");
    await waitUntilStored(page(), "Newer than the file.");
    const file = page().locator("colloquy-editing-tools").getByLabel("Load a saved draft");
    const question = page().getByRole("dialog", { name: "Your draft here is newer than the file" });
    const nameless = page().locator(".draft-tree a", { hasText: "Without a title" });
    await file.setInputFiles(copy);
    // Escape leaves Edit as long as nothing asks.
    await question.waitFor();
    if (pictures) await page().screenshot({ path: `${pictures}/draft-newer-than-file.png` });
    await page().keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect(await nameless.count()).to.equal(0);
    await file.setInputFiles(copy);
    await question.getByRole("button", { name: "Load the file" }).click();
    await nameless.waitFor();
    await page().getByText("Undo restores what was here.").waitFor();
    if (pictures) {
      await page().screenshot({ path: `${pictures}/draft-taken-in.png` });
      await page().setViewportSize({ width: 390, height: 844 });
      await page().screenshot({ path: `${pictures}/draft-taken-in-phone.png` });
      await page().getByRole("button", { name: "Outline" }).click();
      await page().locator("colloquy-outline .take-in").scrollIntoViewIfNeeded();
      await page().screenshot({ path: `${pictures}/draft-outline-phone.png` });
      await page().keyboard.press("Escape");
      await page().setViewportSize({ width: 1440, height: 900 });
    }
    // Nothing lies over the note.
    await page().locator(".cited-note").getByRole("button", { name: "Close" }).click();
    await undo().click();
    await nameless.waitFor({ state: "detached" });
    await waitUntilStored(page(), "Newer than the file.");
  });

  it("is imported from a file with an untitled page", async () => {
    await page().locator('colloquy-page-head [data-field="summary"]').fill("Something else.");
    await waitUntilStored(page(), "Something else.");
    await page().route("**/api/course-editor/publish", (route) => route.abort("connectionrefused"));
    // The pauses between the attempts take half a minute.
    await page().clock.install();
    await mode("Read").click();
    await eventuallyLater(page(), async () => expect(await pill().getByText("Load a saved copy").count()).to.equal(1));
    await pill().locator("input[type=file]").setInputFiles(copy);
    await page()
      .getByRole("dialog", { name: "Your draft here is newer than the file" })
      .getByRole("button", { name: "Load the file" })
      .click();
    await waitUntilStored(page(), "What nobody has named yet.");
    await mode("Edit").click();
    await page().locator(".draft-tree a", { hasText: "Without a title" }).waitFor();
  });
});
