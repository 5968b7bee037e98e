import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { eventually, openVisitor, type Visitor } from "./browser.ts";
import { publishing, screenshotFolder } from "./publishing.ts";
import { answerQuestion } from "./quiz-answers.ts";
import { answerTutor, tutorCard, waitForTutor } from "./tutor-answers.ts";

describe("a learner is tutored while the course is published again", () => {
  const { program, browser, owner, source, status, says, publishElsewhere } = publishing(
    (page, url) => page.goto(url).then(() => undefined),
    {
      DEMO_MODEL_WORD_MS: "1",
    },
  );
  let mira: Visitor;
  /** What the first session asks. */
  const prompts: string[] = [];
  after(() => mira?.context.close());

  const shot = async (page: Page, name: string) => {
    if (screenshotFolder) await page.screenshot({ path: `${screenshotFolder}/tutor-publication-${name}.png` });
  };
  const ended = (page: Page) => page.getByRole("heading", { name: "The course was updated" });
  const asked = (page: Page) => tutorCard(page).locator(".prompt").innerText();
  /** Sends the first choice, or a sentence, right or wrong. */
  async function sendGuess(page: Page): Promise<void> {
    const card = tutorCard(page);
    await card.locator("input, textarea, select, .mover").first().waitFor({ state: "attached" });
    if (await card.locator("colloquy-question-fields, label").count()) await answerQuestion(card);
    else await card.locator("textarea").fill("Perhaps it turns every arrow by the same angle.");
    await card.locator("button.primary").click();
  }
  async function guess(page: Page): Promise<void> {
    await sendGuess(page);
    await waitForTutor(page);
  }
  /** The blocks that the session's answers cite, in their order, with the links there. */
  async function cited(page: Page): Promise<{ block: string; href: string }[]> {
    const hrefs = await page
      .locator("colloquy-tutor-answered colloquy-sources a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    return hrefs.flatMap((href) => (href.includes("#") ? { block: href.split("#")[1] ?? "", href } : []));
  }
  const topicOf = (course: AuthoredCourse, block: string) =>
    course.topics.find(({ blocks }) => blocks.some(({ id }) => id === block)) ?? expect.fail(`no topic has ${block}`);

  it("continues the open question if its text only moved", async () => {
    mira = await openVisitor(browser(), { width: 1440, height: 900 });
    const { page } = mira;
    await page.goto(`${program().url}/auth/demo?as=learner&return=/ai`);
    await page.getByRole("button", { name: "Tutor", exact: true }).click();
    const goal = page.getByRole("textbox", { name: "Your goal" });
    await goal.fill("Understand determinants and eigenvectors");
    await page.getByRole("radio", { name: /^Linear Maps/ }).check();
    await goal.press("Enter");
    await tutorCard(page).waitFor();
    while (!(await page.locator("colloquy-tutor-path li").count())) {
      prompts.push(await asked(page));
      await guess(page);
    }
    const [moved] = await cited(page);
    const block = moved?.block ?? expect.fail("no answer cites a block");
    await publishElsewhere((course) => {
      const from = topicOf(course, block);
      const to =
        course.topics.find((topic) => topic !== from && !topic.blocks.some(({ id }) => id === block)) ?? expect.fail("no other topic");
      to.blocks.push(...from.blocks.filter(({ id }) => id === block));
      from.blocks = from.blocks.filter(({ id }) => id !== block);
      from.title = "Another heading";
    });
    prompts.push(await asked(page));
    await answerTutor(program(), page);
    await page
      .locator("colloquy-tutor-answered")
      .last()
      .getByText(/^event \d+$/)
      .waitFor();
    expect(await ended(page).count()).to.equal(0);

    const link = page.locator(`a[href$="#${block}"]`);
    const sources = page.locator("colloquy-tutor-answered colloquy-sources").filter({ has: link }).first();
    await sources.locator("summary").click();
    await sources.locator(link).click();
    await page.getByText("The cited passage moved to another page.").waitFor();
    await page.getByRole("link", { name: "Go there" }).click();
    await page.locator("colloquy-course-page mark.cited").first().waitFor();
    await shot(page, "moved");
  });

  it("warns the owner; the learner, offline meanwhile, continues from the rest", async () => {
    const { page } = mira;
    const { course } = await source();
    const types = new Map(course.topics.flatMap(({ blocks }) => blocks.map(({ id, type }) => [id, type] as const)));
    const quoted = (await cited(page)).findLast(
      ({ block }) => types.get(block) === "core.theory" || types.get(block) === "core.key-points",
    );
    const changed = quoted?.block ?? expect.fail("no answer cites a text");
    await mira.context.setOffline(true);
    await sendGuess(page);
    await page.getByRole("group", { name: "It did not work" }).getByText("You were offline.").waitFor();

    const topic = topicOf(course, changed);
    const way = course.collections.find(({ children }) => children.some(({ id }) => id === topic.id));
    await owner().page.goto(`${program().url}/courses/linear-maps/${way?.slug}/${topic.slug}`);
    await owner().page.getByRole("region", { name: "Mode" }).getByRole("button", { name: "Edit", exact: true }).click();
    await owner()
      .page.locator(`colloquy-editor-block[data-block-id="${changed}"] .block`)
      .click({ position: { x: 4, y: 4 } });
    await owner().page.locator("colloquy-editor-block[writing] textarea").press("Control+End");
    await owner().page.keyboard.type(" This is new.");
    await says("Draft saved");
    await says("Some learners are being tutored on text that you changed.");
    await shot(owner().page, "owner");
    await status().getByRole("button", { name: "Publish now" }).click();
    await says("for everyone");

    await mira.context.setOffline(false);
    await page.locator("colloquy-tutor").getByRole("button", { name: "Try again" }).click();
    await ended(page).waitFor();
    await page.getByText("Not counted: the course was updated first.").waitFor();
    await shot(page, "ended");
    await page.getByRole("button", { name: "Start a new session with your progress" }).click();
    await page.getByText(/^\d+ of your answers still counts?: (?:its|their) text is unchanged\.$/).waitFor();
    await tutorCard(page).waitFor();
    await waitForTutor(page);
    expect(prompts, "what was answered is not asked as if it were new").not.to.include(await asked(page));
    await shot(page, "anew");
  });

  it("continues after a pause with a publication of other text", async () => {
    const { page } = mira;
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("heading", { name: /^Paused/ }).waitFor();
    await publishElsewhere((course) => {
      const [block] = course.topics.find(({ slug }) => slug === "vectors")?.blocks ?? [];
      if (!block) expect.fail("no vectors");
      block.source += "\n\nA sentence about vectors.";
    });
    await page.getByRole("button", { name: "Continue" }).click();
    await tutorCard(page).waitFor();
    expect(await ended(page).count()).to.equal(0);
    expect(mira.complaints.filter((text) => !/409|ERR_INTERNET_DISCONNECTED/.test(text))).to.deep.equal([]);
  });

  it("has intact ledgers of both sessions for an auditor", async () => {
    const auditor = await openVisitor(browser(), { width: 1440, height: 900 });
    for (const index of [0, 1]) {
      await auditor.page.goto(`${program().url}/auth/demo?as=auditor&return=/audit`);
      await eventually(async () => expect(await auditor.page.locator(".found a").count()).to.equal(2));
      await auditor.page.locator(".found a").nth(index).click();
      await auditor.page.getByText("Ledger intact · Replay matches the recorded session", { exact: true }).waitFor();
    }
    expect(auditor.complaints).to.deep.equal([]);
    await auditor.context.close();
  });
});
