import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildEmbed } from "@colloquy/ui/embed/build.ts";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { type ForeignSite, foreignSite } from "./foreign-site.ts";
import { type Program, startProgram } from "./program.ts";
import { answerQuestion } from "./quiz-answers.ts";

const page = "/courses/linear-maps/directions-that-stay/eigenvectors";
const body = `<colloquy-ask page="${page}"></colloquy-ask><colloquy-quiz page="${page}"></colloquy-quiz><colloquy-course course="linear-maps" topic="composition"></colloquy-course><colloquy-tutor course="linear-maps"></colloquy-tutor><colloquy-explainer page="${page}"></colloquy-explainer>`;

interface Told {
  name: string;
  tag: string;
  detail: Record<string, unknown>;
}
interface OwnThings {
  seen: string[];
  events: Told[];
  ownKeys: string[];
}

describe("a page of another site", () => {
  let program: Program;
  let browser: Browser;
  let site: ForeignSite;
  let stranger: ForeignSite;
  let folder: string;
  let mira: Visitor;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "colloquy-embed-"));
    [site, stranger] = await Promise.all([foreignSite(folder), foreignSite()]);
    program = await startProgram({ EMBED_ORIGINS: site.origin, DEMO_MODEL_WORD_MS: "4" });
    for (const each of [site, stranger]) each.show({ service: program.url, body });
    browser = await openBrowser();
    mira = await openVisitor(browser);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
    await Promise.all([site?.close(), stranger?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const told = (at: Page, name: string): Promise<Told> =>
    at
      .waitForFunction((wanted) => (window as unknown as OwnThings).events.findLast((event) => event.name === wanted), name)
      .then((found) => found.jsonValue() as Promise<Told>);
  const state = (at: Page, wanted: string): Promise<unknown> =>
    at.waitForFunction((name) => (document.querySelector("colloquy-ask") as unknown as { state: string }).state === name, wanted);
  async function signIn(at: Page): Promise<Page> {
    const opened = at.context().waitForEvent("page");
    await at.locator("colloquy-ask").getByRole("button", { name: "Sign in" }).click();
    return opened;
  }
  /** What of a page is its own: nothing of it may change by what stands in it. */
  const ownThings = (at: Page) =>
    at.evaluate(async () => {
      const own = document.querySelector("#own") as HTMLElement;
      const { color, fontFamily, letterSpacing } = getComputedStyle(own);
      const { ownKeys } = window as unknown as OwnThings;
      return {
        history: history.length,
        address: location.href,
        state: history.state,
        style: { color, fontFamily, letterSpacing },
        sheets: document.styleSheets.length,
        head: document.head.children.length,
        body: [...document.body.children].map(({ localName }) => localName),
        root: document.documentElement.getAttributeNames(),
        globals: Object.keys(window).filter((key) => !ownKeys.includes(key) && !["seen", "events", "ownKeys"].includes(key)),
        cookies: document.cookie,
        stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...(await indexedDB.databases()).map(({ name }) => name)],
        faces: [...document.fonts].map(({ family }) => family).filter((family) => !/^"?Colloquy_KaTeX_/.test(family)),
      };
    });
  let before_: Awaited<ReturnType<typeof ownThings>>;

  it("shows five elements under a hostile style sheet and a strict policy", async () => {
    await mira.page.goto(site.origin);
    before_ = await ownThings(mira.page);
    await state(mira.page, "signed-out");
    await told(mira.page, "topic");
    const course = mira.page.locator("colloquy-course");
    await course.getByRole("heading", { name: "One map after another", exact: true }).first().waitFor();
    await course.locator(".katex").nth(10).waitFor({ state: "attached" });
    const look = await course
      .locator(".prose p")
      .first()
      .evaluate((element) => {
        const { color, fontFamily, letterSpacing, textTransform, display } = getComputedStyle(element);
        return { color, fontFamily, letterSpacing, textTransform, display };
      });
    expect(look).to.include({ letterSpacing: "normal", textTransform: "none", display: "block" });
    expect(look.fontFamily).to.contain("Georgia").and.not.to.contain("Comic");
    expect(look.color).not.to.equal("rgb(220, 20, 60)");
    const figure = course.locator("figure.diagram").first();
    await figure.scrollIntoViewIfNeeded();
    await figure.locator(".diagram-drawing svg .node rect").first().waitFor({ timeout: 60_000 });
    await eventually(async () => {
      const drawn = await figure
        .locator(".diagram-drawing .node rect")
        .first()
        .evaluate((node) => ({ fill: getComputedStyle(node).fill, width: node.getBoundingClientRect().width }));
      expect(drawn.fill, "the drawing's own rules hold without inline styles").not.to.equal("rgb(0, 0, 0)");
      expect(drawn.width).to.be.greaterThan(40);
    });
    // A formula's own sizes come as style attributes, which the policy forbids; a picture comes from the service's site.
    await mira.page.evaluate(() => document.querySelector("colloquy-course")?.setAttribute("topic", "eigenvectors"));
    await course
      .locator("img")
      .first()
      .evaluate((image) => image.scrollIntoView());
    await mira.page.waitForFunction(() => {
      const root = document.querySelector("colloquy-course")?.shadowRoot;
      const sized = [...(root?.querySelectorAll<HTMLElement>(".katex [style*='height']") ?? [])];
      return (
        sized.some(({ style, offsetHeight }) => style.height !== "" && offsetHeight > 5) &&
        (root?.querySelector("img")?.naturalWidth ?? 0) > 0
      );
    });
  });

  it("signs its reader in through a window and learns nothing else", async () => {
    const opened = await signIn(mira.page);
    await opened.getByRole("link", { name: /Mira/ }).click();
    await opened.getByRole("button", { name: "Continue" }).click();
    await state(mira.page, "signed-in");
    if (!opened.isClosed()) await opened.waitForEvent("close");
    const all = JSON.stringify(await mira.page.evaluate(() => (window as unknown as OwnThings).events));
    expect(all).not.to.match(/acc_|Mira|eyJ/);
  });

  it("asks, and opens a citation on the service in a new tab", async () => {
    const ask = mira.page.locator("colloquy-ask");
    await ask.getByRole("textbox").fill("What is an eigenvector?");
    await ask.getByRole("textbox").press("Enter");
    const { detail } = await told(mira.page, "answered");
    expect(String(detail.text)).to.match(/eigenvector[\s\S]*\[\^1\]/i);
    const chip = ask.locator("a.cite").first();
    await chip.waitFor();
    const opening = mira.context.waitForEvent("page");
    await chip.click();
    const opened = await opening;
    await opened.waitForLoadState();
    expect(new URL(opened.url()).origin).to.equal(program.url);
    expect(new URL(opened.url()).pathname).to.match(/^\/courses\/linear-maps/);
    expect(await opened.evaluate(() => window.opener)).to.equal(null);
    await opened.close();
    expect(mira.page.url()).to.equal(`${site.origin}/`);
  });

  it("makes a quiz and receives its score", async () => {
    const quiz = mira.page.locator("colloquy-quiz");
    await quiz.getByRole("button", { name: "Make a quiz" }).click();
    await told(mira.page, "made");
    await quiz.getByRole("button", { name: "Check all" }).waitFor();
    for (const question of await quiz.getByRole("group", { name: /^Question \d+ of \d+/ }).all()) await answerQuestion(question);
    await quiz.getByRole("button", { name: "Check all" }).click();
    const { detail } = await told(mira.page, "scored");
    expect(detail.score).to.be.within(0, 1);
  });

  it("keeps its own history, styles, globals, storage and router", async () => {
    await mira.page
      .locator("colloquy-course")
      .locator("a[href^='#']")
      .first()
      .click({ force: true, timeout: 2_000 })
      .catch(() => undefined);
    expect(await ownThings(mira.page)).to.deep.equal(before_);
    expect(await mira.page.evaluate(() => (window as unknown as OwnThings).seen)).to.deep.equal([]);
    await mira.page.evaluate(() => {
      location.hash = "#second";
    });
    await mira.page.waitForFunction(() => document.querySelector("#own")?.textContent === "view #second");
    expect(await mira.page.locator("colloquy-ask").locator("a.cite").count(), "the conversation stays").to.be.greaterThan(0);
    expect(mira.complaints).to.deep.equal([]);
  });

  it("signs in with one click while the reader is signed in at the service", async () => {
    await mira.page.reload();
    await state(mira.page, "signed-out");
    await signIn(mira.page);
    await state(mira.page, "signed-in");
  });

  it("reports a blocked sign-in window", async () => {
    const other = await openVisitor(browser);
    await other.page.goto(site.origin);
    await state(other.page, "signed-out");
    await other.page.evaluate(() => {
      window.open = () => null;
    });
    await other.page.locator("colloquy-ask").getByRole("button", { name: "Sign in" }).click();
    await other.page.locator("colloquy-ask").getByRole("alert").getByRole("link", { name: "Open it now" }).waitFor();
    await other.context.close();
  });

  it("signs out with the service and keeps the question", async () => {
    const signedOut = await mira.context.request.post(`${program.url}/auth/sign-out`, {
      data: { schemaVersion: 1 },
      headers: { origin: program.url },
    });
    expect(signedOut.status()).to.equal(200);
    const ask = mira.page.locator("colloquy-ask");
    await ask.getByRole("textbox").fill("And what is a determinant?");
    await ask.getByRole("textbox").press("Enter");
    await state(mira.page, "signed-out");
    await ask.getByRole("button", { name: "Sign in" }).waitFor();
    await eventually(async () =>
      expect(await mira.page.evaluate(() => (window as unknown as OwnThings).events.at(-1)?.name)).to.be.oneOf(["state", "failed"]),
    );
  });

  it("explains that an origin is not allowed", async () => {
    const other = await openVisitor(browser);
    await other.page.goto(stranger.origin);
    await state(other.page, "refused");
    for (const tag of ["colloquy-ask", "colloquy-tutor", "colloquy-quiz", "colloquy-explainer", "colloquy-course"])
      await other.page.locator(tag).getByRole("heading", { name: "Not available on this page" }).waitFor();
    await other.page.goto(`${program.url}/embed/sign-in?${new URLSearchParams({ origin: stranger.origin, nonce: "0123456789abcdef" })}`);
    await other.page.getByRole("heading", { name: "This site may not use Colloquy" }).waitFor();
    await other.context.close();
  });

  it("runs two versions of the script side by side", async () => {
    await buildEmbed({ folder, version: "another0version0", partsFrom: "./embed" });
    site.show({
      service: program.url,
      scripts: [`${site.origin}/more/embed.js`, `${program.url}/embed.js`],
      body: body.replaceAll(/<(colloquy-\w+) /g, `<$1 service="${program.url}" `),
    });
    const other = await openVisitor(browser);
    await other.page.goto(site.origin);
    await state(other.page, "signed-out");
    await told(other.page, "topic");
    const inner = await other.page.evaluate(
      () => document.querySelector("colloquy-ask")?.shadowRoot?.querySelector(".colloquy-frame")?.localName,
    );
    expect(inner).to.equal("colloquy-embedded-ask-another0");
    // The other version's parts can be loaded beside it.
    const both = await other.page.evaluate(async (url) => {
      const text = await (await fetch(`${url}/embed.js`)).text();
      const parts = [...text.matchAll(/\.\/(assets\/embed\/[\w-]+\.js)/g)].map(([, path]) => `${url}/${path}`);
      for (const part of parts) await import(part);
      return parts.length;
    }, program.url);
    expect(both).to.equal(5);
    expect(other.complaints).to.deep.equal([]);
    await other.context.close();
  });

  it("stores its reader's questions in the history", async () => {
    const home = await mira.context.newPage();
    await home.goto(`${program.url}/auth/demo?as=learner&return=/ai`);
    await eventually(async () => {
      const listed = await mira.context.request.get(`${program.url}/api/conversations`);
      const titles = (await listed.json()).conversations.map(({ title }: { title: string }) => title);
      expect(titles).to.include("What is an eigenvector?");
    });
  });
});
