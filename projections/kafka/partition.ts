import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import type { KafkaRecord, TopicPartition } from "@colloquy/infra/kafka/group.ts";
import { isAt } from "@colloquy/infra/kafka/layout.ts";
import { eventOf, isFiller } from "@colloquy/infra/kafka/records.ts";
import type { KafkaSettings } from "@colloquy/infra/kafka/settings.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import { comparePositions } from "@colloquy/schemas/positions.ts";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import type { Projection } from "../projection.ts";
import { type ProjectionStatus, runProjection } from "../runner.ts";
import { laneSource } from "./lane-source.ts";
import { laneCheckpoint } from "./lane-tables.ts";

/** Back-pressure: a partition is paused while a lane has more than `pauseAbove` events in memory, and resumed below `resumeBelow`. */
const pauseAbove = 2_000;
const resumeBelow = 500;
/** Short, because the partition's former owner, which moved the lane's checkpoint, is about to stop. */
const standbyMs = 250;

/** A partition that is assigned to this process, for every projection that reads its topic. */
export interface Partition extends TopicPartition {
  receive(records: readonly KafkaRecord[]): void;
  /** Whether a lane has too many events in memory. */
  isFull(): boolean;
  /** Whether all lanes have room again. */
  hasRoom(): boolean;
  /** The offset before which every lane has applied its records; null if it has not changed. */
  nextOffsetToCommit(): number | null;
  status(projection: string): ProjectionStatus | undefined;
  stop(): Promise<void>;
}

export interface PartitionOptions {
  place: TopicPartition;
  projections: readonly Projection[];
  database: Kysely<CheckpointTables>;
  store: Pick<EventStore, "readAll" | "head" | "next" | "assertSameStore">;
  settings: KafkaSettings;
  log: Logger;
  /** Position of the last event that the relay has written to this partition, by its own account. */
  relayed: () => string | null;
  /** Called after a lane has moved its checkpoint. */
  onAdvance: (projection: string) => void;
}

export function runPartition(options: PartitionOptions): Partition {
  const { place, projections, database, store, settings, relayed, onAdvance } = options;
  const log = options.log.child(place);
  const stopping = new AbortController();
  let uncommitted: { offset: number; position: string }[] = [];
  let committed = -1;
  const lanes = projections.map((projection) => {
    const source = laneSource({ place, settings, store, relayed });
    const { name } = projection;
    const running = runProjection({
      projection,
      database,
      store: source,
      log,
      signal: stopping.signal,
      standbyMs,
      checkpoint: laneCheckpoint(database, { projection: name, ...place }),
      onAdvance: () => onAdvance(name),
    });
    return { name, source, running };
  });
  const openLanes = () => lanes.filter(({ source }) => source.isOpen());

  return {
    ...place,
    receive(records) {
      for (const record of records) {
        if (isFiller(record)) continue;
        const relayedEvent = eventOf(record);
        if (!relayedEvent || !isAt(settings, place, relayedEvent.event.stream)) {
          log.warn({ offset: record.offset }, "skipped a record that does not belong into this partition");
          continue;
        }
        uncommitted.push({ offset: record.offset, position: relayedEvent.event.position });
        for (const { source } of lanes) source.receive(relayedEvent);
      }
    },
    isFull: () => openLanes().some(({ source }) => source.queued() > pauseAbove),
    hasRoom: () => openLanes().every(({ source }) => source.queued() < resumeBelow),
    nextOffsetToCommit() {
      const positions = openLanes().map(({ running }) => running.status().position);
      const isDone = ({ position }: { position: string }): boolean =>
        positions.every((reached) => reached !== null && comparePositions(reached, position) >= 0);
      const first = uncommitted.findIndex((one) => !isDone(one));
      const finished = first < 0 ? uncommitted : uncommitted.slice(0, first);
      uncommitted = first < 0 ? [] : uncommitted.slice(first);
      const offset = (finished.at(-1)?.offset ?? -1) + 1;
      if (offset <= committed || offset === 0) return null;
      committed = offset;
      return offset;
    },
    status: (projection) => lanes.find(({ name }) => name === projection)?.running.status(),
    async stop() {
      stopping.abort();
      await Promise.all(lanes.map(({ running }) => running.finished));
    },
  };
}
