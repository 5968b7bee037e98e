import { type ChildProcessByStdio, type StdioOptions, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { artifactKinds, type FilmMetrics, filmMetrics } from "@colloquy/schemas/explainers/film.ts";
import { failureCode, type Progress, progress, type RenderJob } from "@colloquy/schemas/explainers/render.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { z } from "zod";
import { plan, type Voice } from "../film/plan.ts";
import { voiceOf } from "../film/sound.ts";
import { framesOf, timeOf } from "../frames/timeline.ts";
import type { MadeArtifact } from "./api.ts";
import { type Ffmpeg, startEncoders } from "./encoders.ts";
import { failureOf, RenderFailure } from "./failure.ts";
import { folderBytes } from "./folder-bytes.ts";
import type { Isolation } from "./isolation.ts";
import { memoryOf } from "./memory.ts";
import { narrate } from "./narration.ts";
import { writePictures } from "./picture-files.ts";
import { killGroup } from "./process-group.ts";
import type { SegmentCache } from "./segment-cache.ts";
import { type SentenceTimes, sentenceFile, sentenceOf } from "./sentence-files.ts";
import type { Speech } from "./speech.ts";

const renderer = fileURLToPath(new URL("renderer.ts", import.meta.url));
const limits = filmBounds.render;
const checkEveryMs = 250;
/** A line of progress has about 60 bytes, and a video a few thousand frames. */
const maxOutputBytes = 4_194_304;
/** The renderer's heap; frames are outside of it. */
const heapMegabytes = 512;

/** A line of the renderer's output. It is validated, because the renderer reads untrusted data. */
const rendererLine = z.union([
  z.strictObject({ progress }),
  z.strictObject({ made: z.strictObject({ milliseconds: z.int().min(1).max(filmBounds.filmMs), metrics: filmMetrics }) }),
  z.strictObject({ failed: failureCode, message: z.string() }),
]);

interface Rendered {
  milliseconds: number;
  metrics: FilmMetrics;
  artifacts: MadeArtifact[];
}
export interface Renderer {
  /**
   * Renders a job in `folder`, which the caller removes.
   * @throws {RenderFailure}
   */
  render(job: RenderJob, options: { folder: string; signal: AbortSignal; onProgress: (progress: Progress) => void }): Promise<Rendered>;
}

/** @param bound lower limits, for tests */
export function isolatedRenderer(options: {
  isolation: Isolation;
  ffmpeg: Ffmpeg;
  speech: Speech | null;
  cache: SegmentCache;
  bound?: { ms?: number; memoryBytes?: number; folderBytes?: number };
}): Renderer {
  const { isolation, ffmpeg, speech, cache } = options;
  const bound = { ms: limits.ms, memoryBytes: limits.memoryBytes, folderBytes: limits.folderBytes, ...options.bound };

  /** Each scene's voice, as the renderer reads it too, because its times are part of a segment's key; and what the renderer is told of it. */
  async function spokenOf({ storyboard, settings }: RenderJob, folder: string, signal: AbortSignal) {
    if (settings.voice === "none") return null;
    if (!speech) throw new RenderFailure("speech_unavailable", "no speech is set up at this worker");
    const voices: Voice[] = [];
    const times: SentenceTimes[][] = [];
    for (const [scene, { narration }] of storyboard.scenes.entries()) {
      const sentences = await narrate(speech, { narration, language: storyboard.language, signal });
      for (const [index, { file }] of sentences.entries()) writeFileSync(join(folder, sentenceFile(scene, index)), file);
      voices.push(readVoice(sentences));
      times.push(sentences.map((sentence) => sentence.times));
    }
    return { voices, times };
  }

  return {
    async render(job, { folder, signal, onProgress }) {
      try {
        const { storyboard, settings, pictures = [] } = job;
        mkdirSync(join(folder, "segments"));
        writePictures(pictures, folder);
        const spoken = await spokenOf(job, folder, signal);
        const planned = plan({ storyboard, settings, spoken: spoken?.voices ?? null, encoder: ffmpeg.version });
        if (spoken && !(timeOf(framesOf(planned)) <= filmBounds.filmMs))
          throw new RenderFailure("speech_unavailable", "the voice takes longer than a film may");
        writeFileSync(
          join(folder, "order.json"),
          JSON.stringify({ storyboard, settings, spoken: spoken?.times ?? null, encoder: ffmpeg.version }),
        );
        const rate = spoken?.voices[0]?.rate ?? null;
        const encoders = startEncoders(ffmpeg, { scenes: planned.length, settings, rate });
        const made = await run(folder, cache.folderOf(job.jobId), encoders, signal, onProgress).finally(encoders.stop);
        const artifacts: MadeArtifact[] = [];
        for (const kind of artifactKinds) {
          const file = join(folder, kind);
          // A symbolic link could lead to any file.
          if (!lstatSync(file).isFile()) throw new Error(`the ${kind} is no file`);
          artifacts.push({ kind, file, ...(await sumOf(file)) });
        }
        cache.adopt(
          join(folder, "segments"),
          planned.map(({ key }) => key),
          job.jobId,
        );
        return { ...made, artifacts };
      } catch (error) {
        throw signal.aborted ? error : failureOf(error);
      }
    },
  };

  async function run(
    folder: string,
    drawnBefore: string,
    encoders: ReturnType<typeof startEncoders>,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ) {
    signal.throwIfAborted();
    const { command, args, options } = isolation.module(renderer, [folder, drawnBefore], { read: [drawnBefore], write: [folder] }, [
      `--max-old-space-size=${heapMegabytes}`,
    ]);
    const stdio: StdioOptions = ["ignore", "pipe", "pipe", ...encoders.pipes];
    const child = spawn(command, args, { ...options, cwd: folder, stdio }) as ChildProcessByStdio<null, Readable, Readable>;
    encoders.handOver();
    let exceeded: RenderFailure | null = null;
    let outcome: Exclude<z.infer<typeof rendererLine>, { progress: Progress }> | null = null;
    let lastWords = "";
    const stop = (why: RenderFailure | null): void => {
      exceeded ??= why;
      killGroup(child);
    };
    const onAbort = (): void => stop(null);
    signal.addEventListener("abort", onAbort, { once: true });
    const late = setTimeout(() => stop(new RenderFailure("too_slow", `took longer than ${bound.ms} ms`)), bound.ms);
    const tooMuch = (): RenderFailure | null => {
      const bytes = folderBytes(folder, bound.folderBytes);
      return bytes > bound.folderBytes ? new RenderFailure("renderer_failed", `wrote ${bytes} bytes or more`) : null;
    };
    const look = setInterval(() => {
      const bytes = [child.pid ?? 0, ...encoders.pids].reduce((sum, pid) => sum + memoryOf(pid), 0);
      if (bytes > bound.memoryBytes) stop(new RenderFailure("out_of_memory", `held ${bytes} bytes`));
      const written = tooMuch();
      if (written) stop(written);
    }, checkEveryMs);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      lastWords = (lastWords + text).slice(-1_000);
    });
    let said = 0;
    child.stdout.on("data", (part: Buffer) => {
      said += part.length;
      if (said <= maxOutputBytes) return;
      stop(new RenderFailure("renderer_failed", `said more than ${maxOutputBytes} bytes`));
      child.stdout.destroy();
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const read = rendererLine.safeParse(parsed(line));
      if (!read.success) return;
      if ("progress" in read.data) onProgress(read.data.progress);
      else outcome = read.data;
    });
    try {
      const ended = await new Promise<{ code: number | null; signalled: string | null }>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code, signalled) => resolve({ code, signalled }));
      });
      signal.throwIfAborted();
      // It may have ended between two checks.
      exceeded ??= tooMuch();
      if (exceeded) throw exceeded;
      return read(outcome, ended, lastWords);
    } finally {
      clearTimeout(late);
      clearInterval(look);
      signal.removeEventListener("abort", onAbort);
    }
  }
}

/** 128 + 6: Node's end when its heap is full; + 9: killed, which is what a machine without memory does. */
const fullCodes: readonly (number | null)[] = [134, 137];

function read(
  outcome: Exclude<z.infer<typeof rendererLine>, { progress: Progress }> | null,
  { code, signalled }: { code: number | null; signalled: string | null },
  lastWords: string,
) {
  if (outcome && "made" in outcome && code === 0) return outcome.made;
  if (outcome && "failed" in outcome) throw new RenderFailure(outcome.failed, outcome.message);
  const full = fullCodes.includes(code) || signalled === "SIGABRT" || signalled === "SIGKILL";
  throw new RenderFailure(full ? "out_of_memory" : "renderer_failed", `ended with ${signalled ?? code}: ${lastWords}`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function readVoice(sentences: readonly { times: SentenceTimes; file: Buffer }[]): Voice {
  try {
    return voiceOf(sentences.map(({ times, file }) => sentenceOf(times, file)));
  } catch (error) {
    throw new RenderFailure("speech_unavailable", failureOf(error).message);
  }
}

async function sumOf(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(createReadStream(file), async (parts) => {
    for await (const part of parts) {
      bytes += part.length;
      hash.update(part);
    }
  });
  if (bytes > filmBounds.artifactBytes) throw new RenderFailure("renderer_failed", `made ${bytes} bytes`);
  return { sha256: hash.digest("hex"), bytes };
}
