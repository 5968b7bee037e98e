import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openEventStore, StoreNotWritable } from "@colloquy/infra/event-store/client.ts";
import { eventStoreFolder } from "@colloquy/infra/event-store/embedded/running.ts";
import { spawnEventStore } from "@colloquy/infra/event-store/embedded/spawn-server.fixture.ts";
import { immutable, newEvent, rejection, temporaryFolder } from "@colloquy/infra/event-store/event-store.fixture.ts";
import { expect } from "chai";
import { assertDiskWritable } from "./dependencies.ts";

describe("readiness of the disk", () => {
  it("fails when appends fail, and recovers when they would succeed", async function () {
    const folder = temporaryFolder();
    const log = join(eventStoreFolder(folder.path), "events.db-wal");
    const server = await spawnEventStore(folder.path);
    const store = openEventStore(server.url);
    const looked = () => assertDiskWritable(folder.path, AbortSignal.timeout(20_000));
    try {
      await store.append("work-1", [newEvent({})], "none");
      if (!immutable("+i", log)) this.skip();
      await looked();
      expect(await rejection(store.append("work-2", [newEvent({})], "none"))).to.be.instanceOf(StoreNotWritable);
      expect((await rejection(looked())).message).to.match(/is read-only, or failing/);
      await pause(1_500);
      expect((await rejection(looked())).message).to.match(/is read-only, or failing/);
      immutable("-i", log);
      const well = () =>
        looked().then(
          () => true,
          () => false,
        );
      while (!(await well())) await pause(100);
      await store.append("work-2", [newEvent({})], "none");
    } finally {
      immutable("-i", log);
      await store.close();
      await server.stop();
      folder.remove();
    }
  }).timeout(120_000);
});
