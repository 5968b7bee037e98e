import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { axeFindings, horizontalOverflow } from "./accessible.ts";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { waitUntilStored } from "./browser-storage.ts";
import { type Program, startProgram } from "./program.ts";
import { publishShortCourse } from "./short-course.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;

describe("an owner edits course and collection pages", () => {
  let program: Program;
  let browser: Browser;
  let owner: Visitor;
  let reader: Visitor;
  const front = "/courses/edited-fronts";
  const part = `${front}/directions-that-stay`;

  before(async () => {
    const listed = "edited-fronts";
    program = await startProgram({ PUBLICATION_EDITOR_COURSE_IDS: listed, PUBLIC_OBJECT_STORE_COURSE_IDS: listed });
    await publishShortCourse(program, listed);
    browser = await openBrowser();
    owner = await openVisitor(browser, { width: 1440, height: 900 });
    reader = await openVisitor(browser, { width: 1280, height: 900 });
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const signIn = (page: Page, as: string, to: string) => page.goto(`${program.url}/auth/demo?as=${as}&return=${encodeURIComponent(to)}`);
  const mode = (page: Page, name: string) => page.getByRole("region", { name: "Mode" }).getByRole("button", { name, exact: true });
  const entries = (page: Page) => page.locator("colloquy-contents-list .entry");
  const titles = (page: Page) => page.locator("colloquy-contents-list .entry > .line > .title").allTextContents();
  const rows = (page: Page) => page.locator(".front-page .row-title").allTextContents();
  const offer = (page: Page) => page.getByRole("region", { name: "Your draft of this course" });
  const fieldOf = (page: Page, name: string) => page.locator(`colloquy-page-head [data-field="${name}"]`);
  const shot = async (page: Page, name: string) => {
    if (pictures) await page.screenshot({ path: `${pictures}/fronts-${name}.png` });
  };
  const edit = async (page: Page) => {
    await mode(page, "Edit").click();
    await page.locator("colloquy-contents-list h2").waitFor();
  };
  const focusOn = (page: Page, id: string | null) => page.locator(`colloquy-contents-list .entry[data-id="${id}"]:focus`).waitFor();
  const shows = (page: Page, sequence: number) => page.locator(`.front-page[data-sequence="${sequence}"]:not([hidden])`).waitFor();

  it("loads no editor for readers and owners of compiled courses", async () => {
    for (const [as, to] of [
      [null, front],
      ["learner", part],
      ["owner", "/courses/learning-to-learn"],
    ] as const) {
      const { page, context } = await openVisitor(browser);
      const asked: string[] = [];
      const loaded: Promise<string>[] = [];
      page.on("request", (request) => asked.push(request.url()));
      page.on("response", (response) => {
        if (/\.js(?:$|\?)/.test(response.url())) loaded.push(response.text().catch(() => ""));
      });
      if (as) await signIn(page, as, to);
      else await page.goto(program.url + to);
      await page.waitForLoadState("networkidle");
      const scripts = await Promise.all(loaded);
      expect(
        scripts.filter((text) => /colloquy-editor|colloquy-drafts|colloquy-return-offer|course-editor\/publish/.test(text)),
      ).to.deep.equal([]);
      await eventually(async () =>
        expect(asked.filter((url) => url.includes("/api/course-editor/"))).to.have.length(as === "owner" ? 1 : 0),
      );
      expect(await page.locator(".page-modes:not([hidden])").count()).to.equal(0);
      await context.close();
    }
  });

  it("edits title and summary in place, with errors beside them", async () => {
    const { page } = owner;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await signIn(page, "owner", front);
    await mode(page, "Edit").waitFor();
    expect(await mode(page, "Draw").count()).to.equal(0);
    await edit(page);
    expect(asked.filter((url) => url.includes("/api/course-editor/session"))).to.have.length(1);
    await fieldOf(page, "title").fill("Linear maps, in sight");
    await fieldOf(page, "summary").fill("");
    expect(await fieldOf(page, "summary").getAttribute("placeholder")).to.match(/^In a sentence or two/);
    await fieldOf(page, "language").fill("english");
    await page.getByText("A language tag, such as en or pt-BR.").waitFor();
    await fieldOf(page, "language").fill("en");
    await fieldOf(page, "summary").fill("What a matrix does to space.");
    await shot(page, "edit");
    expect(await axeFindings(page)).to.deep.equal([]);
  });

  it("reorders by keyboard, adds a page and deletes it with undo", async () => {
    const { page } = owner;
    const before = await titles(page);
    const topic = page.locator("colloquy-contents-list .entry:not(.part)").first();
    const id = await topic.getAttribute("data-id");
    await entries(page).first().focus();
    await page.keyboard.press("ArrowDown");
    await focusOn(page, id);
    await page.keyboard.press("Alt+ArrowDown");
    await page.waitForFunction((wanted) => document.querySelectorAll<HTMLElement>(".entry")[2]?.dataset.id === wanted, id);
    await focusOn(page, id);
    await page.keyboard.press("Enter");
    await page.locator("colloquy-contents-list [data-field='title']:focus").waitFor();
    await shot(page, "entry");
    expect(await axeFindings(page)).to.deep.equal([]);
    await page.keyboard.press("Escape");
    await page.locator("colloquy-contents-list .entry:focus").waitFor();
    await page.getByRole("button", { name: "Add a page", exact: true }).click();
    await page.locator("colloquy-contents-list [data-field='title']:focus").waitFor();
    await page.keyboard.type("Not for long");
    await page.keyboard.press("Escape");
    await page.locator("colloquy-contents-list .entry:focus").waitFor();
    await eventually(async () => expect((await titles(page)).at(-1)).to.equal("Not for long"));
    await page.keyboard.press("Delete");
    await page.waitForFunction((count) => document.querySelectorAll(".entry").length === count, before.length);
    await page.keyboard.press("Control+z");
    await page.waitForFunction((count) => document.querySelectorAll(".entry").length === count + 1, before.length);
    await page.keyboard.press("Control+Shift+z");
    await page.waitForFunction((count) => document.querySelectorAll(".entry").length === count, before.length);
    await eventually(async () => expect(await titles(page)).to.deep.equal([before[0], before[2], before[1], ...before.slice(3)]));
  });

  it("keeps one edit log across topic and course page", async () => {
    const { page } = owner;
    await page.getByRole("button", { name: "Outline", exact: true }).click();
    await page.getByRole("dialog", { name: "Outline of the course" }).getByRole("button", { name: "Close" }).click();
    await page.locator("colloquy-contents-list h2").waitFor();
    await page.locator("colloquy-contents-list .entry:not(.part) > .line").first().click();
    await page.getByRole("button", { name: "Edit this page" }).click();
    await page.locator("colloquy-editor-block").first().waitFor();
    await page.getByRole("navigation", { name: "Contents of" }).locator("[aria-current=page]").waitFor();
    await mode(page, "Draw").waitFor();
    await page.locator("colloquy-page-head .crumb a").first().click();
    await page.locator("colloquy-contents-list h2").waitFor();
    await page.waitForURL(program.url + front);
    await page.goBack();
    await page.locator("colloquy-editor-block").first().waitFor();
    await page.goForward();
    await page.locator("colloquy-contents-list h2").waitFor();
    await eventually(async () => expect(await fieldOf(page, "title").inputValue()).to.equal("Linear maps, in sight"));
  });

  it("restores the draft after a reload", async () => {
    const { page } = owner;
    await waitUntilStored(page, "Linear maps, in sight");
    await page.reload();
    await offer(page).getByText("Saved in this browser only.").waitFor();
    expect(await page.locator(".front-page h1").textContent()).not.to.equal("Linear maps, in sight");
    await offer(page).getByRole("button", { name: "Continue editing" }).click();
    await page.locator("colloquy-contents-list h2").waitFor();
    await eventually(async () => expect(await fieldOf(page, "title").inputValue()).to.equal("Linear maps, in sight"));
  });

  it("publishes on leaving Edit; a reader's open page updates in place", async () => {
    await reader.page.goto(program.url + front);
    const before = await rows(reader.page);
    await reader.page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const { page } = owner;
    await mode(page, "Read").click();
    await shows(page, 2);
    await page.locator("colloquy-editor").waitFor({ state: "detached" });
    await page.getByText("for everyone", { exact: true }).waitFor();
    expect(await page.locator(".front-page h1").textContent()).to.equal("Linear maps, in sight");
    await shot(page, "published");
    await shows(reader.page, 2);
    await eventually(async () => {
      expect(await reader.page.locator("h1").textContent()).to.equal("Linear maps, in sight");
      expect(await reader.page.locator(".lede").textContent()).to.equal("What a matrix does to space.");
      expect(await reader.page.title()).to.equal("Linear maps, in sight · Colloquy");
      expect(await rows(reader.page)).to.deep.equal([before[1], before[0], ...before.slice(2)]);
    });
    expect(await reader.page.evaluate(() => "sameDocument" in window)).to.equal(true);
  });

  it("publishes a collection page, which updates at its new address", async () => {
    await reader.page.goto(program.url + part);
    const before = await rows(reader.page);
    const { page } = owner;
    await page.goto(program.url + part);
    await edit(page);
    await eventually(async () => expect(await titles(page)).to.deep.equal(before));
    await fieldOf(page, "title").fill("What stays");
    await fieldOf(page, "slug").fill("what-stays");
    await entries(page).first().focus();
    await page.keyboard.press("Alt+ArrowDown");
    await eventually(async () => expect((await titles(page))[0]).to.equal(before[1]));
    await shot(page, "part");
    expect(await axeFindings(page)).to.deep.equal([]);
    await page.keyboard.press("Escape");
    await shows(page, 3);
    for (const each of [page, reader.page]) {
      await shows(each, 3);
      await each.waitForURL(`${program.url}${front}/what-stays`);
      await eventually(async () => {
        expect(await each.locator("h1").first().textContent()).to.equal("What stays");
        expect(await rows(each)).to.deep.equal([before[1], before[0], ...before.slice(2)]);
      });
    }
  });

  it("adds an empty collection, whose page says that it is empty", async () => {
    const { page } = owner;
    await page.goto(program.url + front);
    await edit(page);
    await page.getByRole("button", { name: "Add a part" }).click();
    await page.locator("colloquy-contents-list [data-field='title']:focus").waitFor();
    await page.keyboard.type("To come");
    await page.getByRole("button", { name: "Edit this part" }).click();
    await page.locator("colloquy-contents-list .none", { hasText: "This page is empty." }).waitFor();
    await page
      .getByRole("button", { name: /^Undo: / })
      .first()
      .click();
    await page
      .getByRole("button", { name: /^Undo: / })
      .first()
      .click();
    await page.locator("colloquy-contents-list .entry").first().waitFor();
    await page.keyboard.press("Control+Shift+z");
    await page.keyboard.press("Control+Shift+z");
    await page.locator("colloquy-contents-list .title", { hasText: "To come" }).waitFor();
    await mode(page, "Read").click();
    await page.getByRole("dialog", { name: "Publish unfinished text?" }).getByRole("button", { name: "Publish anyway" }).click();
    await shows(page, 4);
    await page.locator(".front-page").getByRole("link", { name: "To come" }).click();
    await page.locator(".front-page", { hasText: "This page is empty." }).waitFor();
    expect(await axeFindings(page)).to.deep.equal([]);
  });

  it("is accessible on a phone, in the dark and from right to left", async () => {
    const { page } = owner;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    for (const language of ["en", "de", "ar"]) {
      await page.goto(`${program.url}/language?to=${language}&return=${encodeURIComponent(front)}`);
      await page.locator("[data-mode='edit']:not([hidden])").click();
      await page.locator("colloquy-contents-list .entry:not(.part) > .line").first().click();
      await page.locator("colloquy-contents-list .actions").waitFor();
      await shot(page, `phone-${language}`);
      await eventually(async () => expect(await horizontalOverflow(page), language).to.equal(0));
      expect(await axeFindings(page)).to.deep.equal([]);
      await page.locator("button[data-mode='read']").click();
      await page.locator("colloquy-editor").waitFor({ state: "detached" });
    }
  });

  it("reports no browser errors", () => {
    expect([...owner.complaints, ...reader.complaints]).to.deep.equal([]);
  });
});
