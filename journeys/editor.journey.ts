import { readFile } from "node:fs/promises";
import type { CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { axeFindings } from "./accessible.ts";
import { eventually, openBrowser, openVisitor, settled, type Visitor } from "./browser.ts";
import { waitUntilNotStored, waitUntilStored } from "./browser-storage.ts";
import { type Program, startProgram } from "./program.ts";
import { publishShortCourse } from "./short-course.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;

describe("an owner edits a course on its page", () => {
  let program: Program;
  let browser: Browser;
  let owner: Visitor;
  const path = "/courses/edited-maps/directions-that-stay/eigenvectors";

  before(async () => {
    const listed = "edited-maps";
    program = await startProgram({ PUBLICATION_EDITOR_COURSE_IDS: listed, PUBLIC_OBJECT_STORE_COURSE_IDS: listed });
    await publishShortCourse(program, "edited-maps");
    browser = await openBrowser();
    owner = await openVisitor(browser, { width: 1440, height: 900 });
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const signIn = (page: Page, as: string, to = path) => page.goto(`${program.url}/auth/demo?as=${as}&return=${encodeURIComponent(to)}`);
  const mode = (page: Page, name: string) => page.getByRole("region", { name: "Mode" }).getByRole("button", { name, exact: true });
  const blocks = (page: Page) => page.locator("colloquy-editor-block");
  const offer = (page: Page) => page.getByRole("region", { name: "Your draft of this course" });
  const shot = async (page: Page, name: string) => {
    if (pictures) await page.screenshot({ path: `${pictures}/editor-${name}.png` });
  };
  const edit = async (page: Page) => {
    await mode(page, "Edit").click();
    await blocks(page).first().waitFor();
  };
  /** Opens the source of the first block of text. */
  const openText = async (page: Page) => {
    await page
      .locator("colloquy-editor-block .block-theory")
      .first()
      .click({ position: { x: 4, y: 4 } });
    const field = page.locator("colloquy-editor-block[writing] textarea");
    await field.waitFor();
    return field;
  };
  const write = async (page: Page, words: string) => {
    const field = await openText(page);
    await field.press("Control+End");
    await page.keyboard.type(words);
    return field;
  };

  it("loads no editor for readers and owners of courses without editing", async () => {
    const compiled = await (await fetch(`${program.url}/api/courses/learning-to-learn`)).json();
    const { topics } = (compiled as CourseResponse).course;
    for (const [as, to] of [
      ["learner", path],
      ["owner", "/courses/linear-maps/directions-that-stay/eigenvectors"],
      ["owner", topics[0]?.href ?? expect.fail("no topic")],
    ] as const) {
      const reader = await openVisitor(browser, { width: 1440, height: 900 });
      const asked: string[] = [];
      const loaded: Promise<string>[] = [];
      reader.page.on("request", (request) => asked.push(request.url()));
      reader.page.on("response", (response) => {
        if (/\.js(?:$|\?)/.test(response.url())) loaded.push(response.text().catch(() => ""));
      });
      await signIn(reader.page, as, to);
      await reader.page.getByRole("button", { name: "Draw", exact: true }).waitFor();
      await reader.page.waitForLoadState("networkidle");
      const scripts = await Promise.all(loaded);
      expect(
        scripts.filter((text) => /colloquy-editor|colloquy-drafts|colloquy-return-offer|course-editor\/publish/.test(text)),
      ).to.deep.equal([]);
      await eventually(async () =>
        expect(asked.filter((url) => url.includes("/api/course-editor/"))).to.have.length(as === "owner" ? 1 : 0),
      );
      expect(await mode(reader.page, "Edit").count()).to.equal(0);
      await reader.context.close();
    }
  });

  it("keeps modes and navigation apart at all widths and scroll positions", async () => {
    const reader = await openVisitor(browser, { width: 1360, height: 900 });
    for (const language of ["en", "ar"]) {
      await signIn(reader.page, "owner", `/language?to=${language}&return=${encodeURIComponent(path)}`);
      await reader.page.locator(".modes button").nth(2).waitFor();
      for (const width of [1250, 1360, 1920]) {
        await reader.page.setViewportSize({ width, height: 900 });
        for (const top of [0, 900]) {
          const [modesEnd, railBegins] = await reader.page.evaluate((y) => {
            scrollTo(0, y);
            const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
            return [box(".modes").bottom, box(".rail h2").top];
          }, top);
          expect(railBegins, `${language}, ${width} wide, scrolled by ${top}`).to.be.above(modesEnd);
        }
      }
    }
    await reader.context.close();
  });

  it("takes one row on a phone in every language", async () => {
    const reader = await openVisitor(browser, { width: 390, height: 844, touch: true });
    for (const language of ["en", "de", "ar"]) {
      await signIn(reader.page, "owner", `/language?to=${language}&return=${encodeURIComponent(path)}`);
      await reader.page.locator(".modes button[data-mode='edit']").click();
      await openText(reader.page);
      for (const width of [390, 320]) {
        await reader.page.setViewportSize({ width, height: 844 });
        await reader.page.locator(".halves .shown").evaluate((shown) => {
          scrollBy({ top: shown.getBoundingClientRect().top - 200, behavior: "instant" });
        });
        const rows = await reader.page.evaluate(
          () =>
            new Set(
              [...document.querySelectorAll(".page-modes button")]
                .filter((one) => one.checkVisibility())
                .map((one) => Math.round(one.getBoundingClientRect().top / 20)),
            ).size,
        );
        expect(rows, `rows of the bar, ${language}, ${width} wide`).to.equal(1);
        await reader.page.waitForFunction(() => {
          const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
          return box("textarea").top < 0 && Math.abs(box(".helpers").top - box(".page-modes").bottom) < 1;
        });
      }
    }
    expect(reader.complaints).to.deep.equal([]);
    await reader.context.close();
  });

  it("shows the draft in place and a block's source with its preview", async () => {
    const { page } = owner;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await signIn(page, "owner");
    await edit(page);
    expect(asked.filter((url) => url.includes("/api/course-editor/session"))).to.have.length(1);
    // The draft also holds the questions of the bank, which the published page leaves out.
    const published = await page.locator("main article .prose > .block").evaluateAll((found) => found.map(({ id }) => id));
    await eventually(async () => {
      const drafted = await blocks(page).evaluateAll((found) => found.map((block) => block.getAttribute("data-block-id")));
      expect(drafted).to.include.members(published);
    });
    await shot(page, "wide");
    await write(page, " A word of the owner's.");
    await page.locator(".preview", { hasText: "A word of the owner's." }).waitFor();
    await shot(page, "field");
    await waitUntilStored(page, "A word of the owner's.");
    expect(await axeFindings(page)).to.deep.equal([]);
  });

  it("Escape closes the field, then Edit; undo works by button and keys", async () => {
    const { page } = owner;
    await page.keyboard.press("Escape");
    await page.locator("colloquy-editor-block[writing]").waitFor({ state: "detached" });
    await eventually(async () => expect(await mode(page, "Edit").getAttribute("aria-pressed")).to.equal("true"));
    await page.locator("colloquy-editor-block", { hasText: "A word of the owner's." }).waitFor();
    await page.keyboard.press("Control+z");
    await page.locator("colloquy-editor-block", { hasText: "A word of the owner's." }).waitFor({ state: "detached" });
    await page.keyboard.press("Control+Shift+z");
    await page.locator("colloquy-editor-block", { hasText: "A word of the owner's." }).waitFor();
    await page
      .getByRole("button", { name: /^Undo: / })
      .first()
      .click();
    await page.locator("colloquy-editor-block", { hasText: "A word of the owner's." }).waitFor({ state: "detached" });
  });

  it("moves a block by keyboard and keeps its focus", async () => {
    const { page } = owner;
    const first = await blocks(page).first().getAttribute("data-block-id");
    await blocks(page).first().focus();
    await page.keyboard.press("Alt+ArrowDown");
    await page.waitForFunction((id) => document.querySelectorAll<HTMLElement>("colloquy-editor-block")[1]?.dataset.blockId === id, first);
    await page.waitForFunction((id) => (document.activeElement as HTMLElement).dataset.blockId === id, first);
    await page.keyboard.press("Control+z");
    await page.waitForFunction((id) => document.querySelector<HTMLElement>("colloquy-editor-block")?.dataset.blockId === id, first);
  });

  it("continues editing on another page with one log, and Back returns", async () => {
    const { page } = owner;
    await write(page, " First page.");
    const link = page.locator(".draft-tree a:not([aria-current])").last();
    const title = (await link.textContent()) ?? "";
    await link.click();
    await page.waitForFunction((wanted) => document.title.startsWith(wanted), title);
    await eventually(async () => expect(await page.locator("colloquy-editor").count()).to.equal(1));
    await page
      .getByRole("button", { name: /^Undo: / })
      .first()
      .click();
    await page.locator(`.draft-tree a[aria-current]`).filter({ hasNotText: title }).waitFor();
    // What was kept before says nothing of what is kept then.
    await waitUntilNotStored(page, "First page.");
    await page.keyboard.press("Control+Shift+z");
    await waitUntilStored(page, "First page.");
  });

  it("offers the draft after a reload, with its age and changes", async () => {
    const { page } = owner;
    await page.goto(program.url + path);
    await offer(page).waitFor();
    await eventually(async () =>
      expect(await offer(page).textContent())
        .to.contain("Saved in this browser only.")
        .and.contain("It is based on revision 1"),
    );
    await offer(page).getByText("It changes 1 page").click();
    await shot(page, "offer");
    expect(await page.locator("article").textContent()).not.to.contain("First page.");
    expect(await axeFindings(page)).to.deep.equal([]);
    await offer(page).getByRole("button", { name: "Continue editing" }).click();
    await page.locator("colloquy-editor-block", { hasText: "First page." }).waitFor();
    await offer(page).waitFor({ state: "detached" });
  });

  it("keeps the texts of two tabs and says so in the later one", async () => {
    const { page, context } = owner;
    const other = await context.newPage();
    await other.goto(program.url + path);
    await offer(other).getByRole("button", { name: "Continue editing" }).click();
    await blocks(other).first().waitFor();
    await write(page, " Of the first tab.");
    await waitUntilStored(page, "Of the first tab.");
    await other.getByText("This draft was changed in another tab.").waitFor();
    await write(other, " Of the other tab.");
    await other.getByText("This draft was also changed in another tab.").waitFor();
    await waitUntilStored(other, "Of the other tab.");
    await waitUntilStored(other, "Of the first tab.");
    await shot(other, "two-tabs");
    await other.getByRole("button", { name: "Use the other tab's text" }).click();
    await other.getByText("This draft was also changed in another tab.").waitFor({ state: "detached" });
    // In the field: anywhere else it would leave Edit, and publish.
    await other.locator("colloquy-editor-block[writing] textarea").press("Escape");
    await other.locator("colloquy-editor-block", { hasText: "Of the first tab." }).waitFor();
    await other.close();
    await page.goto(program.url + path);
    await offer(page).getByText("A copy from another tab").waitFor();
    await offer(page).locator(".copies").getByRole("button", { name: "Discard…" }).click();
    await offer(page).getByRole("button", { name: "Discard", exact: true }).click();
    await offer(page).getByText("A copy from another tab").waitFor({ state: "detached" });
  });

  it("is accessible on a phone, in the dark", async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    await offer(page).getByRole("button", { name: "Continue editing" }).click();
    await openText(page);
    await eventually(async () => expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(390));
    await page.setViewportSize({ width: 320, height: 844 });
    const edges = await settled(() =>
      page.evaluate(() =>
        [...document.querySelectorAll(".page-modes button")].flatMap((one) => [
          one.getBoundingClientRect().left,
          one.getBoundingClientRect().right,
        ]),
      ),
    );
    expect(Math.min(...edges), "every tool is within a small phone's page").to.be.at.least(0);
    expect(Math.max(...edges)).to.be.at.most(320);
    // A field low in the window keeps its preview in sight above the status while it grows.
    await page.keyboard.press("Escape");
    await page.locator("colloquy-editor-block[writing]").waitFor({ state: "detached" });
    await page.locator("colloquy-editor-block:focus").waitFor();
    await page.evaluate(() => {
      const blocks = [...document.querySelectorAll<HTMLElement>("colloquy-editor-block:has(.block-theory, .callout)")];
      // By its text: the height of a block that was not drawn yet is an estimate.
      const lengthOf = ({ textContent }: HTMLElement): number => textContent?.length ?? 0;
      const low = blocks.toSorted((one, other) => lengthOf(one) - lengthOf(other))[0];
      scrollBy({ top: (low?.getBoundingClientRect().top ?? 0) - innerHeight + 60, behavior: "instant" });
      low?.focus({ preventScroll: true });
    });
    await page.keyboard.press("Enter");
    await page.locator("colloquy-editor-block[writing] textarea:focus").press("Control+End");
    await page.keyboard.type("\n\nOne more.\n\nAnd one.");
    await page.locator("colloquy-editor-block[writing] .preview", { hasText: "And one." }).waitFor();
    const [foot = 0, status = 0] = await settled(() =>
      page.evaluate(() => [
        document.querySelector("colloquy-editor-block[writing] .box")?.getBoundingClientRect().bottom ?? 0,
        document.querySelector("colloquy-editor-status .pill")?.getBoundingClientRect().top ?? 0,
      ]),
    );
    expect(foot, "the preview ends above the status").to.be.at.most(status + 1);
    await page.setViewportSize({ width: 390, height: 844 });
    await shot(page, "phone");
    // Tools that are half under the page's head are none to aim at; one scrolls first.
    await page.locator("colloquy-editor-block[writing] .grip").evaluate((grip) => {
      const clear = (document.querySelector(".page-modes")?.getBoundingClientRect().bottom ?? 0) + 20;
      scrollBy({ top: grip.getBoundingClientRect().top - clear, behavior: "instant" });
    });
    expect(await axeFindings(page)).to.deep.equal([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("publishes for everyone when Escape returns to Read", async () => {
    const { page } = owner;
    await page.locator("colloquy-editor-block:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelector("[data-mode='read']")?.getAttribute("aria-pressed") === "true");
    await page.locator("article[data-sequence='2']:not([hidden])", { hasText: "Of the first tab." }).waitFor();
    await page.locator("colloquy-editor").waitFor({ state: "detached" });
    await page.getByText("for everyone", { exact: true }).waitFor();
    await shot(page, "published");
    await page.reload();
    await mode(page, "Edit").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await offer(page).count()).to.equal(0);
    const reader = await openVisitor(browser);
    await reader.page.goto(program.url + path);
    expect(await reader.page.locator("article").textContent()).to.contain("Of the first tab.");
    await reader.context.close();
  });

  it("asks before a sign-out that would delete a draft", async () => {
    const { page } = owner;
    await edit(page);
    await write(page, " Not published.");
    await waitUntilStored(page, "Not published.");
    await page.locator(".account > summary").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("1 draft of a course you have not published").waitFor();
    await page.getByRole("button", { name: "Stay signed in" }).click();
    await waitUntilStored(page, "Not published.");
  });

  it("discards a draft only after confirmation, with a copy", async () => {
    const { page } = owner;
    await page.goto(program.url + path);
    await offer(page).getByRole("button", { name: "Continue editing" }).click();
    await blocks(page).first().waitFor();
    const pill = page.getByRole("group", { name: "Draft and publication" });
    await pill.getByRole("button", { name: "Discard draft…" }).click();
    const dialog = page.getByRole("dialog", { name: "Discard this draft?" });
    await dialog.getByText("1 block changed").waitFor();
    await shot(page, "discard");
    expect(await axeFindings(page)).to.deep.equal([]);
    await dialog.getByRole("button", { name: "Keep the draft" }).click();
    await waitUntilStored(page, "Not published.");
    await pill.getByRole("button", { name: "Discard draft…" }).click();
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save a copy" }).click();
    expect(await readFile(await (await download).path(), "utf8")).to.contain("Not published.");
    await dialog.getByRole("button", { name: "Discard draft", exact: true }).click();
    await page.getByText("The draft was discarded.").waitFor();
    await page.locator("colloquy-editor").waitFor({ state: "detached" });
    await eventually(async () => expect(await mode(page, "Read").getAttribute("aria-pressed")).to.equal("true"));
    expect(await page.locator("article").textContent()).not.to.contain("Not published.");
    await edit(page);
    expect(await page.locator("colloquy-editor").textContent()).not.to.contain("Not published.");
    expect(await page.getByRole("button", { name: "Undo", exact: true }).first().getAttribute("aria-disabled")).to.equal("true");
    await page.reload();
    await mode(page, "Edit").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await offer(page).count()).to.equal(0);
  });

  it("reports no browser errors", () => {
    expect(owner.complaints).to.deep.equal([]);
  });
});
