import { createRequire } from "node:module";

/**
 * kafkajs, mended in one place: after each look at its waiting requests it sets a timer for the next one, also when none waits, and then
 * for a moment before 1970. Node takes that for a millisecond and warns: a thousand looks a second for each connection, at nothing. Requests
 * that come while others wait, and answers, begin a look by themselves.
 */
interface RequestQueue {
  pending: unknown[];
  scheduleCheckPendingRequests(): void;
}

const { prototype } = createRequire(import.meta.url)("kafkajs/src/network/requestQueue/index.js") as { prototype: RequestQueue };
const schedule = prototype.scheduleCheckPendingRequests;
prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};

export * from "kafkajs";
