import { openBrowser } from "../../journeys/browser.ts";
import "../../ui/workspace/testing/opening-page.ts";
import { type Benchmark, milliseconds, percentile, times } from "../benchmark.ts";
import { servePage } from "../support/served-page.ts";

const runs = 7;
const boundMs = 100;

/** A conversation of 200 turns, opened from the browser's own store; beside it one of 10 turns in the same browser. */
export async function opening(): Promise<Benchmark["rows"]> {
  const served = await servePage("ui/workspace/testing/opening.ts");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(served.url);
    await page.waitForFunction(() => "opening" in window);
    const measure = async (turns: number): Promise<number[]> => {
      await page.evaluate((count) => window.opening.keep(count), turns);
      const samples: number[] = [];
      for (let run = 0; run < runs; run += 1) samples.push(await page.evaluate(() => window.opening.open()));
      return samples;
    };
    await measure(2);
    const few = percentile(await measure(10), 0.5);
    const many = percentile(await measure(200), 0.5);
    const holds = many <= boundMs ? "holds" : "is broken";
    return [
      {
        what: `click to the first answer of a stored conversation of 200 turns painted, median (bound ${boundMs} ms: ${holds}; baseline: 10 turns)`,
        ...{ value: milliseconds(many), baseline: milliseconds(few), ratio: times(many / few) },
      },
    ];
  } finally {
    await browser.close();
    await served.close();
  }
}
