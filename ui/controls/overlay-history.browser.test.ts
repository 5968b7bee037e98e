import { setViewport } from "@web/test-runner-commands";
import { expect } from "chai";
import { html } from "lit";
import { mount, unmountAll, until } from "../workspace/testing/browser.ts";
import { closeOnBack, handleBackButton, openModal, pushEntry, replaceEntry, whenHistorySettled } from "./overlay-history.ts";

describe("Back on a phone", () => {
  const home = location.href;
  let stop: AbortController;
  let arrivals: unknown[];
  let test = 0;

  beforeEach(async () => {
    await setViewport({ width: 390, height: 800 });
    stop = new AbortController();
    arrivals = [];
    const { signal } = stop;
    handleBackButton(signal);
    window.addEventListener("popstate", (event) => arrivals.push((event.state as { at?: string } | null)?.at), { signal });
    test += 1;
    // Two pages of ours beneath, so that going too far shows.
    pushEntry({ at: "first" }, `?first-${test}`);
    pushEntry({ at: "second" }, `?second-${test}`);
  });
  afterEach(async () => {
    await whenHistorySettled();
    stop.abort();
    unmountAll();
    history.replaceState(null, "", home);
    await setViewport({ width: 1280, height: 800 });
  });

  const at = (): string | undefined => (history.state as { at?: string } | null)?.at;
  const query = (): string => location.search.replace(/-\d+$/, "");
  const dialog = () => mount<HTMLDialogElement>(html`<dialog><button autofocus>Close</button></dialog>`);
  const popover = () => mount<HTMLElement>(html`<div popover="manual">Card</div>`);
  const arrive = (name: string) => until(() => at() === name && !(history.state as { over?: { depth: number } }).over?.depth, name);

  it("closes what is open before it goes back", async () => {
    const sheet = await dialog();
    openModal(sheet);
    history.back();
    await until(() => !sheet.open, "the sheet to close");
    expect([at(), query(), arrivals]).to.deep.equal(["second", "?second", []]);
    history.back();
    await arrive("first");
    expect(arrivals).to.deep.equal(["first"]);
  });

  it("closes the topmost overlay first", async () => {
    const [sheet, card] = [await dialog(), await popover()];
    openModal(sheet);
    card.showPopover();
    closeOnBack(card);
    history.back();
    await until(() => !card.matches(":popover-open"), "the card to close");
    expect(sheet.open).to.equal(true);
    history.back();
    await until(() => !sheet.open, "the sheet to close");
    expect(arrivals).to.deep.equal([]);
  });

  it("leaves no entry of an overlay that was closed otherwise", async () => {
    const sheet = await dialog();
    openModal(sheet);
    sheet.close();
    await arrive("second");
    history.back();
    await arrive("first");
    expect(arrivals).to.deep.equal(["first"]);
  });

  it("lets one overlay replace another that it closed", async () => {
    const [first, second] = [await dialog(), await dialog()];
    openModal(first);
    const { length } = history;
    first.close();
    openModal(second);
    history.back();
    await until(() => !second.open, "the second one to close");
    expect(history.length).to.be.at.most(length + 1);
    await arrive("second");
    expect(arrivals).to.deep.equal([]);
  });

  it("gives a sheet's entry to what was chosen in it", async () => {
    const sheet = await dialog();
    openModal(sheet);
    pushEntry({ at: "chosen" }, `?chosen-${test}`);
    sheet.close();
    await whenHistorySettled();
    expect([at(), query()]).to.deep.equal(["chosen", "?chosen"]);
    history.back();
    await arrive("second");
    history.back();
    await arrive("first");
    history.forward();
    await arrive("second");
    history.forward();
    await arrive("chosen");
    expect(arrivals).to.deep.equal(["second", "first", "second", "chosen"]);
  });

  it("keeps the page's entry while an overlay is open", async () => {
    const sheet = await dialog();
    openModal(sheet);
    replaceEntry({ at: "renamed" }, `?renamed-${test}`);
    history.back();
    await until(() => !sheet.open, "the sheet to close");
    expect([at(), query()]).to.deep.equal(["renamed", "?renamed"]);
    expect(arrivals).to.deep.equal([]);
  });

  it("delays the page's entries while an entry is being left", async () => {
    const card = await popover();
    card.showPopover();
    closeOnBack(card);
    card.hidePopover();
    await Promise.resolve();
    pushEntry({ at: "next" }, `?next-${test}`);
    await whenHistorySettled();
    await arrive("next");
    history.back();
    await arrive("second");
    expect(query()).to.equal("?second");
  });

  it("skips the entry of an overlay that no longer exists", async () => {
    const sheet = await dialog();
    openModal(sheet);
    // The page is loaded anew.
    stop.abort();
    unmountAll();
    stop = new AbortController();
    handleBackButton(stop.signal);
    await arrive("second");
    await whenHistorySettled();
    history.back();
    await arrive("first");
  });

  it("keeps an overlay that refuses to close", async () => {
    const sheet = await dialog();
    let asked = false;
    sheet.addEventListener(
      "cancel",
      (event) => {
        asked = true;
        event.preventDefault();
      },
      { once: true },
    );
    openModal(sheet);
    history.back();
    await until(() => asked, "the first Back");
    await until(() => (history.state as { over?: { depth: number } }).over?.depth === 1, "its entry again");
    expect(sheet.open).to.equal(true);
    history.back();
    await until(() => !sheet.open, "the sheet to close");
  });

  it("leaves the history alone on wide screens and where not enabled", async () => {
    const sheet = await dialog();
    const { length } = history;
    await setViewport({ width: 1280, height: 800 });
    openModal(sheet);
    expect((history.state as { over?: object }).over).to.equal(undefined);
    sheet.close();
    await setViewport({ width: 390, height: 800 });
    stop.abort();
    openModal(sheet);
    expect([(history.state as { over?: object }).over, history.length]).to.deep.equal([undefined, length]);
    sheet.close();
  });
});
