import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { eventually } from "./browser.ts";
import { change, learner, opening, turn } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

describe("the operator's view of the whole program", () => {
  let program: Program;
  before(async () => {
    program = await startProgram({ DEMO_COURSES: "off", RENDER_WORKERS: "on", METRICS_TOKEN: "a token of this journey" });
  });
  after(() => program?.stop());

  it("collects every service's metrics at one address, with the token", async () => {
    const mira = await learner(program.url, "learner");
    await mira.push([change("change-0001", "conversation-metrics", "started", opening("Pipes"))]);
    expect((await fetch(`${program.url}/metrics`)).status).to.equal(404);
    const read = async () => {
      const response = await fetch(`${program.url}/metrics`, { headers: { authorization: "Bearer a token of this journey" } });
      expect(response.status).to.equal(200);
      return response.text();
    };
    const samples = [
      /colloquy_projection_applied_events\{projection="sync"[^}]*\} [1-9]/,
      /colloquy_service_up\{service="command-api"\} 1/,
      /colloquy_service_up\{service="event-store"\} 1/,
      /colloquy_service_up\{service="projections"\} 1/,
      /colloquy_service_up\{service="front-door"\} 1/,
      /colloquy_front_door_requests_total\{status="2xx",service="front-door"\} [1-9]/,
      /colloquy_front_door_streams_open\{service="front-door"\} 0/,
      /colloquy_front_door_refused_total\{reason="limit",service="front-door"\} 0/,
      /colloquy_render_workers\{service="command-api"\} 1/,
      /colloquy_render_tries_total\{outcome="completed",service="command-api"\} 0/,
      /colloquy_render_tries_total\{outcome="failed",code="out_of_memory",service="command-api"\} 0/,
      /colloquy_event_store_append_duration_seconds_count\{[^}]*service="command-api"[^}]*\} [1-9]/,
      /colloquy_push_changes_total\{[^}]*outcome="accepted"[^}]*\} 1/,
      /colloquy_projection_lag_seconds\{projection="conversations"[^}]*\} 0/,
      /colloquy_projection_position\{projection="sync"[^}]*\} [1-9]/,
      /colloquy_subscription_position\{subscription="live-tail",service="query-api"\}/,
      /colloquy_live_streams_open(\{[^}]*\})? 0/,
      ...["front-door", "command-api", "query-api", "projections", "event-store", "render-worker"].flatMap((service) =>
        [
          "nodejs_eventloop_lag_p99_seconds",
          "nodejs_heap_size_used_bytes",
          "process_cpu_seconds_total",
          "process_resident_memory_bytes",
        ].map((figure) => new RegExp(`${figure}\\{service="${service}"[^}]*\\} [\\d.]`)),
      ),
    ];
    await eventually(async () => {
      const text = await read();
      for (const sample of samples) expect(text).to.match(sample);
    });
  });

  it("shows events and read models on the command line while it runs", async () => {
    expect(await program.tool("infra/event-store/cli/events.ts", "stats")).to.match(/ConversationStarted +1/);
    expect(await program.tool("infra/event-store/cli/events.ts", "tail", "--once", "--type", "ConversationStarted")).to.match(
      /conversation-conversation-metrics@0 {2}ConversationStarted/,
    );
    expect(await program.tool("projections/cli.ts", "status")).to.match(/conversations +running/);
  });

  it("exports and erases an account on the command line while it runs", async () => {
    const tomas = await learner(program.url, "learner2");
    await tomas.push([
      change("change-0002", "conversation-erased", "started", opening("Erase me")),
      change("change-0003", "conversation-erased", "turn_recorded", turn("turn-0001", "Where is it?", "In the archive.")),
    ]);
    const me = (await tomas.get("/api/me")).body as { account: { accountId: string } };
    const { accountId } = me.account;
    await eventually(async () => expect(JSON.stringify((await tomas.get("/api/conversations")).body)).to.include("Erase me"));

    const accounts = (...given: string[]) => program.tool("command-api/accounts/cli.ts", ...given);
    const file = join(program.dataDir, "tomas.zip");
    await accounts("export", accountId, file);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const names = readFileSync(file).toString("latin1");
    expect(names)
      .to.match(/conversations\/.*erase.me/i)
      .and.include("annotations.json");
    expect(await accounts("disconnect", accountId)).to.include("disconnected");

    expect(await accounts("erase", accountId).catch((error: Error) => error.message)).to.include("Add --yes");
    expect((await tomas.get("/api/me")).body).to.have.nested.property("account.accountId", accountId);
    await accounts("erase", accountId, "--yes");
    await eventually(async () => expect((await tomas.get("/api/me")).body).to.have.property("account", null));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const again = await learner(program.url, "learner2");
    await eventually(async () => expect((await again.get("/api/conversations")).body).to.have.deep.property("conversations", []));
  });
});
