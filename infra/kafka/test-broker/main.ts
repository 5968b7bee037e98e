import { once } from "node:events";
import { startTestBroker, testBrokerHere } from "./start.ts";

/** `npm run kafka:test-broker`: the broker of the tests, for trying out by hand, until Ctrl-C; nothing of it stays. */
const jars = await testBrokerHere();
if (jars === null) process.exit(1);
const broker = await startTestBroker(jars);
console.log(`Apache Kafka serves at ${broker.address}. In another shell:\n\n  KAFKA_BROKERS=${broker.address} npm start\n`);
console.log("Ctrl-C ends it and removes its records.");
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
await broker.remove();
