import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openEventStore } from "../event-store/client.ts";
import { startEventStore } from "../event-store/embedded/server.ts";
import { newEvent } from "../event-store/event-store.fixture.ts";
import { dataFolderWarnings } from "./data-folder-warnings.ts";

describe("what a start finds in the data folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "leftovers-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const look = (more = {}) => dataFolderWarnings({ DATA_DIR: folder, DATABASE_URL: undefined, ACCOUNT_SECRET: undefined, ...more });
  const append = async (stream: string) => {
    const server = await startEventStore({ dataDir: folder, port: 0, insecure: true });
    const store = openEventStore(server.url);
    await store.append(stream, [newEvent({ text: "x" })], "any");
    await store.close();
    await server.close();
  };

  it("is nothing at a first start, and where the secret or nobody's conversation is there", async () => {
    expect(look()).to.deep.equal([]);
    await append("publication-course");
    expect(look()).to.deep.equal([]);
    await append("conversation-one");
    expect(look({ ACCOUNT_SECRET: "s".repeat(40) })).to.deep.equal([]);
    mkdirSync(join(folder, "secrets"));
    writeFileSync(join(folder, "secrets/account"), "secret");
    expect(look()).to.deep.equal([]);
  });

  it("is told when conversations are there without the secret of their owners", async () => {
    await append("conversation-one");
    expect(look().join()).to.contain("secrets/account").and.to.contain("copy secrets/");
  });

  it("is told when another database leaves the file with everyone's text", () => {
    const file = join(folder, "read-models.db");
    writeFileSync(file, "");
    expect(look()).to.deep.equal([]);
    expect(look({ DATABASE_URL: `sqlite://${file}` })).to.deep.equal([]);
    expect(look({ DATABASE_URL: "postgres://localhost/colloquy" }).join()).to.contain("Delete it");
  });
});
