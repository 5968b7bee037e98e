import { worksOffline } from "../../../journeys/kept.ts";
import { change, learner, opening, turn } from "../../../journeys/learner.ts";
import { learnerOf } from "../accounts.ts";
import { once, type Scene, type Stage } from "../scene.ts";

const refused = /Failed to load resource|net::ERR_/;
/** The field itself goes through what is offered, by arrows, and keeps the focus. */
const goneThrough = /scrollable-region-focusable: colloquy-composer,\.popup/;
const question = "What is an eigenvector, and how do I find one?";
const topic = "/courses/linear-maps/directions-that-stay/eigenvectors";
const titles = [
  "Maps and matrices",
  "Why is the determinant of a product the product of the determinants, whatever the maps are?",
  "Lengths and angles",
  "Formulas such as $A^{-1}A = I$",
  "ما هو المتجه الذاتي؟",
  "Spacing",
];
const paragraph = "A map keeps sums: what it makes of two arrows put together is what it makes of each, put together. ";

const answers = learnerOf("answers");
const full = learnerOf("history");
let answered = "/ai";
let long = "/ai";

const composer = ({ page }: Stage) => page.locator("colloquy-composer textarea").locator("visible=true").first();
/** The last answer stands whole. */
export const done = (stage: Stage) => stage.page.getByRole("button", { name: stage.msg("Regenerate") }).last();
/** Asks in the workspace, as one types. */
export async function ask(stage: Stage, words: string): Promise<void> {
  await composer(stage).fill(words);
  await stage.page.keyboard.press("Enter");
}

/** A conversation with an answer that cites, by the real model. */
const hasAnswer = once(async (stage: Stage) => {
  await stage.go("/ai");
  await ask(stage, question);
  await done(stage).waitFor();
  await stage.page.waitForURL(/conversation=/);
  await ask(stage, "Show me the Python code that finds the largest eigenvalue.");
  await done(stage).waitFor();
  answered = new URL(stage.page.url()).pathname + new URL(stage.page.url()).search;
});
const opens = async (stage: Stage): Promise<void> => {
  await stage.go(answered);
  await stage.page.locator("a.cite").first().waitFor();
};
/** What another device of the account has written. */
const hasHistory = once(async ({ program, cookie }: Stage) => {
  const device = await learner(program.url, { cookie }, "another-device");
  for (const [at, title] of titles.entries())
    await device.push([
      change(`change-open-${at}`, `conversation-${at}`, "started", opening(title)),
      change(`change-turn-${at}`, `conversation-${at}`, "turn_recorded", turn(`turn-000${at}`, title, paragraph)),
    ]);
  await device.push([change("change-archive", "conversation-5", "archived", {})]);
  await device.push([change("change-long", "conversation-long", "started", opening("A long conversation"))]);
  for (let at = 0; at < 30; at += 1)
    await device.push([
      change(
        `change-long-${at}`,
        "conversation-long",
        "turn_recorded",
        turn(`turn-long-${at}`, `Question ${at + 1}: what does a map keep?`, paragraph.repeat(1 + (at % 6))),
      ),
    ]);
  long = "/ai?conversation=conversation-long";
});
/** On a phone the conversations are behind a button. */
async function sideOpen(stage: Stage): Promise<void> {
  const { page, msg } = stage;
  const button = page.getByRole("button", { name: msg("Conversations"), exact: true });
  if (await button.isVisible()) await button.click();
  await page.locator("colloquy-history a[part=row]").first().waitFor();
}
const filled = async (stage: Stage): Promise<void> => {
  await stage.go("/ai");
  await composer(stage).waitFor();
  await sideOpen(stage);
};
async function accountMenu(stage: Stage): Promise<void> {
  const { page, msg } = stage;
  await stage.go("/ai");
  await composer(stage).waitFor();
  const button = page.getByRole("button", { name: msg("Conversations"), exact: true });
  if (await button.isVisible()) await button.click();
  await page.locator("button.account").locator("visible=true").first().click();
  await page.locator("colloquy-menu [role=menuitem]").first().waitFor();
}
const chooses = (name: (stage: Stage) => string) => async (stage: Stage) => {
  await accountMenu(stage);
  await stage.page.getByRole("menuitem", { name: name(stage) }).click();
};
async function rowMenu(stage: Stage): Promise<void> {
  await filled(stage);
  const row = stage.page.locator("colloquy-history li").filter({ hasText: "Lengths and angles" });
  await row.hover();
  await row.locator("button.more").click();
  await stage.page.getByRole("menuitem").first().waitFor();
}

const scene = (state: string, show: Scene["show"], more: Partial<Scene> = {}): Scene => ({
  page: "workspace",
  state,
  window: true,
  show,
  ...more,
});

/** Asking, and everything around it. */
export const workspaceScenes: readonly Scene[] = [
  scene("nobody signed in", (stage) => stage.go("/ai")),
  scene("nobody signed in, from a page", (stage) => stage.go(`/ai?page=${encodeURIComponent(topic)}`)),
  scene(
    "first run",
    async (stage) => {
      await stage.go("/ai");
      await composer(stage).waitFor();
    },
    { as: learnerOf("firstrun") },
  ),
  scene(
    "no model",
    async (stage) => {
      await stage.go("/ai");
      await composer(stage).waitFor();
    },
    { as: learnerOf("nomodel"), at: "bare" },
  ),
  scene(
    "answer being written",
    async (stage) => {
      await stage.go("/ai");
      await ask(stage, question);
      await stage.page.locator("colloquy-answer p").first().waitFor();
      await stage.page.waitForFunction(() => (document.querySelector("colloquy-answer")?.textContent ?? "").trim().length > 20);
    },
    { as: learnerOf("streaming"), at: "slow", moving: true },
  ),
  scene(
    "error of a model in mid-answer",
    async (stage) => {
      await stage.go("/ai");
      await ask(stage, question);
      await stage.page.waitForFunction(() => (document.querySelector("colloquy-answer")?.textContent ?? "").trim().length > 20);
      stage.program.kill("demo/model/main.ts");
      await stage.page.locator(".problem").first().waitFor();
    },
    { as: learnerOf("modelerror"), at: "slow" },
  ),
  scene("answered with citations", opens, { as: answers, prepare: hasAnswer }),
  scene(
    "a citation's card",
    async (stage) => {
      await opens(stage);
      await stage.page.locator("a.cite").last().scrollIntoViewIfNeeded();
      await stage.page.locator("a.cite").last().focus();
      await stage.page.locator("colloquy-citation-card:popover-open blockquote").waitFor();
    },
    { as: answers, prepare: hasAnswer },
  ),
  scene(
    "source beside",
    async (stage) => {
      await opens(stage);
      await stage.page.locator("a.cite").first().click();
      await stage.page.locator("colloquy-course-page mark.cited").locator("visible=true").first().waitFor();
    },
    { as: answers, prepare: hasAnswer },
  ),
  scene(
    "several panes",
    async (stage) => {
      await opens(stage);
      await stage.page.locator("a.cite").first().click();
      await stage.page.locator("colloquy-course-page mark.cited").locator("visible=true").first().waitFor();
      const split = stage.page.locator("colloquy-tab-strip button.split, button.split").locator("visible=true");
      if (await split.count()) await split.first().click();
    },
    { as: answers, prepare: hasAnswer },
  ),
  scene(
    "trace and sources open",
    async (stage) => {
      await opens(stage);
      await stage.page.locator("colloquy-trace summary").last().click();
    },
    { as: answers, prepare: hasAnswer },
  ),
  scene(
    "offline",
    async (stage) => {
      await opens(stage);
      await worksOffline(stage.page);
      await stage.context.setOffline(true);
      await stage.page
        .getByText(stage.msg("You are offline. What you write is kept in this browser."))
        .locator("visible=true")
        .first()
        .waitFor();
    },
    { as: answers, prepare: hasAnswer, allows: refused },
  ),
  scene(
    "places to attach",
    async (stage) => {
      await stage.go("/ai");
      await composer(stage).click();
      await stage.page.keyboard.type("@eigen");
      await stage.page.locator("[role=option]").first().waitFor();
    },
    { as: answers, allows: goneThrough },
  ),
  scene(
    "commands",
    async (stage) => {
      await stage.go("/ai");
      await composer(stage).click();
      await stage.page.keyboard.type("/");
      await stage.page.locator("[role=option]").first().waitFor();
    },
    { as: answers, allows: goneThrough },
  ),
  scene(
    "choice of a model",
    async (stage) => {
      await stage.go("/ai");
      await composer(stage).waitFor();
      await stage.page.locator("colloquy-model-picker button").first().click();
    },
    { as: answers },
  ),
  scene(
    "conversations, none yet",
    async (stage) => {
      await stage.go("/ai");
      await composer(stage).waitFor();
      const button = stage.page.getByRole("button", { name: stage.msg("Conversations"), exact: true });
      if (await button.isVisible()) await button.click();
    },
    { as: learnerOf("firstrun") },
  ),
  scene("conversations", filled, { as: full, prepare: hasHistory }),
  scene(
    "conversations searched",
    async (stage) => {
      await filled(stage);
      await stage.page.locator("colloquy-history input[type=search]").fill("map");
      await stage.page.waitForTimeout(300);
    },
    { as: full, prepare: hasHistory },
  ),
  scene(
    "conversations searched, none found",
    async (stage) => {
      await filled(stage);
      await stage.page.locator("colloquy-history input[type=search]").fill("zzzz");
      await stage.page.waitForTimeout(300);
    },
    { as: full, prepare: hasHistory },
  ),
  scene("a conversation's menu", rowMenu, { as: full, prepare: hasHistory }),
  scene(
    "question before deleting",
    async (stage) => {
      await rowMenu(stage);
      await stage.page.getByRole("menuitem", { name: stage.msg("Delete…") }).click();
      await stage.page.locator("dialog[open] .button-danger").waitFor();
    },
    { as: full, prepare: hasHistory },
  ),
  scene(
    "long conversation",
    async (stage) => {
      await stage.go(long);
      await stage.page.locator("colloquy-answer p").first().waitFor();
    },
    { as: full, prepare: hasHistory },
  ),
  scene(
    "a conversation that is not here",
    async (stage) => {
      await stage.go("/ai?conversation=conversation-of-nobody");
      await stage.page.getByText(stage.msg("This conversation is not here")).first().waitFor();
    },
    { as: full, allows: refused },
  ),
  scene(
    "deleted elsewhere",
    async (stage) => {
      const id = `conversation-gone-${crypto.randomUUID().slice(0, 8)}`;
      const device = await learner(stage.program.url, { cookie: stage.cookie }, "another-device");
      await device.push([
        change(`open-${id}`, id, "started", opening("Soon gone")),
        change(`turn-${id}`, id, "turn_recorded", turn(`turn-${id}`, "What is a map?", paragraph)),
      ]);
      await stage.go(`/ai?conversation=${id}`);
      await stage.page.locator("colloquy-answer p").first().waitFor();
      await device.push([change(`gone-${id}`, id, "deleted", {})]);
      await stage.page.getByText(stage.msg("This conversation was deleted")).first().waitFor();
    },
    { as: learnerOf("deleted"), allows: refused },
  ),
  scene("account menu", accountMenu, { as: full, prepare: hasHistory }),
  scene(
    "settings",
    async (stage) => {
      await chooses(({ msg }) => msg("Settings"))(stage);
      await stage.page.locator("colloquy-settings dialog[open]").waitFor();
    },
    { as: full, prepare: hasHistory },
  ),
  scene(
    "question before deleting everything",
    async (stage) => {
      await chooses(({ msg }) => msg("Delete everything you own…"))(stage);
      await stage.page.locator("dialog[open] .typed").waitFor();
    },
    { as: full, prepare: hasHistory },
  ),
  scene(
    "question before signing out",
    async (stage) => {
      await stage.go("/ai");
      await composer(stage).fill("Half a question");
      await stage.page.waitForTimeout(500);
      const button = stage.page.getByRole("button", { name: stage.msg("Conversations"), exact: true });
      if (await button.isVisible()) await button.click();
      await stage.page.locator("button.account").locator("visible=true").first().click();
      await stage.page.getByRole("menuitem", { name: stage.msg("Sign out") }).click();
      await stage.page.locator("dialog[open]").last().waitFor();
    },
    { as: full, prepare: hasHistory },
  ),
  scene(
    "a tab's menu",
    async (stage) => {
      await opens(stage);
      await stage.page
        .getByRole("button", { name: stage.msg("What to do with this tab") })
        .first()
        .click();
      await stage.page.getByRole("menuitem").first().waitFor();
    },
    { as: answers, prepare: hasAnswer },
  ),
  scene(
    "this browser keeps nothing",
    async (stage) => {
      await stage.context.addInitScript(() => {
        IDBFactory.prototype.open = () => {
          throw new DOMException("full", "QuotaExceededError");
        };
      });
      await stage.go("/ai");
      await composer(stage).waitFor();
    },
    { as: learnerOf("keepsnothing") },
  ),
];
