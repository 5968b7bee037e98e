import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { axeFindings, horizontalOverflow } from "./accessible.ts";
import { eventually, openBrowser, openVisitor, type Visitor } from "./browser.ts";
import { type Program, startProgram } from "./program.ts";

/** Where screenshots go, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;
const topic = "/courses/linear-maps/arrows-and-maps/linear-maps";
/** How long a storyboard and its film may take on a busy machine, in milliseconds. */
const making = 240_000;

describe("a learner has a film made of a page", () => {
  let program: Program;
  let browser: Browser;
  let desk: Visitor;
  let film: string;
  before(async () => {
    program = await startProgram({ DEMO_MODEL_WORD_MS: "1", RENDER_WORKERS: "on" });
    browser = await openBrowser();
    desk = await openVisitor(browser, { width: 1440, height: 900 });
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
  });

  const signIn = (page: Page, path: string, as = "learner") =>
    page.goto(`${program.url}/auth/demo?as=${as}&return=${encodeURIComponent(path)}`);
  const explainer = (page: Page) => page.locator("colloquy-explainer");
  const picture = async (page: Page, name: string) => {
    if (pictures) await page.screenshot({ path: `${pictures}/film-${name}.png`, fullPage: true });
  };
  /** What of the captions lies over the picture, in pixels; there have to be some. */
  const covered = (page: Page) =>
    explainer(page).evaluate((element) => {
      const [picture, captions] = ["video", "colloquy-film .captions p"].map((selector) =>
        element.querySelector(selector)?.getBoundingClientRect(),
      );
      return picture && captions?.height ? Math.max(0, picture.bottom - captions.top) : Number.NaN;
    });
  /** What the player's film is like, read from the film itself. */
  const video = (page: Page) =>
    page.locator("colloquy-explainer video").evaluate((element) => {
      const { duration, videoWidth, videoHeight, currentTime, textTracks } = element as HTMLVideoElement;
      return { duration, videoWidth, videoHeight, currentTime, cues: textTracks[0]?.cues?.length ?? 0, captions: textTracks[0]?.mode };
    });

  /** Begins a tutoring session on the same page, and waits until it is listed. */
  const tutored = (page: Page) =>
    page.evaluate(async (href) => {
      const started = await fetch("/api/ai/tutor/start", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          schemaVersion: 1,
          requestId: "tutor-request-film",
          conversationId: "conversation-film",
          courseId: "linear-maps",
          goal: "What a linear map keeps",
          references: [{ href }],
          model: { choice: "automatic" },
        }),
      });
      const { position } = (await started.json()) as { position: string };
      // A read model that is behind says so (504) until it has caught up.
      for (let status = 504; status !== 200; ) {
        ({ status } = await fetch(`/api/tutor/sessions?courseId=linear-maps&after=${position}`));
        if (status !== 200 && status !== 504) throw new Error(`no session is listed: ${status}`);
      }
    }, topic);

  it("opens it on a course page and chooses its emphasis", async () => {
    const { page } = desk;
    await signIn(page, topic);
    await page.getByRole("link", { name: "Make a video of this page" }).click();
    await explainer(page)
      .getByRole("button", { name: /^Intuition/ })
      .click();
  });

  it("reviews the storyboard with its sources and edits a scene", async () => {
    const { page } = desk;
    const make = explainer(page).getByRole("button", { name: "Make the video", exact: true });
    await make.waitFor({ timeout: making });
    await picture(page, "storyboard");
    const heading = "What a map keeps";
    await explainer(page)
      .getByRole("button", { name: /^Change/ })
      .nth(1)
      .click();
    await explainer(page).getByRole("textbox", { name: "Heading" }).fill(heading);
    await picture(page, "changed");
    await explainer(page).getByRole("button", { name: "Check again" }).click();
    await make.waitFor({ timeout: making });
    await explainer(page).getByText(heading).first().waitFor();
    expect(await axeFindings(page)).to.deep.equal([]);
  });

  it("approves it, follows its progress through a reload, and plays it", async () => {
    const { page } = desk;
    await explainer(page).getByRole("button", { name: "Make the video", exact: true }).click();
    await page.waitForURL(/film=/);
    await page.reload();
    await page.locator("colloquy-explainer video").waitFor({ timeout: making });
    film = page.url();
    await eventually(async () => expect((await video(page)).duration).to.be.within(30, 60));
    await explainer(page).getByRole("button", { name: "Play" }).first().click();
    await eventually(async () => expect((await video(page)).currentTime).to.be.greaterThan(0.5));
    await explainer(page).getByRole("button", { name: "Pause" }).first().click();
    await page.locator("colloquy-explainer video").evaluate((element) => {
      (element as HTMLVideoElement).currentTime = 20;
    });
    await eventually(async () => {
      const { currentTime, videoWidth, videoHeight, cues, captions } = await video(page);
      expect(currentTime).to.be.closeTo(20, 0.2);
      expect([videoWidth, videoHeight]).to.deep.equal([1280, 720]);
      expect(cues).to.be.greaterThan(3);
      expect(captions).to.equal("hidden");
      expect(await explainer(page).locator("colloquy-film .captions").textContent()).to.match(/\w/);
    });
    await eventually(async () => expect(await covered(page)).to.equal(0));
    await picture(page, "watched");
    expect(await axeFindings(page)).to.deep.equal([]);
  });

  it("shows in its preview what the film shows at the same time", async () => {
    const { page } = desk;
    await explainer(page).getByText("The storyboard", { exact: true }).click();
    const preview = page.locator("colloquy-preview");
    await preview.locator(".play:enabled").waitFor();
    await preview.locator("input[type=range]").fill("20000");
    await eventually(async () => {
      const difference = await explainer(page).evaluate((element) => {
        const [one = [], other = []] = ["colloquy-preview canvas", "video"].map((selector) => {
          const context = Object.assign(document.createElement("canvas"), { width: 320, height: 180 }).getContext("2d");
          context?.drawImage(element.querySelector(selector) as CanvasImageSource, 0, 0, 320, 180);
          return [...(context?.getImageData(0, 0, 320, 180).data ?? [])];
        });
        const isPaper = one.every((value, at) => value === one[at % 4]);
        return isPaper ? Number.NaN : one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
      });
      expect(difference).to.be.below(3);
    });
    await picture(page, "preview");
    expect(await axeFindings(page)).to.deep.equal([]);
  });

  it("answers the closing question, which counts, and reports a mistake", async () => {
    const { page } = desk;
    await tutored(page);
    await explainer(page).getByRole("radio").first().check();
    await explainer(page).getByRole("button", { name: "Check", exact: true }).click();
    await explainer(page)
      .getByText(/It is recorded in your tutoring session as event \d+/)
      .waitFor();
    expect(await axeFindings(page)).to.deep.equal([]);
    await picture(page, "answered");
    await explainer(page)
      .getByRole("link", { name: /^event \d+$/ })
      .click();
    await page.locator("colloquy-ledger [aria-current=true]").getByText("Closing question of a video").waitFor();
    await picture(page, "receipt");
    await page.goto(film);
    await explainer(page).getByRole("button", { name: "Report a mistake in this video" }).click();
    await explainer(page).getByRole("textbox").last().fill("The second scene names the wrong thing.");
    await explainer(page).getByRole("button", { name: "Send the report" }).click();
    await explainer(page)
      .getByText(/The course.s owner was notified/)
      .waitFor();
    await picture(page, "after");
    // The page a scene stands on leads to films of it, also where it stands beside.
    await explainer(page).locator(".chapters .from a").first().click();
    await page.locator("colloquy-course-page").getByRole("link", { name: "Make a video of this page" }).waitFor();
    await picture(page, "beside");
    expect(desk.complaints).to.deep.equal([]);
  });

  it("the owner reads the mistake, edits its passage and settles it", async () => {
    const { page, complaints } = await openVisitor(browser, { width: 1440, height: 900 });
    await signIn(page, topic, "owner");
    const reported = page.getByRole("dialog", { name: "Reported corrections" });
    await page.getByRole("button", { name: "1 correction reported" }).click();
    await reported.getByText("The second scene names the wrong thing.").waitFor();
    expect(await axeFindings(page)).to.deep.equal([]);
    await picture(page, "reported");
    await reported.getByRole("button", { name: /^Edit in the course/ }).click();
    await page.locator("colloquy-editor").waitFor();
    await page.getByRole("button", { name: "1 correction reported" }).click();
    await reported.getByRole("button", { name: /^Mark as resolved/ }).click();
    await reported.getByText("All reports are resolved.").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Edit", exact: true }).waitFor();
    expect(await page.locator("colloquy-corrections").count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
    await desk.page.goto(film);
    await explainer(desk.page).getByText("The course's owner resolved it.").waitFor();
  });

  it("finds it on a phone; another learner does not", async () => {
    const phone = await openVisitor(browser, { width: 390, height: 844, touch: true });
    await signIn(phone.page, new URL(film).pathname + new URL(film).search);
    await phone.page.locator("colloquy-explainer video").waitFor();
    await eventually(async () => expect(await horizontalOverflow(phone.page)).to.equal(0));
    await picture(phone.page, "phone");
    const other = await openVisitor(browser);
    await signIn(other.page, new URL(film).pathname + new URL(film).search, "learner2");
    await explainer(other.page).getByText("This video was deleted or belongs to another account.").waitFor();
  });
});
