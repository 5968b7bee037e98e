import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Comparison, compareSequence } from "./compare.ts";
import type { PlayAnswer, PlayerData, PlayRequest } from "./play-worker.ts";
import type { RecordedSequence } from "./recording.ts";

export interface ComparisonOptions {
  /** Address of a server without TLS; without one each thread starts an embedded store of its own. */
  url?: string;
  mode?: "strict" | "usual";
  /** Threads; most of a run is waiting. One when an address is given, because sequences see each other in `$all`. */
  threads?: number;
  onProgress?: (played: number) => void;
}

const playedAtMost = 3;

/** Plays sequences and compares what is answered with what was recorded. */
export async function runComparison(given: readonly RecordedSequence[], options: ComparisonOptions = {}): Promise<Comparison> {
  const { url = null, threads = 4 } = options;
  // A subscription from the very beginning also gets what earlier sequences wrote, so it is played while that is little.
  let left = [...given.filter(fromTheBeginning), ...given.filter((sequence) => !fromTheBeginning(sequence))];
  const total: Comparison = { deviations: [], intended: {}, operations: 0 };
  for (let tries = 1; tries <= playedAtMost && left.length > 0; tries += 1) {
    // What depends on milliseconds may differ on a busy machine: it is played again alone, and counts when it differs each time.
    const count = url || tries > 1 ? 1 : Math.max(1, Math.min(threads, left.length));
    total.deviations = [];
    left = await playAll(left, count, options, total, `${Date.now().toString(36)}n${tries}`);
  }
  return total;
}

/** Plays each sequence once, adds what was found to `total`, and returns the sequences that deviated. */
async function playAll(
  sequences: readonly RecordedSequence[],
  threads: number,
  { url, mode = "strict", onProgress }: ComparisonOptions,
  total: Comparison,
  run: string,
): Promise<RecordedSequence[]> {
  const deviating: RecordedSequence[] = [];
  let next = 0;
  let played = 0;

  async function work(thread: number): Promise<void> {
    const workerData: PlayerData = { url: url ?? null, strict: mode === "strict", run: `d${run}t${thread}` };
    const worker = new Worker(new URL("play-worker.ts", import.meta.url), { workerData });
    const exited = once(worker, "exit");
    const failed = new Promise<never>((_, reject) => worker.once("error", reject));
    failed.catch(() => undefined);
    try {
      for (let index = next++; index < sequences.length; index = next++) {
        const sequence = sequences[index] as RecordedSequence;
        worker.postMessage({ id: index, ops: sequence.ops } satisfies PlayRequest);
        const [answer] = (await Promise.race([once(worker, "message"), failed])) as [PlayAnswer];
        const found = "failed" in answer ? cannotBegin(sequence, answer.failed) : compareSequence(sequence, answer.outcomes, mode);
        if (found.deviations.length > 0) deviating.push(sequence);
        add(total, found);
        onProgress?.(++played);
      }
    } finally {
      worker.postMessage("close" satisfies PlayRequest);
      await exited;
    }
  }

  await Promise.all(Array.from({ length: threads }, (_, thread) => work(thread)));
  return deviating;
}

const fromTheBeginning = ({ ops }: RecordedSequence): boolean =>
  ops.some(({ k, from }) => (k === "subA" || k === "readAll") && from === "start");

function add(total: Comparison, { deviations, operations, intended }: Comparison): void {
  total.deviations.push(...deviations);
  total.operations += operations;
  for (const [name, times] of Object.entries(intended)) total.intended[name] = (total.intended[name] ?? 0) + times;
}

const cannotBegin = ({ name }: RecordedSequence, why: string): Comparison => ({
  deviations: [
    {
      class: `the sequence could not begin: ${why.slice(0, 80)}`,
      sequence: name,
      operations: [],
      recorded: undefined,
      answered: { why },
    },
  ],
  operations: 0,
  intended: {},
});
