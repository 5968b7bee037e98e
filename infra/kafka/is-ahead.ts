import type { StoreIsOlder } from "../event-store/errors.ts";

/** The relay has been beyond the event store's last event: the topics hold what the store, restored from an older backup, has not. */
export class KafkaIsAhead extends Error {
  override name = "KafkaIsAhead";
  constructor(prefix: string, older: StoreIsOlder) {
    super(
      `${older.message} Give Kafka another KAFKA_TOPIC_PREFIX than "${prefix}", or delete the topics that begin with it, and start again.`,
    );
  }
}
