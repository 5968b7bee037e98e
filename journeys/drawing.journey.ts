import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { renameContainer } from "@colloquy/schemas/courses/editing/rename.ts";
import { expect } from "chai";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor, settled, type Visitor } from "./browser.ts";
import { change, learner } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;

describe("a learner draws on a page", () => {
  let program: Program;
  let browser: Browser;
  let mira: Visitor;
  let ada: Visitor;
  const path = "/courses/linear-maps/directions-that-stay/eigenvectors";

  before(async () => {
    program = await startProgram();
    browser = await openBrowser();
    mira = await openVisitor(browser, { width: 1440, height: 900 });
    ada = await openVisitor(browser, { width: 1440, height: 900 });
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const open = (page: Page) => page.goto(`${program.url}/auth/demo?as=learner&return=${encodeURIComponent(path)}`);
  const strokes = (page: Page) => page.locator("colloquy-drawing .strokes path");
  const drawn = (page: Page, count: number) =>
    page.waitForFunction((wanted) => document.querySelectorAll("colloquy-drawing .strokes path").length === wanted, count);
  const shot = async (page: Page, name: string) => {
    if (pictures) await page.screenshot({ path: `${pictures}/drawing-${name}.png` });
  };
  /** A line with the mouse, below a block's first corner. */
  async function line(page: Page, block: number, down: number): Promise<void> {
    const text = page.locator("article .block").nth(block);
    await text.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const box = (await settled(() => text.boundingBox())) ?? expect.fail("no block");
    await page.mouse.move(box.x + 20, box.y + down);
    await page.mouse.down();
    for (let step = 1; step <= 20; step += 1) await page.mouse.move(box.x + 20 + step * 12, box.y + down + Math.sin(step / 2) * 6);
    await page.mouse.up();
  }

  it("loads no drawing code before drawing starts", async () => {
    const { page } = mira;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    await open(page);
    await page.getByRole("button", { name: "Draw", exact: true }).waitFor();
    expect(loaded.filter((url) => /open-|drawing/.test(url))).to.deep.equal([]);
  });

  it("draws with the mouse, changes tools by keyboard, undoes and redoes", async () => {
    const { page } = mira;
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await page.getByRole("radio", { name: "Pen" }).waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Pen");
    await line(page, 1, 12);
    await drawn(page, 1);
    await page.getByRole("radio", { name: "Pen" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByRole("radio", { name: "Yellow" }).click();
    await line(page, 1, 44);
    await drawn(page, 2);
    await page.keyboard.press("Control+z");
    await drawn(page, 1);
    await page.keyboard.press("Control+Shift+z");
    await drawn(page, 2);
    await shot(page, "wide");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForTimeout(pictures ? 400 : 0);
    await shot(page, "dark");
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("leaves drawing by Escape and keeps the ink in place after a reload", async () => {
    const { page } = mira;
    await page.keyboard.press("Escape");
    await page.getByRole("toolbar", { name: "Drawing" }).waitFor({ state: "detached" });
    await page.reload();
    await drawn(page, 2);
    const offset = () =>
      page.evaluate(() => {
        const block = document.querySelectorAll("article .block")[1]?.getBoundingClientRect();
        const ink = document.querySelector("colloquy-drawing .strokes path")?.getBoundingClientRect();
        return block && ink ? [(ink.left - block.left) / block.width, (ink.top - block.top) / block.width] : null;
      });
    const wide = (await settled(offset)) ?? expect.fail("no ink");
    await page.setViewportSize({ width: 390, height: 844 });
    // The page is set anew, and then its ink.
    await eventually(async () => {
      const narrow = await offset();
      for (const [index, share] of wide.entries()) expect(narrow?.[index]).to.be.closeTo(share, 0.01);
    });
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await page.getByRole("toolbar", { name: "Drawing" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(390);
    await shot(page, "phone");
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("syncs ink to another device, and offline erasures back", async () => {
    const { page } = mira;
    const other = await openVisitor(browser, { width: 1440, height: 900 });
    await open(other.page);
    await drawn(other.page, 2);
    const offline = (context: BrowserContext, is: boolean) => context.setOffline(is);
    await offline(other.context, true);
    await other.page.getByRole("button", { name: "Draw", exact: true }).click();
    await other.page.getByRole("radio", { name: "Eraser" }).click();
    await line(other.page, 1, 12);
    await drawn(other.page, 1);
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await page.getByRole("toolbar", { name: "Drawing" }).waitFor();
    await line(page, 1, 80);
    await drawn(page, 3);
    await offline(other.context, false);
    await drawn(page, 2);
    await drawn(other.page, 2);
    await other.context.close();
  });

  it("hides the drawing from other accounts", async () => {
    const other = await openVisitor(browser, { width: 1440, height: 900 });
    await other.page.goto(`${program.url}/auth/demo?as=owner&return=${encodeURIComponent(path)}`);
    await other.page.getByRole("button", { name: "Draw", exact: true }).waitFor();
    expect(await other.page.locator("article[data-annotated]").count()).to.equal(0);
    expect(await strokes(other.page).count()).to.equal(0);
    await other.context.close();
  });

  it("shows the first stroke on a page that was already open elsewhere", async () => {
    const { page } = ada;
    await page.goto(`${program.url}/auth/demo?as=owner&return=${encodeURIComponent(path)}`);
    await page.getByRole("button", { name: "Draw", exact: true }).waitFor();
    // An owner's page brings the editor when it has nothing else to do.
    await page.waitForFunction(() => performance.getEntriesByType("resource").some(({ name }) => name.includes("/chunks/open-")));
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const comeBack = async () => {
      const answer = page.waitForResponse((response) => response.url().endsWith("/api/annotations"));
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      return ((await (await answer).json()) as { annotated: boolean }).annotated;
    };
    expect(await comeBack()).to.equal(false);
    expect(asked.filter((name) => /drawing|open-|annotations|identity/.test(name))).to.deep.equal(["/api/annotations"]);
    const other = await learner(program.url, "owner", "device-other");
    const [topicId, blockId] = await page.evaluate(() => {
      const article = document.querySelector<HTMLElement>("main article");
      return [article?.dataset.topic ?? "", article?.querySelector(".block")?.id ?? ""];
    });
    const stroke = { strokeId: "stroke-0001", blockId, tool: "pen", colour: "ink", width: 4, points: [100, 20, 128, 200, 0, 0] };
    const drawing = { ...change("draw-0001", "drawing-0001", "drawn", { courseId: "linear-maps", topicId, strokes: [stroke] }) };
    await other.push([{ ...drawing, domain: "annotation" }]);
    // The service may not know of it yet, nor the page have finished asking before.
    await eventually(async () => {
      await page.evaluate(() => dispatchEvent(new Event("focus")));
      expect(await strokes(page).count()).to.equal(1);
    });
  });

  it("keeps the ink after renames of page and blocks", async () => {
    const { page } = ada;
    const { cookie } = await learner(program.url, "owner");
    const source = await fetch(`${program.url}/api/course-editor/source?course=linear-maps`, { headers: { cookie } });
    const { course, sequence, revisionId } = (await source.json()) as { course: AuthoredCourse; sequence: number; revisionId: string };
    const topic = course.topics.find(({ slug }) => slug === "eigenvectors") ?? expect.fail("no topic");
    const renamed =
      renameContainer(course, topic.id, "topic-renamed-since", () => `id-${crypto.randomUUID()}`) ?? expect.fail("not renamed");
    const published = await fetch(`${program.url}/api/course-editor/publish`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", "x-course-publish": "1" },
      body: JSON.stringify({
        schemaVersion: 1,
        requestId: crypto.randomUUID(),
        courseId: "linear-maps",
        base: { sequence, revisionId },
        course: renamed.course,
        renamedIds: renamed.renamedIds,
        aliases: [],
      }),
    });
    expect(published.status, await published.text()).to.equal(200);
    const at = () => page.goto(program.url + path).then(() => page.locator("main article").getAttribute("data-topic"));
    while ((await at()) !== "topic-renamed-since") await page.waitForLoadState("load");
    await drawn(page, 1);
    const [block, ink] = await page.evaluate(async () => {
      const picture = () => document.querySelector("colloquy-drawing .strokes path")?.getBoundingClientRect().width ?? 0;
      while (picture() === 0) await new Promise(requestAnimationFrame);
      return [".block", "colloquy-drawing .strokes path"].map((one) => document.querySelector(one)?.getBoundingClientRect().top ?? 0);
    });
    expect((ink ?? 0) - (block ?? 0)).to.be.within(0, 40);
    await shot(page, "renamed");
  });

  it("reports no browser errors", () => {
    for (const { complaints } of [mira, ada]) expect(complaints).to.deep.equal([]);
  });
});
