import { setTimeout as pause } from "node:timers/promises";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { Mark } from "@colloquy/infra/kafka/relay-mark.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import { lanePosition, readLanes } from "./lane-tables.ts";

/** Steps kept while lanes lag; beyond that every second one is dropped, which only makes the steps larger. */
const maxSteps = 512;
/** How often lanes are polled, in milliseconds: lanes of other processes advance without a call here. */
const pollMs = 250;

interface Step {
  /** Padded; applied once every lane has reached its position in `needs`. */
  position: string;
  needs: { topic: string; partition: number; position: string }[];
}

export interface Watermark {
  /** Call when the relay has published a new mark. */
  relayAdvanced(mark: Mark): void;
  /** Call when a lane of this process has moved its checkpoint. */
  laneAdvanced(): void;
  /** Resolves when it has stopped. */
  close(): Promise<void>;
}

/**
 * Moves a projection's own checkpoint to the last position up to which all its lanes, in all processes, have applied their events.
 * Readers wait for it, and the feed is shown up to it. It never goes back, and any number of processes may move it.
 */
export function watermark(options: {
  database: Kysely<CheckpointTables>;
  projection: string;
  topics: readonly string[];
  log: Logger;
}): Watermark {
  const { database, projection, topics, log } = options;
  let steps: Step[] = [];
  let laneMoved = false;
  let running: Promise<void> | undefined;
  const stopping = new AbortController();

  async function advance(): Promise<void> {
    const lanes = await readLanes(database, projection);
    const rows = new Map(lanes.rows.map((row) => [`${row.topic}/${row.partition}`, row]));
    const done = ({ needs }: Step): boolean =>
      needs.every(({ topic, partition, position }) => lanePosition(lanes, rows.get(`${topic}/${partition}`)) >= position);
    const last = steps.findLast((step) => step.position <= lanes.floor || done(step));
    if (!last) return;
    steps = steps.slice(steps.indexOf(last) + 1);
    if (last.position <= lanes.floor) return;
    await database
      .updateTable("checkpoints")
      .set({ position: last.position })
      .where("name", "=", projection)
      .where("position", "<", last.position)
      .where("generation", "=", lanes.generation)
      .execute();
  }

  let damageLogged = false;
  function logFailure(error: unknown): void {
    const damage = damagedFileAdvice(error);
    if (damage && !damageLogged) log.error({ projection }, damage);
    if (!damage) log.debug({ err: error, projection }, "the lanes could not be read");
    damageLogged = damage !== null;
  }

  async function run(): Promise<void> {
    while (steps.length > 0 && !stopping.signal.aborted) {
      laneMoved = false;
      await advance().then(() => (damageLogged = false), logFailure);
      if (!laneMoved && steps.length > 0) await waitForLane();
    }
    running = undefined;
  }

  let wake: () => void = () => undefined;
  async function waitForLane(): Promise<void> {
    const called = new Promise<void>((resolve) => (wake = resolve));
    await Promise.race([called, pause(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined)]);
  }

  function laneAdvanced(): void {
    laneMoved = true;
    wake();
    if (steps.length > 0) running ??= run();
  }

  return {
    relayAdvanced({ position, last }) {
      if (position === null) return;
      const needs = topics.flatMap((topic) =>
        (last[topic] ?? []).flatMap((at, partition) => (at === null ? [] : [{ topic, partition, position: positionColumn(at) }])),
      );
      const step = { position: positionColumn(position), needs };
      const latest = steps.at(-1);
      // A second or restarted relay repeats older marks.
      if (latest && latest.position >= step.position) return;
      steps.push(step);
      if (steps.length > maxSteps) steps = steps.filter((_, index) => index % 2 === 1 || index === steps.length - 1);
      laneAdvanced();
    },
    laneAdvanced,
    async close() {
      stopping.abort();
      wake();
      await running;
    },
  };
}
