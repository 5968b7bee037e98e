import { expect } from "chai";
import type { Kysely } from "kysely";
import { insertRows } from "./bulk.ts";
import { openDatabase } from "./open.ts";
import { prepared } from "./prepared.ts";
import { describeOn, enginesToTest, type TemporaryDatabase } from "./temporary.fixture.ts";

interface Tables {
  notes: { id: string; text: string | null };
}

for (const engine of await enginesToTest()) {
  describeOn(engine, `a query that is compiled once on ${engine.name}`, () => {
    let place: TemporaryDatabase;
    let database: Kysely<Tables>;
    before(async () => {
      place = await engine.create();
      database = openDatabase<Tables>(place.config);
      await database.schema.createTable("notes").addColumn("id", "text").addColumn("text", "text").execute();
      await insertRows(
        database,
        ["a", "b", "c", "d", "e"].map((id) => ({ id, text: `text of ${id}` })),
        (row) => database.insertInto("notes").values(row),
      );
    });
    after(async () => {
      await database.destroy();
      await place.drop();
    });

    let built = 0;
    const textsOf = prepared((from: Kysely<Tables>, { ids, not }: { ids: readonly string[]; not: string }) => {
      built += 1;
      return from.selectFrom("notes").select("id").where("id", "in", ids).where("id", "!=", not).orderBy("id");
    });
    const found = async (ids: string[], not: string) => (await textsOf(database, { ids, not })).rows.map(({ id }) => id);

    it("is given new values each time, and lists of any length", async () => {
      expect(await found(["a"], "")).to.deep.equal(["a"]);
      expect(await found(["b"], "")).to.deep.equal(["b"]);
      expect(await found(["a", "b", "c", "d", "e"], "c")).to.deep.equal(["a", "b", "d", "e"]);
      expect(await found(["e", "b", "a"], "a")).to.deep.equal(["b", "e"]);
    });

    it("is built once for lists of about one length", async () => {
      await found(["a", "b", "c"], "");
      const before = built;
      await database.transaction().execute((tx) => textsOf(tx, { ids: ["a", "b", "c", "d"], not: "" }));
      expect(built).to.equal(before);
    });

    it("tells how many rows it changed, and writes null", async () => {
      const write = prepared((to: Kysely<Tables>, { id, text }: { id: string; text: string | null }) =>
        to.updateTable("notes").set({ text }).where("id", "=", id),
      );
      expect((await write(database, { id: "a", text: null })).numAffectedRows).to.equal(1n);
      expect((await write(database, { id: "none", text: "" })).numAffectedRows).to.equal(0n);
      expect((await database.selectFrom("notes").select("id").where("text", "is", null).execute()).length).to.equal(1);
    });

    it("is compiled anew where tables have other names", async () => {
      await found(["a"], "");
      const elsewhere = await textsOf(database.withSchema("elsewhere"), { ids: ["a"], not: "" }).catch((error: Error) => error.message);
      expect(elsewhere).to.match(/elsewhere/);
    });

    it("inserts rows whose columns come in another order", async () => {
      const insert = (row: Tables["notes"], to: Kysely<Tables>) => to.insertInto("notes").values(row);
      const rows = [{ id: "x", text: "of x" }];
      await insertRows(database, rows, insert);
      await insertRows(database, [{ text: "of y", id: "y" }], insert);
      expect(await database.selectFrom("notes").selectAll().where("id", "in", ["x", "y"]).orderBy("id").execute()).to.deep.equal([
        { id: "x", text: "of x" },
        { id: "y", text: "of y" },
      ]);
    });
  });
}
