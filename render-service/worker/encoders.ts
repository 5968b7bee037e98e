import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { soundArguments } from "../film/aac.ts";
import { type Encoder, type Encoders, pictureArguments, sizeOf } from "../film/encoder.ts";
import { installed } from "./installed.ts";
import type { Isolation } from "./isolation.ts";
import { killGroup } from "./process-group.ts";

/** The installed FFmpeg. It is not shipped, because builds with a fast H.264 encoder are under the GPL. */
export interface Ffmpeg {
  /** Differs between builds whose output may differ. */
  version: string;
  /** Starts an encoder, in an isolation of its own. */
  start(args: string[]): ChildProcess & { stdin: Writable; stdout: Readable };
}

/** Waits for a line, so that encoders cost little until they are used. */
const waiting = 'read -r _ && exec "$0" "$@"';

/** Null where FFmpeg is not installed, or cannot encode H.264 and AAC. */
export async function findFfmpeg(
  isolation: Isolation,
  { path = process.env.PATH, withinMs = triedWithinMs }: { path?: string; withinMs?: number } = {},
): Promise<Ffmpeg | null> {
  const found = installed("ffmpeg", path);
  if (!found) return null;
  const program = realpathSync(found);
  const start: Ffmpeg["start"] = (args) => {
    const run = isolation.program("/bin/sh", ["-c", waiting, program, ...args], [dirname(program)]);
    const child = spawn(run.command, run.args, { ...run.options, stdio: ["pipe", "pipe", "ignore"] });
    // It ends with its renderer, whose failure says more.
    child.on("error", () => undefined);
    return child;
  };
  const version = createHash("sha256");
  for (const [args, input] of [
    [["-version"], ""],
    [pictureArguments(trial), Buffer.alloc(trial.width * trial.height * 4)],
    [soundArguments(trial.rate), Buffer.alloc(trial.rate * 4)],
  ] as const) {
    const child = start([...args]);
    child.stdin.on("error", () => undefined);
    child.stdin.write("\n");
    child.stdin.end(input);
    const late = setTimeout(() => killGroup(child), withinMs);
    const [output, [code]] = await Promise.all([child.stdout.toArray(), once(child, "close")]).finally(() => clearTimeout(late));
    if (code !== 0 || output.length === 0) return null;
    version.update(Buffer.concat(output));
  }
  return { version: version.digest("hex").slice(0, 16), start };
}

/** A program that takes longer to encode next to nothing does not work here. */
const triedWithinMs = 10_000;
const trial = { width: 64, height: 64, rate: 22_050 };

/** Encoders for a film that is made in this process. */
export const encodersOf = (ffmpeg: Ffmpeg, settings: RenderSettings): Encoders => {
  const open = ({ stdin, stdout }: ReturnType<Ffmpeg["start"]>): Encoder => ({ input: stdin, output: stdout });
  return {
    scene: () => open(ffmpeg.start(pictureArguments(sizeOf(settings)))),
    sound: (rate) => open(ffmpeg.start(soundArguments(rate))),
  };
};

/** File descriptors of a renderer: input and output of the encoder of a scene, or of the sound behind the last scene. */
export const descriptorsOf = (index: number): [number, number] => [3 + 2 * index, 4 + 2 * index];

/** The encoders of one film. `pipes` are handed to the renderer in the order of their descriptors, then closed here. */
export function startEncoders(
  ffmpeg: Ffmpeg,
  { scenes, settings, rate }: { scenes: number; settings: RenderSettings; rate: number | null },
) {
  const started = Array.from({ length: scenes }, () => ffmpeg.start(pictureArguments(sizeOf(settings))));
  if (rate !== null) started.push(ffmpeg.start(soundArguments(rate)));
  return {
    pipes: started.flatMap(({ stdin, stdout }) => [stdin, stdout]),
    pids: started.flatMap(({ pid }) => pid ?? []),
    handOver: () => {
      for (const { stdin, stdout } of started) for (const pipe of [stdin, stdout]) pipe.destroy();
    },
    stop: () => started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null).forEach(killGroup),
  };
}
