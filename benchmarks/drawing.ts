import { openBrowser } from "../journeys/browser.ts";
import "@colloquy/ui/annotations/testing/ink-page.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";
import { servePage } from "./support/served-page.ts";

/**
 * Ink on a page of 200 blocks in Chromium: the time from frame to frame while it is scrolled through and while a stroke is drawn, with 5,000
 * strokes on it and with none. Both are measured three times in turn, and the least of the three counts: what else runs on the machine can
 * only add.
 */

const strokes = 5_000;
const runs = 3;
/** Two seconds of scrolling; a stroke of one. */
const scrolled = 120;
const drawn = 60;
/** Sixty frames a second, and what a clock that rounds may add. */
const frameMs = 1_000 / 60 + 0.1;

interface Frames {
  scroll: number[];
  draw: number[];
}

export async function run(): Promise<Benchmark> {
  const served = await servePage("ui/annotations/testing/ink.ts");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(served.url);
    await page.waitForFunction(() => "inkPage" in window);
    const measured = async (count: number): Promise<Frames> => {
      await page.evaluate((number) => window.inkPage.open(number), count);
      const scroll = await page.evaluate((frames) => window.inkPage.scroll(frames), scrolled);
      return { scroll, draw: await page.evaluate((frames) => window.inkPage.draw(frames), drawn) };
    };
    const [bare, inked]: [Frames[], Frames[]] = [[], []];
    for (let turn = 0; turn < runs; turn += 1) {
      bare.push(await measured(0));
      inked.push(await measured(strokes));
    }
    return {
      title: "Drawing on a page, in the browser",
      baseline: "the same page without ink in the same browser (the least of three runs)",
      rows: [...rows("scrolling", inked, bare, "scroll"), ...rows("drawing a stroke", inked, bare, "draw")],
    };
  } finally {
    await browser.close();
    await served.close();
  }
}

function rows(what: string, inked: Frames[], bare: Frames[], kind: keyof Frames): Benchmark["rows"] {
  const least = (runs: Frames[], figure: (frames: number[]) => number) => Math.min(...runs.map((frames) => figure(frames[kind])));
  const row = (name: string, share: number) => {
    const [value, base] = [inked, bare].map((of) => least(of, (frames) => percentile(frames, share))) as [number, number];
    const bound = ` (bound 60 frames a second: ${value <= frameMs ? "holds" : "is broken"})`;
    return {
      what: `${strokes.toLocaleString("en")} strokes, ${what}: frame to frame, ${name}${bound}`,
      value: milliseconds(value),
      baseline: milliseconds(base),
      ratio: times(value / base),
    };
  };
  const late = (frames: number[]) => frames.filter((time) => time > frameMs * 1.5).length / frames.length;
  const share = (value: number) => `${(value * 100).toFixed(0)} %`;
  return [
    row("p50", 0.5),
    row("p95", 0.95),
    {
      what: `${strokes.toLocaleString("en")} strokes, ${what}: frames that came late`,
      value: share(least(inked, late)),
      baseline: share(least(bare, late)),
    },
  ];
}
