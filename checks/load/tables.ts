import { failureShareLimit, goals, type Kind, kinds } from "./goals.ts";
import type { MeasuredWindow } from "./target.ts";

/** Fewer requests of a kind say nothing of its 95th percentile. */
const enough = 20;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

export const ms = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en"));
export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(bytes < 100 * 2 ** 20 ? 1 : 0)}`;
export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
const perSecond = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en"));

/** Of all requests, those that failed or were refused. */
export const failedOf = ({ failures, requests }: Pick<MeasuredWindow, "failures" | "requests">): number =>
  Object.values(failures).reduce((sum, count) => sum + count, 0) / Math.max(1, requests);

/** What of a window is worse than it may be, in words; nothing where all is well. */
export function missedGoals(seen: Pick<MeasuredWindow, "latencies" | "failures" | "requests">): string[] {
  const slow = kinds.flatMap((kind) => {
    const latency = seen.latencies[kind];
    return latency && latency.count >= enough && latency.p95 > goals[kind]
      ? [`${kind}: p95 ${ms(latency.p95)} ms (goal ${ms(goals[kind])})`]
      : [];
  });
  const failed = failedOf(seen);
  const most = Object.entries(seen.failures).toSorted(([, a], [, b]) => b - a)[0];
  // Learners do what people do: the limits of an account are not met by that, however few of them.
  const limited = Object.keys(seen.failures).filter((what) => /\b(429|rate_limited)\b/.test(what));
  return [
    ...slow,
    ...limited.map((what) => `a limit in ordinary use (${what})`),
    ...(failed > failureShareLimit ? [`${percent(failed)} failed (most: ${most?.[0]})`] : []),
  ];
}

/** The section of the page, and whether what was measured kept its goals. */
export interface Measured {
  text: string;
  kept: boolean;
}

/** Whether all was well in each window: what a soak ends with 0 for. Where nothing was measured nothing is known to be. */
export const keptGoals = (all: readonly Parameters<typeof missedGoals>[0][]): boolean =>
  all.length > 0 && all.every((seen) => missedGoals(seen).length === 0);

/** The kind that is nearest to its goal, or furthest beyond. */
export function nearestToGoal({ latencies }: Pick<MeasuredWindow, "latencies">): string {
  const shares = kinds.flatMap((kind) => {
    const latency = latencies[kind];
    return latency && latency.count >= enough ? [{ kind, share: latency.p95 / goals[kind], p95: latency.p95 }] : [];
  });
  const first = shares.toSorted((a, b) => b.share - a.share)[0];
  return first ? `${first.kind} ${ms(first.p95)} ms of ${ms(goals[first.kind])}` : "";
}

/** What there is no more of, as far as it can be seen from outside. */
export function saturated({ use }: Pick<MeasuredWindow, "use">, processors: number): string {
  const most = use.processes[0];
  const of = use.processes
    .slice(0, 4)
    .map(({ part, processor }) => `${part} ${processor.toFixed(2)}`)
    .join(", ");
  if (use.waiting > 0.2) return `the disk (${percent(use.waiting)} of the time waited for; processors: ${of})`;
  if (use.busy > 0.85) return `the ${processors} processors together (${percent(use.busy)} busy: ${of})`;
  if (most && most.processor > 0.85) return `one processor, by ${most.part} (${of})`;
  const late = use.processes.toSorted((a, b) => (b.delay?.p99 ?? 0) - (a.delay?.p99 ?? 0))[0];
  return `no processor alone (${percent(use.busy)} busy: ${of}); latest event loop: ${late?.part}, p99 ${ms(late?.delay?.p99 ?? 0)} ms`;
}

export const latencyTable = (seen: Pick<MeasuredWindow, "latencies">): string =>
  table(
    ["kind", "requests", "p50 ms", "p95 ms", "p99 ms", "longest ms", "goal for p95"],
    kinds.flatMap((kind: Kind) => {
      const latency = seen.latencies[kind];
      return latency
        ? [[kind, latency.count.toLocaleString("en"), ms(latency.p50), ms(latency.p95), ms(latency.p99), ms(latency.max), ms(goals[kind])]]
        : [];
    }),
  );

export const processTable = ({ use, present }: Pick<MeasuredWindow, "use" | "present">): string =>
  table(
    [
      "process",
      "processors",
      "ms of a processor for each learner and second",
      "RAM MB",
      "event loop late, p50 / p99 / most ms",
      "disk kB/s",
    ],
    use.processes.map(({ part, processor, resident, delay, written }) => [
      part,
      processor.toFixed(3),
      ((processor * 1_000) / Math.max(1, present)).toFixed(3),
      megabytes(resident),
      delay ? `${ms(delay.p50)} / ${ms(delay.p99)} / ${ms(delay.max)}` : "did not say",
      perSecond(written / 1_024),
    ]),
  );

export const failureLines = ({ failures }: Pick<MeasuredWindow, "failures">): string[] =>
  Object.entries(failures)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([what, count]) => `- ${what}: ${count}`);
