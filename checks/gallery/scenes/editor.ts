import type { EditorSourceResponse } from "@colloquy/schemas/publication/requests.ts";
import type { Locator } from "playwright-core";
import { kept } from "../../../journeys/kept.ts";
import { ownerOf } from "../accounts.ts";
import type { Scene, Stage } from "../scene.ts";

const courseId = "edited-maps";
const path = `/courses/${courseId}/directions-that-stay/eigenvectors`;
const refused = /Failed to load resource|net::ERR_/;
const owner = ownerOf("ada");
const words = " A word of the owner's.";

async function reads({ page, go }: Stage, to = path): Promise<void> {
  await go(to);
  await page.locator("[data-mode=edit]").locator("visible=true").waitFor();
}
async function edits(stage: Stage, to = path): Promise<void> {
  await reads(stage, to);
  await stage.page.locator("[data-mode=edit]").click();
  await stage.page
    .locator(to === path ? "colloquy-editor-block" : "colloquy-contents-list")
    .first()
    .waitFor();
}
/** Opens the source of the first block of text. */
async function opensText({ page }: Stage): Promise<void> {
  await page
    .locator("colloquy-editor-block .block-theory")
    .first()
    .click({ position: { x: 4, y: 4 } });
  await page.locator("colloquy-editor-block[writing] textarea").waitFor();
}
async function writes(stage: Stage, text = words): Promise<void> {
  await opensText(stage);
  await stage.page.locator("colloquy-editor-block[writing] textarea").press("Control+End");
  await stage.page.keyboard.type(text);
  await kept(stage.page, text.trim());
}
/** A block is chosen; of one that is text its source is opened, too. */
async function chooses({ page }: Stage, block: Locator): Promise<void> {
  await block.focus();
  await page.keyboard.press("Enter");
  await page.locator("colloquy-editor-block[chosen]").waitFor();
}
async function leaves({ page }: Stage): Promise<void> {
  await page.locator("[data-mode=read]").click();
}
const status = (stage: Stage, tone: string) => stage.page.locator(`colloquy-editor-status .pill.${tone}`).waitFor();
/** What goes out to be published does not arrive, or not yet. */
const unreachable = ({ page }: Stage) => page.route("**/api/course-editor/publish", (route) => route.abort("connectionrefused"));
/** Somebody else publishes, on another machine. */
async function publishesElsewhere({ program, cookie }: Stage): Promise<void> {
  const headers = { cookie, "content-type": "application/json", "x-course-publish": "1" };
  const source = await fetch(`${program.url}/api/course-editor/source?course=${courseId}`, { headers });
  const { course, sequence, revisionId } = (await source.json()) as EditorSourceResponse;
  const block = course.topics.find(({ slug }) => slug === "eigenvectors")?.blocks[0];
  if (block) block.source = `${block.source.split("\n\nSomebody else")[0]}\n\nSomebody else wrote this at ${Date.now()}.`;
  const body = {
    schemaVersion: 1,
    requestId: crypto.randomUUID(),
    courseId,
    base: { sequence, revisionId },
    course,
    renamedIds: [],
    aliases: [],
  };
  const answer = await fetch(`${program.url}/api/course-editor/publish`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`not published: ${answer.status} ${await answer.text()}`);
}
async function conflict(stage: Stage): Promise<void> {
  await edits(stage);
  await writes(stage);
  await publishesElsewhere(stage);
  await leaves(stage);
  await stage.page.locator("dialog[open] .units").waitFor();
}

const scene = (state: string, show: Scene["show"], more: Partial<Scene> = {}): Scene => ({
  page: "editor",
  state,
  as: owner,
  window: true,
  show,
  ...more,
});

/** The editor, over a course of its own. */
export const editorScenes: readonly Scene[] = [
  scene("read, with the bar of modes", (stage) => reads(stage)),
  scene("edit", (stage) => edits(stage)),
  scene("edit, the front of the course", (stage) => edits(stage, `/courses/${courseId}`), { window: false }),
  scene("block chosen", async (stage) => {
    await edits(stage);
    await chooses(stage, stage.page.locator("colloquy-editor-block").nth(1));
  }),
  scene("field open", async (stage) => {
    await edits(stage);
    await opensText(stage);
  }),
  scene("field with an error", async (stage) => {
    await edits(stage);
    await opensText(stage);
    await stage.page.locator("colloquy-editor-block[writing] textarea").press("Control+End");
    await stage.page.keyboard.type(
      "\n\n# A title of the first level\n\nA formula $\\frac{a}{$ that does not close.\n\n[Nowhere](topic:nowhere)",
    );
    await stage.page.locator("colloquy-editor-block[writing] .errors li").first().waitFor();
  }),
  scene("a picture refused", async (stage) => {
    await edits(stage);
    await opensText(stage);
    const writing = stage.page.locator("colloquy-editor-block[writing]");
    await writing
      .locator("input[type=file]")
      .setInputFiles({ name: "notes about eigenvectors.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
    await writing.locator(".uploads .failed").waitFor();
  }),
  scene(
    "nothing to edit",
    async (stage) => {
      await stage.page.route("**/api/course-editor/source**", (route) => route.fulfill({ status: 503 }));
      await reads(stage);
      await stage.page.locator("[data-mode=edit]").click();
      await stage.page.locator(".cited-note button").waitFor();
    },
    { allows: refused },
  ),
  scene("edit, a part of the course", (stage) => edits(stage, `/courses/${courseId}/directions-that-stay`), { window: false }),
  scene("menu of blocks", async (stage) => {
    await edits(stage);
    await stage.page.locator("colloquy-block-insert button").last().click();
    await stage.page.locator("[role=menuitem]").first().waitFor();
  }),
  scene("end of the page", async (stage) => {
    await edits(stage);
    await chooses(stage, stage.page.locator("colloquy-editor-block").last());
    await stage.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  }),
  scene("outline", async (stage) => {
    await edits(stage);
    await stage.page.locator("button.outline").locator("visible=true").first().click();
    await stage.page.locator("colloquy-outline dialog[open], dialog[open] .map").first().waitFor();
  }),
  scene("status: draft saved", async (stage) => {
    await edits(stage);
    await writes(stage);
    await status(stage, "draft");
  }),
  scene(
    "status: published",
    async (stage) => {
      await edits(stage);
      await writes(stage, ` Published ${Date.now()}.`);
      await leaves(stage);
      await status(stage, "good");
    },
    { moving: true },
  ),
  scene(
    "status: waiting",
    async (stage) => {
      await unreachable(stage);
      await edits(stage);
      await writes(stage);
      await leaves(stage);
      await status(stage, "bad");
    },
    { allows: refused, moving: true },
  ),
  scene(
    "status: refused",
    async (stage) => {
      await stage.page.route("**/api/course-editor/publish", (route) =>
        route.fulfill({
          status: 403,
          contentType: "application/problem+json",
          body: JSON.stringify({
            type: "about:blank",
            title: "Only the owner may do this.",
            status: 403,
            code: "not_owner",
            retryable: false,
          }),
        }),
      );
      await edits(stage);
      await writes(stage);
      await leaves(stage);
      await status(stage, "bad");
    },
    { allows: refused },
  ),
  scene("another tab is editing", async (stage) => {
    await edits(stage);
    await writes(stage);
    const other = { ...stage, page: await stage.context.newPage() };
    await other.page.goto(stage.page.url());
    await other.page.locator("[data-mode=edit]").click();
    await other.page.locator("colloquy-editor-block").first().waitFor();
    await writes(other, " Words of another tab.");
    await stage.page.bringToFront();
    await stage.page.locator("colloquy-editor-block[writing] textarea").press("Control+End");
    await stage.page.keyboard.type(" And more.");
    await status(stage, "bad");
  }),
  scene(
    "status: offline",
    async (stage) => {
      await edits(stage);
      await writes(stage);
      await stage.context.setOffline(true);
      await leaves(stage);
      await status(stage, "bad");
    },
    { allows: refused },
  ),
  scene("status: to be put right", async (stage) => {
    await edits(stage);
    await opensText(stage);
    await stage.page.locator("colloquy-editor-block[writing] textarea").fill("See [what is not there](topic:nowhere).");
    await leaves(stage);
    await stage.page.locator("colloquy-editor-status .errors li").first().waitFor();
  }),
  scene("return offer", async (stage) => {
    await edits(stage);
    await writes(stage);
    await stage.page.reload();
    await stage.page.locator("colloquy-return-offer").waitFor();
  }),
  scene("question before discarding", async (stage) => {
    await edits(stage);
    await writes(stage);
    await stage.page.getByRole("button", { name: stage.msg("Discard draft…") }).click();
    await stage.page.locator("dialog[open]").waitFor();
  }),
  scene("conflict", conflict, { allows: refused }),
  scene(
    "conflict, its result",
    async (stage) => {
      await conflict(stage);
      const sheet = stage.page.locator("dialog[open]");
      for (const unit of await sheet.locator("fieldset.unit").all()) await unit.locator("input[type=radio]").last().check();
      await sheet.locator("details.result > summary").click();
      await sheet.locator("details.result").scrollIntoViewIfNeeded();
    },
    { allows: refused },
  ),
];
