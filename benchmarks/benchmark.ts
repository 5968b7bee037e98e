/** What a module of this folder exports as `run(): Promise<Benchmark>`. Values are text with their unit. */
export interface Benchmark {
  title: string;
  /** What the figures are compared with, in the same run. */
  baseline: string;
  rows: { what: string; value: string; baseline?: string; ratio?: string }[];
  /** What the figures alone do not tell, below the table. */
  note?: string;
}

/** Whether benchmarks run in a short form (`--short`), which shows that they still run; its figures mean nothing. */
export const isShort = process.argv.includes("--short");

/** A size of a benchmark, and the one of its short form. */
export const sized = <Size>(whole: Size, short: Size): Size => (isShort ? short : whole);

/** The value below which `share` (0 to 1) of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const times = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)}×`;
