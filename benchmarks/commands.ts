import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import { observedEnvironment, watchProcesses } from "../checks/harness/process-usage.ts";
import { change, learners, opening } from "../journeys/learner.ts";
import { startProgram } from "../journeys/program.ts";
import { type Benchmark, milliseconds, percentile, sized, times } from "./benchmark.ts";

const secret = "a-secret-of-the-benchmark-that-is-long-enough";
/** So many that none reaches its limit of pushes a minute. */
const accounts = sized(400, 20);
/** Commands, each with its read, begun in a second. */
const rates = sized([50, 100, 200, 400], [20]);
const warmupCommands = sized(200, 10);
const secondsEach = sized(8, 1);

/** What one run at a rate came to: milliseconds from the moment each command was due, and how many failed. */
interface Paced {
  taken: number[];
  refused: number;
  failed: number;
}

/**
 * A command with its read through the whole program: a device pushes a new conversation and reads it back as soon as the read model has
 * it. Commands are begun at a fixed rate, however long others take. Beside it the same events appended and read in the bare event store
 * at the same rate.
 */
export async function run(): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-bench-commands-"));
  const reports = mkdtempSync(join(tmpdir(), "colloquy-bench-commands-reports-"));
  const server = await spawnEventStore(folder);
  const store = openEventStore(server.url);
  const program = await startProgram({
    LOG_LEVEL: "silent",
    SESSION_SECRET: secret,
    DEMO_COURSES: "off",
    // All accounts share this machine's address.
    ADDRESS_REQUESTS_PER_MINUTE: "0",
    ...observedEnvironment(reports, false),
  });
  try {
    const people = await learners(program.url, secret, accounts);
    const title = "A conversation of the benchmark";
    let count = 0;
    const throughProgram = async (): Promise<number> => {
      count += 1;
      const person = people[count % people.length];
      const id = crypto.randomUUID();
      const headers = { cookie: person?.cookie ?? "", "content-type": "application/json" };
      const body = JSON.stringify({
        schemaVersion: 1,
        deviceId: "device-one",
        changes: [change(crypto.randomUUID(), id, "started", opening(title))],
      });
      const pushed = await fetch(`${program.url}/api/sync/push`, { method: "POST", headers, body });
      const answer = (await pushed.json()) as { position?: string };
      if (!pushed.ok) return pushed.status;
      const read = await fetch(`${program.url}/api/conversations/${id}?after=${answer.position}`, { headers });
      await read.arrayBuffer();
      return read.status;
    };
    const bare = async (): Promise<number> => {
      const stream = `conversation-${crypto.randomUUID()}`;
      await appendAndRead(store, stream, title);
      return 200;
    };
    await paced(throughProgram, rates[0] ?? 1, warmupCommands / (rates[0] ?? 1));
    await paced(bare, rates[0] ?? 1, warmupCommands / (rates[0] ?? 1));
    const use = await watchProcesses(reports);
    const rows: Benchmark["rows"] = [];
    const notes: string[] = [];
    for (const rate of rates) {
      const plain = await paced(bare, rate, secondsEach);
      await use();
      const began = performance.now();
      const ours = await paced(throughProgram, rate, secondsEach);
      const seconds = (performance.now() - began) / 1_000;
      const { processes } = await use();
      const each = (processor: number): number => (processor * seconds * 1_000) / ours.taken.length;
      for (const share of [0.5, 0.99])
        rows.push({
          what: `${rate} commands and reads a second, p${share * 100}`,
          value: milliseconds(percentile(ours.taken, share)),
          baseline: milliseconds(percentile(plain.taken, share)),
          ratio: times(percentile(ours.taken, share) / percentile(plain.taken, share)),
        });
      rows.push({
        what: `${rate} a second, processor time of each`,
        value: milliseconds(each(processes.reduce((sum, { processor }) => sum + processor, 0))),
      });
      const parts = processes
        .filter(({ processor }) => each(processor) >= 0.1)
        .map(({ part, processor }) => `${part} ${milliseconds(each(processor))}`);
      notes.push(`${rate} a second: ${ours.refused} refused, ${ours.failed} failed; ${parts.join(", ")}.`);
    }
    return {
      title: "Commands with their reads, through the whole program",
      baseline: "the same events appended to an event store of their own and read back, at the same rate in the same run",
      rows,
      note: notes.join("\n\n"),
    };
  } finally {
    await program.stop();
    await store.close();
    await server.stop();
    for (const made of [folder, reports]) rmSync(made, { recursive: true, force: true });
  }
}

async function appendAndRead(store: EventStore, stream: string, title: string): Promise<void> {
  const metadata = { accountId: "acc_benchmark", requestId: stream, correlationId: "benchmark" };
  await store.append(
    stream,
    [{ id: crypto.randomUUID(), type: "ConversationStarted", data: { schemaVersion: 1, ...opening(title) }, metadata }],
    "none",
  );
  for await (const _ of store.read(stream, { direction: "forwards" }));
}

/** Begins `send` at a rate for some seconds; `send` gives the status of its answer. */
async function paced(send: () => Promise<number>, rate: number, seconds: number): Promise<Paced> {
  const result: Paced = { taken: [], refused: 0, failed: 0 };
  const began = performance.now();
  const sent: Promise<void>[] = [];
  for (let number = 0; number < rate * seconds; number += 1) {
    const due = began + (number * 1_000) / rate;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    sent.push(
      send()
        .catch(() => 0)
        .then((status) => {
          result.taken.push(performance.now() - due);
          if (status === 429 || status === 503) result.refused += 1;
          else if (status !== 200) result.failed += 1;
        }),
    );
  }
  await Promise.all(sent);
  return result;
}
