import { createRequire } from "node:module";

/**
 * kafkajs with one patch: it schedules its check of pending requests also when none is pending, with a negative delay that Node takes for a
 * millisecond and warns about: a thousand useless checks a second for each connection. New requests and answers start a check anyway.
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
