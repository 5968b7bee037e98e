import { openDatabase } from "@colloquy/infra/database/open.ts";
import { enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { partitionOf } from "@colloquy/infra/kafka/layout.ts";
import type { Mark } from "@colloquy/infra/kafka/relay-mark.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { waitForPosition } from "../checkpoints/queries.ts";
import { CheckpointLost, type CheckpointTables, readCheckpoint } from "../checkpoints/tables.ts";
import { migrate } from "../migrate.ts";
import type { Projection } from "../projection.ts";
import { createLaneTable, type Lane, laneCheckpoint, readAppliedAhead } from "./lane-tables.ts";
import { watermark } from "./watermark.ts";

const projection: Projection = { name: "notes", tables: [], streams: ["note-"], events: [], migrations: [], apply: async () => undefined };
const topic = "test.note";
const lanes: Lane[] = [0, 1].map((partition) => ({ projection: "notes", topic, partition }));
const log = createLog("test", { LOG_LEVEL: "silent" });

for (const engine of await enginesToTest()) {
  describe(`checkpoints of partitions, on ${engine.name}`, () => {
    let place: TemporaryDatabase;
    let database: Kysely<CheckpointTables>;
    beforeEach(async () => {
      place = await engine.create();
      database = openDatabase(place.config);
      await migrate(database, [projection]);
      await createLaneTable(database, lanes);
    });
    afterEach(async () => {
      await database.destroy();
      await place.drop();
    });
    const keeper = (partition: number) => laneCheckpoint(database, { projection: "notes", topic, partition });
    const move = (one: ReturnType<typeof keeper>, from: string | null, to: string) =>
      database.transaction().execute((tx) => one.move(tx, { expected: from, position: to, lastEvent: null }));
    const lost = (moving: Promise<void>) =>
      moving.then(
        () => false,
        (error) => error instanceof CheckpointLost,
      );
    const floor = async () => (await readCheckpoint(database, "notes")).position;
    const swapped = (position: string) =>
      database
        .updateTable("checkpoints")
        .set((column) => ({ position: position.padStart(20, "0"), generation: column("generation", "+", 1) }))
        .execute();

    it("can be moved by one owner only", async () => {
      const [one, other] = [keeper(0), keeper(0)];
      expect(await one.read()).to.include({ position: null, generation: 0 });
      await other.read();
      await move(one, null, "10");
      await move(one, "10", "20");
      expect(await lost(move(other, null, "15"))).to.equal(true);
      expect((await other.read()).position).to.equal("20");
      await move(other, "20", "30");
      expect(await lost(move(one, "20", "40"))).to.equal(true);
    });

    it("starts at the projection's checkpoint if that is further on", async () => {
      const one = keeper(0);
      await one.read();
      await move(one, null, "10");
      await swapped("50");
      // Its rows were applied to tables that are gone.
      expect(await lost(move(one, "10", "60"))).to.equal(true);
      expect(await one.read()).to.include({ position: "50", generation: 1 });
      await move(one, "50", "60");
      expect((await keeper(1).read()).position).to.equal("50");
    });

    it("moves the projection's checkpoint to the slowest partition, never back", async () => {
      const mark = (position: string, last: (string | null)[]): Mark => ({
        position,
        last: { [topic]: last, "test.other": ["999", null] },
        acked: { position: null, last: {} },
        purges: {},
      });
      const [one, other] = [keeper(0), keeper(1)];
      await Promise.all([one.read(), other.read()]);
      const marks = watermark({ database, projection: "notes", topics: [topic], log });
      marks.relayAdvanced(mark("12", ["10", null]));
      marks.relayAdvanced(mark("30", ["10", "30"]));
      marks.relayAdvanced(mark("20", ["10", "20"]));
      await move(one, null, "10");
      marks.laneAdvanced();
      expect(await waitForPosition(database, "notes", "12", 60_000)).to.equal(true);
      expect(await floor()).to.equal("12");
      await move(other, null, "29");
      marks.laneAdvanced();
      expect(await readAppliedAhead(database, "notes").then((ahead) => ahead?.position)).to.equal("29");
      expect(await floor()).to.equal("12");
      // In another process, which tells nobody here.
      await move(other, "29", "30");
      expect(await waitForPosition(database, "notes", "30", 60_000)).to.equal(true);
      marks.relayAdvanced(mark("25", ["10", "25"]));
      await marks.close();
      expect(await floor()).to.equal("30");
      expect(await readAppliedAhead(database, "notes")).to.equal(null);
    });

    it("knows which events were applied beyond the projection's checkpoint", async () => {
      const streams = Array.from({ length: 20 }, (_, index) => `note-${index}`);
      const at = (partition: number) => streams.find((stream) => partitionOf({ partitions: 2 }, stream) === partition) ?? "";
      const one = keeper(1);
      await one.read();
      await move(one, null, "40");
      const ahead = await readAppliedAhead(database, "notes");
      expect(ahead?.position).to.equal("40");
      expect(ahead?.hasApplied({ stream: at(1), position: "39" })).to.equal(true);
      expect(ahead?.hasApplied({ stream: at(1), position: "41" })).to.equal(false);
      expect(ahead?.hasApplied({ stream: at(0), position: "39" })).to.equal(false);
      expect(ahead?.hasApplied({ stream: "other-1", position: "39" })).to.equal(false);
    });
  });
}
