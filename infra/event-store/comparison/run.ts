import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Comparison, compareSequence, type Deviation } from "./compare.ts";
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

/** Plays sequences and compares what is answered with what was recorded. */
export async function runComparison(sequences: readonly RecordedSequence[], options: ComparisonOptions = {}): Promise<Comparison> {
  const { url = null, mode = "strict", threads = 4, onProgress } = options;
  const total: Comparison = { deviations: [], intended: {}, operations: 0 };
  let next = 0;
  let played = 0;
  const run = `d${Date.now().toString(36)}`;

  async function work(thread: number): Promise<void> {
    const workerData: PlayerData = { url, strict: mode === "strict", run: `${run}t${thread}` };
    const worker = new Worker(new URL("play-worker.ts", import.meta.url), { workerData });
    const exited = once(worker, "exit");
    const failed = new Promise<never>((_, reject) => worker.once("error", reject));
    failed.catch(() => undefined);
    try {
      for (let index = next++; index < sequences.length; index = next++) {
        const sequence = sequences[index] as RecordedSequence;
        worker.postMessage({ id: index, ops: sequence.ops } satisfies PlayRequest);
        const [answer] = (await Promise.race([once(worker, "message"), failed])) as [PlayAnswer];
        add(total, "failed" in answer ? [cannotBegin(sequence, answer.failed)] : compareSequence(sequence, answer.outcomes, mode));
        onProgress?.(++played);
      }
    } finally {
      worker.postMessage("close" satisfies PlayRequest);
      await exited;
    }
  }

  const count = url ? 1 : Math.max(1, Math.min(threads, sequences.length));
  await Promise.all(Array.from({ length: count }, (_, thread) => work(thread)));
  return total;
}

function add(total: Comparison, found: Comparison | Deviation[]): void {
  if (Array.isArray(found)) {
    total.deviations.push(...found);
    return;
  }
  total.deviations.push(...found.deviations);
  total.operations += found.operations;
  for (const [name, times] of Object.entries(found.intended)) total.intended[name] = (total.intended[name] ?? 0) + times;
}

const cannotBegin = ({ name }: RecordedSequence, why: string): Deviation => ({
  class: `the sequence could not begin: ${why.slice(0, 80)}`,
  sequence: name,
  operations: [],
  recorded: undefined,
  answered: { why },
});
