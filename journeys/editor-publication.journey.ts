import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import type {} from "@colloquy/ui/publication/testing/desk.ts";
import { deskEntry, deskScripts } from "@colloquy/ui/publication/testing/desk-scripts.ts";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { axeFindings, horizontalOverflow } from "./accessible.ts";
import { eventually, eventuallyLater } from "./browser.ts";
import { courseId, loseFirstResponse, publishing, screenshotFolder, slug } from "./publishing.ts";

/** Every row of the table of drafts and publications, with the trouble that may befall each at the network, the object store and the event store. */
describe("an owner publishes what they wrote", () => {
  let scripts: ReadonlyMap<string, string>;
  before(async () => {
    scripts = await deskScripts();
  });
  const { reading, source, status, program, objects, owner, revisions, says, firstBlock, publishElsewhere, publishes } = publishing(
    async (page, url) => {
      // The desk is the editor of these pages: two would keep one draft.
      await page.route("**/api/course-editor/session*", (route) =>
        route.fulfill({ json: { schemaVersion: 1, courseId, owner: false, editable: false } }),
      );
      await page.route("**/desk/*.js", (route) =>
        route.fulfill({ contentType: "text/javascript", body: scripts.get(basename(route.request().url())) ?? "" }),
      );
      await begin(page, url);
    },
  );

  async function begin(page: Page, url?: string): Promise<void> {
    if (url) await page.goto(url);
    else await page.reload();
    await page.waitForLoadState("load");
    await page.evaluate((entry) => import(entry), `/desk/${deskEntry}`);
    await page.evaluate(() => window.desk.open());
  }
  const mark = (words: string) => owner().page.evaluate((text) => window.desk.mark(text), words);
  const write = (words: string) => owner().page.evaluate(([where = "", text = ""]) => window.desk.write(where, text), [slug, words]);
  const leave = (): Promise<string> => owner().page.evaluate(() => window.desk.leave());
  const draft = () => owner().page.evaluate(() => window.desk.draft());
  const reached = (kind: string) => owner().page.waitForFunction((wanted) => window.desk.state().kind === wanted, kind);
  /** Waits for the end of all attempts. The page's clock is put forward, because the pauses between them take half a minute. */
  const reachedFailure = (): Promise<void> =>
    eventuallyLater(owner().page, async () => expect(await owner().page.evaluate(() => window.desk.state().kind)).to.equal("failed"));
  const liveSummary = async (): Promise<string> => (await source()).course.manifest.summary;
  async function looks(name: string): Promise<void> {
    expect(await axeFindings(owner().page)).to.deep.equal([]);
    if (!screenshotFolder) return;
    await owner().page.screenshot({ path: `${screenshotFolder}/publication-${name}-wide.png` });
    await owner().page.emulateMedia({ colorScheme: "dark" });
    await owner().page.setViewportSize({ width: 390, height: 844 });
    await owner().page.waitForTimeout(400);
    await owner().page.screenshot({ path: `${screenshotFolder}/publication-${name}-phone-dark.png` });
    expect(await horizontalOverflow(owner().page)).to.be.at.most(0);
    await owner().page.emulateMedia({ colorScheme: "light" });
    await owner().page.setViewportSize({ width: 1440, height: 900 });
  }

  it("saves a changed field as a draft, in this browser only", async () => {
    const before = await revisions();
    await write("Only mine so far.");
    await says("Draft saved");
    await says("in this browser only");
    await looks("draft");
    expect(firstBlock((await draft())?.course ?? expect.fail("no draft")).source).to.equal("Only mine so far.");
    expect(await revisions()).to.equal(before);
    await begin(owner().page);
    expect(firstBlock((await draft())?.course ?? expect.fail("no draft")).source).to.equal("Only mine so far.");
  });

  it("leaving Edit publishes the changes and shows them at once", async () => {
    const before = await revisions();
    const requests = await publishes();
    await mark("one");
    await write("Published from the page.");
    expect(await leave()).to.equal("published");
    await owner().page.locator("article .block").first().filter({ hasText: "Published from the page." }).waitFor();
    await says("for everyone");
    await looks("published");
    await eventually(async () => expect(await draft()).to.equal(null));
    expect([requests.length, await revisions(), await liveSummary()]).to.deep.equal([1, before + 1, "Mark one"]);
  });

  it("leaving Edit publishes nothing if nothing changed or all was undone", async () => {
    const before = await revisions();
    const requests = await publishes();
    expect(await leave()).to.equal("unchanged");
    await write("Not meant.");
    await owner().page.evaluate(() => window.desk.undo());
    expect(await leave()).to.equal("unchanged");
    expect([requests, await revisions()]).to.deep.equal([[], before]);
  });

  it("a lost response is requested again: published once", async () => {
    const before = await revisions();
    const requests = await publishes(loseFirstResponse);
    await mark("two");
    expect(await leave()).to.equal("kept");
    await reached("published");
    expect([requests.length, new Set(requests).size, await revisions()]).to.deep.equal([2, 1, before + 1]);
  });

  it("a page closed during a lost response restores its draft", async () => {
    const before = await revisions();
    let back = false;
    const requests = await publishes(async (route, number) => {
      if (back) return route.continue();
      if (number === 1) await route.fetch();
      await route.abort("connectionreset");
    });
    await mark("three");
    await leave();
    await owner().page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await begin(owner().page);
    back = true;
    expect((await draft())?.requestId).to.equal(requests[0]);
    expect(await leave()).to.equal("published");
    expect([new Set(requests).size, await revisions(), await liveSummary()]).to.deep.equal([1, before + 1, "Mark three"]);
  });

  it("edits after a lost response cause no conflict", async () => {
    const before = await revisions();
    let written = false;
    await publishes(async (route, number) => {
      if (written) return route.continue();
      if (number === 1) await route.fetch();
      await route.abort("connectionreset");
    });
    await mark("four");
    await leave();
    await mark("five");
    written = true;
    await reached("published");
    expect([await revisions(), await liveSummary()]).to.deep.equal([before + 2, "Mark five"]);
  });

  it("retries while the object store fails or cuts connections", async () => {
    const before = await revisions();
    objects().faults.push({ method: "PUT", key: /^courses\//, what: { status: 503, code: "SlowDown" }, times: 1e6 });
    // The next try goes out once the waiting was looked at, or a slow machine would use up all of them meanwhile.
    const looked = Promise.withResolvers<void>();
    await publishes(async (route, number) => {
      if (number > 1) await looked.promise;
      await route.continue();
    });
    await mark("six");
    expect(await leave()).to.equal("kept");
    await says("Publishing failed");
    await looks("waiting");
    objects().faults.length = 0;
    objects().faults.push({ method: "PUT", key: /live\.json$/, what: "after" });
    looked.resolve();
    await reached("published");
    expect([await revisions(), await liveSummary()]).to.deep.equal([before + 1, "Mark six"]);
  });

  it("retries while the event store is down", async () => {
    const before = await revisions();
    await mark("seven");
    program().kill("event-store/embedded/main.ts");
    // There are some tries only, and a slow machine takes long to start it again.
    await publishes(async (route, number) => {
      if (number > 1) await program().ready();
      await route.continue();
    });
    await leave();
    await reached("published");
    await program().ready();
    expect([await revisions(), await liveSummary()]).to.deep.equal([before + 1, "Mark seven"]);
  });

  it("offline it waits for the connection without using attempts", async () => {
    const before = await revisions();
    await mark("eight");
    await owner().context.setOffline(true);
    expect(await leave()).to.equal("kept");
    await says("You are offline");
    await looks("offline");
    expect((await draft())?.course.manifest.summary).to.equal("Mark eight");
    await owner().context.setOffline(false);
    await reached("published");
    expect([await revisions(), await liveSummary()]).to.deep.equal([before + 1, "Mark eight"]);
  });

  it("too many publications: waits for Retry-After", async () => {
    const times: number[] = [];
    await publishes(async (route, number) => {
      times.push(Date.now());
      if (number > 1) return route.continue();
      const problem = {
        schemaVersion: 1,
        status: 429,
        code: "rate_limited",
        title: "Too many requests. Wait a moment.",
        requestId: "",
        retryable: true,
      };
      await route.fulfill({
        status: 429,
        headers: { "retry-after": "6", "content-type": "application/problem+json" },
        body: JSON.stringify(problem),
      });
    });
    await mark("nine");
    expect(await leave()).to.equal("kept");
    await says("Too many publications at once");
    await reached("published");
    expect((times[1] ?? 0) - (times[0] ?? 0)).to.be.at.least(5_900);
  });

  it("after the last attempt the draft can be saved, imported and retried", async () => {
    const before = await revisions();
    let down = true;
    const requests = await publishes((route) => (down ? route.abort("connectionrefused") : route.continue()));
    await mark("ten");
    await owner().page.clock.install();
    await leave();
    await reachedFailure();
    await says("in this browser only");
    await looks("failed");
    expect([requests.length, new Set(requests).size, await revisions()]).to.deep.equal([6, 1, before]);
    const download = owner().page.waitForEvent("download");
    await status().getByRole("button", { name: "Save a copy" }).click();
    const file = await (await download).path();
    expect((JSON.parse(await readFile(file, "utf8")) as { course: AuthoredCourse }).course.manifest.summary).to.equal("Mark ten");
    await owner().page.evaluate(() => window.desk.mark("something else"));
    // The file is taken in where nothing can be sent, as after a failure.
    await leave();
    await reachedFailure();
    await owner().page.locator("colloquy-editor-status input[type=file]").setInputFiles(file);
    // What was written since is newer than the file, so it is asked about first.
    await owner().page.getByRole("button", { name: "Load the file" }).click();
    await eventually(async () => expect((await draft())?.course.manifest.summary).to.equal("Mark ten"));
    down = false;
    await status().getByRole("button", { name: "Publish now" }).click();
    await reached("published");
    expect([await revisions(), await liveSummary()]).to.deep.equal([before + 1, "Mark ten"]);
  });

  it("shows errors and sends nothing", async () => {
    const requests = await publishes();
    await owner().page.evaluate((where) => window.desk.title(where, ""), slug);
    expect(await leave()).to.equal("kept");
    await says("problem to fix");
    await looks("invalid");
    expect(requests).to.deep.equal([]);
  });

  it("a stale base shows all three texts, and the chosen result is published", async () => {
    const before = await revisions();
    await write("An eigenvector is what **I** say.");
    await publishElsewhere((course) => {
      firstBlock(course).source = "An eigenvector is what **they** say.";
      const other = course.topics.find((topic) => topic.slug !== slug);
      if (other) other.title = "Changed by somebody else";
    });
    expect(await leave()).to.equal("kept");
    const sheet = owner().page.getByRole("dialog", { name: "The course was published while you were editing" });
    await sheet.waitFor();
    await looks("conflict");
    await owner().page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(firstBlock((await draft())?.course ?? expect.fail("no draft")).source).to.contain("**I**");
    expect(firstBlock((await source()).course).source).to.contain("**they**");
    await status().getByRole("button", { name: "Compare and choose" }).click();
    await sheet.getByRole("button", { name: "Publish the result" }).press("Enter");
    await sheet.getByText("1 part to decide.").waitFor();
    // The keyboard was led to what is still to be chosen.
    await sheet.locator("input:focus").press("ArrowDown");
    await sheet.getByText("Everything is decided.").waitFor();
    await sheet.getByText("See the result").click();
    await sheet.getByRole("button", { name: "Publish the result" }).click();
    await reached("published");
    const { course } = await source();
    expect(firstBlock(course).source).to.contain("**I**");
    expect(course.topics.some(({ title }) => title === "Changed by somebody else")).to.equal(true);
    expect(await revisions()).to.equal(before + 2);
  });

  // Of its own, so that it comes after everything above.
  describe("and all the while", () => {
    it("readers never saw a partial or an older revision", () => {
      expect(reading.pages).to.be.greaterThan(20);
      expect(reading.torn).to.deep.equal([]);
    });
  });
});
