import { execFileSync } from "node:child_process";
import { installed } from "@colloquy/render-service/worker/installed.ts";
import type { Film, Transcript } from "@colloquy/schemas/explainers/film.ts";

/** Whether there is an independent reader of films on this machine. */
export const canProbe = ["ffprobe", "ffmpeg"].every((name) => installed(name) !== null);

const perSecond = 30;
const mostOutput = 1e8;

interface Probed {
  streams: Record<string, string | number>[];
  format: { duration: string };
  packets: { pts_time: string; flags: string; codec_type: string }[];
}

/** What an independent reader finds wrong with a film's file: nothing, when it is as it was said to be. */
export function probe(file: string, { settings, milliseconds, metrics }: Film, { scenes }: Transcript): string[] {
  const options = ["-v", "error", "-show_streams", "-show_format", "-show_packets", "-of", "json", file];
  const { streams, format, packets } = JSON.parse(execFileSync("ffprobe", options, { maxBuffer: mostOutput }).toString()) as Probed;
  const wrong: string[] = [];
  const demand = (holds: boolean, what: string): void => void (holds || wrong.push(what));
  const short = settings.height;
  const long = (short * 16) / 9;
  const [width, height] = settings.aspect === "16:9" ? [long, short] : [short, long];
  const video = streams.find(({ codec_type }) => codec_type === "video") ?? {};
  for (const [name, value] of Object.entries({ codec_name: "h264", pix_fmt: "yuv420p", color_space: "bt709", width, height }))
    demand(video[name] === value, `${name} is ${video[name]}, not ${value}`);
  demand(streams.length === (settings.voice === "none" ? 1 : 2), `it has ${streams.length} streams`);
  demand(
    Math.abs(Number(format.duration) - milliseconds / 1_000) < 0.5 / perSecond,
    `it takes ${format.duration} s, not ${milliseconds} ms`,
  );
  const frames = packets.filter(({ codec_type }) => codec_type === "video");
  demand(frames.length === metrics.framesDrawn, `it has ${frames.length} pictures, not ${metrics.framesDrawn}`);
  const keys = frames.filter(({ flags }) => flags.startsWith("K")).map(({ pts_time }) => Number(pts_time));
  for (const { startMs } of scenes)
    demand(
      keys.some((at) => Math.abs(at - startMs / 1_000) < 0.5 / perSecond),
      `no scene can be sought at ${startMs} ms`,
    );
  try {
    execFileSync("ffmpeg", ["-v", "error", "-xerror", "-i", file, "-f", "null", "-"], { stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    wrong.push(`it cannot be read to its end: ${error instanceof Error ? error.message.slice(0, 300) : error}`);
  }
  return wrong;
}

/** Whether the table of an MP4 stands before its pictures, so that it plays before all of it has come. */
export const hasFastStart = (bytes: Buffer): boolean => {
  const [table, pictures] = [bytes.indexOf("moov"), bytes.indexOf("mdat")];
  return table >= 0 && table < pictures;
};

/** How a contact sheet is made: shares of each scene's time, the last frame at 1; how wide a frame is. `few`: in few colours, for a small file. */
export interface SheetSettings {
  moments: readonly number[];
  width: number;
  few?: boolean;
}

/** A picture of a film's own frames: a row for each scene, upright several scenes in one. */
export function contactSheet(
  file: string,
  out: string,
  { scenes }: Transcript,
  tall: boolean,
  { moments, width, few }: SheetSettings,
): void {
  const frames = scenes.flatMap(({ startMs, endMs }) =>
    moments.map((moment) => {
      const [first, last] = [Math.round((startMs / 1_000) * perSecond), Math.round((endMs / 1_000) * perSecond) - 1];
      return Math.round(first + (last - first) * moment);
    }),
  );
  const chosen = frames.map((frame) => `eq(n,${frame})`).join("+");
  const across = tall ? Math.min(frames.length, Math.max(6, moments.length * 3)) : Math.max(3, moments.length);
  const tile = `tile=${across}x${Math.ceil(frames.length / across)}:padding=8:margin=8:color=0x7d8086`;
  const sheet = `fps=${perSecond},select='${chosen}',scale=${tall ? Math.round(width * 0.56) : width}:-2:flags=lanczos,${tile}`;
  const filter = few ? `${sheet},split[one][other];[one]palettegen=max_colors=64[colours];[other][colours]paletteuse=dither=none` : sheet;
  execFileSync("ffmpeg", ["-v", "error", "-y", "-i", file, "-vf", filter, "-frames:v", "1", out]);
}
