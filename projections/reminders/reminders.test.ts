import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import type { StoredEvent } from "@colloquy/infra/event-store/client.ts";
import { exampleSubscription } from "@colloquy/schemas/contracts/example-ids.ts";
import { type ReminderEvent, reminderStream } from "@colloquy/schemas/reminders/events.ts";
import { expect } from "chai";
import { type Rows, rowsOf } from "../rows.fixture.ts";
import { projection } from "./projection.ts";
import { dueReminders, type ReminderTables } from "./queries.ts";

const at = "2026-11-28T08:00:00.000Z";
const on: ReminderEvent = {
  type: "RemindersTurnedOn",
  data: { schemaVersion: 1, device: "dev_0001", subscription: exampleSubscription, at },
};
const foreseen = (zone: string): ReminderEvent => ({
  type: "ReviewsForeseen",
  data: { schemaVersion: 1, forecast: { zone, language: "en", day: 20_785, left: [0, 2] }, at },
});
const forgotten: ReminderEvent = { type: "RemindersForgotten", data: { schemaVersion: 1, at } };

for (const engine of await enginesToTest())
  describeOn(engine, `reminders that are due on ${engine.name}`, () => {
    let rows: Rows<ReminderTables>;
    let position = 0;
    before(async () => {
      rows = await rowsOf(engine, projection);
    });
    after(() => rows.close());

    const stored = (accountId: string, ...events: ReminderEvent[]): StoredEvent[] =>
      events.map((event, revision) => {
        position += 1;
        return {
          ...event,
          id: `event-${position}`,
          stream: reminderStream(accountId),
          revision,
          position: String(position),
          created: at,
          metadata: { accountId, requestId: "r", correlationId: "r" },
        } as StoredEvent;
      });
    const due = async (now: string, atATime = 2): Promise<string[]> =>
      (await Array.fromAsync(dueReminders(rows.database, now, atATime))).map(({ accountId }) => accountId);

    it("come in the order of their time, page by page, and hold no subscription", async () => {
      const zones = ["America/New_York", "Europe/Berlin", "Europe/Berlin", "Asia/Tokyo", "Europe/Berlin"];
      for (const [index, zone] of zones.entries()) await rows.apply(stored(`acc_${index}`, on, foreseen(zone)));
      expect(await due("2026-11-28T20:00:00Z")).to.deep.equal([]);
      expect(await due("2026-11-29T07:59:59.999Z")).to.deep.equal(["acc_3"]);
      expect(await due("2026-11-29T08:00:00.000Z")).to.deep.equal(["acc_3", "acc_1", "acc_2", "acc_4"]);
      expect(await due("2026-11-30T00:00:00.000Z")).to.deep.equal(["acc_3", "acc_1", "acc_2", "acc_4", "acc_0"]);
      expect(JSON.stringify(await rows.dump())).not.to.include("push.example");
    });

    it("are the same after events are applied twice, and gone after an erasure", async () => {
      const events = stored("acc_1", { ...forgotten }, on, foreseen("Asia/Tokyo"));
      await rows.apply(events);
      const before = await rows.dump();
      await rows.apply(events);
      expect(await rows.dump()).to.deep.equal(before);
      await rows.apply(stored("acc_1", forgotten));
      expect(await due("2027-01-01T00:00:00Z")).not.to.include("acc_1");
    });
  });
