import { randomBytes } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, demoModelEnabled, embeddedIdentity } from "../config.ts";
import { programUrl } from "../event-store/embedded/security/address.ts";

/** The program's folder. */
export const programFolder = fileURLToPath(new URL("../../", import.meta.url));

export type PartName = "event-store" | "projections" | "command-api" | "query-api" | "identity" | "demo-model" | "relay" | "render-worker";

/** A part the launcher runs, most of them as a process of its own. */
export interface Part {
  name: PartName;
  /** Its name for operators. */
  title: string;
  /** Its main, absolute. */
  file: string;
  /** The parts that it serves beside its own. */
  args?: PartName[];
  /** The variable of its port; a part without one has no port. */
  variable?:
    | "EVENTSTORE_PORT"
    | "PROJECTIONS_PORT"
    | "COMMAND_API_PORT"
    | "QUERY_API_PORT"
    | "IDENTITY_PORT"
    | "DEMO_MODEL_PORT"
    | "RELAY_PORT";
  /** Started after everything else is ready; the start does not wait for it. */
  afterwards?: true;
  /** Served by the process of this part. */
  within?: PartName;
}

const part = (name: PartName, title: string, variable: NonNullable<Part["variable"]>, file: string): Part => ({
  name,
  title,
  variable,
  file: join(programFolder, file),
});
const worker = (name: PartName, title: string, file: string): Part => ({ name, title, file: join(programFolder, file), afterwards: true });
const parts = {
  eventStore: part("event-store", "event store", "EVENTSTORE_PORT", "infra/event-store/embedded/main.ts"),
  commandApi: part("command-api", "command API", "COMMAND_API_PORT", "command-api/main.ts"),
  queryApi: part("query-api", "query API", "QUERY_API_PORT", "query-api/main.ts"),
  projections: part("projections", "projections", "PROJECTIONS_PORT", "projections/main.ts"),
  identity: part("identity", "identity provider", "IDENTITY_PORT", "infra/identity/embedded/main.ts"),
  relay: part("relay", "relay to Kafka", "RELAY_PORT", "infra/kafka/relay/main.ts"),
  demoModel: part("demo-model", "demonstration model", "DEMO_MODEL_PORT", "infra/demo/model/main.ts"),
  renderWorker: worker("render-worker", "render worker", "render-service/main.ts"),
};

/** The order in which parts are stopped, after the front door; the event store last. */
export const stopOrder: PartName[][] = [
  // It returns its jobs to the command API.
  ["render-worker"],
  ["command-api", "query-api", "identity", "demo-model"],
  ["projections", "relay"],
  ["event-store"],
];

/** Demonstration accounts and model, which hold nothing to protect from their only caller, share its process. */
function demonstrationParts(config: Config): Part[] {
  return [
    ...(embeddedIdentity(config) ? [parts.identity] : []),
    ...(demoModelEnabled(config) && !config.DEMO_MODEL_URL ? [parts.demoModel] : []),
  ].map((part) => ({ ...part, within: "command-api" }));
}

/** The parts of this configuration; those that others wait for first. */
export function partsOf(config: Config): Part[] {
  const demonstration = demonstrationParts(config);
  return [
    ...(config.EVENTSTORE_URL ? [] : [parts.eventStore]),
    { ...parts.commandApi, args: demonstration.map(({ name }) => name) },
    parts.queryApi,
    parts.projections,
    ...(config.KAFKA_BROKERS?.length ? [parts.relay] : []),
    ...demonstration,
    ...(config.RENDER_WORKERS === "off" ? [] : [parts.renderWorker]),
  ];
}

/** The data folder, absolute, so that it does not depend on where a process is started. */
export function dataFolder(config: Pick<Config, "DATA_DIR">): string {
  return isAbsolute(config.DATA_DIR) ? config.DATA_DIR : resolve(process.cwd(), config.DATA_DIR);
}

/** The environment of all parts: the launcher's own, and the addresses of the other parts and of the front door's metrics. */
export function environmentOf(
  config: Config,
  ports: ReadonlyMap<PartName | "front-door", number>,
  port: number,
  environment: Record<string, string | undefined> = process.env,
): Record<string, string | undefined> {
  const eventStore = ports.get("event-store");
  const demoModel = ports.get("demo-model");
  const tls = config.EVENTSTORE_EMBEDDED_INSECURE === "off";
  return {
    ...environment,
    // All of them are on this machine, each at its port.
    SERVICE_HOST: undefined,
    COMMAND_API_URL: undefined,
    QUERY_API_URL: undefined,
    PROJECTIONS_URL: undefined,
    RELAY_URL: undefined,
    FRONT_DOOR_STATUS_URL: undefined,
    PORT: String(port),
    FRONT_DOOR_STATUS_PORT: String(ports.get("front-door") ?? 0),
    DATA_DIR: dataFolder(config),
    ...Object.fromEntries(partsOf(config).flatMap(({ name, variable }) => (variable ? [[variable, String(ports.get(name) ?? 0)]] : []))),
    ...(eventStore !== undefined && { EVENTSTORE_URL: programUrl(dataFolder(config), { port: eventStore, tls }) }),
    // Created at each start unless set: only these processes use it.
    RENDER_WORKER_TOKEN: environment.RENDER_WORKER_TOKEN?.trim() || randomBytes(32).toString("hex"),
    ...(demoModel !== undefined && { DEMO_MODEL: "on", DEMO_MODEL_URL: `http://127.0.0.1:${demoModel}/v1` }),
  };
}

/** Variables of a render worker. It draws untrusted content, so it gets no secrets of the program. */
const ofTheWorker = /^(PATH|LANG|LC_\w+|TZ|TMPDIR|NODE_ENV|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|RENDER_\w+|SPEECH_\w+)$/;
const workerToken = "RENDER_WORKER_TOKEN";

/** The service name of a part in traces, if `OTEL_SERVICE_NAME` is set. */
export const serviceName = (
  part: PartName | "front-door",
  { OTEL_SERVICE_NAME: name }: { OTEL_SERVICE_NAME?: string | undefined },
): { OTEL_SERVICE_NAME?: string } => (name ? { OTEL_SERVICE_NAME: `${name}-${part}` } : {});

/** Parts that send traces and so need the receiver's credentials. */
const traced: ReadonlySet<PartName> = new Set(["command-api", "query-api", "projections", "relay"]);
const ofTraces = /^OTEL_/;

/** Parts that read and write events, so they wait for the event store, and only they get its password. */
export const usesEvents: ReadonlySet<PartName> = new Set(["command-api", "query-api", "projections", "relay"]);

/** The environment of one part: only the secrets that it uses. */
export function environmentOfPart(
  { name }: Pick<Part, "name">,
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  if (name === "render-worker") {
    const own = Object.fromEntries(Object.entries(env).filter(([variable]) => ofTheWorker.test(variable)));
    // Directly to the command API, not through the front door.
    return { RENDER_API_URL: `http://127.0.0.1:${env.COMMAND_API_PORT}`, RENDER_FOLDER: join(env.DATA_DIR ?? "", "render"), ...own };
  }
  const { [workerToken]: token, SPEECH_API_KEY: _, EMBEDDINGS_API_KEY: embeddingsKey, LOCAL_MODEL_API_KEY: localKey, ...most } = env;
  const rest = traced.has(name)
    ? { ...most, ...serviceName(name, most) }
    : Object.fromEntries(Object.entries(most).filter(([variable]) => !ofTraces.test(variable)));
  if (!usesEvents.has(name)) return { ...rest, EVENTSTORE_URL: undefined };
  return name === "command-api"
    ? { ...rest, [workerToken]: token, EMBEDDINGS_API_KEY: embeddingsKey, LOCAL_MODEL_API_KEY: localKey }
    : rest;
}
