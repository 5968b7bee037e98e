import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "@colloquy/infra/telemetry/otlp-receiver.fixture.ts";
import { expect } from "chai";
import { type Canaries, plantCanaries } from "../checks/fuzz/canaries.ts";
import { eventually } from "./browser.ts";
import { change, type Learner, learner, opening } from "./learner.ts";
import { type Program, startProgram } from "./program.ts";

const own = "canaryquestion";
const traceId = "0af7651916cd43dd8448eb211c80319c";
const begun = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };

describe("one request, followed through all services", () => {
  let receiver: OtlpReceiver;
  let canaries: Canaries;
  let program: Program;
  let mira: Learner;
  const conversationId = `conversation-${randomUUID()}`;
  /** What belongs to the learner and may stand in no span. */
  const theirs: string[] = [own, conversationId];

  before(async function () {
    this.timeout(300_000);
    [receiver, canaries] = await Promise.all([startOtlpReceiver(), plantCanaries()]);
    program = await startProgram({
      ...canaries.environment,
      DEMO_MODEL: "on",
      DEMO_MODEL_WORD_MS: "1",
      LOG_LEVEL: "debug",
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: "x-let-in=canaryheader",
      OTEL_SERVICE_NAME: "school",
    });
    mira = await learner(program.url, "learner");
    const { body } = await mira.get("/api/me");
    const { account } = body as { account: { accountId: string; name: string } };
    theirs.push(
      account.accountId,
      account.name,
      mira.cookie.split("=")[1] ?? "",
      ...mira.cookie.slice(mira.cookie.indexOf("=") + 1).split("."),
    );
  });
  after(async () => {
    await program?.stop();
    canaries?.close();
    await receiver?.close();
  });

  /** Asks in the conversation, which the service records; the lines of the answer. */
  async function ask(message: string, model: object = { choice: "automatic" }, headers: Record<string, string> = {}): Promise<string> {
    const [requestId, turnId] = [`request-${randomUUID()}`, `turn-${randomUUID()}`];
    theirs.push(requestId, turnId);
    const response = await fetch(`${program.url}/api/ai/ask`, {
      method: "POST",
      headers: { cookie: mira.cookie, "content-type": "application/json", ...headers },
      body: JSON.stringify({
        schemaVersion: 1,
        requestId,
        conversationId,
        message,
        history: [],
        references: [],
        model,
        keep: { conversationId, turnId, at: new Date().toISOString(), recordedBy: "service" },
      }),
    });
    expect(response.status).to.equal(200);
    return response.text();
  }
  const ofTrace = (): ReceivedSpan[] => receiver.spans().filter((span) => span.traceId === traceId);
  const logOf = (part: string): string => readFileSync(join(program.dataDir, "logs", `${part}.log`), "utf8");

  it("is one trace: front door, API, brief, model, append, read models", async () => {
    await mira.push([change(`change-${randomUUID()}`, conversationId, "started", opening(`${own} title`))]);
    const lines = await ask(`What is a linear map? ${own}`, undefined, begun);
    expect(lines).to.include('"kind":"complete"');
    theirs.push(...[...lines.matchAll(/"text":"([^"]{30,})"/g)].map(([, text = ""]) => text));
    const wanted = [
      ["front-door", "POST → command"],
      ["command-api", "POST /api/ai/ask"],
      ["command-api", "brief"],
      ["command-api", "model call"],
      ["command-api", "command"],
      ["command-api", "decide"],
      ["command-api", "append"],
      ["projections", "projection conversations"],
      ["projections", "projection sync"],
    ];
    await eventually(async () => {
      const seen = ofTrace().map(({ part, name }) => `${part}: ${name}`);
      expect(seen).to.include.members(wanted.map(([part, name]) => `${part}: ${name}`));
    });
    // Each service delivers its own, when it comes to it: a parent may be the last to arrive.
    await eventually(async () => {
      const ids = new Set([...ofTrace().map(({ spanId }) => spanId), "b7ad6b7169203331"]);
      for (const { name, parentSpanId } of ofTrace()) expect(ids.has(parentSpanId ?? "none"), name).to.equal(true);
    });
    const spans = ofTrace();
    const named = (name: string) => spans.find((span) => span.name === name) as ReceivedSpan;
    expect(named("projection conversations").parentSpanId).to.equal(named("append").spanId);
    expect(named("model call").attributes).to.include.keys("gen_ai.provider.name", "gen_ai.request.model", "gen_ai.usage.output_tokens");
    expect(named("POST /api/ai/ask")).to.deep.include({ parentSpanId: named("POST → command").spanId, service: "school-command-api" });
    expect(named("POST /api/ai/ask").attributes).to.include({ "http.route": "/api/ai/ask", "http.response.status_code": 200 });
    expect(named("projection conversations").attributes["db.statements"]).to.be.greaterThan(0);
  });

  it("is named in the log lines of its services", () => {
    const lines = logOf("command-api")
      .split("\n")
      .filter((line) => line.includes(traceId));
    expect(lines.join("\n")).to.include('"route":"/api/ai/ask"');
  });

  it("contains no user text, account id or secret", async () => {
    // A provider that repeats its credential, a route that is not there, and a page whose address names a course.
    await ask(`And another, ${own}?`, canaries.models.at(-1), { "x-request-id": own });
    expect([...canaries.asked]).to.deep.equal(["p7"]);
    await mira.get(`/api/conversations/${conversationId}?canary=${own}`);
    await mira.get("/courses/linear-maps").catch(() => undefined);
    await fetch(`${program.url}/nowhere/${own}`, { headers: { traceparent: own, tracestate: `a=${own}`, baggage: `a=${own}` } });
    const refused = receiver.spans().length;
    await eventually(async () => {
      expect(receiver.spans().length).to.be.greaterThan(refused);
      expect(receiver.spans().some(({ name, failed }) => name === "model call" && failed)).to.equal(true);
      expect(receiver.spans().map(({ name }) => name)).to.include.members(["GET /*path", "GET /courses/:courseId"]);
    });
    const heard = receiver.heard();
    expect(canaries.in(heard)).to.deep.equal([]);
    for (const text of theirs.filter((one) => one.length > 3)) expect(heard.includes(text), text).to.equal(false);
  });

  it("does not delay requests without a receiver; each service logs it once", async () => {
    await receiver.close();
    const warnings = (): number => logOf("command-api").split("traces cannot be delivered").length - 1;
    expect(await ask("What is a matrix?")).to.include('"kind":"complete"');
    await eventually(async () => expect(warnings()).to.equal(1));
    expect(await ask("What is a kernel?")).to.include('"kind":"complete"');
    await program.halt();
    expect(warnings()).to.equal(1);
    expect(logOf("command-api")).to.not.include("Stopping took too long");
  }).timeout(300_000);
});
