import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { parseAllDocuments } from "yaml";
import { readConfig } from "../config.ts";
import { imageEnvironment } from "../docker/image.fixture.ts";
import { skipTest } from "../skip-test.fixture.ts";
import { variables } from "../variables.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const table = variables as Record<string, { secret?: boolean }>;

type Labels = Record<string, string>;
interface Probe {
  httpGet?: { path: string; port: string };
  tcpSocket?: { port: string };
  exec?: { command: string[] };
}
interface Container {
  name: string;
  image: string;
  args: string[];
  env: { name: string; value?: string; valueFrom?: { configMapKeyRef: { name: string; key: string } } }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  resources: { requests: object; limits: object };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Pod {
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  serviceAccountName: string;
  securityContext: object;
  containers: Container[];
  volumes: { name: string; projected?: { sources: { secret: { name: string; items?: { key: string; path: string }[] } }[] } }[];
}
interface Peer {
  podSelector?: { matchLabels?: Labels };
  namespaceSelector?: object;
}
interface Rule {
  to?: Peer[];
  from?: Peer[];
  ports: { port: number | string }[];
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  data?: Record<string, string>;
  spec: {
    replicas: number;
    selector: Labels & { matchLabels: Labels };
    template: { metadata: { labels: Labels }; spec: Pod };
    maxUnavailable?: number;
    minReplicas: number;
    maxReplicas: number;
    metrics: object[];
    scaleTargetRef: object;
    ports: { port: number; targetPort: string }[];
    podSelector: { matchLabels?: Labels };
    policyTypes: string[];
    ingress?: Rule[];
    egress?: Rule[];
    tls: { hosts: string[] }[];
    rules: { host: string; http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
  };
}

/** Kinds, their version of the API, and what each cannot do without. */
const kinds: Record<string, { apiVersion: string; needs: string[] }> = {
  Namespace: { apiVersion: "v1", needs: [] },
  ServiceAccount: { apiVersion: "v1", needs: [] },
  ConfigMap: { apiVersion: "v1", needs: ["data"] },
  Deployment: { apiVersion: "apps/v1", needs: ["spec.replicas", "spec.selector.matchLabels", "spec.template.spec.containers"] },
  Service: { apiVersion: "v1", needs: ["spec.selector", "spec.ports"] },
  PodDisruptionBudget: { apiVersion: "policy/v1", needs: ["spec.selector.matchLabels", "spec.maxUnavailable"] },
  HorizontalPodAutoscaler: {
    apiVersion: "autoscaling/v2",
    needs: ["spec.scaleTargetRef", "spec.minReplicas", "spec.maxReplicas", "spec.metrics"],
  },
  Ingress: { apiVersion: "networking.k8s.io/v1", needs: ["spec.rules", "spec.tls"] },
  NetworkPolicy: { apiVersion: "networking.k8s.io/v1", needs: ["spec.podSelector", "spec.policyTypes"] },
};

const services = ["front-door", "command-api", "query-api", "projections", "relay", "render-worker"];

function read(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).to.deep.equal([]);
    return document.toJS() as Manifest;
  });
}

/** What holds of the base and of what each overlay makes of it. */
function holds(manifests: Manifest[]): void {
  const of = (kind: string) => manifests.filter((one) => one.kind === kind);
  const named = (kind: string, name: string) => of(kind).find(({ metadata }) => metadata.name === name) as Manifest;
  const labelled = (name: string): Labels => ({ "app.kubernetes.io/name": name });
  const config = named("ConfigMap", "colloquy").data ?? {};
  const containerOf = (name: string): Container => named("Deployment", name).spec.template.spec.containers[0] as Container;

  for (const one of manifests) {
    const rule = kinds[one.kind];
    expect(one.apiVersion, one.kind).to.equal(rule?.apiVersion);
    expect(one.metadata.name).to.match(/^[a-z][a-z-]*$/);
    expect(one.metadata.labels?.["app.kubernetes.io/part-of"], one.metadata.name).to.equal("colloquy");
    for (const path of rule?.needs ?? []) expect(one, `${one.kind} ${one.metadata.name}`).to.have.nested.property(path);
  }
  const keys = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  expect(keys).to.deep.equal([...new Set(keys)]);
  expect(manifests.filter(({ kind }) => kind === "Secret")).to.deep.equal([]);

  expect(of("Deployment").map(({ metadata }) => metadata.name)).to.have.members(services);
  for (const { metadata, spec } of of("Deployment")) {
    const { name } = metadata;
    const pod = spec.template.spec;
    const container = containerOf(name);
    expect(pod.containers, name).to.have.length(1);
    expect(metadata.labels).to.include(labelled(name));
    expect(spec.selector.matchLabels).to.deep.equal(labelled(name));
    expect(spec.template.metadata.labels).to.include(labelled(name));
    expect([container.name, ...container.args]).to.deep.equal([name, name]);

    // Who it may be and what it may do.
    expect(pod).to.deep.include({ automountServiceAccountToken: false, enableServiceLinks: false, serviceAccountName: "colloquy" });
    expect(pod.securityContext, name).to.deep.include({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(container.securityContext, name).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    for (const bound of [container.resources.requests, container.resources.limits]) expect(bound, name).to.have.keys("cpu", "memory");

    // Whether it is well.
    for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe]) {
      const asked = probe.httpGet ?? probe.tcpSocket;
      if (asked) expect(container.ports?.map((port) => port.name)).to.include(asked.port);
      else expect(probe.exec?.command, name).to.deep.equal(["node", "/app/infra/docker/healthy.ts", name]);
      if (probe.httpGet) expect(probe.httpGet.path).to.be.oneOf(name === "query-api" ? ["/healthz", "/readyz"] : ["/healthz"]);
    }
    expect(named("PodDisruptionBudget", name).spec.selector.matchLabels).to.deep.equal(labelled(name));
    expect(named("PodDisruptionBudget", name).spec.maxUnavailable).to.equal(1);

    // What it is told.
    const variablesOf = { ...imageEnvironment() };
    for (const { name: variable, value, valueFrom } of container.env) {
      expect(table, name).to.have.property(variable);
      expect(table[variable]?.secret ?? false, `${name}: ${variable} is a secret`).to.equal(false);
      if (valueFrom) expect(config, `${name}: ${variable}`).to.have.property(valueFrom.configMapKeyRef.key);
      variablesOf[variable] = value ?? config[valueFrom?.configMapKeyRef.key ?? ""] ?? "";
    }
    const files = pod.volumes.flatMap(({ projected }) => projected?.sources ?? []).flatMap(({ secret }) => secret.items ?? []);
    for (const { key, path } of files) {
      expect(path).to.equal(key);
      if (key !== "ledger-keys") expect(table[key]?.secret, `${name}: ${key}`).to.equal(true);
    }
    const samples: Record<string, string> = { EVENTSTORE_URL: "esdb://a:b@store:2113?tls=true", DATABASE_URL: "postgres://a:b@host/db" };
    const secrets = files.filter(({ key }) => key !== "ledger-keys").map(({ key }) => [key, samples[key] ?? "x".repeat(40)]);
    expect(readConfig({ ...variablesOf, ...Object.fromEntries(secrets) }).development, name).to.equal(false);
    const port = variablesOf[name === "front-door" ? "PORT" : `${name.toUpperCase().replace("-", "_")}_PORT`];
    if (container.ports) expect(String(container.ports[0]?.containerPort), name).to.equal(port);
    if (name === "front-door") expect(String(container.ports?.[1]?.containerPort)).to.equal(variablesOf.FRONT_DOOR_STATUS_PORT);
    for (const { name: mounted } of container.volumeMounts) expect(pod.volumes.map((volume) => volume.name)).to.include(mounted);
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).to.include.members(["/data", "/tmp"]);
  }

  for (const { metadata, spec } of of("Service")) {
    expect(spec.selector).to.deep.equal(labelled(metadata.name));
    expect(spec.ports.map(({ port, targetPort }) => [targetPort, port])).to.deep.equal(
      containerOf(metadata.name).ports?.map(({ name, containerPort }) => [name, containerPort]),
    );
  }
  for (const [variable, value] of Object.entries(config)) {
    expect(table, "the ConfigMap").to.have.property(variable);
    expect(table[variable]?.secret ?? false, variable).to.equal(false);
    const address = /^http:\/\/([a-z-]+):(\d+)$/.exec(value);
    const ports = address ? named("Service", address[1] ?? "").spec.ports.map(({ port }) => String(port)) : [];
    if (address) expect(ports[variable.includes("_STATUS_") ? 1 : 0], variable).to.equal(address[2]);
  }
  for (const { metadata, spec } of of("HorizontalPodAutoscaler")) {
    expect(spec.scaleTargetRef).to.deep.equal({ apiVersion: "apps/v1", kind: "Deployment", name: metadata.name });
    expect(spec.minReplicas).to.equal(named("Deployment", metadata.name).spec.replicas);
    expect(spec.maxReplicas).to.be.greaterThan(spec.minReplicas);
  }
  expect(named("HorizontalPodAutoscaler", "projections").spec.maxReplicas).to.be.at.most(Number(config.KAFKA_PARTITIONS));
  const { tls, rules } = named("Ingress", "colloquy").spec;
  expect([tls[0]?.hosts[0], rules[0]?.host]).to.deep.equal(Array(2).fill(new URL(config.PUBLIC_URL ?? "").hostname));
  expect(rules[0]?.http.paths[0]?.backend).to.deep.equal({ service: { name: "front-door", port: { name: "http" } } });

  // Who may speak with whom.
  const everybody = named("NetworkPolicy", "nobody").spec;
  expect([everybody.podSelector, everybody.policyTypes]).to.deep.equal([{}, ["Ingress", "Egress"]]);
  expect([everybody.ingress, everybody.egress]).to.deep.equal([undefined, undefined]);
  for (const name of services) {
    const { podSelector, ingress = [] } = named("NetworkPolicy", name).spec;
    expect(podSelector.matchLabels).to.deep.equal(labelled(name));
    expect(
      ingress.map(({ ports }) => ports.map(({ port }) => port)),
      name,
    ).to.deep.equal((containerOf(name).ports ?? []).map(({ containerPort }) => [containerPort]));
  }
  // What the front door tells of itself is for those that gather figures; people come in by the ingress, which has the other port alone.
  const door = named("NetworkPolicy", "front-door").spec.ingress ?? [];
  expect(JSON.stringify(door[0]?.from)).to.include("ingress-nginx");
  expect(door[1]?.from).to.deep.equal([
    { podSelector: { matchLabels: labelled("query-api") } },
    { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } },
  ]);
  const worker = named("NetworkPolicy", "render-worker").spec;
  expect(worker.ingress).to.equal(undefined);
  expect(worker.egress?.filter(({ ports }) => ports[0]?.port !== 53)).to.deep.equal([
    { to: [{ podSelector: { matchLabels: labelled("command-api") } }], ports: [{ port: 8101 }] },
  ]);
  expect(worker.egress?.every(({ to }) => to !== undefined && to.length > 0)).to.equal(true);
  expect(
    named("Deployment", "render-worker").spec.template.spec.volumes.flatMap(({ projected }) => projected?.sources ?? []),
  ).to.deep.equal([{ secret: { name: "colloquy", items: [{ key: "RENDER_WORKER_TOKEN", path: "RENDER_WORKER_TOKEN" }] } }]);
}

/** Of an overlay: whose word is taken for who asks, each a network of pods and no more. */
function trusts(manifests: Manifest[]): string[] {
  const config = manifests.find(({ kind }) => kind === "ConfigMap")?.data ?? {};
  return readConfig({ TRUSTED_PROXIES: config.TRUSTED_PROXIES }).TRUSTED_PROXIES;
}

describe("the manifests for Kubernetes", () => {
  it("agree with one another, with the image and with the table of variables", () => {
    const base = join(here, "base");
    const [{ resources }] = read(readFileSync(join(base, "kustomization.yaml"), "utf8")) as unknown as [{ resources: string[] }];
    expect(resources).to.have.members(readdirSync(base).filter((file) => file !== "kustomization.yaml"));
    const manifests = resources.flatMap((file) => read(readFileSync(join(base, file), "utf8")));
    holds(manifests);
    expect(trusts(manifests), "nobody, until somebody says whom").to.deep.equal([]);
  });

  for (const overlay of readdirSync(join(here, "overlays")))
    it(`still agree as the overlay ${overlay} makes them`, function () {
      let made: string;
      try {
        made = execFileSync("kubectl", ["kustomize", join(here, "overlays", overlay)], { encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        return skipTest(this, `kubectl is not installed, so the overlay ${overlay} was not built`);
      }
      const manifests = read(made);
      holds(manifests);
      expect(trusts(manifests), "whom to believe").to.have.length.of.at.least(1);
      for (const proxy of trusts(manifests)) expect(Number(proxy.split("/")[1]), `${proxy} is too wide`).to.be.at.least(16);
      for (const { kind, metadata } of manifests) if (kind !== "Namespace") expect(metadata.namespace, metadata.name).to.equal("colloquy");
    });
});
