import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { readConfig } from "../config.ts";
import { environmentOf, environmentOfPart, type PartName, partsOf, stopOrder } from "./plan.ts";

describe("what the launcher runs", () => {
  const names = (environment: Record<string, string>) => partsOf(readConfig(environment)).map(({ name }) => name);

  it("is everything, on embedded defaults", () => {
    expect(names({})).to.have.members([
      "event-store",
      "command-api",
      "query-api",
      "projections",
      "identity",
      "demo-model",
      "render-worker",
    ]);
    for (const { file } of partsOf(readConfig({}))) expect(existsSync(file), file).to.equal(true);
  });

  it("serves demonstration accounts and model from the command API's process", () => {
    const servedByCommandApi = (environment: Record<string, string>): [within: PartName[], args: PartName[] | undefined] => {
      const parts = partsOf(readConfig(environment));
      return [
        parts.filter(({ within }) => within === "command-api").map(({ name }) => name),
        parts.find(({ name }) => name === "command-api")?.args,
      ];
    };
    const always = (...names: PartName[]) => [names, names];
    expect(servedByCommandApi({})).to.deep.equal(always("identity", "demo-model"));
    expect(servedByCommandApi({ DEMO_MODEL: "off" })).to.deep.equal(always("identity"));
    expect(servedByCommandApi({ OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "us" })).to.deep.equal(always("demo-model"));
  });

  it("leaves a demonstration model at an address of its own alone", () => {
    const config = readConfig({ DEMO_MODEL_URL: "http://127.0.0.1:4000/v1" });
    expect(partsOf(config).map(({ name }) => name)).not.to.include("demo-model");
    const { DEMO_MODEL_URL: url } = environmentOf(config, new Map(), 8123, { DEMO_MODEL_URL: "http://127.0.0.1:4000/v1" });
    expect(url).to.equal("http://127.0.0.1:4000/v1");
  });

  it("is stopped in an order that names every part", () => {
    expect(stopOrder.flat()).to.have.members(names({ KAFKA_BROKERS: "127.0.0.1:9092" }));
  });

  it("copies events to Kafka where there is one", () => {
    expect(names({})).not.to.include("relay");
    const parts = partsOf(readConfig({ KAFKA_BROKERS: "one.example:9092, two.example:9092" }));
    const relay = parts.find(({ name }) => name === "relay");
    expect(relay && existsSync(relay.file)).to.equal(true);
  });

  it("is less where something else takes a part's place", () => {
    expect(names({ EVENTSTORE_URL: "esdb://store.example:2113" })).not.to.include("event-store");
    expect(names({ OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "us" })).not.to.include("identity");
    expect(names({ P3_API_KEY: "key" })).not.to.include("demo-model");
    expect(names({ P6_ALTERNATE_API_KEY: "key" })).not.to.include("demo-model");
    expect(names({ P3_API_KEY: "key", DEMO_MODEL: "on" })).to.include("demo-model");
    expect(names({ DEMO_MODEL: "off" })).not.to.include("demo-model");
  });

  it("has a worker for films unless they are made elsewhere, which knows no secret but its own", () => {
    expect(names({ RENDER_WORKERS: "off" })).not.to.include("render-worker");
    expect(names({ RENDER_WORKERS: "3" })).to.include("render-worker");
    const secrets = {
      SESSION_SECRET: "s".repeat(40),
      P1_API_KEY: "key",
      METRICS_TOKEN: "m".repeat(20),
      DATABASE_URL: "postgres://u:p@h/d",
    };
    const given = {
      ...secrets,
      PATH: "/bin",
      SPEECH_API_KEY: "speech",
      EMBEDDINGS_URL: "http://e/v1",
      EMBEDDINGS_MODEL: "m",
      EMBEDDINGS_API_KEY: "embeddings",
      DATA_DIR: "/data",
    };
    const all = environmentOf(readConfig(given), new Map<PartName, number>([["command-api", 5002]]), 8123, given);
    const worker = environmentOfPart({ name: "render-worker" }, all);
    expect(worker).to.deep.equal({
      PATH: "/bin",
      SPEECH_API_KEY: "speech",
      RENDER_FOLDER: "/data/render",
      RENDER_API_URL: "http://127.0.0.1:5002",
      RENDER_WORKER_TOKEN: all.RENDER_WORKER_TOKEN,
    });
    expect(all.RENDER_WORKER_TOKEN).to.have.length(64);
    expect(environmentOfPart({ name: "command-api" }, all)).to.include({
      RENDER_WORKER_TOKEN: all.RENDER_WORKER_TOKEN,
      EMBEDDINGS_API_KEY: "embeddings",
      P1_API_KEY: "key",
    });
    for (const name of ["query-api", "projections", "event-store"] as const)
      expect(environmentOfPart({ name }, all)).not.to.have.any.keys("RENDER_WORKER_TOKEN", "SPEECH_API_KEY", "EMBEDDINGS_API_KEY");
    const set = { RENDER_WORKER_TOKEN: "t".repeat(32) };
    expect(environmentOf(readConfig(set), new Map(), 8123, set)).to.include(set);
  });

  it("tells what the receiver of traces asks for to those that keep traces, each by a name of its own", () => {
    const given = {
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=secret",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://tempo:4318",
      OTEL_SERVICE_NAME: "school",
    };
    const all = environmentOf(readConfig(given), new Map(), 8123, given);
    for (const { name } of partsOf(readConfig({ ...given, KAFKA_BROKERS: "one.example:9092" }))) {
      const env = environmentOfPart({ name }, all);
      const traced = ["command-api", "query-api", "projections", "relay"].includes(name);
      expect(env.OTEL_EXPORTER_OTLP_HEADERS, name).to.equal(traced ? given.OTEL_EXPORTER_OTLP_HEADERS : undefined);
      expect(env.OTEL_SERVICE_NAME, name).to.equal(traced ? `school-${name}` : undefined);
    }
  });

  it("gives the event store's address to those that use it, because there is a password in it", () => {
    const given = { EVENTSTORE_URL: "esdb://admin:secret@store.example:2113", KAFKA_BROKERS: "one.example:9092" };
    const all = environmentOf(readConfig(given), new Map(), 8123, given);
    for (const { name } of partsOf(readConfig(given)))
      expect(environmentOfPart({ name }, all).EVENTSTORE_URL, name).to.equal(
        ["command-api", "query-api", "projections", "relay"].includes(name) ? given.EVENTSTORE_URL : undefined,
      );
  });

  it("has nothing for demonstration in production", () => {
    for (const environment of [{}, { DEMO_MODEL: "on" }])
      expect(names({ NODE_ENV: "production", ...environment })).to.have.members([
        "event-store",
        "command-api",
        "query-api",
        "projections",
        "render-worker",
      ]);
  });

  it("knows where the others are", () => {
    const ports = new Map<PartName | "front-door", number>([
      ["front-door", 5000],
      ["event-store", 5001],
      ["command-api", 5002],
      ["query-api", 5003],
      ["projections", 5004],
      ["identity", 5005],
      ["demo-model", 5006],
    ]);
    const environment = environmentOf(readConfig({ DATA_DIR: "some/data", EVENTSTORE_EMBEDDED_INSECURE: "on" }), ports, 8123, {
      PATH: "/bin",
      PORT: "0",
      DATA_DIR: "some/data",
      SERVICE_HOST: "0.0.0.0",
      COMMAND_API_URL: "http://elsewhere:8101",
      FRONT_DOOR_STATUS_URL: "http://elsewhere:8105",
    });
    const { SERVICE_HOST, COMMAND_API_URL, FRONT_DOOR_STATUS_URL } = environment;
    expect(SERVICE_HOST ?? COMMAND_API_URL ?? FRONT_DOOR_STATUS_URL, "what is for services started one by one").to.equal(undefined);
    expect(environment).to.include({
      PATH: "/bin",
      PORT: "8123",
      FRONT_DOOR_STATUS_PORT: "5000",
      DATA_DIR: resolve("some/data"),
      EVENTSTORE_PORT: "5001",
      EVENTSTORE_URL: "esdb://127.0.0.1:5001?tls=false",
      COMMAND_API_PORT: "5002",
      QUERY_API_PORT: "5003",
      PROJECTIONS_PORT: "5004",
      IDENTITY_PORT: "5005",
      DEMO_MODEL_PORT: "5006",
      DEMO_MODEL_URL: "http://127.0.0.1:5006/v1",
    });
    const external = readConfig({ EVENTSTORE_URL: "esdb://store.example:2113", DEMO_MODEL: "off" });
    const without = environmentOf(external, new Map([["command-api", 5002]]), 8123, { EVENTSTORE_URL: "esdb://store.example:2113" });
    expect(without.EVENTSTORE_URL).to.equal("esdb://store.example:2113");
    expect(without).not.to.have.property("DEMO_MODEL_URL");
  });

  it("signs in at the embedded event store, the same way each time", () => {
    const folder = mkdtempSync(join(tmpdir(), "plan-"));
    try {
      const config = readConfig({ DATA_DIR: folder });
      const url = () => environmentOf(config, new Map([["event-store", 5001]]), 8123, {}).EVENTSTORE_URL;
      const first = url();
      const password = readFileSync(join(folder, "secrets/event-store-admin"), "utf8").trim();
      const authority = encodeURIComponent(join(folder, "event-store/tls/ca.crt"));
      for (const told of [first, url()]) expect(told).to.equal(`esdb://admin:${password}@localhost:5001?tls=true&tlsCAFile=${authority}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
