import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { learnerOf } from "../accounts.ts";
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
  await element(stage).locator("[data-part=making]").waitFor();
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
async function claim(stage: Stage): Promise<{ jobId: string; leaseId: string }> {
  const { job, leaseId } = await work(stage, "claim", { workerId: "gallery", capabilities: { rendererVersion: 1_000, voices: false } });
  return { jobId: (job as { jobId: string }).jobId, leaseId: String(leaseId) };
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

const film = (state: string, who: string, then: (stage: Stage) => Promise<void>, wait: string): Scene => ({
  ...{ page: "film", state, as: learnerOf(who), window: true },
  prepare: once(async (stage) => {
    await drawUp(who)(stage);
    await then(stage);
  }),
  async show(stage) {
    await stage.go(films.get(who) ?? of);
    await element(stage).locator(wait).first().waitFor();
  },
});

/** A film of a page, from the choice to the picture. */
export const filmScenes: readonly Scene[] = [
  {
    ...{ page: "film", state: "choice", as: learnerOf("filmchoice"), window: true },
    async show(stage) {
      await stage.go(of);
      await element(stage).locator("[data-emphasis]").first().waitFor();
    },
  },
  {
    ...{ page: "film", state: "being drawn up", as: learnerOf("filmdrawing"), at: "slow", window: true, moving: true },
    async show(stage) {
      await stage.go(of);
      await element(stage).locator("[data-emphasis]").first().click();
      await element(stage).locator(".phases").waitFor();
    },
  },
  {
    ...{ page: "film", state: "of a course without films", as: learnerOf("filmnone"), window: true },
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
  film(
    "making",
    "filmmaking",
    async (stage) => {
      // The one that waits goes first, and stays in hand.
      await claim(stage).catch(() => undefined);
      await approve(stage);
      const { jobId, leaseId } = await claim(stage);
      await work(stage, `jobs/${jobId}/lease`, { leaseId, progress: { stage: "drawing", done: 300, total: 900 } });
    },
    "[data-part=making]",
  ),
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
  film(
    "ready",
    "filmready",
    async (stage) => {
      await approve(stage);
      await render(stage);
    },
    "video",
  ),
];
