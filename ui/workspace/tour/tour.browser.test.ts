import { sendKeys, setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { expectAccessible, until } from "../testing/browser.ts";
import { seedHistory } from "../testing/history-seed.ts";
import { accountItem, live, wholeWorkspace } from "../testing/whole.ts";
import type { Workspace } from "../workspace.ts";

describe("the tour of the workspace", () => {
  const whole = wholeWorkspace();
  const offerIn = (workspace: Workspace) => workspace.querySelector<HTMLElement>(".tour-offer");
  const press = (within: HTMLElement, words: string) =>
    [...within.querySelectorAll("button")].find(({ textContent }) => textContent === words)?.click();
  const choices = () => whole.service.pushed.flatMap(({ domain, data }) => (domain === "preferences" ? [data] : []));
  const tourOf = (workspace: Workspace) => until(() => workspace.querySelector<HTMLDialogElement>("dialog.tour[open]"), "the tour");

  for (const [device, width] of [
    ["a wide screen", 1280],
    ["a phone", 390],
  ] as const)
    it(`is offered to whoever is new, shows what is there on ${device}, and is not offered again`, async () => {
      await setViewport({ width, height: 800 });
      const workspace = await whole.open();
      const offer = await until(() => offerIn(workspace), "the offer");
      await expectAccessible(workspace);
      press(offer, "Take the tour");
      const tour = await tourOf(workspace);
      const titles: (string | undefined)[] = [];
      for (let step = 1; tour.open; step += 1) {
        titles.push(tour.querySelector("h2")?.textContent ?? undefined);
        expect(tour.querySelector("small")?.textContent).to.equal(`${step} of 5`);
        const [ring, card] = [".ring", ".card"].map((part) => tour.querySelector(part)?.getBoundingClientRect() ?? expect.fail(part));
        expect(card?.left).to.be.at.least(0);
        expect(card?.right).to.be.at.most(width);
        expect(card?.bottom).to.be.at.most(800);
        expect(ring?.width).to.be.greaterThan(20);
        if (step === 1) await expectAccessible(tour);
        expect(tour.contains(document.activeElement)).to.equal(true);
        await sendKeys({ press: "Enter" });
      }
      expect(titles).to.deep.equal(["Ask", "Learn with the tutor", "Read", "Come back", "Your data"]);
      await until(() => choices().length, "that it was taken goes out");
      expect(choices()).to.deep.equal([{ tour: "seen" }]);
      expect(offerIn(workspace)).to.equal(null);
    });

  it("can be declined, skipped by Escape, and started from the menu", async () => {
    const workspace = await whole.open();
    press(await until(() => offerIn(workspace), "the offer"), "Not now");
    await until(() => choices().length, "the answer goes out");
    expect(offerIn(workspace)).to.equal(null);
    (await accountItem(workspace, "Take the tour")).click();
    const tour = await tourOf(workspace);
    await sendKeys({ press: "Escape" });
    await until(() => !tour.isConnected, "the tour to end");
    expect(document.activeElement).to.equal(workspace.querySelector(".side .account"));
  });

  it("is not offered after a first question", async () => {
    seedHistory(whole.service);
    const workspace = await whole.open();
    await accountItem(workspace, "Take the tour");
    await live(workspace);
    expect(offerIn(workspace)).to.equal(null);
  });
});
