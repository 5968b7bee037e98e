import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { eventuallyLater } from "./browser.ts";
import { waitUntilStored } from "./browser-storage.ts";
import { loseFirstResponse, publishing, screenshotFolder, slug } from "./publishing.ts";

/** What befalls a publication, as its author meets it: by the buttons of the page. */
describe("an owner publishes by the buttons of the page", () => {
  const { reading, source, status, owner, objects, revisions, says, publishElsewhere, publishes } = publishing(
    (page, url) => page.goto(url).then(() => undefined),
    {},
    true,
  );
  const page = () => owner().page;
  const mode = (name: string) => page().getByRole("region", { name: "Mode" }).getByRole("button", { name, exact: true });

  const film = () => page().getByRole("link", { name: "Make a video of this page" });

  /** Opens the editor and writes at the end of the page's first text. */
  async function writeOnPage(words: string): Promise<void> {
    await mode("Edit").click();
    const text = page().locator("colloquy-editor-block .block-theory").first();
    await text.click({ position: { x: 4, y: 4 } });
    const field = page().locator("colloquy-editor-block[writing] textarea");
    await field.press("Control+End");
    await page().keyboard.type(words);
    await waitUntilStored(page(), words);
    await says("Draft saved");
  }
  const liveSources = async (): Promise<string> => JSON.stringify((await source()).course.topics);

  it("leaving Edit publishes once and updates the page", async () => {
    const before = await revisions();
    const requests = await publishes();
    await film().waitFor();
    await writeOnPage(" By the button.");
    await mode("Read").click();
    await page().locator("article:not([hidden])", { hasText: "By the button." }).waitFor();
    await says("for everyone");
    await film().waitFor();
    expect([requests.length, await revisions()]).to.deep.equal([1, before + 1]);
  });

  it("Read after “Publish now” shows the published text at once", async () => {
    await page().route("**/revision", (route) => route.abort("connectionrefused"));
    await writeOnPage(" Published beforehand.");
    await status().getByRole("button", { name: "Publish now" }).click();
    await says("for everyone");
    // What stands in the article at the moment it is uncovered.
    await page().evaluate(() => {
      const article = document.querySelector("main article") as HTMLElement;
      new MutationObserver(() => {
        if (!article.hidden) document.body.dataset.uncovered ??= article.textContent ?? "";
      }).observe(article, { attributeFilter: ["hidden"] });
    });
    await mode("Read").click();
    const uncovered = await page().waitForFunction(() => document.body.dataset.uncovered);
    expect(await uncovered.jsonValue()).to.contain("Published beforehand.");
  });

  it("a lost response is requested again: published once", async () => {
    const before = await revisions();
    const requests = await publishes(loseFirstResponse);
    await writeOnPage(" Answer lost.");
    await mode("Read").click();
    await says("for everyone");
    expect([requests.length, new Set(requests).size, await revisions()]).to.deep.equal([2, 1, before + 1]);
  });

  it("a lost response, more typing and a reload cause no conflict", async () => {
    const before = await revisions();
    const committed = Promise.withResolvers<void>();
    await publishes(async (route, number) => {
      if (number > 1) return route.abort("connectionreset");
      await route.fetch();
      committed.resolve();
      await route.abort("connectionreset");
    });
    await writeOnPage(" Sent unheard.");
    await mode("Read").click();
    await committed.promise;
    await status().getByRole("button", { name: "Stop" }).click();
    await writeOnPage(" And then more.");
    await page().unrouteAll({ behavior: "ignoreErrors" });
    await page().reload();
    await page().getByText("is what you published from this draft.").waitFor();
    if (screenshotFolder) await page().screenshot({ path: `${screenshotFolder}/publication-own-offer.png` });
    await page().getByRole("button", { name: "Continue editing" }).click();
    await page().locator("colloquy-editor-block", { hasText: "And then more." }).waitFor();
    await mode("Read").click();
    await says("for everyone");
    expect(await page().locator("colloquy-conflict-sheet").count()).to.equal(0);
    expect(await liveSources()).to.contain("Sent unheard. And then more.");
    expect(await revisions()).to.equal(before + 2);
  });

  it("offline it waits for the connection", async () => {
    const before = await revisions();
    await writeOnPage(" Without a connection.");
    await owner().context.setOffline(true);
    await mode("Read").click();
    await says("You are offline");
    await owner().context.setOffline(false);
    await says("for everyone");
    expect([await revisions(), (await liveSources()).includes("Without a connection.")]).to.deep.equal([before + 1, true]);
  });

  it("after the last attempt the draft stays and can be saved as a file", async () => {
    const before = await revisions();
    await publishes((route) => route.abort("connectionrefused"));
    await writeOnPage(" Never arrives.");
    // The pauses between the attempts take half a minute.
    await page().clock.install();
    await mode("Read").click();
    await eventuallyLater(page(), async () => expect(await status().innerText()).to.contain("Not published"));
    const download = page().waitForEvent("download");
    await status().getByRole("button", { name: "Save a copy" }).click();
    expect(await readFile(await (await download).path(), "utf8")).to.contain("Never arrives.");
    expect(await revisions()).to.equal(before);
    await page().unrouteAll({ behavior: "ignoreErrors" });
    await status().getByRole("button", { name: "Try again" }).click();
    await says("for everyone");
    expect(await revisions()).to.equal(before + 1);
  });

  it("a stale base opens the conflict sheet and overwrites nothing", async () => {
    await writeOnPage(" Mine alone.");
    await publishElsewhere((course) => {
      const block = course.topics.find((topic) => topic.slug === slug)?.blocks.find(({ type }) => type === "core.theory");
      if (block) block.source += " Theirs alone.";
    });
    await mode("Read").click();
    const sheet = page().getByRole("dialog", { name: "The course was published while you were editing" });
    await sheet.waitFor();
    await page().keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await says("another version was published by you, in another window or on another device");
    expect(await liveSources())
      .to.contain("Theirs alone.")
      .and.not.contain("Mine alone.");
  });

  it("without the draft's base, Edit asks about every difference", async () => {
    await writeOnPage(" Over what is lost.");
    const began = await source();
    await publishElsewhere((course) => {
      for (const topic of course.topics) if (topic.slug !== slug) topic.summary = "Theirs, meanwhile.";
    });
    for (const key of objects().objects.keys()) if (key.includes(`/revisions/${began.revisionId}/`)) objects().objects.delete(key);
    await page().reload();
    await page().getByText("which is no longer stored. Before you publish, you choose part by part.").waitFor();
    if (screenshotFolder) await page().screenshot({ path: `${screenshotFolder}/publication-base-lost-offer.png` });
    await page().getByRole("button", { name: "Continue editing" }).click();
    await page().locator("colloquy-editor-block", { hasText: "Over what is lost." }).waitFor();
    await page().getByText("The revision that your draft is based on is no longer stored.").waitFor();
    if (screenshotFolder) await page().screenshot({ path: `${screenshotFolder}/publication-base-lost-edit.png` });
    await mode("Read").click();
    const sheet = page().getByRole("dialog", { name: "The course was published while you were editing" });
    await sheet.getByText("changes cannot be attributed").waitFor();
    expect(await sheet.getByRole("radio", { checked: true }).count()).to.equal(0);
    if (screenshotFolder) await page().screenshot({ path: `${screenshotFolder}/publication-base-lost-sheet.png` });
    for (const unit of await sheet.locator("fieldset").all()) {
      const isMine = (await unit.locator("legend").innerText()).includes("Eigenvectors");
      await unit.getByRole("radio", { name: isMine ? "Use my draft" : "Use the published version" }).check();
    }
    await sheet.getByRole("button", { name: "Publish the result" }).click();
    await says("for everyone");
    expect(await liveSources())
      .to.contain("Over what is lost.")
      .and.contain("Theirs, meanwhile.");
  });

  // Of its own, so that it comes after everything above.
  describe("and all the while", () => {
    it("readers never saw a partial or an older revision", () => {
      expect(reading.pages).to.be.greaterThan(5);
      expect(reading.torn).to.deep.equal([]);
    });
  });
});
