import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { comparePositions } from "@colloquy/schemas/positions.ts";
import { expect } from "chai";
import { type Kysely, sql } from "kysely";
import { eraseDeleted, openDatabase } from "./open.ts";
import { positionColumn, positionOf } from "./positions.ts";
import { silenceableProxy } from "./silenceable-proxy.fixture.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "./temporary.fixture.ts";

interface Tables {
  notes: { id: string; position: string; count: number; text: string | null };
}

describe("positions as columns", () => {
  it("sort as numbers do, past what a JavaScript number holds", () => {
    const sorted = ["0", "9", "10", "9007199254740993", "18446744073709551615"];
    expect(sorted.map(positionColumn).toSorted()).to.deep.equal(sorted.map(positionColumn));
    expect(sorted.map((position) => positionOf(positionColumn(position)))).to.deep.equal(sorted);
    expect(comparePositions("10", "9")).to.be.greaterThan(0);
    expect(comparePositions("9007199254740993", "9007199254740992")).to.be.greaterThan(0);
    expect(comparePositions("7", "7")).to.equal(0);
  });
  it("keep the place before every position", () => {
    expect(positionOf(positionColumn(null))).to.equal(null);
    expect(positionColumn(null) < positionColumn("0")).to.equal(true);
  });
});

for (const engine of await enginesToTest()) {
  describeOn(engine, `a read models' database on ${engine.name}`, () => {
    let place: TemporaryDatabase;
    let database: Kysely<Tables>;
    beforeEach(async () => {
      place = await engine.create();
      database = openDatabase<Tables>(place.config);
      await database.schema
        .createTable("notes")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("position", "text", (column) => column.notNull())
        .addColumn("count", "integer", (column) => column.notNull())
        .addColumn("text", "text")
        .execute();
    });
    afterEach(async () => {
      await database.destroy();
      await place.drop();
    });

    it("keeps rows and gives back the types that were written", async () => {
      const row = { id: "a", position: positionColumn("18446744073709551615"), count: 3, text: null };
      await database.insertInto("notes").values(row).execute();
      expect(await database.selectFrom("notes").selectAll().executeTakeFirst()).to.deep.equal(row);
    });

    it("undoes a transaction that fails, and counts what an update changed", async () => {
      await database.insertInto("notes").values({ id: "a", position: "", count: 0, text: "kept" }).execute();
      const failing = database.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx.updateTable("notes").set({ text: "lost" }).where("id", "=", "a").executeTakeFirst();
        expect(numUpdatedRows).to.equal(1n);
        throw new Error("on purpose");
      });
      expect(await failing.catch((error) => error.message)).to.equal("on purpose");
      expect(await database.selectFrom("notes").select("text").executeTakeFirst()).to.deep.equal({ text: "kept" });
    });

    it("runs transactions begun at the same time one after the other where it has to", async () => {
      await database.insertInto("notes").values({ id: "a", position: "", count: 0, text: null }).execute();
      const add = () =>
        database.transaction().execute(async (tx) => {
          await tx
            .updateTable("notes")
            .set((column) => ({ count: column("count", "+", 1) }))
            .where("id", "=", "a")
            .execute();
          await sql`select 1`.execute(tx);
        });
      await Promise.all(Array.from({ length: 20 }, add));
      expect(await database.selectFrom("notes").select("count").executeTakeFirst()).to.deep.equal({ count: 20 });
    });

    it("can be read through a second opening while it is written", async () => {
      const reader = openDatabase<Tables>(place.config, { readOnly: true });
      await database.insertInto("notes").values({ id: "a", position: "", count: 1, text: "seen" }).execute();
      expect(await reader.selectFrom("notes").select("text").execute()).to.deep.equal([{ text: "seen" }]);
      await database.updateTable("notes").set({ text: "seen anew" }).execute();
      expect(await reader.selectFrom("notes").select("text").execute()).to.deep.equal([{ text: "seen anew" }]);
      await reader.destroy();
    });

    it("waits for another opening's transaction while this process goes on, and gets its turn beside one that hardly rests", async () => {
      await database.insertInto("notes").values({ id: "a", position: "", count: 0, text: null }).execute();
      const other = openDatabase<Tables>(place.config);
      const add = (to: Kysely<Tables>) =>
        to.transaction().execute(async (tx) => {
          await tx.updateTable("notes").set({ text: "held" }).execute();
          await pause(5);
          await tx
            .updateTable("notes")
            .set((column) => ({ count: column("count", "+", 1) }))
            .execute();
        });
      let waiting = true;
      let byOther = 0;
      const busy = (async () => {
        for (; waiting; byOther += 1) await add(other);
      })();
      try {
        for (let turn = 0; turn < 10; turn += 1) await add(database);
      } finally {
        waiting = false;
        await busy;
        await other.destroy();
      }
      expect(byOther).to.be.greaterThan(0);
      expect(await database.selectFrom("notes").select("count").executeTakeFirst()).to.deep.equal({ count: 10 + byOther });
    });

    it("empties what deletions left behind on disk", async () => {
      expect(await eraseDeleted(database)).to.equal(true);
    });

    if (engine.name === "PostgreSQL") {
      it("gives up on a server that has fallen silent, in a transaction, too, and goes on when there is one again", async () => {
        const between = await silenceableProxy(new URL(place.config.DATABASE_URL));
        const through = openDatabase<Tables>({ ...place.config, DATABASE_URL: between.url }, { queryWithinMs: 3_000 });
        try {
          await through.insertInto("notes").values({ id: "a", position: "", count: 1, text: "before" }).execute();
          const update = (text: string) =>
            through.transaction().execute(async (tx) => {
              await tx.updateTable("notes").set({ count: 2 }).execute();
              if (text === "lost") between.silence();
              await tx.updateTable("notes").set({ text }).execute();
            });
          expect(await update("lost").catch((error) => error.message)).to.match(/timeout/);
          between.speak();
          await update("after");
          expect(await through.selectFrom("notes").select(["count", "text"]).execute()).to.deep.equal([{ count: 2, text: "after" }]);
        } finally {
          await through.destroy();
          between.close();
        }
      });
    }

    if (engine.name === "SQLite") {
      it("is for its owner alone, also where it was there before and open to all", async () => {
        const names = (await readdir(place.folder ?? "")).filter((name) => name.startsWith("read-models.db"));
        expect(names).to.have.length(3);
        const modes = async () => Promise.all(names.map(async (name) => (await stat(join(place.folder ?? "", name))).mode & 0o777));
        expect(await modes()).to.deep.equal(names.map(() => 0o600));
        for (const name of names) await chmod(join(place.folder ?? "", name), 0o644);
        const again = openDatabase<Tables>(place.config);
        await again.selectFrom("notes").selectAll().execute();
        expect(await modes()).to.deep.equal(names.map(() => 0o600));
        await again.destroy();
      });

      it("lets a reader change nothing", async () => {
        const reader = openDatabase<Tables>(place.config, { readOnly: true });
        const refused = await reader
          .deleteFrom("notes")
          .execute()
          .catch((error) => String(error));
        expect(refused).to.match(/readonly/);
        await reader.destroy();
      });

      it("tells a reader that came too early so, and answers it later", async () => {
        const empty = await engine.create();
        const reader = openDatabase<Tables>(empty.config, { readOnly: true });
        const early = await reader
          .selectFrom("notes")
          .selectAll()
          .execute()
          .catch((error) => String(error));
        expect(early).to.match(/unable to open/);
        const writer = openDatabase<Tables>(empty.config);
        await writer.schema.createTable("notes").addColumn("id", "text").execute();
        expect(await reader.selectFrom("notes").selectAll().execute()).to.deep.equal([]);
        await Promise.all([reader.destroy(), writer.destroy()]);
        await empty.drop();
      });

      it("refuses a value that no column of ours holds", async () => {
        const refused = await sql`select ${{ not: "a column" }}`.execute(database).catch((error) => error.message);
        expect(refused).to.match(/write JSON as text/);
      });
    }
  });
}
