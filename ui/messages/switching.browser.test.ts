import { expect } from "chai";
import "../workspace/settings.ts";
import { setLanguageAttributes, setPageLanguage } from "./load.ts";
import { msg, onLanguageChange, pageLanguage } from "./page.ts";
import { rerender } from "./rerender.ts";

describe("changing the language", () => {
  afterEach(async () => {
    await setPageLanguage("en", "all");
    setLanguageAttributes(document.documentElement, "en");
    document.body.replaceChildren();
  });

  it("rerenders the page in place, in the direction of the language", async () => {
    const settings = document.createElement("colloquy-settings");
    document.body.append(settings);
    await settings.updateComplete;
    const title = settings.querySelector("h2");
    const stop = new AbortController();
    onLanguageChange(() => rerender(document.body), stop.signal);
    for (const [language, words, direction] of [
      ["de", "Einstellungen", "ltr"],
      ["ar", "الإعدادات", "rtl"],
      ["en", "Settings", "ltr"],
    ] as const) {
      expect(await setPageLanguage(language, "all")).to.equal(true);
      setLanguageAttributes(document.documentElement, language);
      await settings.updateComplete;
      expect(settings.querySelector("h2")).to.equal(title);
      expect(title?.textContent).to.equal(words);
      expect(getComputedStyle(settings).direction).to.equal(direction);
      expect(settings.querySelector("input[value=ar] + span")?.getAttribute("lang")).to.equal("ar");
    }
    stop.abort();
    await setPageLanguage("de", "all");
    await settings.updateComplete;
    expect(title?.textContent, "after the listener was removed").to.equal("Settings");
  });

  it("keeps all messages when only those of reading pages are asked for later", async () => {
    for (const [language, published] of [
      ["de", "Jetzt veröffentlichen"],
      ["ar", "انشر الآن"],
    ] as const) {
      expect(await setPageLanguage(language, "reading")).to.equal(true);
      expect(await setPageLanguage(language, "all")).to.equal(true);
      expect(msg("editor.publishNow")).to.equal(published);
      await setPageLanguage(language, "reading");
      expect(msg("editor.publishNow")).to.equal(published);
    }
  });

  it("keeps the language that was asked for last", async () => {
    const earlier = setPageLanguage("de", "all");
    const later = setPageLanguage("ar", "all");
    expect(await earlier).to.equal(false);
    expect(await later).to.equal(true);
    expect(pageLanguage()).to.equal("ar");
    expect(msg("workspace.settings")).to.equal("الإعدادات");
  });
});
