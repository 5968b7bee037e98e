import type { Page } from "playwright-core";
import { waitForCourse } from "../checks/harness/program.ts";
import { openBrowser } from "../journeys/browser.ts";
import { learner } from "../journeys/learner.ts";
import { startProgram } from "../journeys/program.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";
import { asItIs, slow, type Vitals, visitOnce } from "./support/vitals.ts";

/**
 * First visits to the catalogue, a reading page and the workspace, on a slow telephone's processor and line: the whole program, Chromium,
 * Google's own library for the figures. Medians of five; goals are those of web.dev for "good".
 */

const visits = 5;

interface Visited {
  what: string;
  path: string;
  /** What somebody does there first; nothing of it leaves the page. */
  interact(page: Page): Promise<void>;
}

const pages: Visited[] = [
  {
    what: "catalogue",
    path: "/courses",
    async interact(page) {
      // It has nothing but links: keys that go through them, and a click beside them.
      for (let key = 0; key < 6; key += 1) await page.keyboard.press("Tab");
      await page.getByRole("heading", { level: 1 }).click();
    },
  },
  {
    what: "reading page",
    path: "/courses/linear-maps/arrows-and-maps/vectors",
    async interact(page) {
      for (let key = 0; key < 4; key += 1) await page.keyboard.press("Tab");
      await page.getByRole("link", { name: "Linear combinations" }).last().click();
      await page.getByRole("button", { name: "Draw" }).click();
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Two operations" }).last().click();
    },
  },
  {
    what: "/ai",
    path: "/ai",
    async interact(page) {
      await page.getByRole("textbox", { name: "Your question" }).click();
      await page.keyboard.type("What is a linear map, and why", { delay: 60 });
      await page.getByRole("button", { name: /^Model/ }).click();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Tutor", exact: true }).click();
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByRole("button", { name: "Hide conversations" }).click();
    },
  },
];

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(0)} kB`;
const seconds = (value: number): string => `${(value / 1_000).toFixed(2)} s`;
const goals = { largestPaint: 2_500, shift: 0.1, interaction: 200 } as const;

export async function run(): Promise<Benchmark> {
  const program = await startProgram();
  const browser = await openBrowser();
  try {
    await waitForCourse(program, "linear-maps");
    const [name = "", value = ""] = (await learner(program.url, "learner")).cookie.split(/=(.*)/s);
    const cookies = [{ name, value, url: program.url }];
    const rows: Benchmark["rows"] = [];
    const largest: string[] = [];
    for (const { what, path, interact } of pages) {
      const visit = (circumstances: typeof slow) => visitOnce(browser, program.url + path, { circumstances, cookies, interact });
      // Whatever the services do once only.
      await visit(asItIs);
      const [measured, base]: [Vitals[], Vitals[]] = [[], []];
      for (let turn = 0; turn < visits; turn += 1) {
        measured.push(await visit(slow));
        base.push(await visit(asItIs));
      }
      rows.push(...rowsOf(what, measured, base));
      largest.push(`${what}: ${measured[0]?.largest}`);
    }
    return {
      title: "Web vitals of a first visit, on a slow machine and line (4× slower processor, Lighthouse's Slow 4G)",
      baseline: "the same visits without throttling in the same browser (medians of five, taken in turn)",
      rows,
      note: [
        `Goals are those of web.dev. The largest things painted: ${largest.join("; ")}.`,
        "The window is 1280 × 860. Interactions are keys, a press on a link within the page, the drawing tools, the composer and its menus. What the service worker keeps for reading offline is loaded beside the page and not throttled.",
      ].join(" "),
    };
  } finally {
    await browser.close();
    await program.stop();
  }
}

function rowsOf(what: string, measured: Vitals[], base: Vitals[]): Benchmark["rows"] {
  const median = (of: Vitals[], figure: "largestPaint" | "shift" | "interaction" | "blocked" | "transferred"): number =>
    percentile(
      of.map((one) => one[figure]),
      0.5,
    );
  const row = (
    name: string,
    figure: Parameters<typeof median>[1],
    written: (value: number) => string,
    goal?: { most: number; said: string },
  ) => {
    const [value, without] = [median(measured, figure), median(base, figure)];
    const holds = goal ? ` (goal ${goal.said}: ${value <= goal.most ? "holds" : "is broken"})` : "";
    return {
      what: `${what}: ${name}${holds}`,
      value: written(value),
      baseline: written(without),
      ...(without > 0 && { ratio: times(value / without) }),
    };
  };
  return [
    row("largest paint (LCP)", "largestPaint", seconds, { most: goals.largestPaint, said: "2.5 s" }),
    row("layout shift (CLS)", "shift", (value) => value.toFixed(3), { most: goals.shift, said: "0.1" }),
    row("interaction to next paint (INP)", "interaction", milliseconds, { most: goals.interaction, said: "200 ms" }),
    row("blocked by long tasks (TBT)", "blocked", milliseconds),
    row("transferred", "transferred", kilobytes),
  ];
}
