import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { releaseMemoryWhenQuiet } from "@colloquy/infra/process/release-memory.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { workerApi } from "./worker/api.ts";
import { findFfmpeg } from "./worker/encoders.ts";
import { RenderFailure } from "./worker/failure.ts";
import { findIsolation } from "./worker/isolation.ts";
import { workLoop } from "./worker/loop.ts";
import { processFigures } from "./worker/process-figures.ts";
import type { Renderer } from "./worker/render.ts";
import { segmentCache } from "./worker/segment-cache.ts";
import { InvalidSettings, readSettings } from "./worker/settings.ts";
import { findSpeech } from "./worker/speech.ts";

/** A render worker: claims jobs over HTTP and renders each in an isolated process. It knows only the program's API. */

/** Exit code for invalid settings: the launcher does not restart the worker. */
const refused = 78;
/** How often the health file is touched. */
const aliveMs = 10_000;
/** The longest time that a stop takes. */
const stopWithinMs = 2_500;

const log = (message: string, about: object = {}, level = 30): void =>
  console.error(JSON.stringify({ level, time: new Date().toISOString(), service: "render-worker", msg: message, ...about }));

function settings() {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    console.error(error.message);
    process.exit(refused);
  }
}

const { apiUrl, token, renders, folder, isolationRequired, ...voices } = settings();
const stopping = new AbortController();
const stop = (): void => {
  if (stopping.signal.aborted) return;
  stopping.abort();
  setTimeout(() => process.exit(1), stopWithinMs).unref();
};
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
// Under the launcher: the channel closes when the launcher ends.
process.once("disconnect", stop);
process.stdout.on("error", () => undefined);
process.stdout.write(`${JSON.stringify({ ready: true, port: 0 })}\n`);

const jobs = join(folder, "jobs");
// Removes what a killed worker left; a folder belongs to one worker.
rmSync(jobs, { recursive: true, force: true });
// The worker has no port, so the health check (infra/docker/healthy.ts) reads the age of this file.
const live = (): void => {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "alive"), "");
  } catch {
    // A full disk is reported by the render that it stops.
  }
};
live();
setInterval(live, aliveMs).unref();
releaseMemoryWhenQuiet();
const isolation = await findIsolation();
if (isolation.kind !== "bubblewrap") {
  const weaker = `bubblewrap is not installed or does not work here, so videos would be rendered in the weaker isolation${isolation.offline ? "" : ", with access to the network"}`;
  if (isolationRequired) {
    console.error(`RENDER_ISOLATION: ${weaker}. Make it work (docs/run/videos.md), or set RENDER_ISOLATION=preferred to accept that.`);
    process.exit(refused);
  }
  log(weaker.replace("would be", "are"), {}, 40);
}
const noFfmpeg = "FFmpeg with libx264 is not installed or does not work here, so videos cannot be made. Install `ffmpeg`.";
let ffmpeg = await findFfmpeg(isolation);
if (!ffmpeg) log(noFfmpeg, {}, 50);
const speech = findSpeech(voices, isolation);
const cache = segmentCache(join(folder, "segments"), filmBounds.render.cacheBytes);
const host = hostname()
  .replaceAll(/[^A-Za-z0-9.-]/g, "-")
  .slice(0, 40);
// The same after each start of a container; different for each worker on a machine.
const figures = processFigures(() => ({ worker: `${host}-${process.pid}`, isolation: isolation.kind, encoder: ffmpeg !== null }));
/** Loaded with the first job: layout and speech take 50 MB, and a worker waits most of the time. */
const renderer: Renderer = {
  async render(job, about) {
    // It may have been installed since.
    ffmpeg ??= await findFfmpeg(isolation);
    if (!ffmpeg) throw new RenderFailure("encoder_missing", noFfmpeg);
    const { isolatedRenderer } = await import("./worker/render.ts");
    return isolatedRenderer({ isolation, ffmpeg, speech, cache }).render(job, about);
  },
};
log("looks for work", { isolation: isolation.kind, speech: speech?.name ?? "none", renders });
await Promise.all(
  Array.from({ length: renders }, (_, index) => {
    const workerId = `${host}-${index + 1}-${randomBytes(4).toString("hex")}`;
    const api = workerApi({ url: apiUrl, token, workerId, voices: speech !== null, figures });
    return workLoop({ api, renderer, folder: jobs, log, signal: stopping.signal });
  }),
);
process.exit(0);
