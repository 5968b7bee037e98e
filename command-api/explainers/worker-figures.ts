import { readWorkerFigures, type WorkerFigures } from "@colloquy/schemas/explainers/worker-figures.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { RenderWorkers } from "@colloquy/schemas/health.ts";

const { workers: most, forMs } = filmBounds.figures;

interface Family {
  name: string;
  kind: "gauge" | "counter";
  help: string;
  value: (figures: WorkerFigures) => number;
}

/** The first four have the names of Prometheus' Node client, so that dashboards and alerts include workers. */
const families: readonly Family[] = [
  {
    name: "nodejs_eventloop_lag_p99_seconds",
    kind: "gauge",
    help: "The 99th percentile of the recorded event loop delays.",
    value: ({ loopDelayMicroseconds }) => loopDelayMicroseconds / 1e6,
  },
  {
    name: "process_cpu_seconds_total",
    kind: "counter",
    help: "Total user and system CPU time spent in seconds.",
    value: ({ processorMilliseconds }) => processorMilliseconds / 1_000,
  },
  {
    name: "nodejs_heap_size_used_bytes",
    kind: "gauge",
    help: "Process heap size used from Node.js in bytes.",
    value: ({ heapBytes }) => heapBytes,
  },
  {
    name: "process_resident_memory_bytes",
    kind: "gauge",
    help: "Resident memory size in bytes.",
    value: ({ residentBytes }) => residentBytes,
  },
  {
    name: "colloquy_render_worker_memory_bytes",
    kind: "gauge",
    help: "What a render worker holds in memory together with the renders it runs",
    value: ({ withRendersBytes }) => withRendersBytes,
  },
];

/**
 * Whether a request was sent before one that arrived first: a worker's loops use several connections, and Prometheus takes a counter that
 * falls a little for a restart. A restarted worker of the same name begins far below.
 */
const isOvertaken = (figures: WorkerFigures, last: WorkerFigures): boolean =>
  figures.processorMilliseconds < last.processorMilliseconds && figures.processorMilliseconds > last.processorMilliseconds / 2;

export interface WorkerFigureLog {
  /** Records a worker's figures; ignores anything else. */
  record(told: string): void;
  /** The recorded figures, for Prometheus. */
  text(): string;
  /** What operators have to know of the workers. */
  workers(): RenderWorkers;
}

/** Exports the figures that render workers send with their requests, because workers have no port to be scraped. Silent workers expire. */
export function workerFigureLog(now: () => number = () => performance.now()): WorkerFigureLog {
  const heard = new Map<string, { at: number; figures: WorkerFigures }>();
  /** The figures of those that spoke within a minute. */
  function current(): WorkerFigures[] {
    for (const [worker, { at }] of heard) if (now() - at >= forMs) heard.delete(worker);
    return [...heard.values()].map(({ figures }) => figures);
  }
  return {
    record(told) {
      const figures = readWorkerFigures(told);
      if (!figures) return;
      const last = heard.get(figures.worker)?.figures;
      if (last && isOvertaken(figures, last)) return;
      heard.delete(figures.worker);
      heard.set(figures.worker, { at: now(), figures });
      // Evicts the worker that has been silent for longest.
      if (heard.size > most) heard.delete(heard.keys().next().value ?? "");
    },
    text() {
      const all = current();
      const lines = families.flatMap(({ name, kind, help, value }) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${kind}`,
        ...all.map((figures) => `${name}{service="render-worker",worker="${figures.worker}"} ${value(figures)}`),
      ]);
      const head = ["# HELP colloquy_render_workers Render workers that spoke within a minute", "# TYPE colloquy_render_workers gauge"];
      return [...head, `colloquy_render_workers{service="command-api"} ${all.length}`, ...lines, ""].join("\n");
    },
    workers() {
      const all = current();
      return {
        count: all.length,
        inWeakerIsolation: all.filter(({ isolation }) => isolation !== "bubblewrap").length,
        withoutEncoder: all.filter(({ encoder }) => !encoder).length,
      };
    },
  };
}
