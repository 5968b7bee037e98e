import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { expect } from "chai";
import { eventually } from "./browser.ts";
import { change, learner, opening, turn } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

/** Words nobody else writes, one for each place where text of a conversation stands. */
const words = ["zyxotitle", "zyxoquestion", "zyxoanswer", "zyxorenamed", "zyxoreference"] as const;
const [title, question, answer, renamed, reference] = words;
const id = "conversation-gone-1";

/** A running program's temporary files may go between the listing and the reading. */
function bytesUnlessGone(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

for (const engine of await enginesToTest()) {
  describeOn(engine, `deleting a conversation, with its read models in ${engine.name}`, () => {
    let place: TemporaryDatabase | undefined;
    let program: Program;
    before(async () => {
      if (engine.name === "PostgreSQL") place = await engine.create();
      program = await startProgram(place ? { DATABASE_URL: place.config.DATABASE_URL } : {});
    });
    after(async () => {
      await program?.stop();
      await place?.drop();
    });

    /** Every file of the data folder that holds one of the words: events, read models, their WALs, logs, objects. */
    function filesWith(): string[] {
      const files = readdirSync(program.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      return files.flatMap(({ parentPath, name }) => {
        const bytes = bytesUnlessGone(join(parentPath, name));
        return words.filter((word) => bytes.includes(word)).map((word) => `${name}: ${word}`);
      });
    }
    /** Every table of the read models that holds one. */
    async function tablesWith(): Promise<string[]> {
      if (!place) return [];
      const { default: pg } = await import("pg");
      const client = new pg.Client({ connectionString: place.config.DATABASE_URL });
      await client.connect();
      const { rows } = await client.query("select table_name from information_schema.tables where table_schema = current_schema()");
      const found: string[] = [];
      for (const { table_name: table } of rows as { table_name: string }[]) {
        const { rows: all } = await client.query(`select row_to_json(t)::text as row from "${table}" t`);
        for (const word of words) if (all.some(({ row }: { row: string }) => row.includes(word))) found.push(`${table}: ${word}`);
      }
      await client.end();
      return found;
    }
    const holdsWord = (text: string): string[] => words.filter((word) => text.includes(word));

    it("leaves no text in any file, table, response, log or metric", async () => {
      const mira = await learner(program.url, "learner");
      const href = `/courses/linear-maps?${reference}`;
      const { position } = await mira.push([
        change("change-0001", id, "started", opening(title)),
        change("change-0002", id, "turn_recorded", turn("turn-0001", `Why ${question}?`, `Because ${answer}. `.repeat(300))),
        change("change-0003", id, "renamed", { title: renamed }),
        change("change-0004", id, "reference_attached", { href, title: reference }),
        change("change-0005", "conversation-kept-1", "started", opening("Kept")),
      ]);
      // It is everywhere first, or finding nothing afterwards would prove nothing.
      await mira.get(`/api/conversations/${id}?after=${position}`);
      expect(JSON.stringify((await mira.get(`/api/conversations?q=${answer}&after=${position}`)).body)).to.include(id);
      for (let pulled = ""; !pulled.includes(renamed); ) pulled = JSON.stringify((await mira.get("/api/sync/pull?after=0")).body);
      expect(filesWith().join()).to.include(answer);
      if (place) expect((await tablesWith()).join()).to.include(answer);

      const deleted = await mira.push([change("change-0006", id, "deleted", {})]);
      expect((await mira.get(`/api/conversations/${id}?after=${deleted.position}`)).status).to.equal(404);
      let feed = "";
      for (let tries = 0; tries < 600 && !feed.includes("deleted"); tries += 1) {
        feed = JSON.stringify((await mira.get("/api/sync/pull?after=0")).body);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(holdsWord(feed)).to.deep.equal([]);
      for (const path of ["/api/conversations", "/api/conversations?q=gone", "/metrics", "/readyz"]) {
        const response = await fetch(program.url + path, { headers: { cookie: mira.cookie } });
        expect(response.status, path).to.equal(200);
        expect(holdsWord(await response.text()), path).to.deep.equal([]);
      }
      expect(holdsWord(program.output())).to.deep.equal([]);
      // The files follow within a moment: a reader may hold up the emptying of a WAL.
      await eventually(async () => expect([...filesWith(), ...(await tablesWith())]).to.deep.equal([]));
    });

    it("leaves none after a restart and a rebuild, and keeps other data", async () => {
      await program.restart();
      expect(await program.tool("projections/cli.ts", "rebuild", "all")).to.match(/sync: rebuilt from \d+ events/);
      const mira = await learner(program.url, "learner");
      await eventually(async () =>
        expect(JSON.stringify((await mira.get("/api/conversations")).body))
          .to.include("Kept")
          .and.not.to.include(id),
      );
      expect(await program.tool("infra/event-store/cli/events.ts", "stream", `conversation-${id}`, "--data")).to.include(
        "ConversationDeleted",
      );
      await eventually(async () => expect([...filesWith(), ...(await tablesWith())]).to.deep.equal([]));
    });
  });
}
