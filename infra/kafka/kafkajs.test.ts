import { createRequire } from "node:module";
import { expect } from "chai";
import "./kafkajs.ts";

interface Queue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: (NodeJS.Timeout & { _idleTimeout: number }) | null;
  scheduleCheckPendingRequests(): void;
  destroy(): void;
}
const RequestQueue = createRequire(import.meta.url)("kafkajs/src/network/requestQueue/index.js") as new (options: object) => Queue;

describe("the library's queue of requests", () => {
  it("looks again while something waits, and at nothing never", () => {
    const queue = new RequestQueue({ maxInFlightRequests: 1, requestTimeout: 1_000 });
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).to.equal(null);
    queue.pending.push({});
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId?._idleTimeout).to.be.greaterThan(0);
    queue.destroy();
  });
});
