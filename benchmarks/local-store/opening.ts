import type { Page } from "playwright-core";
import { openBrowser } from "../../journeys/browser.ts";
import "@colloquy/ui/workspace/testing/opening-page.ts";
import { type Benchmark, milliseconds, percentile, times } from "../benchmark.ts";
import { servePage } from "../support/served-page.ts";

const runs = 15;
const controlRuns = 5;
const boundMs = 100;
/** Changes a new device takes in. */
const changes = 100_000;

/** What a browser does with its own store: opens a conversation of 200 turns, and takes in all there has been. */
export async function opening(): Promise<Benchmark["rows"]> {
  const served = await servePage("ui/workspace/testing/opening.ts");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(served.url);
    await page.waitForFunction(() => "opening" in window);
    await opened(page, 2, 3, false);
    const few = await opened(page, 10, runs, false);
    const many = await opened(page, 200, runs, false);
    const naive = await opened(page, 200, controlRuns, true, { kept: true });
    const painted = (samples: Opened[], share: number) =>
      percentile(
        samples.map((sample) => sample.painted),
        share,
      );
    const [median, p95] = [painted(many, 0.5), painted(many, 0.95)];
    const [control, short] = [painted(naive, 0.5), painted(few, 0.5)];
    const all = percentile(
      many.map(({ drawn }) => drawn),
      0.5,
    );
    const row = (what: string, value: number, baseline: number) => ({
      what,
      value: milliseconds(value),
      baseline: milliseconds(baseline),
      ratio: times(value / baseline),
    });
    return [
      row(
        `click to the last screenful of a stored conversation of 200 turns painted, median (bound ${boundMs} ms: ${holds(median)}; baseline: all of it drawn before the first frame)`,
        median,
        control,
      ),
      row(`the same, p95 (bound ${boundMs} ms: ${holds(p95)}; baseline: all of it first, p95)`, p95, painted(naive, 0.95)),
      row("the same, median (baseline: a conversation of 10 turns)", median, short),
      row("click until all 200 turns are drawn, median (baseline: all of it drawn before the first frame)", all, control),
      ...(await takingIn(page)),
    ];
  } finally {
    await browser.close();
    await served.close();
  }
}

type Opened = { painted: number; drawn: number };
const holds = (value: number): string => (value <= boundMs ? "holds" : "is broken");

/** Opens a conversation of so many turns, kept before unless the one kept last is meant. */
async function opened(page: Page, turns: number, count: number, control: boolean, { kept } = { kept: false }): Promise<Opened[]> {
  if (!kept) await page.evaluate((asked) => window.opening.keep(asked), turns);
  const samples: Opened[] = [];
  for (let run = 0; run < count; run += 1) samples.push(await page.evaluate((asked) => window.opening.open({ control: asked }), control));
  return samples;
}

async function takingIn(page: Page): Promise<Benchmark["rows"]> {
  const pages = await page.evaluate((count) => window.opening.takeIn(count), changes);
  const tenth = Math.ceil(pages.length / 10);
  const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);
  // The first page also makes the database.
  const [all, first, last] = [sum(pages), sum(pages.slice(1, tenth + 1)), sum(pages.slice(-tenth))];
  const row = (what: string, value: number, baseline: number) => ({
    what,
    value: milliseconds(value),
    baseline: milliseconds(baseline),
    ratio: times(value / baseline),
  });
  return [
    row(
      `a browser takes in ${changes.toLocaleString("en")} changes of 10,000 conversations (baseline: ten times its first tenth)`,
      all,
      first * 10,
    ),
    row("the last tenth of it (baseline: the first tenth)", last, first),
  ];
}
