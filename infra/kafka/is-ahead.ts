import type { StoreIsOlder } from "../event-store/errors.ts";

/** The topics hold events that the event store does not have, because it was restored from an older backup. */
export class KafkaIsAhead extends Error {
  override name = "KafkaIsAhead";
  constructor(prefix: string, older: StoreIsOlder) {
    super(`${older.message} Set another KAFKA_TOPIC_PREFIX than "${prefix}", or delete the topics that begin with it, and restart.`);
  }
}
