import { lengthOf, readingSpeed } from "@colloquy/render-service/frames/captions.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";

const bounds = filmBounds.captions;
const timing = /^(?:(\d+):)?(\d{2}):(\d{2})\.(\d{3}) --> (?:(\d+):)?(\d{2}):(\d{2})\.(\d{3})/;

const unescaped = (text: string): string => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** The cues of a WebVTT file. */
export function cuesOf(text: string): { startMs: number; endMs: number; lines: string[] }[] {
  return text
    .trimEnd()
    .split(/\n{2,}/)
    .flatMap((block) => {
      const rows = block.split("\n");
      const at = rows.findIndex((row) => timing.test(row));
      if (at < 0) return [];
      const [, h1 = "0", m1, s1, ms1, h2 = "0", m2, s2, ms2] = timing.exec(rows[at] ?? "") ?? [];
      const ms = (h: string, m = "0", s = "0", rest = "0"): number =>
        ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1_000 + Number(rest);
      return [{ startMs: ms(h1, m1, s1, ms1), endMs: ms(h2, m2, s2, ms2), lines: rows.slice(at + 1).map(unescaped) }];
    });
}

/** What is wrong with when captions come and go, and how much of them stands at once. */
export function captionFaults(text: string, filmMs: number): string[] {
  const cues = cuesOf(text);
  const wrong: string[] = [];
  if (cues.length === 0) wrong.push("it has no captions");
  for (const [index, { startMs, endMs, lines }] of cues.entries()) {
    if (startMs >= endMs || startMs < (cues[index - 1]?.endMs ?? 0)) wrong.push(`caption ${index + 1} is out of order`);
    if (lines.length > bounds.lines || lines.some((line) => lengthOf(line) > bounds.lineLength))
      wrong.push(`caption ${index + 1} is too large`);
  }
  if ((cues.at(-1)?.endMs ?? 0) > filmMs) wrong.push("the captions end after the film");
  if (readingSpeed(cues) > bounds.charactersPerSecondMost) wrong.push(`captions of ${readingSpeed(cues).toFixed(1)} characters a second`);
  return wrong;
}
