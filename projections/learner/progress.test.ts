import { describeOn, enginesToTest } from "@colloquy/infra/database/temporary.fixture.ts";
import { eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { eventOfChange } from "@colloquy/schemas/events/personal.ts";
import { learnerErased, learnerStream } from "@colloquy/schemas/learner/events.ts";
import { expect } from "chai";
import type { Kysely } from "kysely";
import { waitForPosition } from "../checkpoints/queries.ts";
import { projection as sync } from "../sync/projection.ts";
import { changesAfter } from "../sync/queries.ts";
import { type TemporaryReadModels, temporaryReadModels } from "../temporary.fixture.ts";
import { projection } from "./projection.ts";
import { courseProgress, type ProgressTables } from "./queries.ts";

const mira = "acc_mira0001";

for (const engine of await enginesToTest())
  describeOn(engine, `reading progress on ${engine.name}`, () => {
    let models: TemporaryReadModels;
    let number = 0;
    before(async () => {
      models = await temporaryReadModels(engine, [projection, sync]);
    });
    after(() => models.close());

    async function happens(accountId: string, ...events: { type: string; data: object }[]): Promise<void> {
      const stream = learnerStream(accountId);
      const written = events.map((event) => {
        number += 1;
        const metadata = {
          accountId,
          requestId: `change-${number}`,
          correlationId: "request-1",
          at: `2026-11-20T10:00:${String(number).padStart(2, "0")}Z`,
        };
        return { id: eventIdFrom(accountId, metadata.requestId), ...event, metadata };
      });
      const { position } = await models.store.append(stream, written, "any");
      for (const name of ["progress", "sync"]) await waitForPosition(models.database, name, position, 60_000);
    }
    const read = (entityId: string, type: string, data: object = {}) =>
      eventOfChange(mira, { domain: "progress", entityId, type, data: { courseId: "course-shell", ...data } });
    const of = async (accountId = mira) =>
      Object.fromEntries(
        [...(await courseProgress(models.database as unknown as Kysely<ProgressTables>, accountId, "course-shell"))].map(
          ([topic, { place, finished }]) => [topic, [place, finished]],
        ),
      );

    it("is the last event of the stream, for each account", async () => {
      await happens(
        mira,
        read("topic-0a", "read_to", { place: 0.2 }),
        read("topic-0a", "read_to", { place: 0.6 }),
        read("topic-0b", "finished"),
      );
      await happens("acc_tomas001", read("topic-0a", "finished"));
      expect(await of()).to.deep.equal({ "topic-0a": [0.6, false], "topic-0b": [1, true] });
      await happens(mira, read("topic-0b", "read_to", { place: 0.1 }), read("topic-0a", "finished"), read("topic-0a", "reopened"));
      expect(await of()).to.deep.equal({ "topic-0a": [0, false], "topic-0b": [0.1, true] });
    });

    it("is erased with the account, also from the feed, and can start again", async () => {
      await happens(mira, { type: learnerErased, data: { schemaVersion: 1 } }, read("topic-0c", "read_to", { place: 0.3 }));
      expect(await of()).to.deep.equal({ "topic-0c": [0.3, false] });
      expect(await of("acc_tomas001")).to.deep.equal({ "topic-0a": [1, true] });
      const { changes } = await changesAfter(models.database, mira, "0", 100);
      expect(changes.map(({ domain, entityId, type }) => [domain, entityId, type])).to.deep.equal([
        ["preferences", "workspace", "erased"],
        ["progress", "topic-0c", "read_to"],
      ]);
    });
  });
