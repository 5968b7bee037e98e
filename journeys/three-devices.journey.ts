import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { eventually, openBrowser, openVisitor, settled, type Visitor } from "./browser.ts";
import { waitForServiceWorker } from "./browser-storage.ts";
import { change, learner, opening, turn } from "./learner.ts";
import { type SharedProgram, sharedProgram } from "./shared-program.ts";

const quiz = {
  type: "quiz",
  quizId: "quiz-pipes-1",
  title: "Quiz: pipes",
  sources: [],
  questions: [
    {
      questionId: "question-1",
      kind: "single",
      prompt: "What joins two programs?",
      explanation: "A pipe does.",
      sourceIds: [],
      choices: [
        { choiceId: "choice-pipe", text: "A pipe" },
        { choiceId: "choice-loop", text: "A loop" },
      ],
      correct: ["choice-pipe"],
    },
  ],
};

/** What a page knows of the account, whatever it shows: for comparing devices. */
const known = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const workspace = document.querySelector("colloquy-workspace") as unknown as {
      sessions: {
        library: Library & { replica: { allPersonal(domain: "annotation"): Map<string, unknown> } };
        preferences: { choices: object; hiddenModels: Set<string> };
      };
    };
    interface Library {
      all: { conversationId: string; title: string; pinned: boolean; state: string; turns: number }[];
      stored(id: string): Promise<{ turns: { turnId: string; answer: string }[]; quizAttempts: { score: number }[] } | null>;
      outbox: { status: { unsent: number } };
    }
    const { library, preferences } = workspace.sessions;
    const all = library.all.toSorted((one, other) => (one.conversationId < other.conversationId ? -1 : 1));
    const conversations = await Promise.all(
      all.map(async ({ conversationId, title, pinned, state, turns }) => {
        const record = await library.stored(conversationId);
        const said = record?.turns.map(({ turnId, answer }) => [turnId, answer]);
        return { conversationId, title, pinned, state, turns, said, scores: record?.quizAttempts.map(({ score }) => score) };
      }),
    );
    const ink = [...library.replica.allPersonal("annotation")].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return {
      conversations,
      ink,
      choices: preferences.choices,
      hidden: [...preferences.hiddenModels],
      unsent: library.outbox.status.unsent,
    };
  });

describe("one account on three devices, one of them temporarily offline", () => {
  let program: SharedProgram;
  let browser: Browser;
  let desk: Visitor;
  let lap: Visitor;
  let train: Visitor;
  /** A reading page of each device, beside its workspace. */
  let reading: Page[] = [];

  before(async () => {
    program = await sharedProgram();
    const mira = await learner(program.url, { cookie: await program.cookie("learner") });
    const begun = (id: string, title: string) => change(`start-${id}`, id, "started", opening(title));
    await mira.push([
      ...["Pipes", "Loops", "Globs", "Grep"].flatMap((title, index) => [
        begun(`conversation-0${index}`, title),
        change(`turn-of-0${index}`, `conversation-0${index}`, "turn_recorded", turn(`turn-00000${index}`, `${title}?`, `About ${title}.`)),
      ]),
      begun("conversation-quiz", "A quiz"),
      change("turn-of-quiz", "conversation-quiz", "turn_recorded", { ...turn("turn-of-the-quiz", "Quiz me", ""), artifact: quiz }),
    ]);
    browser = await openBrowser();
    [desk, lap, train] = await Promise.all([openVisitor(browser), openVisitor(browser), openVisitor(browser)]);
    for (const { page } of [desk, lap, train]) {
      await program.signIn(page, "/ai");
      await row(page, "Pipes").waitFor();
    }
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const row = (page: Page, title: string) => page.locator("colloquy-history").getByRole("link", { name: title, exact: true });
  const menu = async (page: Page, title: string, item: string) => {
    await row(page, title).hover();
    await page
      .locator("colloquy-history")
      .getByRole("button", { name: `Actions for ${title}` })
      .click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  const rename = async (page: Page, from: string, to: string) => {
    await row(page, from).focus();
    await page.keyboard.press("F2");
    await page.keyboard.type(to);
    await page.keyboard.press("Enter");
    await row(page, to).waitFor();
  };
  const topic = "/courses/linear-maps/directions-that-stay/eigenvectors";
  const lines = (page: Page) => page.locator("colloquy-drawing .strokes path");
  const drawn = (page: Page, count: number) =>
    page.waitForFunction((wanted) => document.querySelectorAll("colloquy-drawing .strokes path").length === wanted, count);
  /** A line with the mouse, so far below the upper edge of a block: with the pen it is drawn, with the eraser what it meets goes. */
  const line = async (page: Page, tool: "Pen" | "Eraser", down: number) => {
    await page.getByRole("radio", { name: tool }).click();
    const block = page.locator("article .block").nth(1);
    await block.evaluate((element) => element.scrollIntoView({ block: "center" }));
    const box = (await settled(() => block.boundingBox())) ?? expect.fail("no block");
    await page.mouse.move(box.x + 20, box.y + down);
    await page.mouse.down();
    for (let step = 1; step <= 20; step += 1) await page.mouse.move(box.x + 20 + step * 12, box.y + down + Math.sin(step / 2) * 6);
    await page.mouse.up();
  };
  const choose = (page: Page, choices: object) =>
    page.evaluate(
      (chosen) =>
        (
          document.querySelector("colloquy-workspace") as unknown as { sessions: { preferences: { choose(of: object): Promise<void> } } }
        ).sessions.preferences.choose(chosen),
      choices,
    );

  it("shows changes of one device on another without a reload", async () => {
    await rename(desk.page, "Pipes", "Pipes, joined");
    await row(lap.page, "Pipes, joined").waitFor();
    await menu(lap.page, "Grep", "Pin");
    await desk.page.locator("colloquy-history").getByRole("list", { name: "Pinned" }).getByRole("link", { name: "Grep" }).waitFor();
  });

  it("shows a drawing on every device", async () => {
    reading = await Promise.all([desk, lap, train].map(({ context }) => context.newPage()));
    const [onDesk, ...others] = reading as [Page, Page, Page];
    for (const page of reading) {
      await page.goto(`${program.url}${topic}`);
      // A page without ink loads what shows it when somebody wants to draw.
      await page.getByRole("button", { name: "Draw", exact: true }).click();
      await page.getByRole("toolbar", { name: "Drawing" }).waitFor();
    }
    await line(onDesk, "Pen", 12);
    for (const page of [onDesk, ...others]) await drawn(page, 1);
  });

  it("reads and searches offline, and keeps offline changes", async () => {
    const { page, context } = train;
    await waitForServiceWorker(page);
    await context.setOffline(true);
    await row(page, "Loops").click();
    await page.getByText("About Loops.").waitFor();
    await page.getByRole("searchbox", { name: "Search conversations" }).fill("abou glo");
    await page.locator("colloquy-history").getByRole("link", { name: /Globs/ }).waitFor();
    await page.getByRole("searchbox", { name: "Search conversations" }).fill("");
    await rename(page, "Loops", "Loops, on the train");
    await menu(page, "Globs", "Archive");
    await menu(page, "Grep", "Unpin");
    await choose(page, { motion: "reduced" });
    await eventually(async () => expect((await known(page)) as { unsent: number }).to.have.property("unsent", 4));
    const [, , onTrain] = reading as [Page, Page, Page];
    await line(onTrain, "Eraser", 12);
    await drawn(onTrain, 0);
    await line(onTrain, "Pen", 44);
    await drawn(onTrain, 1);
  });

  it("meanwhile others add a turn, a quiz, a deletion, a preference, a drawing", async () => {
    const { page } = desk;
    const [onDesk, onLap] = reading as [Page, Page, Page];
    await line(onLap, "Pen", 80);
    for (const each of [onDesk, onLap]) await drawn(each, 2);
    await row(page, "Pipes, joined").click();
    await page.getByText("About Pipes.").waitFor();
    await page.getByRole("textbox", { name: "Your question" }).last().fill("What is a loop?");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Regenerate" }).nth(1).waitFor({ timeout: 60_000 });
    await row(lap.page, "A quiz").click();
    await lap.page.locator("colloquy-quiz label").first().click();
    await lap.page.locator("colloquy-quiz").getByRole("button", { name: "Check", exact: true }).first().click();
    await lap.page.locator("colloquy-quiz .outcome").first().waitFor();
    await choose(lap.page, { theme: "dark" });
    await rename(lap.page, "Loops", "Loops, on the lap");
    await row(page, "Globs").focus();
    await page.keyboard.press("Delete");
    await page.getByRole("dialog", { name: "Delete “Globs”?" }).getByRole("button", { name: "Delete" }).click();
    await row(page, "Globs").waitFor({ state: "detached" });
  });

  it("converges on all three when online; deletions win", async () => {
    await train.context.setOffline(false);
    let states: string[] = [];
    // What was drawn first was erased on the train; what the train and the lap drew is everywhere.
    const shownBy = (page: Page) => lines(page).evaluateAll((all) => all.map((path) => path.getAttribute("d")).toSorted());
    let shown: (string | null)[][] = [];
    for (let tries = 0; tries < 1_200; tries += 1) {
      shown = await Promise.all(reading.map(shownBy));
      if (shown[2]?.length === 2 && new Set(shown.map((each) => each.join())).size === 1) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(new Set(shown[2]).size).to.equal(2);
    expect(shown[0]).to.deep.equal(shown[2]);
    expect(shown[1]).to.deep.equal(shown[2]);
    await Promise.all(reading.map((page) => page.close()));
    for (let tries = 0; tries < 1_200; tries += 1) {
      states = await Promise.all([desk, lap, train].map(async ({ page }) => JSON.stringify(await known(page))));
      if (new Set(states).size === 1 && (JSON.parse(states[0] ?? "{}") as { unsent: number }).unsent === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(states[1]).to.equal(states[0]);
    expect(states[2]).to.equal(states[0]);
    const state = JSON.parse(states[0] ?? "{}") as {
      ink: [string, { strokes: object[] }][];
      conversations: { title: string; pinned: boolean; turns: number; scores: number[] }[];
      choices: object;
      unsent: number;
    };
    expect(state.unsent).to.equal(0);
    expect(state.choices).to.deep.equal({ theme: "dark", motion: "reduced" });
    // What the train did reached the service last.
    expect(state.conversations.map(({ title }) => title)).to.deep.equal(["Pipes, joined", "Loops, on the train", "Grep", "A quiz"]);
    expect(state.conversations.map(({ pinned }) => pinned)).to.deep.equal([false, false, false, false]);
    expect(state.ink.flatMap(([, { strokes }]) => strokes)).to.have.length(2);
    expect(state.conversations[0]?.turns).to.equal(2);
    expect(state.conversations[3]?.scores).to.have.length(1);
    await row(train.page, "Globs").waitFor({ state: "detached" });
  });

  it("leaves nothing in a browser after a sign-out", async () => {
    const { page } = desk;
    const databases = () =>
      page.evaluate(async () => (await indexedDB.databases()).flatMap(({ name }) => (name?.startsWith("colloquy-acc") ? [name] : [])));
    expect(await databases()).to.have.length(1);
    await page.getByRole("button", { name: /Mira/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await eventually(async () => expect(await databases()).to.deep.equal([]));
    await program.signIn(page, "/ai", "learner2");
    await page.getByText("Your conversations appear here").waitFor();
    expect(((await known(page)) as { conversations: unknown[] }).conversations).to.deep.equal([]);
    // The live stream of the session that ended is cut off.
    expect(desk.complaints.filter((words) => !words.includes("ERR_INCOMPLETE_CHUNKED_ENCODING"))).to.deep.equal([]);
    expect(lap.complaints).to.deep.equal([]);
  });
});
