import { openEventStore } from "../client.ts";
import { WrongExpectedRevision } from "../errors.ts";
import { newEvent } from "../event-store.fixture.ts";

/**
 * One of several processes that race for every revision of one stream: `race-writer.fixture.ts <url> <stream> <revisions> <name>`. It always
 * writes at the revision it believes the stream to be at, and prints what it won as a line of JSON.
 */
const [url = "", stream = "", revisions = "0", name = ""] = process.argv.slice(2);
const store = openEventStore(url);
const won: { revision: number; position: string; id: string }[] = [];
let lost = 0;
let at: number | "none" = "none";
for (let last = -1; last < Number(revisions) - 1; ) {
  const event = newEvent({ name });
  try {
    const { revision, position } = await store.append(stream, [event], at);
    won.push({ revision, position, id: event.id });
    last = at = revision;
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision) || error.actual === "none") throw error;
    lost += 1;
    last = at = error.actual;
  }
}
await store.close();
console.log(JSON.stringify({ won, lost }));
