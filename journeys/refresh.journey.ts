import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { expect } from "chai";
import type { Browser } from "playwright-core";
import { eventually, openBrowser, openVisitor, settled, type Visitor } from "./browser.ts";
import { learner } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;

describe("a reader's open page is published again", () => {
  let program: Program;
  let browser: Browser;
  let mira: Visitor;
  let owner: string;
  const courseId = "linear-maps";
  const path = `/courses/${courseId}/directions-that-stay/eigenvectors`;

  before(async () => {
    program = await startProgram();
    browser = await openBrowser();
    owner = (await learner(program.url, "owner")).cookie;
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });
  afterEach(async () => {
    expect(mira.complaints.filter((one) => !one.includes("404"))).to.deep.equal([]);
    await mira.context.close();
  });

  /** Publishes what an owner makes of the live course. */
  async function publish(change: (course: AuthoredCourse) => void, renamedIds: { from: string; to: string }[] = []): Promise<number> {
    const source = await fetch(`${program.url}/api/course-editor/source?course=${courseId}`, { headers: { cookie: owner } });
    const { course, sequence, revisionId } = (await source.json()) as { course: AuthoredCourse; sequence: number; revisionId: string };
    change(course);
    const response = await fetch(`${program.url}/api/course-editor/publish`, {
      method: "POST",
      headers: { cookie: owner, "content-type": "application/json", "x-course-publish": "1" },
      body: JSON.stringify({
        schemaVersion: 1,
        requestId: crypto.randomUUID(),
        courseId,
        base: { sequence, revisionId },
        course,
        renamedIds,
        aliases: [],
      }),
    });
    const body = (await response.json()) as { sequence: number };
    expect(response.status, JSON.stringify(body)).to.equal(200);
    return body.sequence;
  }
  const topicOf = (course: AuthoredCourse) => course.topics.find(({ slug }) => slug === "eigenvectors") ?? expect.fail("no topic");
  const shows = (sequence: number) =>
    mira.page.waitForFunction(
      (wanted) => document.querySelector<HTMLElement>("[data-sequence]")?.dataset.sequence === String(wanted),
      sequence,
    );
  const open = async (as: string | null = null) => {
    mira = await openVisitor(browser, { width: 1440, height: 900 });
    await mira.page.goto(as ? `${program.url}/auth/demo?as=${as}&return=${encodeURIComponent(path)}` : program.url + path);
    await mira.page.waitForLoadState("load");
  };

  it("sees the new text in place: scroll, selection and an open answer stay", async () => {
    // An answer to open, far down.
    await publish((course) => {
      topicOf(course).blocks.push({
        id: "journey-exercise",
        type: "core.exercise",
        source: "---\ntitle: Try\n---\nWhat stays?\n\n:::solution\nThe direction stays, and that is all.\n:::\n",
      });
    });
    await open();
    const { page } = mira;
    await page.locator("#journey-exercise summary").click();
    await page.locator("#journey-exercise").evaluate((element) => element.scrollIntoView({ block: "center" }));
    await page.evaluate(() => {
      const words = document.querySelector("#journey-exercise details p")?.firstChild as Text;
      getSelection()?.setBaseAndExtent(words, 4, words, 13);
    });
    const place = () => page.locator("#journey-exercise").evaluate((element) => element.getBoundingClientRect().top);
    const before = await settled(place);
    const sequence = await publish((course) => {
      const { blocks } = topicOf(course);
      blocks.unshift({ id: "journey-first", type: "core.theory", source: "Published while you read.\n\n".repeat(30) });
      const exercise = blocks.find(({ id }) => id === "journey-exercise");
      if (exercise) exercise.source = exercise.source.replace("that is all", "nothing else does");
    });
    await shows(sequence);
    await page.locator("#journey-first").waitFor();
    await page.locator("#journey-exercise details", { hasText: "nothing else does" }).waitFor();
    await eventually(async () => expect(await place()).to.be.closeTo(before, 2));
    expect(await page.locator("#journey-exercise details").getAttribute("open")).to.not.equal(null);
    await eventually(async () => expect(await page.evaluate(() => String(getSelection()))).to.equal("direction"));
    const note = page.getByRole("status").filter({ hasText: "This page was updated" });
    await note.waitFor();
    if (pictures) await page.screenshot({ path: `${pictures}/refresh-note.png` });
    await note.getByRole("button", { name: "Close" }).click();
    await page.locator(".rail a").first().waitFor({ state: "attached" });
  });

  it("keeps drawings with their text when blocks move", async () => {
    await open("learner");
    const { page } = mira;
    const film = page.getByRole("link", { name: "Make a video of this page" });
    await film.waitFor();
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await page.getByRole("radio", { name: "Pen" }).waitFor();
    const block = page.locator("article .block").nth(1);
    const id = await block.getAttribute("id");
    await block.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const box = (await settled(() => block.boundingBox())) ?? expect.fail("no block");
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    for (let step = 1; step <= 10; step += 1) await page.mouse.move(box.x + 20 + step * 12, box.y + 10 + step);
    await page.mouse.up();
    await page.locator("colloquy-drawing .strokes path").waitFor({ state: "attached" });
    const offset = () =>
      page.evaluate((blockId) => {
        const own = document.getElementById(blockId ?? "")?.getBoundingClientRect();
        const ink = document.querySelector("colloquy-drawing .strokes path")?.getBoundingClientRect();
        return own && ink ? Math.round(ink.top - own.top) : null;
      }, id);
    const before = await settled(offset);
    const sequence = await publish((course) => {
      const { blocks } = topicOf(course);
      const [moved] = blocks.splice(
        blocks.findIndex((one) => one.id === id),
        1,
      );
      if (moved) blocks.push(moved);
      topicOf(course).title = "Directions, drawn";
    });
    await shows(sequence);
    await page.waitForFunction((wanted) => document.querySelector("article .block:last-of-type")?.id === wanted, id);
    await eventually(async () => expect(await offset()).to.equal(before));
    expect(await page.getByRole("toolbar", { name: "Drawing" }).count()).to.equal(1);
    expect(await film.count()).to.equal(1);
  });

  it("polls every three seconds, is answered with 304, and not while hidden", async () => {
    mira = await openVisitor(browser);
    const { page } = mira;
    await page.clock.install();
    // From here on it goes on only where it is told to: a question asked in between would be one too many.
    await page.clock.pauseAt(Date.now() + 60_000);
    const answers: number[] = [];
    let questions = 0;
    page.on("request", (request) => (questions += Number(request.url().endsWith("/revision"))));
    page.on("response", (response) => void (response.url().endsWith("/revision") && answers.push(response.status())));
    await page.goto(program.url + path);
    const check = () => page.waitForResponse((response) => response.url().endsWith("/revision"));
    const hide = (hidden: boolean) =>
      page.evaluate((is) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => is });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    // It goes on until the program that asks is there, and has taken in what it was answered.
    const next = async () => {
      let isThere = false;
      const answered = check().then(() => (isThere = true));
      for (; !isThere; await page.waitForTimeout(250)) await page.clock.runFor(1_000);
      await answered;
    };
    for (let seen = 0; seen < 4; seen += 1) await next();
    await eventually(async () => expect(answers).to.have.length(questions));
    const asked = answers.length;
    await hide(true);
    await page.clock.runFor(60_000);
    const back = check();
    await hide(false);
    await back;
    expect(answers).to.have.length(asked + 1);
    expect(answers.slice(1).every((status) => status === 304)).to.equal(true);
  });

  it("is cited under its former address in one tab, and is not offered beside itself", async () => {
    await open("learner");
    const { page } = mira;
    await page.getByRole("link", { name: "Ask about this page" }).first().click();
    await page.getByRole("textbox", { name: "Your question" }).fill("What is an eigenvector?");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Regenerate" }).waitFor();
    const citation = page.locator(`colloquy-answer a[data-citation][href^="${path}?"]`).first();
    const isCitedInOneTab = async () => {
      for (const reloads of [false, true]) {
        if (reloads) await page.reload();
        for (let clicks = 0; clicks < 2; clicks += 1) {
          await citation.click();
          await page.getByText("The cited passage is marked").waitFor();
          await page.waitForFunction(() => !document.querySelector("colloquy-panes [aria-busy='true']"));
          expect(await page.getByRole("tab").count(), "the conversation and the page").to.equal(2);
        }
        await eventually(async () => expect(await page.getByRole("button", { name: /^Add page/ }).count()).to.equal(0));
      }
    };
    const source = await fetch(`${program.url}/api/course-editor/source?course=${courseId}`, { headers: { cookie: owner } });
    const { id } = topicOf(((await source.json()) as { course: AuthoredCourse }).course);
    await publish(
      (course) => {
        Object.assign(course, JSON.parse(JSON.stringify(course).replaceAll(`"${id}"`, '"directions-kept"')));
        for (const topic of course.topics) if (topic.id === "directions-kept") topic.slug = "kept";
      },
      [{ from: id, to: "directions-kept" }],
    );
    await isCitedInOneTab();
    await publish((course) => {
      for (const topic of course.topics) if (topic.id === "directions-kept") topic.slug = "eigenvectors";
    });
    await isCitedInOneTab();
  });

  it("marks a passage that was cited from a later revision, once it is shown", async () => {
    await open();
    const { page } = mira;
    const quote = "A passage of the next revision.";
    await page.goto(`${program.url}${path}?mark=${encodeURIComponent(quote)}#journey-later`);
    await page.getByText("The cited passage is no longer on this page.").waitFor();
    await publish((course) => {
      topicOf(course).blocks.push({ id: "journey-later", type: "core.theory", source: `${quote} And more of it.` });
    });
    const mark = page.locator("#journey-later mark.cited");
    await mark.waitFor();
    await page.getByText("The cited passage is marked.").waitFor();
    await eventually(async () => expect(await mark.evaluate((it) => it.getBoundingClientRect().top)).to.be.within(0, 900));
    expect(await page.getByText("no longer on this page").count()).to.equal(0);
    if (pictures) await page.screenshot({ path: `${pictures}/refresh-cited-later.png` });
  });

  /** Opens an address as a link in a pane does. */
  const openLink = (pane: Element, href: string): void => {
    const link = Object.assign(document.createElement("a"), { href });
    pane.append(link);
    link.click();
    link.remove();
  };

  it("leads on from a page that is gone to its moved block, or to the passage as it was cited", async () => {
    const goes = "This block goes with its page.";
    const moves = "This block moves before its page goes.";
    const gone = path.replace("eigenvectors", "a-page-that-goes");
    let revisionId = "";
    await publish((course) => {
      const blocks = [
        { id: "journey-goes", type: "core.theory" as const, source: goes },
        { id: "journey-moves", type: "core.theory" as const, source: moves },
      ];
      course.topics.push({
        ...topicOf(course),
        id: "journey-gone",
        slug: "a-page-that-goes",
        title: "A page that goes",
        objectives: [],
        blocks,
      });
      const topicId = topicOf(course).id;
      for (const collection of course.collections)
        if (collection.children.some(({ id }) => id === topicId)) collection.children.push({ kind: "topic", id: "journey-gone" });
    });
    revisionId = (await (await fetch(`${program.url}/api/courses/${courseId}/revision`)).json()).revisionId;
    await open("learner");
    const { page } = mira;
    const cited = (quote: string, block: string) => `${gone}?mark=${encodeURIComponent(quote)}&revision=${revisionId}#${block}`;
    await publish((course) => {
      topicOf(course).blocks.push({ id: "journey-moves", type: "core.theory", source: moves });
      course.topics = course.topics.filter(({ id }) => id !== "journey-gone");
      for (const collection of course.collections) collection.children = collection.children.filter(({ id }) => id !== "journey-gone");
    });
    for (const inWorkspace of [false, true]) {
      const go = async (href: string) => {
        await page.goto(program.url + (inWorkspace ? "/ai" : href));
        if (inWorkspace) await page.locator("section.pane").first().evaluate(openLink, href);
        await page.getByText("Page not found").first().waitFor();
      };
      await go(cited(moves, "journey-moves"));
      await page.getByText("The cited passage moved to another page.").first().waitFor();
      if (pictures) await page.screenshot({ path: `${pictures}/gone-moved-${inWorkspace}.png` });
      await page.getByRole("link", { name: "Go there" }).click();
      await page.locator("#journey-moves mark.cited", { hasText: moves }).waitFor();
      await go(cited(goes, "journey-goes"));
      if (pictures) await page.getByRole("link", { name: "Read it as cited" }).waitFor();
      if (pictures) await page.screenshot({ path: `${pictures}/gone-${inWorkspace}.png` });
      await page.getByRole("link", { name: "Read it as cited" }).click();
      await page.locator("#journey-goes mark.cited", { hasText: goes }).waitFor();
    }
  });

  it("says that a link leads to no block, also while a cited passage is marked", async () => {
    await open();
    const { page } = mira;
    const words = "An eigenvector is a non-zero vector";
    const block = await page.locator(".block", { hasText: words }).last().getAttribute("id");
    await page.goto(`${program.url}${path}?mark=${encodeURIComponent(words)}#${block}`);
    await page.locator("mark.cited").first().waitFor();
    await page.locator(".rail a").last().click();
    await page.waitForURL((url) => url.search === "");
    await page.locator("mark.cited").first().waitFor();
    await page
      .locator(".rail a")
      .last()
      .evaluate((link) => link.setAttribute("href", "#journey-nowhere"));
    await page.locator(".rail a").last().click();
    await page.getByText("The linked passage is no longer on this page.").waitFor();
    expect(await page.locator("mark.cited").count()).to.equal(0);
    for (let back = 0; back < 2; back += 1) await page.evaluate(() => history.back());
    await page.getByText("The cited passage is marked.").waitFor();
    expect(await page.locator("mark.cited").count()).to.be.greaterThan(0);
  });

  it("stays on a moved topic, and says that a topic was removed", async () => {
    await open();
    const { page } = mira;
    const moved = await publish((course) => {
      topicOf(course).title = "Directions of their own";
      topicOf(course).slug = "directions-of-their-own";
    });
    await shows(moved);
    await page.waitForURL((url) => url.pathname === path.replace("eigenvectors", "directions-of-their-own"));
    await eventually(async () => {
      expect(await page.title()).to.contain("Directions of their own");
      expect(await page.locator("#contents [aria-current='page']").textContent()).to.equal("Directions of their own");
    });
    const words = await page.locator("article .prose").textContent();
    await publish((course) => {
      const gone = course.topics.find(({ slug }) => slug === "directions-of-their-own")?.id;
      course.topics = course.topics.filter(({ id }) => id !== gone);
      for (const collection of course.collections) collection.children = collection.children.filter(({ id }) => id !== gone);
      for (const topic of course.topics)
        for (const block of topic.blocks) block.source = block.source.replaceAll(`topic:${gone}`, `topic:${topic.id}`);
    });
    const note = page.getByRole("status").filter({ hasText: "removed from its course" });
    await note.waitFor();
    expect(await page.locator("article .prose").textContent()).to.equal(words);
    if (pictures) await page.screenshot({ path: `${pictures}/refresh-gone.png` });
    await note.getByRole("button", { name: "To the course" }).click();
    await page.waitForURL(`${program.url}/courses/${courseId}`);
    const sequence = await publish((course) => {
      course.manifest.title = "Linear maps, seen anew";
    });
    await shows(sequence);
    await eventually(async () => expect(await page.locator("h1").textContent()).to.equal("Linear maps, seen anew"));
  });
});
