import { expect } from "chai";
import { eventually } from "./browser.ts";
import { change, learner, opening } from "./learner.ts";
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
});
