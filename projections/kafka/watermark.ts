import { setTimeout as pause } from "node:timers/promises";
import { damagedFileAdvice } from "@colloquy/infra/database/damage.ts";
import { positionColumn } from "@colloquy/infra/database/positions.ts";
import type { Mark } from "@colloquy/infra/kafka/relay-mark.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import { reachedBy, readLanes } from "./lane-tables.ts";

/** Marks kept while lanes lag behind; beyond that every second one goes, which only makes the steps larger. */
const keptMarks = 512;
/** Lanes of other processes may have been the last to arrive: then nobody calls, so one looks from time to time. Milliseconds. */
const lookMs = 250;

interface Step {
  /** Padded: once every lane is where `needs` says, everything up to here has been applied. */
  position: string;
  needs: { topic: string; partition: number; position: string }[];
}

export interface Watermark {
  /** The relay has come further. */
  mark(mark: Mark): void;
  /** A lane of this process has. */
  moved(): void;
  /** Resolves when nothing runs any more. */
  close(): Promise<void>;
}

/**
 * Moves a projection's own checkpoint to the last position up to which all its lanes, in whatever process, have applied everything.
 * That is what readers wait for and up to where the feed is shown; it never goes back, and any number of processes may do it.
 */
export function watermark(options: {
  database: Kysely<CheckpointTables>;
  projection: string;
  topics: readonly string[];
  log: Logger;
}): Watermark {
  const { database, projection, topics, log } = options;
  let steps: Step[] = [];
  let wanted = false;
  let looking: Promise<void> | undefined;
  const stopping = new AbortController();

  async function advance(): Promise<void> {
    const lanes = await readLanes(database, projection);
    const rows = new Map(lanes.rows.map((row) => [`${row.topic}/${row.partition}`, row]));
    const done = ({ needs }: Step): boolean =>
      needs.every(({ topic, partition, position }) => reachedBy(lanes, rows.get(`${topic}/${partition}`)) >= position);
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

  let damaged = false;
  function tell(error: unknown): void {
    const damage = damagedFileAdvice(error);
    if (damage && !damaged) log.error({ projection }, damage);
    if (!damage) log.debug({ err: error, projection }, "the lanes could not be compared");
    damaged = damage !== null;
  }

  async function look(): Promise<void> {
    while (steps.length > 0 && !stopping.signal.aborted) {
      wanted = false;
      await advance().then(() => (damaged = false), tell);
      if (!wanted && steps.length > 0) await woken();
    }
    looking = undefined;
  }

  let wake: () => void = () => undefined;
  async function woken(): Promise<void> {
    const called = new Promise<void>((resolve) => (wake = resolve));
    await Promise.race([called, pause(lookMs, undefined, { signal: stopping.signal }).catch(() => undefined)]);
  }

  function moved(): void {
    wanted = true;
    wake();
    if (steps.length > 0) looking ??= look();
  }

  return {
    mark({ position, last }) {
      if (position === null) return;
      const needs = topics.flatMap((topic) =>
        (last[topic] ?? []).flatMap((at, partition) => (at === null ? [] : [{ topic, partition, position: positionColumn(at) }])),
      );
      const step = { position: positionColumn(position), needs };
      const latest = steps.at(-1);
      // A second relay, or one that begins anew, says what is known.
      if (latest && latest.position >= step.position) return;
      steps.push(step);
      if (steps.length > keptMarks) steps = steps.filter((_, index) => index % 2 === 1 || index === steps.length - 1);
      moved();
    },
    moved,
    async close() {
      stopping.abort();
      wake();
      await looking;
    },
  };
}
