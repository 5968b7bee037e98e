import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { damagedFileAdvice } from "./damage.ts";
import { openDatabase } from "./open.ts";

describe("a damaged file of read models", () => {
  it("is told from other trouble, with what to do", async () => {
    const folder = mkdtempSync(join(tmpdir(), "damage-"));
    const database = openDatabase<{ checkpoints: { name: string } }>({ DATA_DIR: folder, DATABASE_URL: undefined }, { readOnly: true });
    const ask = () => database.selectFrom("checkpoints").select("name").execute();
    try {
      const missing: unknown = await ask().catch((error: unknown) => error);
      expect(missing).to.be.instanceOf(Error);
      expect(damagedFileAdvice(missing)).to.equal(null);
      writeFileSync(join(folder, "read-models.db"), "no database at all ".repeat(1_000));
      expect(damagedFileAdvice(await ask().catch((error: unknown) => error))).to.contain("delete read-models.db");
    } finally {
      await database.destroy();
      rmSync(folder, { recursive: true });
    }
  });
});
