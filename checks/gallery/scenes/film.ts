import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { learnerOf, ownerOf } from "../accounts.ts";
import { workerToken } from "../programs.ts";
import { once, type Scene, type Stage } from "../scene.ts";

const of = "/ai?explainer=linear-maps.topic-linear-maps";
const root = fileURLToPath(new URL("../../..", import.meta.url));
const element = ({ page }: Stage) => page.locator("colloquy-explainer").locator("visible=true").first();
const makes = (stage: Stage) => element(stage).locator(".approve .button-primary");
const films = new Map<string, string>();

/** Has a storyboard drawn up, and remembers where it is. */
const drawUp = (who: string) =>
  once(async (stage: Stage) => {
    await stage.go(of);
    await element(stage).locator("[data-emphasis=intuition]").click();
    await makes(stage).waitFor({ timeout: 240_000 });
    await stage.page.waitForURL(/film=/);
    films.set(who, new URL(stage.page.url()).pathname + new URL(stage.page.url()).search);
  });
const approve = async (stage: Stage): Promise<void> => {
  await makes(stage).click();
  // One that was made for somebody else before is there at once.
  await element(stage).locator("[data-part=making], video").first().waitFor();
};

/** The gallery as a render worker: it takes a film in hand, and says how far it is, or that it failed. */
async function work({ program }: Stage, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${program.url}/api/visual-explainers/worker/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${workerToken}`, "content-type": "application/json" },
    body: JSON.stringify({ schemaVersion: 1, ...body }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? {} : ((await response.json()) as Record<string, unknown>);
}
interface Held {
  jobId: string;
  leaseId: string;
}
let inHand: Held | null = null;
/** Takes the film that is shown in hand; whatever is offered before it stays in hand, too. */
async function claim(stage: Stage): Promise<Held> {
  const own = new URL(stage.page.url()).searchParams.get("film");
  for (let tries = 0; tries < 100; tries += 1) {
    const { job, leaseId } = await work(stage, "claim", { workerId: "gallery", capabilities: { rendererVersion, voices: false } });
    const { jobId } = (job ?? {}) as { jobId?: string };
    if (jobId && jobId === own) return { jobId, leaseId: String(leaseId) };
    if (!jobId) await stage.page.waitForTimeout(500);
  }
  throw new Error(`nobody offers ${own}`);
}
/** The project's own worker, until a film is there. */
async function render(stage: Stage): Promise<void> {
  const env = { ...process.env, RENDER_API_URL: stage.program.url, RENDER_WORKER_TOKEN: workerToken, DATA_DIR: stage.program.dataDir };
  const worker = spawn(process.execPath, ["render-service/main.ts"], { cwd: root, env, stdio: "ignore" });
  try {
    await element(stage).locator("video").waitFor({ timeout: 240_000 });
  } finally {
    worker.kill();
  }
}

const tellsOwner = ownerOf("films");
/** Says that a film of one's own has a mistake. */
async function reports(stage: Stage): Promise<void> {
  await element(stage).locator("[data-part=report]").click();
  await element(stage).locator(".correction textarea").fill("The second scene calls the map by the name of the matrix.");
  await element(stage).locator(".correction button[type=submit]").click();
  await element(stage).locator(".reported").waitFor();
}
/** Opens what is folded away, and brings it into sight. */
const unfolds = (fold: number) => async (stage: Stage) => {
  await stage.go(films.get("filmready") ?? of);
  const folded = element(stage).locator("details.fold").nth(fold);
  await folded.locator("summary").first().click();
  await folded.evaluate((one) => one.scrollIntoView());
};

const film = (state: string, who: string, then: (stage: Stage) => Promise<void>, wait: string): Scene => ({
  page: "film",
  state,
  as: learnerOf(who),
  window: true,
  prepare: once(async (stage) => {
    await drawUp(who)(stage);
    await then(stage);
  }),
  async show(stage) {
    await stage.go(films.get(who) ?? of);
    await element(stage).locator(wait).first().waitFor();
  },
});

const ready = film(
  "ready",
  "filmready",
  async (stage) => {
    await approve(stage);
    await render(stage);
  },
  "video",
);

/** A film of a page, from the choice to what its owner is told of it. */
export const filmScenes: readonly Scene[] = [
  {
    page: "film",
    state: "choice",
    as: learnerOf("filmchoice"),
    window: true,
    async show(stage) {
      await stage.go(of);
      await element(stage).locator("[data-emphasis]").first().waitFor();
    },
  },
  {
    page: "film",
    state: "being drawn up",
    as: learnerOf("filmdrawing"),
    at: "slow",
    window: true,
    moving: true,
    async show(stage) {
      await stage.go(of);
      await element(stage).locator("[data-emphasis]").first().click();
      const [phases, trouble] = [element(stage).locator(".phases"), element(stage).locator(".trouble")];
      // The one before may still be drawn up, and is worked on alone.
      for (let tries = 0; tries < 30 && !(await phases.count()); tries += 1) {
        await phases.or(trouble).first().waitFor();
        if (await trouble.count()) await trouble.locator(".button-primary").click();
        await stage.page.waitForTimeout(1_000);
      }
      await phases.waitFor();
    },
  },
  {
    page: "film",
    state: "of a course without films",
    as: learnerOf("filmnone"),
    window: true,
    async show(stage) {
      await stage.go("/ai?explainer=every-block.topic-every-block");
      await element(stage).locator(".trouble, [data-emphasis]").first().waitFor();
    },
  },
  film("storyboard", "filmboard", async () => undefined, ".scene"),
  {
    ...film("a scene being changed", "filmchange", async () => undefined, ".scene"),
    async show(stage) {
      await stage.go(films.get("filmchange") ?? of);
      await element(stage).locator(".scene .acts .word").nth(2).click();
      await element(stage).locator("input, textarea").first().waitFor();
      await element(stage).locator("input, textarea").first().scrollIntoViewIfNeeded();
    },
  },
  {
    ...film("findings", "filmfindings", async () => undefined, ".scene"),
    allows: /Failed to load resource/,
    async show(stage) {
      await stage.go(films.get("filmfindings") ?? of);
      const scene = element(stage).locator(".scene").nth(1);
      await scene.locator(".acts .word").first().click();
      await scene
        .locator("textarea")
        .last()
        .fill("Bread is baked from sourdough, at 240 degrees, for 45 minutes, on a stone of 3 kilograms.");
      await element(stage).locator(".changes .button-primary").first().click();
      await element(stage).locator(".findings").first().waitFor({ timeout: 120_000 });
    },
  },
  film(
    "queued",
    "filmqueued",
    async (stage) => {
      await approve(stage);
    },
    "[data-part=making]",
  ),
  {
    ...film("making", "filmmaking", approve, "[data-part=making]"),
    async show(stage) {
      await stage.go(films.get("filmmaking") ?? of);
      const tell = ({ jobId, leaseId }: Held) =>
        work(stage, `jobs/${jobId}/lease`, { leaseId, progress: { stage: "drawing", done: 300, total: 900 } });
      // It is given to another when nothing is heard of it for a while, as where pictures take long.
      const isHeld = inHand !== null && (await tell(inHand).catch(() => null)) !== null;
      if (!isHeld) {
        inHand = await claim(stage);
        await tell(inHand);
      }
      await element(stage).locator("[data-part=making]").waitFor();
    },
  },
  film(
    "failed",
    "filmfailed",
    async (stage) => {
      await approve(stage);
      const { jobId, leaseId } = await claim(stage);
      await work(stage, `jobs/${jobId}/fail`, { leaseId, code: "layout_refused", retryable: false });
      await element(stage).locator(".trouble").waitFor();
    },
    ".trouble",
  ),
  ready,
  { ...ready, state: "ready, its storyboard", show: unfolds(0) },
  { ...ready, state: "ready, another way", show: unfolds(1) },
  {
    ...ready,
    state: "its question answered",
    async show(stage) {
      await ready.show(stage);
      const choice = element(stage).locator("section.question input:enabled").first();
      if (await choice.count()) {
        await choice.check();
        await element(stage).locator("section.question .button").click();
      }
      await element(stage).locator("[data-part=answer]").waitFor();
      await element(stage)
        .locator("section.question")
        .evaluate((one) => one.scrollIntoView());
    },
  },
  {
    ...ready,
    state: "a mistake being reported",
    async show(stage) {
      await ready.show(stage);
      await element(stage).locator("[data-part=report]").click();
      await element(stage)
        .locator(".correction form")
        .evaluate((one) => one.scrollIntoView());
    },
  },
  {
    ...film(
      "a mistake reported",
      "filmreported",
      async (stage) => {
        await approve(stage);
        await render(stage);
        await reports(stage);
      },
      ".reported",
    ),
    as: tellsOwner,
  },
  {
    page: "film",
    state: "what was reported, for the owner",
    as: tellsOwner,
    window: true,
    async show(stage) {
      await stage.go("/courses/linear-maps/arrows-and-maps/linear-maps");
      await stage.page.locator("colloquy-corrections .count").click();
      await stage.page.locator("colloquy-corrections dialog [data-correction]").first().waitFor();
    },
  },
];
