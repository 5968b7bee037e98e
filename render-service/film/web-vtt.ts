import type { Transcript } from "@colloquy/schemas/explainers/film.ts";
import type { Cue } from "../frames/captions.ts";

/** Captions as WebVTT. */
export const captionsFile = (cues: readonly Cue[]): string =>
  file(cues.map(({ startMs, endMs, lines }, index) => [String(index + 1), times(startMs, endMs), ...lines.map(escaped)]));

/** Chapters as WebVTT, one for each scene; what a scene stands on is noted before it, since a chapter's own text is its title. */
export const chaptersFile = ({ scenes }: Transcript): string =>
  file(
    scenes.flatMap(({ sceneId, heading, startMs, endMs, sources }) => [
      ...(sources.length ? [["NOTE", ...sources.map(({ title, href }) => escaped(`${oneLine(title)} ${oneLine(href)}`))]] : []),
      [oneLine(sceneId).replaceAll("--", "-"), times(startMs, endMs), escaped(oneLine(heading))],
    ]),
  );

const file = (blocks: readonly string[][]): string => `${[["WEBVTT"], ...blocks].map((lines) => lines.join("\n")).join("\n\n")}\n`;
const oneLine = (text: string): string => text.replaceAll(/\s+/gu, " ").trim();
/** Escapes markup and `-->` in the text of a caption. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const times = (from: number, to: number): string => `${clock(from)} --> ${clock(to)}`;
function clock(ms: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}.${String(Math.floor(ms % 1_000)).padStart(3, "0")}`;
}
