import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { openKafka } from "@colloquy/infra/kafka/client.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { expect } from "chai";
import type { CheckpointTables } from "../checkpoints/tables.ts";
import { projections } from "../projections.ts";
import { consumeFromKafka } from "./consume.ts";
import { watermark } from "./watermark.ts";

describe("a damaged file of read models, with Kafka", () => {
  it("is logged once, with what to do", async () => {
    const folder = mkdtempSync(join(tmpdir(), "damage-"));
    writeFileSync(join(folder, "read-models.db"), "no database at all ".repeat(1_000));
    const database = openDatabase<CheckpointTables>({ DATA_DIR: folder, DATABASE_URL: undefined });
    const lines: string[] = [];
    const log = createLog("test", { LOG_LEVEL: "warn" }, { write: (line) => lines.push(line) });
    const settings = {
      brokers: ["127.0.0.1:1"],
      prefix: "damage",
      partitions: 1,
      replication: null,
      retentionHours: 1,
      tls: null,
      sasl: null,
    };
    const store = openEventStore("esdb://127.0.0.1:1?tls=false");
    const stopping = new AbortController();
    const mark = watermark({ database, projection: "courses", topics: [], log });
    const consumption = consumeFromKafka({
      projections,
      database,
      store,
      settings,
      log,
      signal: stopping.signal,
      kafka: openKafka(settings, log),
    });
    try {
      for (const projection of projections) consumption.start(projection);
      mark.relayAdvanced({ position: "1", last: {}, acked: { position: "1", last: {} }, purges: {} });
      while (lines.length < 2) await pause(20);
      // It is tried again meanwhile.
      await pause(2_500);
      expect(lines.map((line) => JSON.parse(line).msg)).to.have.lengthOf(2);
      for (const line of lines) expect(line).to.include("delete read-models.db").and.not.include("stack");
    } finally {
      stopping.abort();
      await Promise.all([consumption.finished, mark.close()]);
      await Promise.all([store.close(), database.destroy()]);
      rmSync(folder, { recursive: true });
    }
  }).timeout(120_000);
});
