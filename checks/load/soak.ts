import { kinds } from "./goals.ts";
import { rampSeconds } from "./knee.ts";
import { failedOf, failureLines, keptGoals, type Measured, megabytes, missedGoals, ms, percent, table } from "./tables.ts";
import { type MeasuredWindow, startTarget } from "./target.ts";

const windowSeconds = 300;

/**
 * So many learners for so long: percentiles by kind in stretches of five minutes, what every process holds in memory at the end of each
 * (after collecting its garbage), how late their event loops were, what grew on the disk; and the slope of each.
 */
export async function soak(options: { learners: number; minutes: number; seed: number }, tell: (line: string) => void): Promise<Measured> {
  const { learners, minutes, seed } = options;
  const target = await startTarget({ collect: true });
  const length = Math.min(windowSeconds, minutes * 60);
  const all: MeasuredWindow[] = [];
  const sizes: Record<string, number>[] = [];
  try {
    const load = {
      learners,
      seed,
      rampSeconds: rampSeconds(learners),
      windowSeconds: length,
      windows: Math.floor((minutes * 60) / length),
    };
    await target.load(load, (seen) => {
      all.push(seen);
      sizes.push(target.sizes());
      const wrong = missedGoals(seen);
      tell(
        `window ${all.length}: ${seen.requests} requests, ${percent(failedOf(seen))} failed, ${wrong.length ? wrong.join("; ") : "all within their goals"}`,
      );
    });
    return { text: section(options, length, all, sizes), kept: keptGoals(all) };
  } finally {
    await target.close();
  }
}

function section(
  { learners, minutes, seed }: Parameters<typeof soak>[0],
  length: number,
  all: MeasuredWindow[],
  sizes: Record<string, number>[],
): string {
  const ends = all.map((_, index) => `${Math.round(((index + 1) * length) / 60)} min`);
  const hours = all.map((_, index) => ((index + 1) * length) / 3_600);
  const parts = [...new Set(all.flatMap(({ use }) => use.processes.map(({ part }) => part)))];
  const of = (part: string, pick: (of: MeasuredWindow["use"]["processes"][number]) => number): number[] =>
    all.map(({ use }) => {
      const found = use.processes.find((one) => one.part === part);
      return found ? pick(found) : Number.NaN;
    });
  const grown = (values: readonly number[]): string =>
    `${slope(hours, values) < 0 ? "−" : "+"}${megabytes(Math.abs(slope(hours, values)))}`;
  const memory = (part: string, what: string, values: number[]): string[] => [part, what, ...values.map(megabytes), grown(values)];
  const requests = all.reduce((sum, seen) => sum + seen.requests, 0);
  const failures: Record<string, number> = {};
  for (const seen of all) for (const [what, count] of Object.entries(seen.failures)) failures[what] = (failures[what] ?? 0) + count;
  const disturbed = all.reduce((sum, { use }) => sum + use.others, 0) / Math.max(1, all.length);
  return [
    `${learners.toLocaleString("en")} learners for ${minutes} min, seed ${seed}: ${requests.toLocaleString("en")} requests, ${all.reduce((sum, { events }) => sum + events, 0).toLocaleString("en")} events, ${percent(failedOf({ failures, requests }))} failed or refused. Processors busy: ${all.map(({ use }) => percent(use.busy)).join(", ")}; others on this machine took ${percent(disturbed)}.`,
    ...failureLines({ failures }),
    "Milliseconds, p50 / p95 / p99, in each stretch:",
    table(
      ["kind", ...ends],
      kinds.map((kind) => [
        kind,
        ...all.map(({ latencies }) => {
          const latency = latencies[kind];
          return latency ? `${ms(latency.p50)} / ${ms(latency.p95)} / ${ms(latency.p99)}` : "";
        }),
      ]),
    ),
    "Memory in MB at the end of each stretch, alive (the heap after a collection, and what it holds outside) and in RAM; the slope for an hour is that of a straight line through all stretches but the first, in which caches fill:",
    table(
      ["process", "", ...ends, "in an hour"],
      parts.flatMap((part) => [
        memory(
          part,
          "alive",
          of(part, ({ heap, outsideHeap }) => heap + outsideHeap),
        ),
        memory(
          part,
          "in RAM",
          of(part, ({ resident }) => resident),
        ),
      ]),
    ),
    "Event loops late, p99 / most, ms:",
    table(
      ["process", ...ends],
      parts.map((part) => [
        part,
        ...all.map(({ use }) => {
          const delay = use.processes.find((one) => one.part === part)?.delay;
          return delay ? `${ms(delay.p99)} / ${ms(delay.max)}` : "";
        }),
      ]),
    ),
    "On the disk, MB:",
    table(
      ["", ...ends, "in an hour"],
      Object.keys(sizes[0] ?? {}).map((what) => {
        const values = sizes.map((one) => one[what] ?? 0);
        return [what, ...values.map(megabytes), grown(values)];
      }),
    ),
  ].join("\n\n");
}

/** Of the straight line nearest to the values (least squares), without the first of them where enough are left. */
export function slope(at: readonly number[], values: readonly number[]): number {
  const from = values.length > 3 ? 1 : 0;
  const [xs, ys] = [at.slice(from), values.slice(from)];
  const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [x, y] = [mean(xs), mean(ys)];
  const spread = xs.reduce((sum, one) => sum + (one - x) ** 2, 0);
  return spread === 0 ? 0 : xs.reduce((sum, one, index) => sum + (one - x) * ((ys[index] ?? y) - y), 0) / spread;
}
