import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { drawing } from "@colloquy/render-service/film/canvas-drawing.ts";
import { makeFilm } from "@colloquy/render-service/film/film.ts";
import { encodersOf, type Ffmpeg, findFfmpeg } from "@colloquy/render-service/worker/encoders.ts";
import { installed } from "@colloquy/render-service/worker/installed.ts";
import { findIsolation } from "@colloquy/render-service/worker/isolation.ts";
import { jobFolder } from "@colloquy/render-service/worker/job-folder.ts";
import { memoryOf } from "@colloquy/render-service/worker/memory.ts";
import { isolatedRenderer } from "@colloquy/render-service/worker/render.ts";
import { segmentCache } from "@colloquy/render-service/worker/segment-cache.ts";
import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import type { FilmMetrics, RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { type Scene, type Storyboard, storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { sceneSeconds } from "@colloquy/schemas/explainers/timing.ts";
import type { Benchmark } from "./benchmark.ts";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const whole = storyboard.parse(JSON.parse(readFileSync(here("../render-service/drawing/samples/pipes-en.json"), "utf8")));
/** As short as it gets with as many scenes as a film has at least: some ten seconds more than the 45 the bounds are for. */
const sample = { ...whole, scenes: whole.scenes.filter(({ layout }) => layout !== "points") };
const remotion = "4.0.529";
const bounds = { full: 12, half: 6, edit: 3, megabytes: 700, ratio: 10 };
const lookEveryMs = 40;

interface Timed {
  seconds: number;
  megabytes: number;
  metrics: FilmMetrics;
}

/** Films as a worker makes them: the isolated process with its start, and everything up to the files. Beside them Remotion, the same ten seconds. */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-bench-film-"));
  try {
    const isolation = await findIsolation();
    const ffmpeg = await findFfmpeg(isolation);
    if (!ffmpeg) throw new Error("ffmpeg is not installed");
    const film = async (cache: string, settings: Partial<RenderSettings>, of: Storyboard = sample): Promise<Timed> => {
      const renderer = isolatedRenderer({ isolation, ffmpeg, speech: null, cache: segmentCache(join(folder, cache), 1e9) });
      const place = jobFolder(join(folder, "jobs"));
      let most = 0;
      const look = setInterval(() => {
        most = Math.max(most, memoryOf(process.pid) - process.memoryUsage.rss());
      }, lookEveryMs);
      const begun = performance.now();
      try {
        const job = { jobId: "job-00000001", renderId: "render-00001", rendererVersion: 1, attempt: 1, storyboard: of };
        const { metrics } = await renderer.render(
          { ...job, settings: { ...defaultSettings, ...settings } },
          { folder: place.folder, signal: new AbortController().signal, onProgress: () => undefined },
        );
        return { seconds: (performance.now() - begun) / 1_000, megabytes: most / 1_048_576, metrics };
      } finally {
        clearInterval(look);
        place.clear();
      }
    };
    const half = await film("half", { height: 720 });
    const full = await film("full", { height: 1080 });
    const edited = { ...sample, scenes: sample.scenes.map((scene, index) => (index === 1 ? changed(scene) : scene)) };
    const edit = await film("full", { height: 1080 }, edited);
    const again = await film("full", { height: 1080 }, edited);
    const [ours, theirs] = [await tenSeconds(ffmpeg), await withRemotion(folder)];
    const seconds = (value: number): string => `${value.toFixed(1)} s`;
    const row = (what: string, { seconds: took }: Timed, bound: number) => ({ what, value: seconds(took), baseline: `at most ${bound} s` });
    const length = (full.metrics.milliseconds / 1_000).toFixed(1);
    return {
      title: `Films of ${length} s (${full.metrics.framesDrawn} of ${full.metrics.frames} pictures differ)`,
      baseline: `the bounds of the design, and Remotion ${remotion} rendering the same ten seconds in Debian's Chromium in the same run`,
      rows: [
        row("1080p, from the order to the files", full, bounds.full),
        row("720p", half, bounds.half),
        row(`1080p, one scene of ${sample.scenes.length} edited`, edit, bounds.edit),
        row("1080p, nothing edited", again, bounds.edit),
        { what: "most memory, 1080p", value: `${full.megabytes.toFixed(0)} MB`, baseline: `at most ${bounds.megabytes} MB` },
        {
          what: "ten seconds of points at 720p, rendering alone",
          value: seconds(ours),
          ...(theirs === null
            ? { baseline: "Remotion could not be installed or run here" }
            : { baseline: seconds(theirs), ratio: `${(theirs / ours).toFixed(1)} times faster (at least ${bounds.ratio})` }),
        },
      ],
      note: `Isolated by ${isolation.kind}. ${edit.metrics.segmentsReused} scenes were taken from the render before. Load of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function changed(scene: Scene): Scene {
  const narration = scene.narration.replace(/\w+/, "Here");
  return { ...scene, narration, seconds: sceneSeconds({ ...scene, narration }) };
}

/** Seconds for five points that come in over ten seconds, as in support/remotion-film.jsx. */
async function tenSeconds(ffmpeg: Ffmpeg): Promise<number> {
  const points = [
    "It takes what one program prints",
    "and hands it on, line by line",
    "so that both run at the same time",
    "and nothing is kept in between",
    "until the reader ends and the writer with it",
  ];
  const [first] = sample.scenes;
  if (!first) throw new Error("a sample without scenes");
  // As many words as take ten seconds with what is read.
  const narration = Array.from({ length: 3 }, () => "word").join(" ");
  const { sceneId, sourceIds, quotes } = first;
  const content = { heading: "What a pipe does", points };
  const scene: Scene = { sceneId, sourceIds, quotes, seconds: 10, layout: "points", content, narration };
  const begun = performance.now();
  await makeFilm(
    { storyboard: { ...sample, scenes: [scene] }, settings: defaultSettings, spoken: null, encoder: ffmpeg.version },
    {
      drawing,
      encoders: encodersOf(ffmpeg, defaultSettings),
      segments: { read: () => null, write: () => undefined },
      onProgress: () => undefined,
    },
  );
  return (performance.now() - begun) / 1_000;
}

/** The better of one and two pages at once, in seconds; null where it cannot be tried. */
async function withRemotion(within: string): Promise<number | null> {
  const browser = installed("chromium-headless-shell") ?? installed("chromium");
  if (!browser) return null;
  const folder = mkdtempSync(join(within, "remotion-"));
  const execute = promisify(execFile);
  const packages = ["remotion", "@remotion/bundler", "@remotion/renderer"].map((name) => `${name}@${remotion}`);
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    await execute("npm", ["install", ...quiet, ...packages, "react@19", "react-dom@19"], { cwd: folder, timeout: 300_000 });
    copyFileSync(here("support/remotion-film.jsx"), join(folder, "film.jsx"));
    const took: number[] = [];
    for (const concurrency of ["1", "2"]) {
      const options = { cwd: folder, timeout: 300_000 };
      const { stdout } = await execute(process.execPath, [here("support/remotion.mjs"), folder, browser, concurrency], options);
      const { milliseconds } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { milliseconds: number };
      took.push(milliseconds / 1_000);
    }
    return Math.min(...took);
  } catch (error) {
    console.error("Remotion:", error instanceof Error ? error.message.slice(0, 1_500) : error);
    return null;
  }
}
