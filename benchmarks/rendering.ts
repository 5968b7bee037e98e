import type { Growth, Measured } from "@colloquy/ui/conversations/testing/growth.ts";
import type { Page } from "playwright-core";
import { openBrowser } from "../journeys/browser.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";
import { answerText, type Kind } from "./rendering/texts.ts";
import { servePage } from "./support/served-page.ts";

/**
 * A growing answer in Chromium, in steps of 64 letters: the script's time of each step and the layout it causes. The control renders the
 * whole text at each step, sanitises it the same way and sets `innerHTML`. Both grow three times, and the least of the three counts for each
 * step: what else runs on the machine can only add.
 */

const step = 64;
const runs = 3;
/** The control does one step of so many, its total is extrapolated: no step of it depends on those before. */
const sampled = 48;

interface Case {
  what: string;
  kind: Kind;
  length: number;
  /** Bounds, in milliseconds of a step. */
  script: number;
}

const cases: Case[] = [
  { what: "100 kB mixed", kind: "mixed", length: 100_000, script: 2 },
  { what: "40 kB list", kind: "list", length: 40_000, script: 4 },
  { what: "40 kB list inside one item", kind: "inside", length: 40_000, script: 4 },
  { what: "40 kB table", kind: "table", length: 40_000, script: 4 },
  { what: "40 kB code", kind: "code", length: 40_000, script: 4 },
];
const layoutBound = 8;
const nodesBound = 1.5;
const shareBound = 1 / 20;

export async function run(): Promise<Benchmark> {
  const served = await servePage("ui/conversations/testing/growth.ts");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(served.url);
    await grow(page, { text: answerText("mixed", 8_000), step, strategy: "writer", every: 1 });
    const rows: Benchmark["rows"] = [];
    for (const one of cases) rows.push(...(await measure(page, one)));
    return {
      title: "A growing answer in the browser (steps of 64 letters, each the least of three runs)",
      baseline: `the whole text rendered, sanitised and set as innerHTML at each step, without formulas and colours, in the same browser; every ${sampled}th step is done, the total extrapolated`,
      rows,
    };
  } finally {
    await browser.close();
    await served.close();
  }
}

async function measure(page: Page, { what, kind, length, script }: Case): Promise<Benchmark["rows"]> {
  const text = answerText(kind, length);
  const grown = await growOften(page, { text, step, strategy: "writer", every: 1 });
  const control = await growOften(page, { text, step, strategy: "control", every: sampled });
  const [ours, theirs] = [least(grown, (one) => one.script), least(control, (one) => one.script)];
  const share = sum(ours) / (sum(theirs) * sampled);
  const row = (name: string, bound: number, figure: (measured: Measured) => number[]) => {
    const value = percentile(least(grown, figure), 0.95);
    const baseline = percentile(least(control, figure), 0.95);
    return {
      what: `${what}: ${name}, p95 (bound ${bound} ms: ${held(value <= bound)})`,
      value: milliseconds(value),
      baseline: milliseconds(baseline),
      ratio: times(value / baseline),
    };
  };
  const nodes = Math.max(...grown.map((one) => one.nodesAdded / one.nodes));
  const kept = (every: (one: Measured) => boolean) => (grown.every(every) ? "yes" : "no");
  const longest = Math.min(...grown.map((one) => Math.max(0, ...one.longTasks)));
  return [
    {
      what: `${what}: script, all steps${kind === "mixed" ? ` (bound 1/20: ${held(share <= shareBound)})` : ""}`,
      value: milliseconds(sum(ours)),
      baseline: milliseconds(sum(theirs) * sampled),
      ratio: `1/${Math.round(1 / share)}`,
    },
    row("script of a step", script, (one) => one.script),
    row("layout of a step", layoutBound, (one) => one.layout),
    { what: `${what}: nodes added (bound ${nodesBound}× the final count: ${held(nodes <= nodesBound)})`, value: times(nodes) },
    { what: `${what}: longest task (bound 50 ms: ${held(longest <= 50)})`, value: longest ? milliseconds(longest) : "below 50 ms" },
    {
      what: `${what}: same HTML as a fresh rendering; selection kept; place kept`,
      value: [kept((one) => one.equal), kept((one) => one.selectionKept), kept((one) => one.scrollKept)].join(", "),
    },
  ];
}

async function growOften(page: Page, growth: Growth): Promise<Measured[]> {
  const grown: Measured[] = [];
  for (let turn = 0; turn < runs; turn += 1) grown.push(await grow(page, growth));
  return grown;
}

/** For each step the least of all runs. */
const least = (grown: readonly Measured[], figure: (one: Measured) => number[]): number[] =>
  figure(grown[0] as Measured).map((_, at) => Math.min(...grown.map((one) => figure(one)[at] ?? Number.POSITIVE_INFINITY)));

const grow = (page: Page, growth: Growth): Promise<Measured> => page.evaluate((growing) => window.grow(growing), growth);
const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);
const held = (holds: boolean): string => (holds ? "holds" : "is broken");
