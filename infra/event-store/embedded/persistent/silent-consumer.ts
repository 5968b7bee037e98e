import { EventStoreDBClient } from "@eventstore/db-client";
import { numberOf } from "./testing.ts";

/** A consumer as a process of its own, for tests that kill it: it tells what it is given and answers nothing. Arguments: url, stream, group, buffer size. */
const [url = "", stream = "", group = "", bufferSize] = process.argv.slice(2);
const client = EventStoreDBClient.connectionString(url);
for await (const event of client.subscribeToPersistentSubscriptionToStream(stream, group, { bufferSize: Number(bufferSize) }))
  console.log(numberOf(event));
