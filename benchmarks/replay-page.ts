import type {} from "@colloquy/ui/audit/testing/replaying-page.ts";
import { openBrowser } from "../journeys/browser.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";
import { servePage } from "./support/served-page.ts";

/** An auditor opens the replay of a long session in Chromium: from the service's text to the first paint. */

const entries = 2_000;
const boundMs = 300;
const runs = 15;

export async function run(): Promise<Benchmark> {
  const served = await servePage("ui/audit/testing/replaying.ts");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(served.url);
    await page.waitForFunction(() => "replaying" in window);
    const [replay, every]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < runs; turn += 1) {
      replay.push(await page.evaluate((count) => window.replaying.replay(count), entries));
      every.push(await page.evaluate((count) => window.replaying.everyRow(count), entries));
    }
    const row = (name: string, share: number) => {
      const [value, base] = [percentile(replay, share), percentile(every, share)];
      const bound = `bound ${boundMs} ms: ${value <= boundMs ? "holds" : "is broken"}`;
      return {
        what: `${entries} entries until painted, ${name} (${bound})`,
        value: milliseconds(value),
        baseline: milliseconds(base),
        ratio: times(value / base),
      };
    };
    return {
      title: "Opening the replay of a session, in the browser",
      baseline: "the same entries as a plain table with a row for each, in the same browser",
      rows: [row("p50", 0.5), row("p95", 0.95)],
    };
  } finally {
    await browser.close();
    await served.close();
  }
}
