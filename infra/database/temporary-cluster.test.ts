import { existsSync } from "node:fs";
import { expect } from "chai";
import pg from "pg";
import { skipTest } from "../skip-test.fixture.ts";
import { startTemporaryCluster } from "./temporary-cluster.fixture.ts";

describe("a PostgreSQL for a test run alone", () => {
  it("serves on a port of its own, also again after it was killed, and leaves no process and no folder", async function () {
    const cluster = await startTemporaryCluster().catch((error: Error) => error);
    if (cluster instanceof Error) return skipTest(this, cluster.message);
    const client = new pg.Client({ connectionString: cluster.url });
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query<{ folder: string; encoding: string }>(
      "select current_setting('data_directory') as folder, current_setting('server_encoding') as encoding",
    );
    await client.query("create table kept as select 1 as one");
    await cluster.kill();
    await cluster.start();
    const again = new pg.Client({ connectionString: cluster.url });
    await again.connect();
    expect((await again.query("select one from kept")).rows).to.deep.equal([{ one: 1 }]);
    await again.end();
    expect(rows[0]?.encoding).to.equal("UTF8");
    expect(existsSync(rows[0]?.folder ?? "")).to.equal(true);
    cluster.remove();
    expect(existsSync(rows[0]?.folder ?? "")).to.equal(false);
    const refused = await new pg.Client({ connectionString: cluster.url }).connect().then(
      () => null,
      (error: { code?: string }) => error.code,
    );
    expect(refused).to.equal("ECONNREFUSED");
  }).timeout(120_000);
});
