import { expect } from "chai";
import "../workspace/settings.ts";
import { markLanguage, speakLanguage } from "./load.ts";
import { msg, onLanguage, pageLanguage } from "./page.ts";
import { retell } from "./retell.ts";

describe("changing the language", () => {
  afterEach(async () => {
    await speakLanguage("en", "all");
    markLanguage(document.documentElement, "en");
    document.body.replaceChildren();
  });

  it("draws what stands in the page anew, in place and at once, from the side it is read", async () => {
    const settings = document.createElement("colloquy-settings");
    document.body.append(settings);
    await settings.updateComplete;
    const title = settings.querySelector("h2");
    const stop = new AbortController();
    onLanguage(() => retell(document.body), stop.signal);
    for (const [language, words, direction] of [
      ["de", "Einstellungen", "ltr"],
      ["ar", "الإعدادات", "rtl"],
      ["en", "Settings", "ltr"],
    ] as const) {
      expect(await speakLanguage(language, "all")).to.equal(true);
      markLanguage(document.documentElement, language);
      await settings.updateComplete;
      expect(settings.querySelector("h2")).to.equal(title);
      expect(title?.textContent).to.equal(words);
      expect(getComputedStyle(settings).direction).to.equal(direction);
      expect(settings.querySelector("input[value=ar] + span")?.getAttribute("lang")).to.equal("ar");
    }
    stop.abort();
    await speakLanguage("de", "all");
    await settings.updateComplete;
    expect(title?.textContent, "who listens no more is told nothing").to.equal("Settings");
  });

  it("takes in the words of the whole interface after those of pages that are read, and keeps them", async () => {
    for (const [language, published] of [
      ["de", "Jetzt veröffentlichen"],
      ["ar", "انشر الآن"],
    ] as const) {
      expect(await speakLanguage(language, "reading")).to.equal(true);
      expect(msg("Publish now")).to.equal("Publish now");
      expect(await speakLanguage(language, "all")).to.equal(true);
      expect(msg("Publish now")).to.equal(published);
      await speakLanguage(language, "reading");
      expect(msg("Publish now")).to.equal(published);
    }
  });

  it("keeps to the language that was asked for last", async () => {
    const earlier = speakLanguage("de", "all");
    const later = speakLanguage("ar", "all");
    expect(await earlier).to.equal(false);
    expect(await later).to.equal(true);
    expect(pageLanguage()).to.equal("ar");
    expect(msg("Settings")).to.equal("الإعدادات");
  });
});
