import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { parse } from "yaml";
import { readConfig } from "../config.ts";
import { addressParts, missingProtection } from "../event-store/address.ts";
import { variables } from "../variables.ts";
import { imageEnvironment } from "./image.fixture.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

interface Service {
  image?: string;
  build?: object;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  networks?: string[] | Record<string, unknown>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  restart: string;
  deploy: { resources: { limits: { cpus: string; memory: string } } };
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
  secrets: Record<string, { file: string }>;
}

/** What the compose specification allows at the top, and what of a service is used here. */
const topLevel = ["name", "services", "networks", "volumes", "secrets"];
const ofAService = [
  "image",
  "build",
  "command",
  "entrypoint",
  "environment",
  "env_file",
  "secrets",
  "networks",
  "volumes",
  "ports",
  "depends_on",
  "healthcheck",
  "read_only",
  "cap_drop",
  "cap_add",
  "security_opt",
  "restart",
  "deploy",
  "init",
  "stop_grace_period",
  "tmpfs",
  "logging",
  "pids_limit",
  "shm_size",
  "profiles",
  "user",
];
const ours = ["front-door", "command-api", "query-api", "projections", "relay", "render-worker"];

/** As compose fills in `${DOMAIN}`, `${COURSES:-…}` and `${DOMAIN:?…}`. */
function filledIn(text: string, given: Record<string, string>): string {
  return text.replaceAll(/\$\{(\w+)(?::?[-?]([^}]*))?\}/g, (_, name: string, otherwise?: string) => given[name] ?? otherwise ?? "");
}

describe("compose.yaml", () => {
  const compose = parse(filledIn(readFileSync(join(here, "compose.yaml"), "utf8"), { DOMAIN: "colloquy.example" }), {
    merge: true,
  }) as Compose;
  const services = Object.entries(compose.services);
  const service = (name: string): Service => compose.services[name] as Service;
  const networksOf = ({ networks = [] }: Service): string[] => (Array.isArray(networks) ? networks : Object.keys(networks));
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "colloquy-secrets-"));
    execFileSync(process.execPath, [join(here, "make-secrets.ts"), folder]);
  });
  after(() => rmSync(folder, { recursive: true }));

  it("is of the compose specification: known keys, and nothing named that is not there", () => {
    for (const key of Object.keys(compose)) expect(key.startsWith("x-") || topLevel.includes(key), key).to.equal(true);
    for (const [name, one] of services) {
      expect(ofAService, name).to.include.members(Object.keys(one));
      expect(one.image, `${name} has an image of a version`).to.match(/^colloquy$|:[\w.-]*\d/);
      for (const network of networksOf(one)) expect(compose.networks, name).to.have.property(network);
      for (const secret of one.secrets ?? []) expect(compose.secrets, name).to.have.property(secret);
      for (const volume of one.volumes ?? []) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("./")) expect(readdirSync(join(here, source, "..")), name).to.include(source.split("/").at(-1));
        else expect(compose.volumes, name).to.have.property(source);
      }
      for (const [other, { condition }] of Object.entries(one.depends_on ?? {})) {
        expect(compose.services, name).to.have.property(other);
        expect(condition).to.be.oneOf(["service_started", "service_healthy", "service_completed_successfully"]);
        if (condition === "service_healthy") expect(ours.includes(other) || service(other).healthcheck !== undefined, other).to.equal(true);
      }
    }
    const used = services.flatMap(([, { secrets = [] }]) => secrets);
    expect(Object.keys(compose.secrets)).to.have.members([...new Set(used)]);
  });

  it("bounds every service and starts it again", () => {
    for (const [name, { deploy, restart, healthcheck }] of services) {
      expect(deploy.resources.limits, name).to.have.keys("cpus", "memory");
      expect(restart, name).to.equal(name === "bucket" ? "no" : "unless-stopped");
      if (!ours.includes(name) && name !== "bucket") expect(healthcheck?.test, name).to.be.an("array");
    }
    for (const name of ours)
      expect(service(name), name).to.deep.include({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        command: [name],
      });
  });

  it("lets people in by the proxy alone, and the render worker out to the command API alone", () => {
    const open = services.filter(([, { ports = [] }]) => ports.some((port) => !port.startsWith("127.0.0.1:")));
    expect(open.map(([name]) => name)).to.deep.equal(["proxy"]);
    expect(networksOf(service("render-worker"))).to.deep.equal(["render"]);
    expect(services.filter(([, one]) => networksOf(one).includes("render")).map(([name]) => name)).to.have.members([
      "command-api",
      "render-worker",
    ]);
    expect(compose.networks.render?.internal).to.equal(true);
    expect(service("render-worker").secrets).to.deep.equal(["RENDER_WORKER_TOKEN"]);
    expect(compose.networks.data?.internal).to.equal(true);
    for (const name of ["proxy", "front-door", "identity"]) expect(networksOf(service(name)), name).not.to.include("data");
  });

  it("asks every service that has figures for them, and shows the front door's to nobody who comes from outside", () => {
    const image = imageEnvironment();
    const told = Object.entries(service("query-api").environment ?? {}).filter(
      ([name]) => name.endsWith("_URL") && !/PUBLIC|EVENTSTORE/.test(name),
    );
    expect(told.map(([, address]) => address)).to.have.members([
      `http://command-api:${image.COMMAND_API_PORT}`,
      `http://projections:${image.PROJECTIONS_PORT}`,
      `http://relay:${image.RELAY_PORT}`,
      `http://front-door:${image.FRONT_DOOR_STATUS_PORT}`,
    ]);
    // Each of them lets in whoever has the token; the worker tells its figures to the command API.
    for (const name of ["query-api", ...told.map(([, address]) => new URL(address).hostname)]) {
      expect(service(name).secrets, name).to.include("METRICS_TOKEN");
      expect(networksOf(service(name)), name).to.include("back");
    }
    const passedOn = [...readFileSync(join(here, "Caddyfile"), "utf8").matchAll(/reverse_proxy (\S+)/g)].map(([, to]) => to);
    expect(passedOn).to.deep.equal([`front-door:${image.PORT}`, "identity:8080"]);
  });

  it("sends traces where `--profile figures` takes them in, and Grafana looks for them there", () => {
    const told = (file: string) => parse(readFileSync(join(here, file), "utf8")) as Record<string, unknown>;
    const { server, distributor } = told("tempo.yaml") as {
      server: { http_listen_port: number };
      distributor: { receivers: { otlp: { protocols: { http: { endpoint: string } } } } };
    };
    const named = /http:\/\/([a-z-]+):(\d+) is the receiver/.exec(readFileSync(join(here, "compose.yaml"), "utf8"));
    expect(named?.[1]).to.equal("traces");
    expect(distributor.receivers.otlp.protocols.http.endpoint).to.equal(`0.0.0.0:${named?.[2]}`);
    const { datasources } = told("grafana/source.yaml") as { datasources: { type: string; url: string }[] };
    expect(datasources.find(({ type }) => type === "tempo")?.url).to.equal(`http://traces:${server.http_listen_port}`);
    // The worker reaches the command API alone, and is traced by it.
    const traced = ours.filter((name) => service(name).environment?.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined);
    expect(traced).to.have.members(ours.filter((name) => name !== "render-worker"));
    for (const name of [...traced, "traces", "grafana"]) expect(networksOf(service(name)), name).to.include("back");
  });

  it("knows every variable it sets, and holds no secret", () => {
    const table = variables as Record<string, { secret?: boolean }>;
    for (const [name, { environment = {} }] of services)
      for (const variable of Object.keys(environment)) {
        if (ours.includes(name)) {
          expect(table, name).to.have.property(variable);
          expect(table[variable]?.secret, `${name}: ${variable}`).not.to.equal(true);
        } else if (/PASSWORD|SECRET|TOKEN|KEY/.test(variable)) expect(variable, name).to.match(/_FILE$/);
      }
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      expect(file).to.equal(`./secrets/${name}`);
      if (/^[A-Z]/.test(name)) expect(table[name]?.secret, name).to.equal(true);
    }
    expect(readFileSync(join(here, "../../.gitignore"), "utf8").split("\n")).to.include("infra/docker/secrets/");
  });

  it("configures each service so that it starts in production, with the secrets that are made for it", () => {
    expect(readdirSync(folder)).to.have.members([...Object.keys(compose.secrets), "eventstore-admin", "eventstore.env"]);
    for (const name of ours) {
      const { environment = {}, secrets = [] } = service(name);
      const fromFiles = secrets
        .filter((secret) => /^[A-Z]/.test(secret))
        .map((secret) => [secret, readFileSync(join(folder, secret), "utf8")]);
      const config = readConfig({ ...imageEnvironment(), ...environment, ...Object.fromEntries(fromFiles) });
      expect(config.development, name).to.equal(false);
      if (name === "command-api" || name === "query-api") {
        expect(config.ACCOUNT_SECRET, name).to.have.length.of.at.least(32);
        expect(config.SESSION_SECRET).to.have.length.of.at.least(32);
        expect(config.S3_BUCKET).to.equal("colloquy");
      }
    }
  });

  it("closes the event store: services sign in over TLS, and each node has a certificate by its name", () => {
    const [address = "", nodes, root] = ["EVENTSTORE_URL", "eventstore-node.crt", "eventstore-ca.crt"].map((name) =>
      readFileSync(join(folder, name), "utf8"),
    );
    expect(missingProtection(address)).to.equal(null);
    const certificate = new X509Certificate(nodes ?? "");
    expect(certificate.verify(new X509Certificate(root ?? "").publicKey)).to.equal(true);
    const { hosts, authorityFile } = addressParts(address);
    for (const { name } of hosts) {
      expect(certificate.checkHost(name), name).to.equal(name);
      expect(service(name).environment, name).not.to.have.property("EVENTSTORE_INSECURE");
      expect(readFileSync(join(folder, "eventstore.env"), "utf8")).to.include(`PASSWORD=${/:([^:@]+)@/.exec(address)?.[1]}\n`);
    }
    for (const name of ["command-api", "query-api", "projections", "relay"])
      expect(service(name).secrets, name).to.include.members(["EVENTSTORE_URL", authorityFile?.split("/").at(-1)]);
  });

  it("makes no secret twice: those that are there stay", () => {
    const read = (): string[] => readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const before = read();
    execFileSync(process.execPath, [join(here, "make-secrets.ts"), folder]);
    expect(read()).to.deep.equal(before);
  });
});
