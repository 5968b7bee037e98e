import { expect } from "chai";
import type { Browser } from "playwright-core";
import { openBrowser, openVisitor } from "./browser.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

const topic = "/courses/linear-maps/what-a-map-does/determinant";

describe("a page's details", () => {
  let program: SharedProgram;
  let browser: Browser;

  before(async () => {
    program = await sharedProgram();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  it("keep the front page's card between the edges of its text", async () => {
    const { page, context } = await openVisitor(browser);
    for (const width of [1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 860 });
      await page.goto(`${program.url}/`);
      const [card, courses] = await Promise.all([".hero > :last-child", ".shelf"].map((one) => page.locator(one).first().boundingBox()));
      expect(Math.round((card?.x ?? 0) + (card?.width ?? 0)), `at ${width} px`).to.be.at.most(
        Math.round((courses?.x ?? 0) + (courses?.width ?? 0)),
      );
    }
    await context.close();
  });

  it("keep the account's menu free of the style of the API's routes", async () => {
    const { page, context } = await openVisitor(browser);
    await program.signIn(page, "/developers");
    const shown = await page.locator(".account").evaluate((account) => ({
      border: getComputedStyle(account).borderBottomWidth,
      marker: getComputedStyle(account.querySelector("summary") as Element, "::before").content,
    }));
    expect(shown).to.deep.equal({ border: "0px", marker: "none" });
    await context.close();
  });

  it("keep the text where it is when the modes and the buttons of the page come", async () => {
    for (const [as, width] of [
      ["owner", 1280],
      ["owner", 390],
      ["learner", 390],
      ["learner", 900],
    ] as const) {
      const { page, context } = await openVisitor(browser, { width, height: 844, touch: width === 390 });
      await program.signIn(page, "/courses", as);
      const { promise: waiting, resolve: go } = Promise.withResolvers<void>();
      await page.route("**/*.js", async (route) => {
        await waiting;
        await route.continue();
      });
      await page.goto(program.url + topic, { waitUntil: "commit" });
      await page.locator("main .text .block").first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      const top = () => page.locator("main h1").evaluate((title) => title.getBoundingClientRect().top);
      const before = await top();
      go();
      await page.locator(as === "owner" ? "[data-mode='edit']" : "[data-action='draw']").waitFor();
      expect(await top(), `${as} at ${width} px`).to.equal(before);
      await context.close();
    }
  });

  it("keep code such as -n in one piece at the end of a line", async () => {
    const { page, context } = await openVisitor(browser);
    await page.goto(program.url + topic);
    const broken = await page.locator(".text").evaluate((text) => {
      const paragraph = document.createElement("p");
      paragraph.append(
        ...Array.from({ length: 30 }, () => [
          "Use ",
          Object.assign(document.createElement("code"), { textContent: "-n" }),
          " here ",
        ]).flat(),
      );
      text.append(paragraph);
      const widths = Array.from({ length: 40 }, (_, index) => 120 + 7 * index);
      return widths.filter((width) => {
        paragraph.style.inlineSize = `${width}px`;
        return [...paragraph.querySelectorAll("code")].some((code) => code.getClientRects().length > 1);
      });
    });
    expect(broken).to.deep.equal([]);
    await context.close();
  });

  it("show pictures on grey paper in the dark", async () => {
    const { page, context } = await openVisitor(browser);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(program.url + topic);
    const frame = page.locator(".picture-frame").first();
    await frame.scrollIntoViewIfNeeded();
    await frame.locator("img").evaluate((image: HTMLImageElement) => image.decode());
    const picture = await frame.screenshot();
    // A page that may decode it: the reading page's policy forbids pictures of other sources.
    const blank = await context.newPage();
    const brightest = await blank.evaluate(
      async (bytes) => {
        const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d") as OffscreenCanvasRenderingContext2D;
        pen.drawImage(bitmap, 0, 0);
        return pen
          .getImageData(0, 0, bitmap.width, bitmap.height)
          .data.reduce((most, value, index) => (index % 4 === 3 ? most : Math.max(most, value)), 0);
      },
      [...picture],
    );
    expect(brightest).to.be.within(150, 215);
    await context.close();
  });
});
