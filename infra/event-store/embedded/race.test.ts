import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { openEventStore } from "../client.ts";
import { collect, numbers, temporaryFolder } from "../event-store.fixture.ts";
import { spawnEventStore } from "./spawn-server.fixture.ts";

/** How many revisions are raced for: `RACE_REVISIONS=10000` for the whole race (docs/run/stores.md). */
const revisions = Number(process.env.RACE_REVISIONS ?? 500);
const millisecondsEach = 60;

describe("two writers that race on one stream", () => {
  it(`exactly one wins each of ${revisions} revisions`, async function () {
    this.timeout(120_000 + revisions * millisecondsEach);
    const folder = temporaryFolder();
    const server = await spawnEventStore(folder.path);
    try {
      const writer = fileURLToPath(new URL("race-writer.fixture.ts", import.meta.url));
      const told = await Promise.all(
        ["one", "other"].map(async (name) => {
          const given = [writer, server.url, "raced", String(revisions), name];
          const { stdout } = await promisify(execFile)(process.execPath, given, { maxBuffer: 64 * 1024 * 1024 });
          return JSON.parse(stdout) as { won: { revision: number; position: string; id: string }[]; lost: number };
        }),
      );
      const won = told.flatMap((each) => each.won).toSorted((a, b) => a.revision - b.revision);
      // A writer may have gone on past the last revision by the time it heard of it.
      expect(won.map(({ revision }) => revision)).to.deep.equal(numbers(won.length));
      expect(won.length).to.be.at.least(revisions);
      expect(told.reduce((sum, { lost }) => sum + lost, 0)).to.be.greaterThan(0);
      const store = openEventStore(server.url);
      const stored = await collect(store.read("raced"));
      expect(stored.map(({ revision, position, id }) => ({ revision, position, id }))).to.deep.equal(won);
      await store.close();
    } finally {
      await server.stop();
      folder.remove();
    }
  });
});
