import { comparePositions } from "@colloquy/infra/database/positions.ts";
import type { EventStore } from "@colloquy/infra/event-store/client.ts";
import type { KafkaRecord, TopicPartition } from "@colloquy/infra/kafka/group.ts";
import { isAt } from "@colloquy/infra/kafka/layout.ts";
import { eventOf, isFiller } from "@colloquy/infra/kafka/records.ts";
import type { KafkaSettings } from "@colloquy/infra/kafka/settings.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { Kysely } from "kysely";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import type { Projection } from "../projection.ts";
import { type ProjectionStatus, runProjection } from "../runner.ts";
import { laneSource } from "./lane-source.ts";
import { laneCheckpoint } from "./lane-tables.ts";

/** Events that may wait for one lane before its partition is paused, and when it is resumed. */
const waitingAtMost = 2_000;
const resumedAt = 500;
/** A lane that lost its checkpoint to the partition's former owner looks again so soon: that one is about to stop. */
const standbyMs = 250;

/** A partition this process works through, for every projection that listens to its topic. */
export interface Partition extends TopicPartition {
  put(records: readonly KafkaRecord[]): void;
  /** Whether its lanes have enough to do. */
  full(): boolean;
  /** Whether they have room again. */
  roomy(): boolean;
  /** The offset before which every lane is done; null when that is not known anew. */
  done(): number | null;
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
  /** Of the last event the relay says it has put into this partition. */
  relayed: () => string | null;
  /** A lane has moved on. */
  onMoved: (projection: string) => void;
}

export function runPartition(options: PartitionOptions): Partition {
  const { place, projections, database, store, settings, relayed, onMoved } = options;
  const log = options.log.child(place);
  const stopping = new AbortController();
  let given: { offset: number; position: string }[] = [];
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
      onMoved: () => onMoved(name),
    });
    return { name, source, running };
  });
  const busy = () => lanes.filter(({ source }) => source.wanted());

  return {
    ...place,
    put(records) {
      for (const record of records) {
        if (isFiller(record)) continue;
        const relayedEvent = eventOf(record);
        if (!relayedEvent || !isAt(settings, place, relayedEvent.event.stream)) {
          log.warn({ offset: record.offset }, "a record that the relay would not have put here was skipped");
          continue;
        }
        given.push({ offset: record.offset, position: relayedEvent.event.position });
        for (const { source } of lanes) source.put(relayedEvent);
      }
    },
    full: () => busy().some(({ source }) => source.waiting() > waitingAtMost),
    roomy: () => busy().every(({ source }) => source.waiting() < resumedAt),
    done() {
      const positions = busy().map(({ running }) => running.status().position);
      const isDone = ({ position }: { position: string }): boolean =>
        positions.every((reached) => reached !== null && comparePositions(reached, position) >= 0);
      const first = given.findIndex((one) => !isDone(one));
      const finished = first < 0 ? given : given.slice(0, first);
      given = first < 0 ? [] : given.slice(first);
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
