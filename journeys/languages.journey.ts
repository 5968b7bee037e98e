import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { axeFindings, axeFindingsBesidesColours, axeFindingsInBothThemes, horizontalOverflow } from "./accessible.ts";
import { eventually, openBrowser, openVisitor } from "./browser.ts";
import { type Program, startProgram } from "./program.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;
const spoken = {
  de: { direction: "ltr", signIn: "Anmelden", question: "Ihre Frage", settings: "Einstellungen", now: /^Die Oberfläche ist jetzt/ },
  ar: { direction: "rtl", signIn: "تسجيل الدخول", question: "سؤالك", settings: "الإعدادات", now: /الواجهة/ },
} as const;

describe("the interface in German and Arabic", () => {
  let program: Program;
  let browser: Browser;

  before(async () => {
    program = await startProgram({ DEMO_MODEL_WORD_MS: "20" });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const visitor = async (locale: string, scripts = true) =>
    (await openVisitor(browser, { locale, scripts, width: 1440, height: 900 })).page;
  const signIn = (page: Page, as = "learner") => page.goto(`${program.url}/auth/demo?as=${as}&return=/ai`);
  const field = (page: Page) => page.locator("colloquy-composer textarea:visible");
  const direction = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).direction);

  /**
   * Sound wide and narrow, and nowhere wider than its window. Every language has the same colours: they are checked in German, the dark ones
   * narrow; wide those are checked with the states of the workspace.
   */
  async function expectSound(page: Page, name: string): Promise<void> {
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 });
      await eventually(async () => expect(await horizontalOverflow(page), `${name} at ${width} px`).to.equal(0));
      if (width === 320) continue;
      const inGerman = width === 390 ? axeFindingsInBothThemes : axeFindings;
      const findings = name.startsWith("de") ? inGerman : axeFindingsBesidesColours;
      expect(await findings(page), `${name}, ${width}`).to.deep.equal([]);
      if (pictures) await page.screenshot({ path: `${pictures}/languages-${name}-${width}.png` });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }

  for (const language of ["de", "ar"] as const) {
    const said = spoken[language];

    it(`is in ${language} from the first paint, without a script`, async () => {
      const page = await visitor(language, false);
      for (const path of ["/", "/courses", "/courses/linear-maps", "/sign-in", "/ai"]) {
        await page.goto(program.url + path);
        expect(await page.evaluate(() => document.documentElement.lang), path).to.equal(language);
        expect(await direction(page), path).to.equal(said.direction);
      }
      await page.goto(`${program.url}/sign-in`);
      await page.getByRole("heading", { name: said.signIn }).waitFor();
      await page.context().close();
    });

    it(`can be chosen by a visitor with an English browser: ${language}`, async () => {
      const page = await visitor("en", false);
      await page.goto(`${program.url}/courses/linear-maps`);
      const name = language === "de" ? "Deutsch" : "العربية";
      await page.getByRole("navigation", { name: "Language" }).getByRole("link", { name }).click();
      await page.locator(`html[lang=${language}]`).waitFor();
      expect(new URL(page.url()).pathname).to.equal("/courses/linear-maps");
      for (const path of ["/", "/courses/linear-maps", "/sign-in", "/ai", "/auth/login", "/embed"]) {
        await page.goto(program.url + path);
        expect(await page.evaluate(() => document.documentElement.lang), path).to.equal(language);
        expect(await direction(page), path).to.equal(said.direction);
        if (pictures) await page.screenshot({ path: `${pictures}/chosen-${language}-${path.replaceAll("/", "_")}.png`, fullPage: true });
      }
      await page.goto(`${program.url}/auth/login`);
      await page.getByRole("heading", { name: language === "de" ? "Wer lernt heute?" : "من يتعلّم اليوم؟" }).waitFor();
      await page.context().close();
    });

    it(`keeps the visitor's choice after sign-in without a choice of the account: ${language}`, async () => {
      const page = await visitor("en");
      await page.goto(`${program.url}/language?to=${language}&return=/courses`);
      for (const round of ["signed in", "loaded anew"]) {
        if (round === "signed in") await signIn(page, "learner2");
        else await page.reload();
        await page.getByRole("textbox", { name: said.question }).waitFor();
        expect(await page.evaluate(() => document.documentElement.lang), round).to.equal(language);
      }
      await page.goto(`${program.url}/courses`);
      expect(await page.evaluate(() => document.documentElement.lang)).to.equal(language);
      await page.context().close();
    });

    it(`is in ${language} from the sign-in to answer, source, settings and tutor`, async () => {
      const page = await visitor(language);
      await page.goto(`${program.url}/sign-in`);
      await expectSound(page, `${language}-sign-in`);
      await page.goto(`${program.url}/courses/linear-maps`);
      await expectSound(page, `${language}-course`);
      await signIn(page);
      await field(page).waitFor();
      expect(await direction(page)).to.equal(said.direction);
      await expectSound(page, `${language}-new`);
      await page.getByRole("textbox", { name: said.question }).fill("What is an eigenvector?");
      await page.keyboard.press("Enter");
      await page.locator("colloquy-exchange colloquy-sources").first().waitFor({ timeout: 60_000 });
      await page.locator("colloquy-answer .katex").first().waitFor();
      // The course is in English: its answer and its formulas read from left to right whatever is around them.
      for (const text of ["colloquy-answer", "colloquy-answer .katex"])
        expect(
          await page
            .locator(text)
            .first()
            .evaluate((element) => getComputedStyle(element).direction),
          text,
        ).to.equal("ltr");
      await expectSound(page, `${language}-answer`);
      await page.locator("a.cite").first().click();
      await page.locator("colloquy-course-page:visible mark.cited").first().waitFor();
      await expectSound(page, `${language}-beside`);
      const separator = page.getByRole("separator").last();
      const share = async () => Number(await separator.getAttribute("aria-valuenow"));
      const before = await share();
      await separator.focus();
      // The arrow that points away from where lines begin makes the first part larger.
      await page.keyboard.press(said.direction === "rtl" ? "ArrowLeft" : "ArrowRight");
      await page.waitForFunction(([element, was]) => Number((element as Element).ariaValueNow) > (was as number), [
        await separator.elementHandle(),
        before,
      ] as const);
      await page.getByRole("button", { name: "Mira" }).click();
      await page.getByRole("menuitem", { name: said.settings }).click();
      await page.getByRole("heading", { name: said.settings }).waitFor();
      await expectSound(page, `${language}-settings`);
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: said.settings }).waitFor({ state: "detached" });
      await page.goto(`${program.url}/ai`);
      await field(page).waitFor();
      await page.getByRole("button", { name: language === "de" ? "Tutor" : "المعلّم", exact: true }).click();
      await page.locator("colloquy-tutor-start").getByRole("radio").first().waitFor();
      await expectSound(page, `${language}-tutor`);
      await page.context().close();
    });
  }

  it("changes during an answer, keeps answer and draft, and syncs", async () => {
    const page = await visitor("en");
    const other = await visitor("en");
    await signIn(page, "learner2");
    await signIn(other, "learner2");
    await field(other).waitFor();
    await field(page).fill("What is an eigenvector?");
    await page.keyboard.press("Enter");
    await page.locator("colloquy-answer p").first().waitFor({ timeout: 60_000 });
    await field(page).fill("Half a thought");
    await page.getByRole("button", { name: "Tomas" }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    // The end of the answer may be announced right behind it.
    const announced = page.evaluate(
      (wanted) =>
        new Promise<string>((resolve) => {
          const region = document.querySelector("colloquy-announcer") as HTMLElement;
          const heard = () => region.textContent?.includes(wanted) && resolve(region.textContent);
          new MutationObserver(heard).observe(region, { subtree: true, childList: true, characterData: true });
        }),
      "الواجهة",
    );
    await page.getByRole("radio", { name: "العربية" }).check();
    await page.waitForFunction(() => document.documentElement.lang === "ar" && document.documentElement.dir === "rtl");
    expect(await announced).to.match(spoken.ar.now);
    await page.getByRole("heading", { name: spoken.ar.settings }).waitFor();
    await page.keyboard.press("Escape");
    expect(await field(page).inputValue()).to.equal("Half a thought");
    await page.locator("colloquy-exchange colloquy-sources").first().waitFor();
    await page.locator("colloquy-answer a.cite").first().waitFor();
    await other.waitForFunction(() => document.documentElement.lang === "ar");
    await page.context().close();
    await other.context().close();
  });
});
