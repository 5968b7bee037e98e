import type { ModelGateway } from "@colloquy/command-api/model-gateway/gateway.ts";
import { createLearner, learnerKinds, seeded } from "@colloquy/command-api/tutor/evaluation/learners.ts";
import { serveTutor } from "@colloquy/command-api/tutor/tutor.fixture.ts";
import { tutorStream } from "@colloquy/schemas/events/tutor.ts";
import { type Benchmark, milliseconds, percentile, times } from "./benchmark.ts";

const written = { accountId: "acc_benchmark", requestId: "benchmark-turn", correlationId: "benchmark-turn" };

/** Turns are timed where their session has about so many events. */
const events = { from: 170, to: 260 };
const samples = 150;

/**
 * A learner's answer with everything that comes of it, without the time models take: loading, deciding, searching the course, signing and
 * appending. Each session is read from its stream first, as after a restart, and from memory.
 */
export async function run(): Promise<Benchmark> {
  let inModels = 0;
  const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    try {
      return await work();
    } finally {
      inModels += performance.now() - began;
    }
  };
  const around = (gateway: ModelGateway): ModelGateway => ({
    ...gateway,
    generateObject: (request) => timed(() => gateway.generateObject(request)),
    async streamText(request) {
      const run = await timed(() => gateway.streamText(request));
      // Read to its end while the clock of models runs: what the tutor does with it is its own.
      const pieces = await timed(() => Array.fromAsync(run.text));
      return {
        ...run,
        text: (async function* () {
          yield* pieces;
        })(),
      };
    },
  });
  const tutor = await serveTutor({ around });
  const own: number[] = [];
  const appends: number[] = [];
  try {
    const kind = learnerKinds.find(({ name }) => name === "guessing only") ?? learnerKinds[0];
    const goals = ["Understand eigenvectors", "How determinants measure area", "Vectors and what they are"];
    for (let number = 0; own.length < samples && kind; number += 1) {
      let { session } = await tutor.start({ goal: goals[number % goals.length] ?? "" });
      const learner = createLearner(
        kind,
        session.mastery.map(({ objectiveId }) => objectiveId),
        seeded(number),
      );
      while (session.phase !== "completed" && session.version < events.to) {
        const { state } = await tutor.sessions.load(session.sessionId);
        const item = state.items[session.current?.itemId ?? ""];
        const choiceIds = item ? learner.answers(item).choiceIds : [];
        const answer = item?.selection === "text" ? { text: "I could not say." } : { choiceIds };
        inModels = 0;
        const began = performance.now();
        const from = session.version;
        ({ session } = await tutor.act(session, item ? { type: "answer", itemId: item.itemId, ...answer } : { type: "resume" }));
        if (from >= events.from) own.push(performance.now() - began - inModels);
        if (from >= events.from) appends.push(await appendLike(session.sessionId, session.version - from));
      }
    }
  } finally {
    await tutor.close();
  }

  /** The events of the last turn once more, to a stream of their own: what keeping them costs by itself. */
  async function appendLike(sessionId: string, count: number): Promise<number> {
    const last = [];
    for await (const stored of tutor.store.read(tutorStream(sessionId), { direction: "backwards", limit: count })) last.push(stored);
    const copies = last.toReversed().map(({ type, data }) => ({ id: crypto.randomUUID(), type, data: data as object, metadata: written }));
    const began = performance.now();
    await tutor.store.append(`tutorbench-${crypto.randomUUID()}`, copies, "none");
    return performance.now() - began;
  }

  const row = (what: string, share: number) => {
    const [value, baseline] = [percentile(own, share), percentile(appends, share)];
    return { what, value: milliseconds(value), baseline: milliseconds(baseline), ratio: times(value / baseline) };
  };
  return {
    title: `Tutor: a turn's own cost at the 200th event of a session`,
    baseline: "appending the same events to the event store and nothing else",
    rows: [row("a turn without its models, median", 0.5), row("p95", 0.95), row("p99", 0.99)],
    note: `${own.length} turns of sessions with ${events.from} to ${events.to} events, with the event store in the same process. Bound: p99 25 ms.`,
  };
}
