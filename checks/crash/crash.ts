import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Engine } from "@colloquy/infra/database/temporary.fixture.ts";
import { reachEventStore } from "@colloquy/infra/event-store/reach.ts";
import { learners } from "../../journeys/learner.ts";
import { type Program, startProgram } from "../../journeys/program.ts";
import { waitForReadModels } from "../harness/program.ts";
import { randomOf } from "../random.ts";
import { emptyRecord, type Record, runDevice } from "./device.ts";
import { examine } from "./examine.ts";

const accounts = 8;
const devicesPerAccount = 2;
/** Rounds between two examinations; the load rests meanwhile. */
const examineEvery = 25;
/** Pushes that get through before a kill, at most, and the moment after them; so a slow machine has as much load as a fast one. */
const load = { pushes: 16, ms: 300, withinMs: 10_000 };
/** Share of the kills after which the next one does not wait until the program has recovered. */
const impatience = 0.2;
const store = "event-store/embedded/main.ts";
const projections = "projections/main.ts";
const commands = "command-api/main.ts";
const victims = [[store], [projections], [store, projections], [commands], [store, commands]];
const shownAtMost = 20;

/**
 * Random load over HTTP through the whole program, while in each round its event store, its projections, its command API or two of
 * them are killed at a random moment. Prints what an examination of everything finds; false when something is not as it must be.
 * The seed decides what is done and who is killed when; what that meets is up to the machine.
 */
export async function crashTest(engine: Engine, { rounds, seed }: { rounds: number; seed: number }): Promise<boolean> {
  const place = await engine.create();
  const secret = randomBytes(32).toString("hex");
  const program = await startProgram({
    SESSION_SECRET: secret,
    DEMO_COURSES: "off",
    DEMO_MODEL: "off",
    LOG_LEVEL: "warn",
    EVENTSTORE_URL: "",
    KAFKA_BROKERS: "",
    DATABASE_URL: engine.name === "PostgreSQL" ? place.config.DATABASE_URL : "",
  });
  try {
    return await roundsOf(program, { engine: engine.name, secret, rounds, seed });
  } finally {
    await program.stop();
    await place.drop();
  }
}

/** Lets a random amount of load through. */
async function someLoad(record: Record, random: () => number): Promise<void> {
  const enough = record.pushes + Math.floor(random() * load.pushes);
  const giveUp = Date.now() + load.withinMs;
  while (record.pushes < enough && Date.now() < giveUp) await pause(5);
  await pause(random() * load.ms);
}

async function roundsOf(
  program: Program,
  { engine, secret, rounds, seed }: { engine: string; secret: string; rounds: number; seed: number },
): Promise<boolean> {
  const people = await learners(program.url, secret, accounts);
  const record = emptyRecord();
  const conversations = people.map((): string[] => []);
  const random = randomOf(seed, "kills");
  const began = Date.now();
  let kills = 0;
  for (let round = 0; round < rounds; ) {
    const resting = new AbortController();
    const devices = people.flatMap((learner, index) =>
      Array.from({ length: devicesPerAccount }, (_, nth) => {
        const name = `${index}-${nth}-r${round}`;
        const own = { learner, name, conversations: conversations[index] ?? [], random: randomOf(seed, name) };
        return runDevice({ ...own, record, signal: resting.signal });
      }),
    );
    const working = Promise.all(devices);
    working.catch(() => resting.abort());
    const until = Math.min(rounds, round + examineEvery);
    for (; round < until; round += 1) {
      await someLoad(record, random);
      for (const part of victims[Math.floor(random() * victims.length)] ?? []) kills += program.killIfRunning(part) ? 1 : 0;
      if (random() >= impatience) await program.ready();
    }
    resting.abort();
    await working;
    await waitForReadModels(program);
    const { store: events, close } = await reachEventStore({
      DATA_DIR: program.dataDir,
      EVENTSTORE_URL: undefined,
      EVENTSTORE_EMBEDDED_INSECURE: "off",
    });
    const findings = await examine(events, record, people).finally(close);
    const bad = [...findings.lost, ...findings.doubled, ...findings.wrong];
    const differences = await program.tool("projections/cli.ts", "verify").then(
      () => null,
      (error: Error) => error.message,
    );
    console.log(
      `${engine}: ${round} of ${rounds} rounds, ${kills} kills, ${((Date.now() - began) / 1_000).toFixed(0)} s: ` +
        `${record.sent.size} changes in ${record.pushes} pushes (${record.repeated} sent again), ` +
        `${findings.acknowledged} acknowledged, ${findings.events} events kept; ` +
        `${findings.lost.length} lost, ${findings.doubled.length} doubled, ${findings.wrong.length} wrong; ` +
        `read models ${differences === null ? "equal to" : "DIFFER from"} a fresh rebuild`,
    );
    for (const line of bad.slice(0, shownAtMost)) console.error(`  ${line}`);
    if (differences !== null) console.error(differences);
    if (bad.length > 0 || differences !== null) return false;
  }
  return true;
}
