import type { EditorHistoryResponse } from "@colloquy/schemas/publication/requests.ts";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { axeFindings } from "./accessible.ts";
import { openBrowser, openVisitor } from "./browser.ts";
import { waitUntilStored } from "./browser-storage.ts";
import { learner } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";
import { publishShortCourse } from "./short-course.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;
const courseId = "shared-front";
const front = `/courses/${courseId}`;

describe("a course page is edited in two browsers", () => {
  let program: Program;
  let browser: Browser;
  let pages: Page[];

  before(async () => {
    program = await startProgram({ PUBLICATION_EDITOR_COURSE_IDS: courseId, PUBLIC_OBJECT_STORE_COURSE_IDS: courseId });
    await publishShortCourse(program, courseId);
    browser = await openBrowser();
    pages = [];
    for (const width of [1440, 390]) {
      const { page } = await openVisitor(browser, { width, height: 900 });
      await page.goto(`${program.url}/auth/demo?as=owner&return=${encodeURIComponent(front)}`);
      pages.push(page);
    }
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const mode = (page: Page, name: string) => page.getByRole("region", { name: "Mode" }).getByRole("button", { name, exact: true });
  const summary = (page: Page) => page.locator('colloquy-page-head [data-field="summary"]');
  const sheet = (page: Page) => page.getByRole("dialog", { name: "The course was published while you were editing" });
  const published = (page: Page) => page.getByRole("group", { name: "Draft and publication" }).filter({ hasText: "for everyone" });

  it("both publish: one wins, the other chooses, both are in the history", async () => {
    for (const [index, page] of pages.entries()) {
      await mode(page, "Edit").click();
      await summary(page).fill(`Summary of browser ${index}.`);
      await waitUntilStored(page, `Summary of browser ${index}.`);
    }
    await Promise.all(pages.map((page) => mode(page, "Read").click()));
    const outcomes = await Promise.all(
      pages.map((page) =>
        Promise.any([
          sheet(page)
            .waitFor()
            .then(() => "asked"),
          published(page)
            .waitFor()
            .then(() => "published"),
        ]),
      ),
    );
    expect([...outcomes].sort()).to.deep.equal(["asked", "published"]);
    const [asked, won] = outcomes[0] === "asked" ? pages : [...pages].reverse();
    if (!asked || !won) throw new Error("two pages");
    const mine = `Summary of browser ${pages.indexOf(asked)}.`;
    expect(await sheet(asked).getByRole("radio", { checked: true }).count()).to.equal(0);
    expect(await axeFindings(asked)).to.deep.equal([]);
    if (pictures) await asked.screenshot({ path: `${pictures}/two-browsers-sheet.png` });
    await sheet(asked).getByRole("radio", { name: "Use my draft" }).check();
    await sheet(asked).getByRole("button", { name: "Publish the result" }).click();
    await published(asked).waitFor();
    for (const page of pages) await page.locator('.front-page[data-sequence="3"]:not([hidden])', { hasText: mine }).waitFor();
    expect(await sheet(won).count()).to.equal(0);
    const { cookie } = await learner(program.url, "owner");
    const history = await fetch(`${program.url}/api/course-editor/history?course=${courseId}`, { headers: { cookie } });
    const { revisions } = (await history.json()) as EditorHistoryResponse;
    expect(revisions.map(({ sequence }) => sequence)).to.deep.equal([3, 2, 1]);
    const summaries = [];
    for (const { revisionId } of revisions) {
      const source = await fetch(`${program.url}/api/course-editor/source?course=${courseId}&revision=${revisionId}`, {
        headers: { cookie },
      });
      summaries.push(((await source.json()) as { course: { manifest: { summary: string } } }).course.manifest.summary);
    }
    expect(summaries.slice(0, 2)).to.deep.equal([mine, `Summary of browser ${pages.indexOf(won)}.`]);
  });
});
