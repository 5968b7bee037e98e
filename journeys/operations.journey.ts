import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ledgerKeysResponse } from "@colloquy/schemas/tutor/ledger.ts";
import { expect } from "chai";
import { eventually } from "./browser.ts";
import { change, learner, opening, turn } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

describe("the procedures of docs/run", () => {
  let program: Program;
  let folder: string;
  const secret = (letter: string) => letter.repeat(40);
  const early = "conversation-before";
  const later = "conversation-later";
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "colloquy-operations-"));
    program = await startProgram({ SESSION_SECRET: secret("a") });
  });
  after(async () => {
    await program?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const statusOf = async (url: string, cookie: string, id: string) =>
    (await (await learner(url, { cookie })).get(`/api/conversations/${id}`)).status;

  it("back up and restore: a new data folder has everything, for the same accounts", async () => {
    const mira = await learner(program.url, "learner");
    const { position } = await mira.push([
      change("change-0001", early, "started", opening("Before")),
      change("change-0002", early, "turn_recorded", turn("turn-0001", "What is kept?", "What was said.")),
    ]);
    await mira.get(`/api/conversations/${early}?after=${position}`);
    await program.tool("infra/event-store/cli/backup.ts", join(folder, "events"));
    for (const kept of ["objects", "secrets"]) cpSync(join(program.dataDir, kept), join(folder, kept), { recursive: true });
    await mira.push([change("change-0003", later, "started", opening("Later"))]);
    await eventually(async () => expect(await statusOf(program.url, mira.cookie, later)).to.equal(200));

    const restored = join(folder, "restored");
    mkdirSync(join(restored, "event-store"), { recursive: true });
    cpSync(join(folder, "events"), join(restored, "event-store/events.db"));
    for (const kept of ["objects", "secrets"]) cpSync(join(folder, kept), join(restored, kept), { recursive: true });
    const other = await startProgram({ DATA_DIR: restored, SESSION_SECRET: secret("a"), DEMO_COURSES: "off" });
    try {
      const again = await learner(other.url, "learner");
      expect(await statusOf(other.url, again.cookie, early)).to.equal(200);
      expect(await statusOf(other.url, again.cookie, later)).to.equal(404);
      expect((await fetch(`${other.url}/courses/linear-maps`)).status).to.equal(200);
    } finally {
      await other.stop();
    }
  });

  it("rotate the session secret: everybody signs in again to the same account", async () => {
    const old = await learner(program.url, "learner");
    await program.halt();
    await program.start({ SESSION_SECRET: secret("b") });
    expect(await statusOf(program.url, old.cookie, early)).to.equal(401);
    const again = await learner(program.url, "learner");
    expect(await statusOf(program.url, again.cookie, early)).to.equal(200);
  });

  it("rotate the ledger key while running: the old key certifies the new one", async () => {
    const keys = async () => ledgerKeysResponse.parse(await (await fetch(`${program.url}/api/tutor/ledger-keys`)).json()).keys;
    const [first] = await keys();
    await program.tool("infra/ledger/cli.ts", "rotate");
    await eventually(async () => {
      const [present, older, ...more] = await keys();
      expect([present?.endorsedBy?.keyId, older?.keyId, more]).to.deep.equal([first?.keyId, first?.keyId, []]);
    });
  });

  it("rebuild a projection while it serves", async () => {
    const mira = await learner(program.url, "learner");
    expect(await program.tool("projections/cli.ts", "rebuild", "conversations")).to.match(/conversations: rebuilt from \d+ events/);
    expect(await statusOf(program.url, mira.cookie, early)).to.equal(200);
    expect(await program.tool("projections/cli.ts", "verify")).to.not.match(/DIFFERS/);
  });
});
