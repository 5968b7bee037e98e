import { exampleSubscription } from "@colloquy/schemas/contracts/example-ids.ts";
import { expect } from "chai";
import { strFromU8, unzipSync } from "fflate";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { waitForServiceWorker } from "./browser-storage.ts";
import { type Program, startProgram } from "./program.ts";
import { answerQuestion } from "./quiz-answers.ts";
import { answerTutor, tutorCard } from "./tutor-answers.ts";

/** Where pictures of each state go, when somebody wants to look at them. */
const pictures = process.env.SCREENSHOTS;

describe("a learner reviews what tutoring taught", () => {
  let program: Program;
  let browser: Browser;
  let desk: Visitor;
  let phone: Visitor;

  before(async () => {
    program = await startProgram({ DEMO_MODEL_WORD_MS: "1" });
    browser = await openBrowser();
    desk = await openVisitor(browser, { width: 1440, height: 900 });
    phone = await openVisitor(browser, { width: 390, height: 844 });
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const signIn = (page: Page, path: string, as = "learner") =>
    page.goto(`${program.url}/auth/demo?as=${as}&return=${encodeURIComponent(path)}`);
  const picture = async (page: Page, name: string) => {
    if (!pictures) return;
    await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.screenshot({ path: `${pictures}/${name}-dark.png`, fullPage: true });
    await page.emulateMedia({ colorScheme: "light" });
  };
  const asked = (page: Page) =>
    page
      .locator("colloquy-review-card")
      .evaluate((element) => (element as HTMLElement & { item: { card: { itemId: string } } }).item.card.itemId);
  const progress = (page: Page, text: RegExp) => page.locator(".how-far p").filter({ hasText: text }).waitFor();
  /** Shows the answer; its ratings have the keyboard. */
  const reveal = async (page: Page) => {
    await page.getByRole("button", { name: /^Show the answer/ }).click();
    await page.waitForFunction(() => document.activeElement?.id === "review-answer");
  };
  const all = async (page: Page) => Number(/of (\d+)/.exec(await page.locator(".how-far p").innerText())?.[1]);

  it("finds nothing before the first lesson", async () => {
    await signIn(desk.page, "/review");
    await desk.page.getByRole("heading", { name: "Nothing to review yet" }).waitFor();
    await picture(desk.page, "empty-wide");
  });

  it("finds what a lesson taught in the queue, from the menu of the workspace", async () => {
    const { page } = desk;
    await page.goto(`${program.url}/ai`);
    await page.getByRole("button", { name: "Tutor", exact: true }).click();
    const goal = page.getByRole("textbox", { name: "Your goal" });
    await goal.fill("Know which directions a map leaves alone");
    await goal.press("Enter");
    await page.getByRole("radio", { name: /^Linear Maps/ }).check();
    await goal.press("Enter");
    await tutorCard(page).waitFor({ timeout: 60_000 });
    for (let count = 0; count < 8 && !(await page.locator("colloquy-tutor-path li").count()); count += 1)
      await answerTutor(program, page, true);
    await page.locator("colloquy-tutor-path [aria-current=step]").waitFor();
    await answerTutor(program, page);
    // The cards are a read model of their own, which nobody asked to wait for.
    await eventually(async () => {
      const { cards } = (await (await page.request.get(`${program.url}/api/review`)).json()) as { cards: object[] };
      expect(cards.length).to.be.greaterThan(1);
    });
    await page.locator("button.account").click();
    await page.getByRole("menuitem", { name: "Review" }).click();
    await page.waitForURL(`${program.url}/review`);
    await page.locator("colloquy-review-card").waitFor();
    expect(await all(page)).to.be.greaterThan(1);
    await page.getByText(/only schedule your reviews/).waitFor();
    await picture(page, "question-wide");
  });

  it("answers a question of the course, sees the course text and rates by keyboard; syncs the queue", async () => {
    const { page } = desk;
    await signIn(phone.page, "/review");
    await phone.page.locator("colloquy-review-card").waitFor();
    const first = await asked(page);
    await eventually(async () => expect(await asked(phone.page)).to.equal(first));
    const card = page.locator("colloquy-review-card");
    // A formula is drawn after the words.
    const drawn = () => card.locator(".prompt:not(:has([data-pending]))").innerText();
    const prompt = await drawn();
    await page.reload();
    await eventually(async () => expect(await drawn(), "the same question after a reload").to.equal(prompt));
    const asks = async () => {
      const response = await page.request.get(`${program.url}/api/review`);
      const { cards } = (await response.json()) as { cards: { itemId: string; ask?: { blockId: string } }[] };
      return cards.find(({ itemId }) => itemId === first)?.ask?.blockId;
    };
    const before = await asks();
    await answerQuestion(card);
    await picture(page, "filled-wide");
    await card.getByRole("button", { name: "Check", exact: true }).press("Enter");
    await page.waitForFunction(() => document.activeElement?.id === "review-marked");
    await card.getByText(/recorded as evidence/).waitFor();
    await card.locator(".outcome .words").waitFor();
    await eventually(async () => expect(await asks(), "another question the next time").to.not.equal(before));
    await card.getByRole("button", { name: "Next card" }).waitFor();
    await card.getByText(/^(?:Good|Again): due /).waitFor();
    await card.getByText("Change the rating").click();
    await page.getByRole("button", { name: /^Good due in \d+ days/ }).waitFor();
    await page.getByRole("button", { name: /^Again due in 10 minutes/ }).waitFor();
    await picture(page, "answer-wide");
    await page.locator("colloquy-review-card figcaption a").first().click();
    await page.locator("colloquy-course-page").getByRole("heading").first().waitFor();
    await picture(page, "beside-wide");
    await page.getByRole("button", { name: "Close the page beside" }).click();
    await page.locator("colloquy-review-card h3").focus();
    await page.keyboard.press("3");
    await progress(page, /^1 of/);
    await progress(phone.page, /^1 of/);
    // The last of what the lesson brought may come late.
    await eventually(async () => expect(await all(phone.page)).to.equal(await all(page)));
    await eventually(async () =>
      expect(await asked(phone.page))
        .to.equal(await asked(page))
        .and.not.equal(first),
    );
  });

  it("shows how many cards are left in the menu and on course pages", async () => {
    const { page } = await openVisitor(browser, { width: 1440, height: 900 });
    await signIn(page, "/review");
    await progress(page, /^1 of/);
    const left = (await all(page)) - 1;
    await page.goto(`${program.url}/ai`);
    await page.locator("button.account").click();
    await page.getByRole("menuitem", { name: `Review, ${left} card` }).waitFor();
    await picture(page, "menu-wide");
    await page.goto(`${program.url}/courses/linear-maps`);
    await page.locator("details.account summary").click();
    await page.locator("details.account").getByRole("link", { name: "Review" }).click();
    await page.locator("colloquy-review-card").waitFor();
    await page.context().close();
  });

  it("undoes the last rating and postpones a card", async () => {
    const { page } = desk;
    const second = await asked(page);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await progress(page, /^0 of/);
    await progress(phone.page, /^0 of/);
    await eventually(async () => expect(await asked(page)).to.not.equal(second));
    await reveal(page);
    await page.keyboard.press("4");
    await progress(page, /^1 of/);
    await page.getByRole("button", { name: /^Not today/ }).click();
    await page.getByText("1 card put off to tomorrow").waitFor();
  });

  it("uses the language of the browser", async () => {
    for (const [locale, name, show, tomorrow] of [
      ["de", "Wiederholen", /^Antwort zeigen/, /^Schwer fällig /],
      ["ar", "المراجعة", /^أظهر الإجابة/, /^صعبة موعدها /],
    ] as const) {
      const { page, context } = await openVisitor(browser, { locale, width: 1440, height: 900 });
      await signIn(page, "/review");
      await page.getByRole("heading", { name, exact: true }).waitFor();
      await page.getByRole("button", { name: show }).click();
      await page.getByRole("button", { name: tomorrow }).waitFor();
      await picture(page, `answer-${locale}`);
      await context.close();
    }
  });

  it("reminds of due reviews in a browser that asked for it, until it is signed out", async () => {
    const { page, context } = await openVisitor(browser, { width: 1280, height: 900 });
    await context.grantPermissions(["notifications"], { origin: program.url });
    await signIn(page, "/review");
    await progress(page, /^1 of/);
    await waitForServiceWorker(page);
    const state = async () => {
      const { here, anywhere } = (await (await page.request.get(`${program.url}/api/reminders`)).json()) as Record<string, unknown>;
      return { here, anywhere };
    };
    const on = page.getByRole("button", { name: "Remind me" });
    await on.scrollIntoViewIfNeeded();
    await picture(page, "reminder-offer-wide");
    // The vendor's push service cannot be reached from here.
    await on.click();
    await page.getByText("That did not work.").waitFor();
    await picture(page, "reminder-failed-wide");
    await page.evaluate((subscription) => {
      PushManager.prototype.subscribe = async () => ({ toJSON: () => subscription, unsubscribe: async () => true }) as never;
    }, exampleSubscription);
    await on.click();
    await page.getByText("This browser notifies you").waitFor();
    await picture(page, "reminder-on-wide");
    expect(await state()).to.deep.equal({ here: true, anywhere: true });

    const devtools = await context.newCDPSession(page);
    const registration = new Promise<string>((resolve) =>
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [one] }) => one && resolve(one.registrationId)),
    );
    await devtools.send("ServiceWorker.enable");
    const data = JSON.stringify({ title: "3 reviews are due", body: "Open your reviews.", lang: "en", dir: "ltr" });
    const message = { origin: program.url, registrationId: await registration, data };
    await devtools.send("ServiceWorker.deliverPushMessage", message);
    const shown = () =>
      page.evaluate(async () => {
        const notifications = (await (await navigator.serviceWorker.ready).getNotifications()) ?? [];
        return notifications.map(({ title, body, tag }) => ({ title, body, tag }));
      });
    const expected = [{ title: "3 reviews are due", body: "Open your reviews.", tag: "reviews" }];
    await eventually(async () => expect(await shown()).to.deep.equal(expected));
    // A second one replaces it.
    await devtools.send("ServiceWorker.deliverPushMessage", message);
    await eventually(async () => expect(await shown()).to.deep.equal(expected));

    await page.goto(`${program.url}/settings`);
    await page.getByRole("button", { name: "Turn off reminders" }).click();
    await page.getByText("Get a notification in this browser").waitFor();
    expect(await state()).to.deep.equal({ here: false, anywhere: false });
    await page.evaluate((subscription) => {
      PushManager.prototype.subscribe = async () => ({ toJSON: () => subscription }) as never;
    }, exampleSubscription);
    await page.getByRole("button", { name: "Remind me" }).click();
    await page.getByText("This browser notifies you").waitFor();
    await picture(page, "reminder-settings-wide");
    await page.request.post(`${program.url}/auth/sign-out`, { data: { schemaVersion: 1 } });
    await signIn(page, "/review");
    expect(await state()).to.deep.equal({ here: false, anywhere: false });
    await context.close();
  });

  it("works offline and syncs later", async () => {
    const { page, context } = phone;
    await progress(page, /^1 of/);
    await context.setOffline(true);
    await page.getByRole("button", { name: /^Show the answer/ }).click();
    await picture(page, "answer-phone");
    await page.getByRole("button", { name: /^Good/ }).click();
    await progress(page, /^2 of/);
    await page.getByText(/^Offline: your ratings are saved here/).waitFor();
    await picture(page, "offline-phone");
    await progress(desk.page, /^1 of/);
    await context.setOffline(false);
    await progress(desk.page, /^2 of/);
    await page.getByText(/^Offline: your ratings are saved here/).waitFor({ state: "detached" });
  });

  it("reloads offline, and syncs its ratings when online", async () => {
    const { page, context } = phone;
    await waitForServiceWorker(page);
    await context.setOffline(true);
    await page.reload();
    await page.locator("colloquy-review-card").waitFor();
    await progress(page, /^2 of/);
    await eventually(async () => expect(await asked(page)).to.equal(await asked(desk.page)));
    await picture(page, "reloaded-offline-phone");
    await page.getByRole("button", { name: /^Show the answer/ }).click();
    await page.getByRole("button", { name: /^Good/ }).click();
    await progress(page, /^3 of/);
    await progress(desk.page, /^2 of/);
    await context.setOffline(false);
    await progress(desk.page, /^3 of/);
  });

  it("ends with the time of the next cards", async () => {
    const { page } = desk;
    for (let count = 0; count < 60 && (await page.locator("colloquy-review-card").count()); count += 1) {
      const before = await page.locator(".how-far p").innerText();
      await reveal(page);
      await page.keyboard.press("4");
      await page.waitForFunction((text) => document.querySelector<HTMLElement>(".how-far p")?.innerText !== text, before);
    }
    await page.getByRole("heading", { name: "Done for today" }).waitFor();
    await page.getByText(/^You recalled \d+ cards today\. The next/).waitFor();
    await picture(page, "done-wide");
    await phone.page.getByRole("heading", { name: "Done for today" }).waitFor();
    await picture(phone.page, "done-phone");
    await page.reload();
    await page.getByRole("heading", { name: "Done for today" }).waitFor();
  });

  it("is hidden from other accounts and signed-out visitors", async () => {
    const tomas = await openVisitor(browser);
    await signIn(tomas.page, "/review", "learner2");
    await tomas.page.getByRole("heading", { name: "Nothing to review yet" }).waitFor();
    await tomas.context.close();
    const nobody = await openVisitor(browser);
    await nobody.page.goto(`${program.url}/review`);
    await nobody.page.waitForURL(`${program.url}/sign-in?return=%2Freview`);
    await nobody.context.close();
    expect(desk.complaints.filter((text) => !text.includes("409"))).to.deep.equal([]);
    expect(phone.complaints.filter((text) => !text.includes("ERR_INTERNET_DISCONNECTED"))).to.deep.equal([]);
  });

  it("is in the account's archive and deleted with it", async () => {
    const cookies = await desk.context.cookies(program.url);
    const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "), "content-type": "application/json" };
    const get = (path: string) => fetch(`${program.url}${path}`, { headers });
    const archive = async (name: string) =>
      JSON.parse(strFromU8(unzipSync(new Uint8Array(await (await get("/api/account/archive")).arrayBuffer()))[name] ?? new Uint8Array()));
    const { cards } = (await archive("review-cards.json")) as { cards: { title: string; answer: object[] }[] };
    expect(cards.length).to.be.greaterThan(1);
    expect(cards.every(({ title, answer }) => title && answer.length > 0)).to.equal(true);
    const { reminders } = (await archive("reminders.json")) as { reminders: { type: string }[] };
    expect(reminders.map(({ type }) => type)).to.include.members(["RemindersTurnedOn", "RemindersTurnedOff"]);
    const { changes } = (await archive("reviews.json")) as { changes: { type: string }[] };
    expect(changes.map(({ type }) => type)).to.include.members(["reviewed", "taken_back", "buried"]);
    for (let remaining = true; remaining; ) {
      const body = JSON.stringify({ schemaVersion: 1, requestId: "erase-request-1", confirmed: true });
      const response = await fetch(`${program.url}/api/account/erase`, { method: "POST", headers, body });
      expect(response.status).to.equal(200);
      ({ remaining } = (await response.json()) as { remaining: boolean });
    }
    const left = async () => (await (await get("/api/review")).json()) as { cards: object[]; retired: object[] };
    for (let tries = 0; tries < 600 && (await left()).cards.length > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await left()).to.deep.include({ cards: [], retired: [] });
    expect(await archive("review-cards.json")).to.deep.include({ cards: [], retired: [] });
    expect(await archive("reviews.json")).to.deep.include({ changes: [] });
    expect(JSON.stringify(await archive("reminders.json"))).not.to.include("push.example");
  });
});
