import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import type { Kind } from "./goals.ts";

/** Milliseconds of one kind of request. */
export interface Latency {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

/** What was measured in a stretch of time. */
export interface Measured {
  latencies: Partial<Record<Kind, Latency>>;
  requests: number;
  /** By kind and reason. */
  failures: Record<string, number>;
}

/** Histograms (HDR, three significant figures, whole microseconds) by kind: as much memory after an hour as after a minute. */
export function createRecorder() {
  let histograms = new Map<Kind, RecordableHistogram>();
  let failures: Record<string, number> = {};
  let failed = 0;
  const histogramOf = (kind: Kind): RecordableHistogram => {
    const known = histograms.get(kind) ?? createHistogram({ lowest: 1, highest: 600_000_000, figures: 3 });
    histograms.set(kind, known);
    return known;
  };
  return {
    took(kind: Kind, ms: number): void {
      histogramOf(kind).record(Math.max(1, Math.round(ms * 1_000)));
    },
    failed(kind: Kind, reason: string): void {
      const name = `${kind}: ${reason}`;
      failures[name] = (failures[name] ?? 0) + 1;
      failed += 1;
    },
    /** What there is since the last time, and begins anew. */
    take(): Measured {
      const latencies = Object.fromEntries([...histograms].map(([kind, histogram]) => [kind, latencyOf(histogram)]));
      const answered = [...histograms.values()].reduce((sum, { count }) => sum + count, 0);
      const measured = { latencies, requests: answered + failed, failures };
      histograms = new Map();
      failures = {};
      failed = 0;
      return measured;
    },
  };
}

const latencyOf = (histogram: RecordableHistogram): Latency => ({
  count: histogram.count,
  p50: histogram.percentile(50) / 1_000,
  p95: histogram.percentile(95) / 1_000,
  p99: histogram.percentile(99) / 1_000,
  max: histogram.max / 1_000,
});
