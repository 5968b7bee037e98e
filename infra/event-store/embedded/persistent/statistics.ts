/** Counts what passes, for an operator's view. */
export interface Rate {
  count(): void;
  /** Since the beginning, since it was last measured, and on average. */
  measure(now: number): Measured;
}

export interface Measured {
  total: number;
  sinceLast: number;
  perSecond: number;
}

export function openRate(since: number): Rate {
  let total = 0;
  let measured = 0;
  return {
    count() {
      total += 1;
    },
    measure(now) {
      const sinceLast = total - measured;
      measured = total;
      return { total, sinceLast, perSecond: Math.round((total * 1_000) / Math.max(1, now - since)) };
    },
  };
}

/** Times to an answer as EventStoreDB names them, in whole milliseconds; nothing when there is none yet. */
export function measurements(latencies: readonly number[]): [string, number][] {
  if (latencies.length === 0) return [];
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  const mean = sorted.reduce((sum, latency) => sum + latency, 0) / sorted.length;
  const all: [string, number][] = [
    ["Mean", mean],
    ["Median", at(0.5)],
    ["Fastest", at(0)],
    ["Quintile 1", at(0.2)],
    ["Quintile 2", at(0.4)],
    ["Quintile 3", at(0.6)],
    ["Quintile 4", at(0.8)],
    ["Quintile 5", at(1)],
    ["90%", at(0.9)],
    ["95%", at(0.95)],
    ["99%", at(0.99)],
    ["99.5%", at(0.995)],
    ["99.9%", at(0.999)],
    ["Highest", at(1)],
  ];
  return all.map(([name, value]) => [name, Math.round(value)]);
}
