import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { readConfig } from "../config.ts";
import { createLog } from "./log.ts";
import { type OtlpReceiver, startOtlpReceiver } from "./otlp-receiver.fixture.ts";
import { beginSpan, inSpan, inSpanOfBatch, startTraces, traceparentForEvents, tracingEnabled } from "./traces.ts";

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const trace = "0af7651916cd43dd8448eb211c80319c";

describe("traces", () => {
  let receiver: OtlpReceiver;
  let said: { level: string; message: string }[];
  const log = {
    info: (_: object, message: string) => void said.push({ level: "info", message }),
    warn: (_: object, message: string) => void said.push({ level: "warn", message }),
  };
  beforeEach(async () => {
    said = [];
    receiver = await startOtlpReceiver();
  });
  afterEach(() => receiver.close());

  /** Does something while traces are kept, and gives back what the receiver was sent. */
  async function kept(work: () => unknown, environment: Record<string, string> = {}) {
    const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, ...environment });
    const traces = await startTraces(config, "test", log);
    try {
      await work();
    } finally {
      // A busy machine may take longer than a program that ends has time.
      await traces.close(60_000);
    }
    return receiver.spans();
  }
  const named = (name: string) => {
    const found = receiver.spans().find((span) => span.name === name);
    if (!found) throw new Error(`no span ${name} among ${receiver.spans().map((span) => span.name)}`);
    return found;
  };

  it("go on where a caller began them, across what is awaited, and are told to the receiver with what it asks for", async () => {
    await kept(
      async () => {
        const edge = beginSpan("GET", { kind: "server", parent });
        await edge.run(() =>
          inSpan("outer", {}, async () => {
            await new Promise((resolve) => setImmediate(resolve));
            await inSpan("inner", { attributes: { "colloquy.events": 3 } }, async () => undefined);
          }),
        );
        edge.rename("GET /courses/:courseId");
        edge.end();
      },
      { OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20let-me-in", OTEL_SERVICE_NAME: "school" },
    );
    const edge = named("GET /courses/:courseId");
    expect(edge).to.include({ traceId: trace, parentSpanId: "b7ad6b7169203331", service: "school", part: "test" });
    expect(named("outer")).to.include({ traceId: trace, parentSpanId: edge.spanId });
    expect(named("inner")).to.include({ traceId: trace, parentSpanId: named("outer").spanId });
    expect(named("inner").attributes).to.deep.equal({ "colloquy.events": 3 });
    expect(receiver.heard()).to.include("Bearer let-me-in");
  });

  it("begin at edges only: what is done for nobody in particular is in no trace", async () => {
    const spans = await kept(async () => {
      expect(await inSpan("background", {}, async ({ traceparent }) => traceparent)).to.equal(null);
      const own = beginSpan("edge", { parent: "not a traceparent" });
      expect(own.traceparent)
        .to.match(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
        .and.not.include(trace);
      own.end();
    });
    expect(spans.map(({ name }) => name)).to.deep.equal(["edge"]);
  });

  it("are kept by the share that is asked for, and as the caller's were", async () => {
    const spans = await kept(
      () => {
        const mine = beginSpan("mine", { parent: null });
        expect(mine.traceparent).to.match(/-00$/);
        expect(traceparentForEvents(mine)).to.deep.equal({});
        mine.end();
        beginSpan("theirs", { parent }).end();
        beginSpan("not theirs", { parent: parent.replace(/01$/, "00") }).end();
      },
      { OTEL_TRACES_SAMPLER_ARG: "0" },
    );
    expect(spans.map(({ name }) => name)).to.deep.equal(["theirs"]);
  });

  it("say of an error what it is, and nothing it quotes", async () => {
    const failing = (error: Error) =>
      kept(() => beginSpan("edge", { parent: null }).run(() => inSpan("failing", {}, () => Promise.reject(error)).catch(() => undefined)));
    await failing(Object.assign(new TypeError("canary7secret in a row"), { code: "canary7secret in a code" }));
    expect(named("failing")).to.include({ failed: true });
    expect(named("failing").attributes).to.deep.equal({ "error.type": "TypeError" });
    expect(receiver.heard()).to.not.include("canary7secret");
  });

  it("have a span of a batch for each trace that its recent events come from", async () => {
    const other = parent.replace(trace, "1af7651916cd43dd8448eb211c80319c");
    const old = parent.replace(trace, "2af7651916cd43dd8448eb211c80319c");
    const event = (traceparent: string, created = new Date().toISOString()) => ({ created, metadata: { traceparent } });
    const events = [event(parent), event(parent), event(other), event(old, "2026-01-01T00:00:00Z"), { ...event(""), metadata: {} }];
    const spans = await kept(() =>
      inSpanOfBatch("projection", { "colloquy.events": 5 }, events, async () => inSpan("rows", {}, () => undefined)),
    );
    const [first, second] = spans
      .filter(({ name }) => name === "projection")
      .toSorted((one, two) => one.traceId.localeCompare(two.traceId));
    expect(spans).to.have.length(3);
    expect(first).to.deep.include({ traceId: trace, attributes: { "colloquy.events": 5, "colloquy.traces": 2 } });
    expect(second?.links).to.deep.include.members([{ ...second?.links[0], traceId: trace, spanId: first?.spanId }]);
    expect(named("rows").parentSpanId).to.equal(first?.spanId);
  });

  it("stand in log lines that are written within them", async () => {
    const lines: string[] = [];
    const service = createLog("test", { LOG_LEVEL: "info" }, { write: (line) => lines.push(line) });
    await kept(() => beginSpan("edge", { parent }).run(() => service.info({}, "within")));
    service.info({}, "without");
    const [within, without] = lines.map((line) => JSON.parse(line) as object);
    expect(within).to.include({ traceId: trace });
    expect(without).to.not.have.any.keys("traceId", "spanId");
  });

  it("hold nobody up where the receiver is away, which is said once, and once that it is back", async () => {
    receiver.refuse(true);
    const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint });
    const traces = await startTraces(config, "test", log);
    const until = async (what: () => boolean) => {
      while (!what()) {
        beginSpan("edge", { parent: null }).end();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await until(() => said.length > 0);
    const posts = receiver.heard().length;
    await until(() => receiver.heard().length > 2 * posts);
    expect(said.map(({ level }) => level)).to.deep.equal(["warn"]);
    receiver.refuse(false);
    await until(() => said.length > 1);
    expect(said.map(({ level }) => level)).to.deep.equal(["warn", "info"]);
    await traces.close();
  });

  it("load nothing where no receiver is named", () => {
    const loaded = (environment: Record<string, string>): string => {
      const script = `
        import { registerHooks } from "node:module";
        const seen = [];
        registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context); } });
        const { startTraces, tracingEnabled } = await import("./traces.ts");
        const { readConfig } = await import("../config.ts");
        const traces = await startTraces(readConfig(), "test", console);
        console.log(tracingEnabled(), seen.filter((name) => name.startsWith("@opentelemetry/")).length);
        await traces.close();`;
      const cwd = fileURLToPath(new URL(".", import.meta.url));
      const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
        cwd,
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
        encoding: "utf8",
      });
      return stdout.trim() || stderr;
    };
    expect(loaded({})).to.equal("false 0");
    expect(loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint })).to.match(/^true [1-9]/);
    expect(tracingEnabled()).to.equal(false);
  });
});

describe("the variables of traces", () => {
  it("take no credential in an address, and read headers as they are written", () => {
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://user:canary7secret@host" })).to.throw("OTEL_EXPORTER_OTLP_HEADERS");
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: "canary7secret" }))
      .to.throw(Error)
      .with.property("message")
      .that.matches(/OTEL_EXPORTER_OTLP_HEADERS: expected name=value/)
      .and.does.not.contain("canary7secret");
    expect(readConfig({ OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20YQ==, x-team=a" }).OTEL_EXPORTER_OTLP_HEADERS).to.deep.equal({
      authorization: "Basic YQ==",
      "x-team": "a",
    });
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://tempo:4318/" }).OTEL_EXPORTER_OTLP_ENDPOINT).to.equal("http://tempo:4318");
  });
});
