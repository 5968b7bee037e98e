import type { KeyCost } from "@colloquy/ui/workspace/testing/typing-page.ts";
import type { Page } from "playwright-core";
import { openBrowser } from "../journeys/browser.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";
import { servePage } from "./support/served-page.ts";

/**
 * Typing into the composer of the whole workspace in Chromium, with 10 and with 500 exchanges in the transcript, each with code and
 * formulas. Both are typed three times in turn, and the least of the three counts for each key: what else runs on the machine can only
 * add. The control shows that the figures would tell if the transcript took part.
 */

/** Long enough that the field grows by lines, which moves the transcript's edge. */
const text =
  "If the shell starts every program of a pipe at once, why does sort wait until it has seen the last line, and what does head do meanwhile? ";
const runs = 3;
/** The script and layout of a key may cost so many times what they cost with 10 exchanges. */
const bound = 1.5;
const exchanges = 500;
/** Milliseconds from a key until what it typed is painted, for 95 of 100. */
const paintedMs = 16;

export async function run(): Promise<Benchmark> {
  const served = await servePage("ui/workspace/testing/typing.ts");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(served.url);
    await page.waitForFunction(() => "typing" in window);
    await typed(page, 10);
    const [few, many, early]: [KeyCost[][], KeyCost[][], KeyCost[][]] = [[], [], []];
    for (let turn = 0; turn < runs; turn += 1) {
      few.push(await typed(page, 10));
      many.push(await typed(page, exchanges));
      early.push(await typed(page, exchanges, { early: true }));
    }
    const control = [await typed(page, exchanges, { control: true })];
    return {
      title: "Typing under a long transcript, in the browser",
      baseline: "the same text typed under 10 exchanges in the same browser (each key the least of three runs)",
      rows: [
        ...rows(`${exchanges} exchanges`, many, few, true),
        ...rows(`${exchanges} exchanges, just opened: the earlier ones are being drawn meanwhile`, early, few, false),
        ...rows(`${exchanges} exchanges, control: the transcript is given new exchanges at each letter`, control, few, false),
      ],
    };
  } finally {
    await browser.close();
    await served.close();
  }
}

function rows(what: string, measured: KeyCost[][], baseline: KeyCost[][], isBounded: boolean): Benchmark["rows"] {
  const row = (
    name: string,
    share: number,
    figure: (cost: KeyCost) => number,
    bounds: (value: number, base: number) => string = () => "",
  ) => {
    const value = percentile(least(measured, figure), share);
    const base = percentile(least(baseline, figure), share);
    const bounded = isBounded ? bounds(value, base) : "";
    return { what: `${what}: ${name}${bounded}`, value: milliseconds(value), baseline: milliseconds(base), ratio: times(value / base) };
  };
  const held = (words: string, holds: boolean) => ` (bound ${words}: ${holds ? "holds" : "is broken"})`;
  const factor = (value: number, base: number) => held(`${bound}×`, value <= base * bound);
  return [
    row("script and layout of a key, p50", 0.5, (cost) => cost.work, factor),
    row("script and layout of a key, p95", 0.95, (cost) => cost.work, factor),
    row("key to paint, p50", 0.5, (cost) => cost.toFrame),
    row(
      "key to paint, p95",
      0.95,
      (cost) => cost.toFrame,
      (value) => held(`${paintedMs} ms`, value <= paintedMs),
    ),
  ];
}

const least = (measured: KeyCost[][], figure: (cost: KeyCost) => number): number[] =>
  (measured[0] ?? []).map((_, at) => Math.min(...measured.map((costs) => (costs[at] ? figure(costs[at]) : Number.POSITIVE_INFINITY))));

/** Types the text under so many exchanges; gives back what each key cost. */
async function typed(page: Page, count: number, { control = false, early = false } = {}): Promise<KeyCost[]> {
  await page.evaluate(([exchanges, options]) => window.typing.openConversation(exchanges, options), [count, { control, early }] as const);
  await page.keyboard.type(text, { delay: control ? 0 : 20 });
  await page.waitForTimeout(300);
  return page.evaluate(() => window.typing.takeKeys());
}
