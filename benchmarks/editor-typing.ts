import type {} from "@colloquy/ui/publication/testing/typing-page.ts";
import type { Page } from "playwright-core";
import { openBrowser } from "../journeys/browser.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";
import { servePage } from "./support/served-page.ts";

/**
 * Typing into a block of a topic of 300 in Chromium, the whole editor around it: the draft is kept and the preview drawn as one types. A
 * plain field takes the same text in the same browser. Both are typed three times in turn, and the least of the three counts for each key:
 * what else runs on the machine can only add. The control shows that the figures would tell if the other blocks took part.
 */
const text =
  "A matrix *stretches* the plane along its eigenvectors by $\\lambda$; whatever lies along one of them stays on its line, and everything else turns. ";
const runs = 3;
const blocks = 300;
/** Milliseconds from a key until what it typed is painted, for 95 of 100. */
const bound = 16;

export async function run(): Promise<Benchmark> {
  const served = await servePage("ui/publication/testing/typing.ts");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await page.goto(served.url);
    await page.waitForFunction(() => "editorTyping" in window);
    await typed(page, { blocks: 10 });
    const [plain, many]: [number[][], number[][]] = [[], []];
    for (let turn = 0; turn < runs; turn += 1) {
      plain.push(await typed(page, { blocks: 0, plain: true }));
      many.push(await typed(page, { blocks }));
    }
    const control = [await typed(page, { blocks, control: true })];
    return {
      title: "Typing in the course editor, in the browser",
      baseline: "the same text typed into a plain field in the same browser (each key the least of three runs)",
      rows: [
        ...rows(`a topic of ${blocks} blocks`, many, plain, true),
        ...rows(`a topic of ${blocks} blocks, control: all blocks are drawn anew at each letter`, control, plain, false),
      ],
    };
  } finally {
    await browser.close();
    await served.close();
  }
}

function rows(what: string, measured: number[][], baseline: number[][], isBounded: boolean): Benchmark["rows"] {
  return [0.5, 0.95].map((share) => {
    const [value, base] = [percentile(least(measured), share), percentile(least(baseline), share)];
    const bounded = isBounded && share === 0.95 ? ` (bound ${bound} ms: ${value <= bound ? "holds" : "is broken"})` : "";
    const name = `${what}: key to paint, p${share * 100}${bounded}`;
    return { what: name, value: milliseconds(value), baseline: milliseconds(base), ratio: times(value / base) };
  });
}

const least = (measured: number[][]): number[] =>
  (measured[0] ?? []).map((_, at) => Math.min(...measured.map((costs) => costs[at] ?? Number.POSITIVE_INFINITY)));

/** Types the text into the page that was asked for; gives back what each key cost. */
async function typed(page: Page, what: { blocks: number; plain?: boolean; control?: boolean }): Promise<number[]> {
  await page.evaluate((options) => window.editorTyping.open(options), what);
  const letters = what.control ? text.slice(0, 20) : text;
  await page.keyboard.type(letters, { delay: 20 });
  await page.waitForFunction((end) => (document.activeElement as HTMLTextAreaElement).value.includes(end), letters.slice(-12));
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  return page.evaluate(() => window.editorTyping.takeKeys());
}
