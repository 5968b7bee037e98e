import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { en } from "@colloquy/messages/en.ts";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser, openProfile, openVisitor, type Visitor } from "./browser.ts";
import { waitForServiceWorker, waitUntilStored } from "./browser-storage.ts";
import { learner } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

const question = "What is an eigenvector?";
const later = "Arrows to look at again";
const draft = "And what does a rotation leave alone?";
const courseAddress = "/courses/linear-maps";
/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;

describe("a learner works offline", () => {
  let program: Program;
  let browser: Browser;
  let mira: Visitor;
  let conversation: string;
  let topic: string;

  before(async () => {
    program = await startProgram({ DEMO_MODEL_WORD_MS: "2" });
    browser = await openBrowser();
    mira = await openVisitor(browser, { width: 1280, height: 860 });
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const composer = (page: Page) => page.getByRole("textbox", { name: "Your question" });
  const signIn = (page: Page, to: string, as = "learner") =>
    page.goto(`${program.url}/auth/demo?as=${as}&return=${encodeURIComponent(to)}`);
  const picture = async (page: Page, name: string) => pictures && (await page.screenshot({ path: `${pictures}/${name}.png` }));
  /** What the browser keeps, by the caches' names. Without empty ones: looking into a cache that is taken away meanwhile makes it again. */
  const cachedFiles = (page: Page) =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const paths = async (name: string) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
      const all = await Promise.all(names.map(async (name) => [name.replace(/-[0-9a-f]{16}$/, ""), await paths(name)] as const));
      return Object.fromEntries(all.filter(([, held]) => held.length > 0));
    }) as Promise<Record<string, string[]>>;
  const cachedPages = async (page: Page) => (await cachedFiles(page))["colloquy-pages"] ?? [];
  async function untilKept(page: Page, path: string): Promise<void> {
    for (let tries = 0; tries < 600 && !(await cachedPages(page)).includes(path); tries += 1) await page.waitForTimeout(100);
    expect(await cachedPages(page)).to.include(path);
  }

  it("stores the workspace after its first load, and pages that were read", async () => {
    const { page } = mira;
    await signIn(page, "/ai");
    await composer(page).fill(question);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Regenerate" }).waitFor({ timeout: 60_000 });
    conversation = new URL(page.url()).pathname + new URL(page.url()).search;
    await waitForServiceWorker(page);
    topic = new URL((await page.locator("a.cite").first().getAttribute("href")) ?? "", program.url).pathname;
    await page.goto(program.url + courseAddress);
    await page.goto(program.url + topic);
    await untilKept(page, topic);
    await untilKept(page, courseAddress);
    const all = await cachedFiles(page);
    expect(Object.keys(all)).to.include("colloquy-build");
    const others = Object.values(all)
      .flat()
      .filter((path) => !/^\/api\/courses\/linear-maps\/assets\//.test(path));
    expect(others.filter((path) => /^\/(?:api|auth|oidc|sign-in|audit)/.test(path))).to.deep.equal([]);
  });

  it("is served by a service worker that took over during the page load", async () => {
    const { page, context } = await openVisitor(browser);
    await signIn(page, "/sign-in");
    const other = await context.newPage();
    // Its answer is held back until the worker, which the other page brings, has taken over.
    await page.route(`${program.url}/ai`, async (route) => {
      await other.goto(`${program.url}/courses`);
      await waitForServiceWorker(other);
      await route.continue();
    });
    await page.goto(`${program.url}/ai`);
    await waitForServiceWorker(page);
    await context.close();
  });

  it("revalidates a page and gets 304", async () => {
    const { page } = mira;
    const unchanged = async () => {
      const figures = await (await fetch(`${program.url}/metrics`)).text();
      const lines = figures.split("\n").filter((line) => /_count\{.*\/courses\/:courseId.*status="304"/.test(line));
      return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    };
    const before = await unchanged();
    await page.goto(`${program.url}/courses`);
    await page.goto(program.url + topic);
    await page.locator("main article h1").waitFor();
    await eventually(async () => expect(await unchanged()).to.be.greaterThan(before));
  });

  it("opens conversation, history, draft and page offline", async () => {
    const { page } = mira;
    await page.goto(program.url + conversation);
    await page.locator("colloquy-answer p").first().waitFor();
    mira.complaints.length = 0;
    await program.halt();
    await page.reload();
    await page.locator("colloquy-answer p").first().waitFor();
    expect(await page.locator("colloquy-exchange").first().innerText()).to.contain(question);
    await page.getByRole("link", { name: question }).waitFor();
    await composer(page).fill(draft);
    await waitUntilStored(page, draft);
    await picture(page, "offline-workspace");
    await page.locator("a.cite").first().click();
    await page.locator("colloquy-course-page:visible").locator("mark.cited").first().waitFor();
    await page.locator("colloquy-course-page .kept-note", { hasText: "No connection" }).waitFor();
    await picture(page, "offline-pane");
    await page.reload();
    await composer(page).waitFor();
    await eventually(async () => expect(await composer(page).inputValue()).to.equal(draft));
  });

  it("queues a rename, a pin and other changes in this browser", async () => {
    const { page } = mira;
    for (const [item, act] of [
      ["Rename", () => page.keyboard.type(later)],
      ["Pin", null],
      ["Unpin", null],
      ["Pin", null],
    ] as const) {
      const row = page.locator("colloquy-history li").first();
      await row.hover();
      await row.getByRole("button", { name: /^Actions for/ }).click();
      await page.getByRole("menuitem", { name: item, exact: true }).click();
      // What the history shows is kept by then; a page that is left earlier may take it along.
      if (item !== "Rename")
        await page
          .locator("colloquy-history")
          .getByText("Pinned")
          .waitFor({ state: item === "Pin" ? "visible" : "detached" });
      if (!act) continue;
      await page.locator("colloquy-history").locator("li input:focus").waitFor();
      await page.keyboard.press("Control+A");
      await act();
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: later }).waitFor();
    }
    await page.reload();
    await page.getByRole("link", { name: later }).waitFor();
  });

  it("shows a stored page and says so; for another it lists stored pages", async () => {
    const { page } = mira;
    await page.goto(program.url + topic);
    await page.locator("main article h1").waitFor();
    await page.locator(".kept-note", { hasText: "No connection" }).waitFor();
    await picture(page, "offline-page");
    const answer = await page.goto(`${program.url}/courses/unix-shell`);
    expect(answer?.status()).to.equal(503);
    await page.getByRole("heading", { level: 1, name: en["offline.pageNotAvailable"] }).waitFor();
    await page.locator(".kept").getByRole("link").first().waitFor();
    await picture(page, "offline-instead");
    await page
      .locator(".kept")
      .getByRole("link", { name: /Linear Maps/ })
      .first()
      .click();
    await page.locator(".kept-note").waitFor();
  });

  it("sends all changes in order when online", async () => {
    const { page } = mira;
    await page.goto(program.url + conversation);
    await page.getByRole("link", { name: later }).waitFor();
    await program.start();
    const device = await learner(program.url, "learner", "another-device");
    const id = new URL(program.url + conversation).searchParams.get("conversation");
    const record = async () =>
      ((await device.get(`/api/conversations/${id}`)).body as { conversation: { title: string; pinned: boolean } }).conversation;
    const told = async () =>
      ((await device.get("/api/sync/pull?limit=500")).body as { changes: { entityId: string; type: string }[] }).changes
        .filter(({ entityId }) => entityId === id)
        .map(({ type }) => type)
        .slice(-4);
    // It is pinned twice, and unpinned between: only when all is there does being pinned say anything.
    const order = ["renamed", "pinned", "unpinned", "pinned"];
    let [types, stands] = [await told(), await record()];
    for (let tries = 0; tries < 300 && !(types.join() === order.join() && stands.pinned); tries += 1) {
      await page.waitForTimeout(200);
      [types, stands] = [await told(), await record()];
    }
    expect(types).to.deep.equal(order);
    expect(stands).to.include({ title: later, pinned: true });
    await eventually(async () => expect(await composer(page).inputValue()).to.equal(draft));
  });

  it("does the same if only the browser is offline", async () => {
    const { page, context } = mira;
    await context.setOffline(true);
    await page.reload();
    await page.locator("colloquy-answer p").first().waitFor();
    await page.getByText("You are offline.").first().waitFor();
    await context.setOffline(false);
    await page.getByText("You are offline.").first().waitFor({ state: "hidden" });
  });

  it("is installable from every page, and starts offline in a browser that was closed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "colloquy-profile-"));
    let profile = await openProfile(folder);
    try {
      const page = await profile.newPage();
      await signIn(page, "/ai");
      await waitForServiceWorker(page);
      const devtools = await profile.newCDPSession(page);
      for (const path of ["/ai", "/review", "/courses", topic]) {
        await page.goto(program.url + path);
        const { url, errors } = await devtools.send("Page.getAppManifest");
        expect([url, errors], path).to.deep.equal([`${program.url}/app.webmanifest?language=en`, []]);
        expect((await devtools.send("Page.getInstallabilityErrors")).installabilityErrors, path).to.deep.equal([]);
      }
      await untilKept(page, topic);
      await page.goto(program.url + conversation);
      await page.locator("colloquy-answer p").first().waitFor();
      await profile.close();
      profile = await openProfile(folder);
      await profile.setOffline(true);
      const offline = await profile.newPage();
      await offline.goto(`${program.url}/ai`);
      await composer(offline).waitFor();
      await offline.getByRole("link", { name: later }).waitFor();
      await picture(offline, "offline-start");
      await offline.goto(program.url + topic);
      await offline.locator("main article h1").waitFor();
    } finally {
      await profile.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("shows and keeps nothing of one account for the next", async () => {
    const { page } = mira;
    await page.goto(program.url + topic);
    await untilKept(page, topic);
    const database = () =>
      page.evaluate(async () => (await indexedDB.databases()).flatMap(({ name }) => (/^colloquy-acc/.test(name ?? "") ? [name] : [])));
    expect(await database()).to.have.length(1);
    await page.locator("details.account summary").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    // The draft of before is still in the composer.
    const question = page.getByRole("dialog", { name: "Sign out and lose unsaved work?" });
    await question.getByText("1 question you wrote and have not sent").waitFor();
    await question.getByRole("button", { name: "Sign out anyway" }).click();
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    await eventually(async () => {
      expect(await database()).to.deep.equal([]);
      expect(await page.evaluate(() => localStorage.getItem("colloquy-account"))).to.equal(null);
    });
    for (const path of await cachedPages(page)) {
      const text = await page.evaluate(async (at) => (await (await caches.open("colloquy-pages")).match(at))?.text(), path);
      // One that has been taken away since is not shown to anybody either.
      expect(text ?? "", path).not.to.contain("Mira");
    }
    await program.halt();
    await page.goto(program.url + conversation);
    await page.getByRole("heading", { name: "The service does not respond" }).waitFor();
    expect(await page.locator("colloquy-exchange").count()).to.equal(0);
    await program.start();
  });

  it("deletes everything if offline reading is turned off", async () => {
    const { page } = mira;
    await signIn(page, "/courses/linear-maps");
    await untilKept(page, courseAddress);
    await program.halt();
    await program.start({ OFFLINE_READING: "off" });
    await page.goto(`${program.url}/courses`);
    for (let tries = 0; tries < 600 && Object.keys(await cachedFiles(page)).length > 0; tries += 1) await page.waitForTimeout(100);
    expect(await cachedFiles(page)).to.deep.equal({});
    await eventually(async () =>
      expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).to.equal(0),
    );
    await page.goto(program.url + conversation);
    await page.locator("colloquy-answer p").first().waitFor();
    await page.waitForTimeout(1_500);
    expect(await cachedFiles(page)).to.deep.equal({});
  });

  it("reports no browser errors except failed requests", () => {
    expect(mira.complaints.filter((words) => !/Failed to load resource|ERR_|503/.test(words))).to.deep.equal([]);
  });
});
