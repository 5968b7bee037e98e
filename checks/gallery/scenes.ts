import { fileURLToPath } from "node:url";
import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { BrowserContext, Page } from "playwright-core";
import { settled } from "../../journeys/browser.ts";
import { waitUntilStored } from "../../journeys/browser-storage.ts";
import { change, learner, opening, turn } from "../../journeys/learner.ts";
import { type Program, startProgram } from "../../journeys/program.ts";
import { answerTutor, tutorCard, waitForTutor } from "../../journeys/tutor-answers.ts";
import { registerAssistant } from "../harness/actors.ts";

export const sessionSecret = "a secret that only the gallery's programs use";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const programs = {
  /** All courses and a fast model. */
  everyday: {
    environment: { DEMO_MODEL_WORD_MS: "1" },
    courses: { "every-block": path("./every-block"), "edited-maps": path("../../infra/demo/courses/linear-maps") },
  },
  /** No course and no model. */
  bare: { environment: { DEMO_MODEL: "off", DEMO_COURSES: "off" }, courses: {} },
};
export type ProgramName = keyof typeof programs;

/** Starts one of the gallery's programs and imports its courses. */
export async function startGalleryProgram(name: ProgramName): Promise<Program> {
  const { environment, courses } = programs[name];
  const program = await startProgram({ SESSION_SECRET: sessionSecret, ...environment });
  for (const [id, folder] of Object.entries(courses)) await program.tool("command-api/publication/import/cli.ts", folder, "--id", id);
  return program;
}

/** A browser signed in as the scene's account, at a running program. */
export interface Stage {
  page: Page;
  context: BrowserContext;
  program: Program;
  /** The account's session; empty for visitors. */
  cookie: string;
  /** Translates into the page's language, so that controls are found by their names in every language. */
  msg: Translator["msg"];
  go(path: string): Promise<void>;
}

/** One state of one page. */
export interface Scene {
  page: string;
  state: string;
  /** `everyday` unless given. */
  at?: ProgramName;
  /** The signed-in account; visitors have none. Scenes of one account share its data. */
  as?: Account;
  /** Flaws that belong to the state, such as the failed request of a missing page. */
  allows?: RegExp;
  /** The picture ends with the window. For pages that never scroll as a whole. */
  window?: boolean;
  /** Makes data that takes long, once, before the scene is shown on any device. */
  prepare?(stage: Stage): Promise<void>;
  /** Brings a fresh page into the state; called for each device. */
  show(stage: Stage): Promise<void>;
}

const account = (roles: Account["roles"], who: string): Account => ({ accountId: `acc_gallery${who}`, name: "Mira", roles });
const learnerOf = (who: string): Account => account(["learner"], who);
const owner = account(["learner", "owner"], "ada");
const auditor = account(["learner", "auditor"], "nils");
const reader = learnerOf("reader");
const refused = /Failed to load resource|net::ERR_/;
const topic = "/courses/linear-maps/directions-that-stay/eigenvectors";

const at = (address: string) => (stage: Stage) => stage.go(address);
/** Makes something once; returns the address that the page had then, for each later scene. */
function once(make: (stage: Stage) => Promise<void>) {
  let address = "";
  return {
    async prepare(stage: Stage): Promise<void> {
      if (address) return;
      await make(stage);
      const { pathname, search } = new URL(stage.page.url());
      address = pathname + search;
    },
    open: (stage: Stage) => stage.go(address),
  };
}
const sceneOf =
  (page: string, common: Partial<Scene> = {}) =>
  (state: string, show: Scene["show"], more: Partial<Scene> = {}): Scene => ({ page, state, show, ...common, ...more });

const catalogue = sceneOf("catalogue");
const course = sceneOf("course");
const topics = sceneOf("topic");
const everyBlock = "/courses/every-block/hard-to-set/every-block";
async function openContents({ page }: Stage): Promise<void> {
  const button = page.locator("[popovertarget=contents]").first();
  if (await button.isVisible()) await button.click();
}
const readingScenes = [
  catalogue("front page", at("/")),
  catalogue("filled", at("/courses")),
  catalogue("filled, signed in", at("/courses"), { as: reader }),
  catalogue("empty", at("/courses"), { at: "bare" }),
  course("front", at("/courses/linear-maps")),
  course("front, signed in", at("/courses/linear-maps"), { as: reader }),
  course("front, hard to set", at("/courses/every-block")),
  course("collection", at("/courses/linear-maps/directions-that-stay")),
  topics("formulas and pictures", at(topic), { as: reader }),
  topics("prose", at("/courses/learning-to-learn/how-memory-works")),
  topics("every block", async (stage) => {
    await stage.go(everyBlock);
    // Diagrams are drawn when they come into view.
    for (const diagram of await stage.page.locator("colloquy-diagram").all()) {
      await diagram.scrollIntoViewIfNeeded();
      await diagram.locator("svg").first().waitFor();
    }
    await stage.page.evaluate(() => scrollTo(0, 0));
  }),
  topics(
    "exercise with hint and solution open",
    async (stage) => {
      await stage.go(everyBlock);
      for (const summary of await stage.page.locator("article details > summary").all()) await summary.click();
      await stage.page.locator("article details").last().scrollIntoViewIfNeeded();
    },
    { window: true },
  ),
  topics(
    "account menu",
    async (stage) => {
      await stage.go(topic);
      await openContents(stage);
      await stage.page.locator("details.account > summary").click();
    },
    { as: reader, window: true },
  ),
  sceneOf("drawing", { as: learnerOf("drawing"), window: true })("a stroke", async ({ go, page }) => {
    await go(topic);
    await page.locator("[data-mode=draw], [data-action=draw]").locator("visible=true").first().click();
    await page.getByRole("toolbar").first().waitFor();
    const block = page.locator("article .block").first();
    const { x, y } = (await settled(() => block.boundingBox())) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 20, y + 30);
    await page.mouse.down();
    await page.mouse.move(x + 200, y + 40, { steps: 10 });
    await page.mouse.up();
    await page.locator("colloquy-drawing .strokes path").first().waitFor({ state: "attached" });
  }),
];

async function consent(stage: Stage): Promise<void> {
  const { consentUrl } = await registerAssistant(stage.program.url, { name: "An assistant with a rather long name", scope: "tutor:read" });
  await stage.go(consentUrl.pathname + consentUrl.search);
}
const boundaryScenes = [
  sceneOf("sign-in")("demo accounts", at(`/sign-in?return=${encodeURIComponent(topic)}`)),
  sceneOf("consent")("an assistant asks", async (stage) => {
    await stage.go("/auth/demo?as=learner2&return=/courses");
    await consent(stage);
    await stage.page.locator("input[name=scope]").first().waitFor();
  }),
  sceneOf("not found", { allows: refused })("no such page", at("/nowhere")),
  sceneOf("not found", { allows: refused })("no such course", at("/courses/nowhere")),
  sceneOf("no permission", { as: reader, allows: refused })("audit, as a learner", at("/audit")),
  sceneOf("offline")("nothing kept", at("/offline")),
  sceneOf("developers")("reference", at("/developers")),
  sceneOf("embed")("reference", at("/embed")),
  sceneOf("embed")("sign-in refused", at("/embed/sign-in?origin=https%3A%2F%2Felsewhere.example&nonce=0123456789abcdef"), {
    allows: refused,
  }),
];

const composer = ({ page }: Stage) => page.locator("colloquy-composer textarea").locator("visible=true").first();
async function ask(stage: Stage, question: string): Promise<void> {
  await stage.go("/ai");
  await composer(stage).fill(question);
  await stage.page.keyboard.press("Enter");
  await stage.page
    .getByRole("button", { name: stage.msg("conversation.regenerate") })
    .last()
    .waitFor();
  await stage.page.waitForURL(/conversation=/);
}
const answered = once((stage) => ask(stage, "What is an eigenvector, and how do I find one?"));
const quiz = once((stage) => ask(stage, "Quiz me with 4 questions on eigenvectors"));
/** An answer whose model breaks off in the middle of a bold word. */
async function breakOff(stage: Stage): Promise<void> {
  const writer = { provider: "p1", model: "demonstration", fallbackDepth: 0 };
  const frames = [
    { kind: "status", phase: "retrieving", elapsedMs: 4 },
    { kind: "status", phase: "writing", elapsedMs: 900, detail: { sources: 9, pages: 2, sections: 5, ...writer } },
    { kind: "text_delta", text: "A map keeps some arrows on their line. Such an arrow is an **eigenvec" },
    { kind: "error", code: "ai_unavailable", title: "The connection to the model broke before the answer was finished.", retryable: true },
  ];
  const lines = frames.map((frame, index) => JSON.stringify({ schemaVersion: 1, seq: index + 1, ...frame }));
  await stage.page.route("**/api/ai/ask", (route) =>
    route.fulfill({ status: 200, contentType: "application/x-ndjson", body: `${lines.join("\n")}\n` }),
  );
  await stage.go("/ai");
  await composer(stage).fill("What is an eigenvector?");
  await stage.page.keyboard.press("Enter");
  await stage.page.getByRole("button", { name: stage.msg("conversation.continueAnswer"), exact: true }).waitFor();
}
const history = once(async (stage) => {
  const device = await learner(stage.program.url, { cookie: stage.cookie }, "another-device");
  for (const [index, title] of ["Maps and matrices", "Formulas such as $A^{-1}A = I$", "ما هو المتجه الذاتي؟"].entries())
    await device.push([
      change(`change-open-${index}`, `conversation-${index}`, "started", opening(title)),
      change(`change-turn-${index}`, `conversation-${index}`, "turn_recorded", turn(`turn-000${index}`, title, "A map keeps sums. ")),
    ]);
  await stage.go("/ai");
});
async function showHistory(stage: Stage): Promise<void> {
  await history.open(stage);
  await composer(stage).waitFor();
  const button = stage.page.getByRole("button", { name: stage.msg("workspace.conversations"), exact: true });
  if (await button.isVisible()) await button.click();
  await stage.page.locator("colloquy-history a[part=row]").first().waitFor();
}
async function openWorkspace(stage: Stage): Promise<void> {
  await stage.go("/ai");
  await composer(stage).waitFor();
}
const workspace = sceneOf("workspace", { window: true });
const reads = { as: learnerOf("answers"), prepare: answered.prepare };
const workspaceScenes = [
  workspace("visitor", at("/ai")),
  workspace("first run", openWorkspace, { as: learnerOf("firstrun") }),
  workspace("no model", openWorkspace, { as: learnerOf("nomodel"), at: "bare" }),
  workspace("an answer with citations", answered.open, reads),
  workspace(
    "an answer and its source",
    async (stage) => {
      await answered.open(stage);
      await stage.page.locator("a.cite").first().click();
      await stage.page.locator("colloquy-course-page h1, colloquy-course-page h2").first().waitFor();
    },
    reads,
  ),
  workspace("an answer that broke off", breakOff, { as: learnerOf("broken") }),
  workspace("conversations", showHistory, { as: learnerOf("history"), prepare: history.prepare }),
  sceneOf("quiz", { window: true })("questions", quiz.open, { as: learnerOf("quiz"), prepare: quiz.prepare }),
];

async function chooseTutor(stage: Stage): Promise<void> {
  await stage.go("/ai");
  await stage.page
    .getByRole("button", { name: stage.msg("common.tutor"), exact: true })
    .first()
    .click();
  await stage.page.locator("colloquy-tutor-start label").first().waitFor();
}
const tutored = () =>
  once(async (stage) => {
    const { page, msg, program } = stage;
    await chooseTutor(stage);
    await page.locator("input[name=course][value=linear-maps]").check();
    const field = page.getByRole("textbox", { name: msg("composer.yourGoal") });
    await field.fill("Know which directions a map leaves alone");
    await field.press("Enter");
    await tutorCard(page).waitFor();
    for (let count = 0; count < 10 && !(await page.locator("colloquy-tutor-path li").count()); count += 1)
      await answerTutor(program, page, true);
    await page.locator("colloquy-tutor-path [aria-current=step]").waitFor();
    await answerTutor(program, page);
  });
const [taught, audited] = [tutored(), tutored()];
const tutor = sceneOf("tutor", { as: learnerOf("taught"), window: true });
const review = sceneOf("review");
const audit = sceneOf("audit", { as: auditor, prepare: audited.prepare });
const learningScenes = [
  tutor("choice of a course", chooseTutor),
  tutor(
    "lesson and check",
    async (stage) => {
      await taught.open(stage);
      await waitForTutor(stage.page);
    },
    { prepare: taught.prepare },
  ),
  review(
    "none due",
    async (stage) => {
      await stage.go("/review");
      await stage.page.locator(".standing").waitFor();
    },
    { as: learnerOf("reviewnone") },
  ),
  review(
    "an answer",
    async (stage) => {
      await stage.go("/review");
      await stage.page.locator("colloquy-review-card button").first().click();
      await stage.page.locator("#review-answer").waitFor();
    },
    { as: learnerOf("taught"), prepare: taught.prepare },
  ),
  audit("search", async (stage) => {
    await stage.go("/audit");
    await stage.page.locator(".found a").first().waitFor();
  }),
  audit("replay", async (stage) => {
    await stage.go("/audit");
    await stage.page.locator(".found a").first().click();
    await stage.page.locator("input[type=range]").first().press("End");
  }),
];

const explainer = "/ai?explainer=linear-maps.topic-linear-maps";
const storyboard = once(async (stage) => {
  await stage.go(explainer);
  await stage.page.locator("colloquy-explainer [data-emphasis=intuition]").click();
  await stage.page.locator("colloquy-explainer .approve .button-primary").waitFor({ timeout: 240_000 });
  await stage.page.waitForURL(/film=/);
});
const film = sceneOf("film", { as: learnerOf("film"), window: true });
const editor = sceneOf("editor", { as: owner, window: true });
const edited = "/courses/edited-maps/directions-that-stay/eigenvectors";
async function edit({ go, page }: Stage): Promise<void> {
  await go(edited);
  await page.locator("[data-mode=edit]").locator("visible=true").click();
  await page.locator("colloquy-editor-block").first().waitFor();
}
async function openSource(stage: Stage): Promise<void> {
  await edit(stage);
  await stage.page
    .locator("colloquy-editor-block .block-theory")
    .first()
    .click({ position: { x: 4, y: 4 } });
  await stage.page.locator("colloquy-editor-block[writing] textarea").waitFor();
}
const authoringScenes = [
  film("choice", async (stage) => {
    await stage.go(explainer);
    await stage.page.locator("colloquy-explainer [data-emphasis]").first().waitFor();
  }),
  film(
    "storyboard",
    async (stage) => {
      await storyboard.open(stage);
      await stage.page.locator("colloquy-explainer .scene").first().waitFor();
    },
    { prepare: storyboard.prepare },
  ),
  editor("read", at(edited)),
  editor("edit", edit),
  editor("source of a block", openSource),
  editor("outline", async (stage) => {
    await edit(stage);
    await stage.page.locator("button.outline").locator("visible=true").first().click();
    await stage.page.locator("colloquy-outline dialog[open], dialog[open] .map").first().waitFor();
  }),
  editor("draft saved", async (stage) => {
    await openSource(stage);
    await stage.page.keyboard.press("Control+End");
    await stage.page.keyboard.type(" A word of the owner's.");
    await waitUntilStored(stage.page, "A word of the owner's.");
    await stage.page.locator("colloquy-editor-status .pill.draft").waitFor();
  }),
];

/** The main states of every page; scenes of one page stand together. */
export const scenes: readonly Scene[] = [...readingScenes, ...boundaryScenes, ...workspaceScenes, ...learningScenes, ...authoringScenes];
