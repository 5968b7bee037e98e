import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactKinds } from "@colloquy/schemas/explainers/film.ts";
import type { Progress } from "@colloquy/schemas/explainers/render.ts";
import { expect } from "chai";
import { workerApi } from "./api.ts";
import { RenderFailure } from "./failure.ts";
import { workLoop } from "./loop.ts";
import { processFigures } from "./process-figures.ts";
import type { Renderer } from "./render.ts";
import { type ScriptedApi, sampleJob, scriptedApi } from "./scripted-api.fixture.ts";

const waits = { idleMs: 5, awayMs: 5, awayMostMs: 20, progressMs: 10 };
const metrics = {
  frames: 900,
  framesDrawn: 200,
  milliseconds: 30_000,
  overflowArea: 0,
  overlapArea: 0,
  leastContrast: 7,
  leastTextSize: 24,
  wordsPerSecond: 2,
  captionCharactersPerSecond: 14,
  segmentsReused: 0,
  renderMilliseconds: 1_000,
};

/** Makes files of a few bytes instead of a film; `meanwhile` is what happens before. */
const rendering = (meanwhile: (options: { signal: AbortSignal; onProgress(progress: Progress): void }) => Promise<void>): Renderer => ({
  async render(_job, { folder, signal, onProgress }) {
    await meanwhile({ signal, onProgress });
    signal.throwIfAborted();
    const artifacts = artifactKinds.map((kind) => {
      const file = join(folder, kind);
      writeFileSync(file, kind.repeat(100));
      return { kind, file, bytes: kind.length * 100, sha256: createHash("sha256").update(kind.repeat(100)).digest("hex") };
    });
    return { milliseconds: 30_000, metrics, artifacts };
  },
});
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true })));

describe("a render worker", function () {
  this.timeout(120_000);
  let api: ScriptedApi;
  let folder: string;
  let stopping: AbortController;
  let running: Promise<void>;
  beforeEach(async () => {
    api = await scriptedApi();
    folder = mkdtempSync(join(tmpdir(), "worker-"));
    stopping = new AbortController();
    running = Promise.resolve();
  });
  afterEach(async () => {
    stopping.abort();
    await running;
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const logged: string[] = [];
  const figures = processFigures(() => ({ worker: "worker-1", isolation: "bubblewrap", encoder: true }));
  function start(renderer: Renderer, token = api.token): void {
    const client = workerApi({ url: api.url, token, workerId: "worker-1", voices: false, figures });
    logged.length = 0;
    const log = (message: string): void => void logged.push(message);
    running = workLoop({ api: client, renderer, folder, log, signal: stopping.signal, waits });
  }
  const after = (what: string): string[] => api.heard.slice(api.heard.indexOf(what) + 1).filter((one) => one !== "claim");

  it("claims a job, tells how far it is, hands over what was made, says that it is done, and looks for the next", async () => {
    api.script.give = sampleJob();
    start(
      rendering(async ({ onProgress }) => {
        for (const done of [10, 50, 30, 90]) {
          onProgress({ stage: "drawing", done, total: 100 });
          const before = api.progress.length;
          while (done !== 30 && api.progress.length === before) await api.until(/lease/).then(() => new Promise(setImmediate));
        }
      }),
    );
    await api.until(/complete/);
    expect(api.heard.filter((one) => one.startsWith("artifact"))).to.deep.equal(artifactKinds.map((kind) => `artifact ${kind}`));
    expect(after("complete")).to.deep.equal([]);
    expect(
      api.progress
        .map(({ done }) => done)
        .filter((done) => done !== 0)
        .slice(0, 3),
    ).to.deep.equal([10, 50, 90]);
    stopping.abort();
    await running;
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("lets go at once of a job whose lease was lost, or that is to stop, and hands over nothing", async () => {
    for (const lease of ["lost", "stop"] as const) {
      api.script.give = sampleJob();
      api.script.lease = lease;
      const let_go = Promise.withResolvers<void>();
      start(
        rendering(async ({ signal, onProgress }) => {
          onProgress({ stage: "drawing", done: 1, total: 100 });
          await aborted(signal);
          let_go.resolve();
        }),
      );
      await let_go.promise;
      stopping.abort();
      await running;
      expect(after("lease").filter((one) => one !== "lease")).to.deep.equal([]);
      expect(logged).to.include("let go of a job");
      expect(readdirSync(folder)).to.deep.equal([]);
      stopping = new AbortController();
      api.heard.length = 0;
    }
  });

  it("does not lose a finished film to an API that is away for a moment", async () => {
    api.script.give = sampleJob();
    start(
      rendering(async () => {
        api.script.away = true;
      }),
    );
    const [first, last] = [artifactKinds[0], artifactKinds.at(-1)];
    await api.until(new RegExp(`^unanswered ${first}$`));
    api.script.away = false;
    await api.until(new RegExp(`^artifact ${last}$`));
    // What is heard is answered only after this.
    api.script.away = true;
    await api.until(/^unanswered complete$/);
    api.script.away = false;
    await api.until(/^complete$/);
    expect(api.heard.filter((one) => one.startsWith("artifact"))).to.deep.equal(artifactKinds.map((kind) => `artifact ${kind}`));
    expect(api.heard.filter((one) => one === "complete")).to.have.length(1);
  });

  it("gives up a job when nobody renews its lease any more", async () => {
    api.script.give = sampleJob();
    api.script.leaseSeconds = 1;
    const let_go = Promise.withResolvers<void>();
    start(
      rendering(async ({ signal }) => {
        api.script.away = true;
        await aborted(signal);
        let_go.resolve();
      }),
    );
    await let_go.promise;
    stopping.abort();
    await running;
    expect(api.heard).not.to.include("complete");
  });

  it("gives its job back when it is stopped", async () => {
    api.script.give = sampleJob();
    const begun = Promise.withResolvers<void>();
    start(
      rendering(async ({ signal }) => {
        begun.resolve();
        await aborted(signal);
      }),
    );
    await begun.promise;
    stopping.abort();
    await running;
    expect(api.heard).to.include("fail worker_lost");
  });

  it("says why there is no film", async () => {
    api.script.give = sampleJob();
    start(rendering(() => Promise.reject(new RenderFailure("layout_refused", "too much"))));
    await api.until(/fail layout_refused/);
    api.script.give = sampleJob({ rendererVersion: 99 });
    await api.until(/fail renderer_failed/);
    api.script.give = sampleJob();
  });

  it("waits for an API that is away, says once that it is, and says when it is not let in", async () => {
    api.script.away = true;
    api.script.give = sampleJob();
    start(rendering(() => Promise.resolve()));
    while (!logged.includes("no answer to the question for work")) await new Promise(setImmediate);
    api.script.away = false;
    await api.until(/complete/);
    expect(logged.filter((one) => one.startsWith("no answer"))).to.have.length(1);
    expect(logged).to.include("the API answers again");
    stopping.abort();
    await running;
    stopping = new AbortController();
    start(
      rendering(() => Promise.resolve()),
      "another token",
    );
    while (!logged.some((one) => one.startsWith("not let in"))) await new Promise(setImmediate);
    expect(existsSync(folder)).to.equal(true);
  });
});
