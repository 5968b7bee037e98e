import { describeOn, enginesToTest, type TemporaryDatabase } from "@colloquy/infra/database/temporary.fixture.ts";
import { expect } from "chai";
import { eventually } from "./browser.ts";
import { change, learner, opening, turn } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

const [, engine] = await enginesToTest();

describeOn(engine, "the whole program with its read models in PostgreSQL", () => {
  let place: TemporaryDatabase;
  let program: Program;
  before(async () => {
    place = await engine.create();
    program = await startProgram({ DATABASE_URL: place.config.DATABASE_URL });
  });
  after(async () => {
    await program?.stop();
    await place?.drop();
  });
  const id = "conversation-pg-1";
  const titleOf = (body: unknown) => (body as { conversation?: { title: string } }).conversation?.title;

  it("stores a learner's work, shows it at once and after a restart", async () => {
    const mira = await learner(program.url, "learner");
    const { results, position } = await mira.push([
      change("change-0001", id, "started", opening("Pipes")),
      change("change-0002", id, "turn_recorded", turn("turn-0001", "What is a pipe?", "A connection.")),
    ]);
    expect(results.map(({ outcome }) => outcome)).to.deep.equal(["accepted", "accepted"]);
    expect(titleOf((await mira.get(`/api/conversations/${id}?after=${position}`)).body)).to.equal("Pipes");
    expect(program.output().replace(/ +/g, " ")).to.include(`read models ${new URL(place.config.DATABASE_URL).host}`);

    await program.restart();
    expect(titleOf((await mira.get(`/api/conversations/${id}`)).body)).to.equal("Pipes");
    const again = await mira.push([change("change-0003", id, "renamed", { title: "All about pipes" })]);
    expect(titleOf((await mira.get(`/api/conversations/${id}?after=${again.position}`)).body)).to.equal("All about pipes");
    const history = (await mira.get("/api/conversations?q=connection")).body as { conversations: { title: string }[] };
    expect(history.conversations.map(({ title }) => title)).to.deep.equal(["All about pipes"]);
    // The feed is a read model of its own, which nobody asked to wait for.
    await eventually(async () => {
      const { changes } = (await mira.get("/api/sync/pull?after=0")).body as { changes: { changeId: string }[] };
      expect(changes.map(({ changeId }) => changeId)).to.deep.equal(["change-0001", "change-0002", "change-0003"]);
    });
    expect(await (await fetch(`${program.url}/courses`)).text()).to.include("/courses/linear-maps");
  });

  it("recovers from killed projections and matches its events", async () => {
    const mira = await learner(program.url, "learner");
    program.kill("projections/main.ts");
    const { position } = await mira.push([change("change-0004", id, "pinned", {})]);
    const answer = await mira.get(`/api/conversations/${id}?after=${position}`);
    expect((answer.body as { conversation: { pinned: boolean } }).conversation.pinned).to.equal(true);
    expect(await program.tool("projections/cli.ts", "rebuild", "all")).to.match(/sync: rebuilt from \d+ events/);
    expect(await program.tool("projections/cli.ts", "verify")).to.not.match(/DIFFERS/);
    expect(titleOf((await mira.get(`/api/conversations/${id}`)).body)).to.equal("All about pipes");
  });
});
