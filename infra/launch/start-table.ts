import { join } from "node:path";
import { credentialVariables } from "@colloquy/schemas/provider-catalog.ts";
import { type Config, demoModelEnabled, embeddedIdentity } from "../config.ts";
import { demonstrationAccounts } from "../identity/accounts.ts";
import { describeServers, type FoundServer } from "../local-models/find.ts";
import { shortPath, styled, table } from "./console.ts";
import { dataFolder, type Part, type PartName } from "./plan.ts";
import type { Supervised } from "./supervise.ts";

/** The summary after the start: what to open, how to sign in, what runs where. */
export function startTable(options: {
  config: Config;
  parts: Part[];
  /** The port that a part answers on, null while it does not. */
  servingPort: (name: PartName) => number | null;
  running: ReadonlyMap<PartName, Supervised>;
  logs: string;
  /** What is not ready, a line for each part. */
  unready: readonly string[];
  seconds: number;
  /** Programs on this machine that have models. */
  localServers: readonly FoundServer[];
}): string[] {
  const { config, localServers, parts, servingPort, running, logs, unready, seconds } = options;
  const data = dataFolder(config);
  const where = ({ name, variable }: Part): string => {
    if (!variable) return running.has(name) ? "waiting for jobs" : "not running";
    const port = servingPort(name);
    return port ? `127.0.0.1:${port}` : "not running";
  };
  const kept: Partial<Record<PartName, string>> = { "event-store": shortPath(join(data, "event-store")) };
  const rows = [
    ["front door", `${config.HOST}:${config.PORT}`, ""],
    ...parts.map((part) => [part.title, where(part), kept[part.name] ?? ""]),
    ...(config.EVENTSTORE_URL ? [["event store", hostOf(config.EVENTSTORE_URL), "EVENTSTORE_URL"]] : []),
    [
      "read models",
      config.DATABASE_URL ? hostOf(config.DATABASE_URL) : "SQLite",
      config.DATABASE_URL ? "DATABASE_URL" : shortPath(join(data, "read-models.db")),
    ],
    ...(config.KAFKA_BROKERS?.length ? [["Kafka", config.KAFKA_BROKERS.join(", "), `topics ${config.KAFKA_TOPIC_PREFIX}.*`]] : []),
    [
      "course objects",
      config.S3_ENDPOINT ? hostOf(config.S3_ENDPOINT) : "folder",
      config.S3_ENDPOINT ? [config.S3_BUCKET, config.S3_PREFIX].filter(Boolean).join("/") : shortPath(join(data, "objects")),
    ],
    ...(config.OIDC_ISSUER ? [["identity provider", hostOf(config.OIDC_ISSUER), "OIDC_ISSUER"]] : []),
    ["logs", "", shortPath(logs)],
  ];
  const address = config.publicUrl;
  return [
    "",
    `${styled("bold", "Colloquy")} ${unready.length ? "is running, but not ready" : "is ready"} ${styled("dim", `after ${seconds.toFixed(1)} s`)}`,
    ...unready.map((line) => `${styled("red", "✕")} ${line}`),
    "",
    `Open  ${styled(["bold", "cyan"], address)}`,
    ...signInHint(config, address),
    "",
    ...table(rows),
    "",
    ...notices(config, localServers),
    styled("dim", "Ctrl-C stops everything."),
    "",
  ];
}

function signInHint(config: Config, address: string): string[] {
  if (!embeddedIdentity(config)) return [];
  const people = demonstrationAccounts.map(({ name, roles }) => `${name} (${roles.at(-1)})`);
  return [
    `One click signs you in as ${people.slice(0, -1).join(", ")} or ${people.at(-1)}:`,
    `      ${styled("cyan", `${address}/auth/demo?as=${demonstrationAccounts[0]?.key}`)}`,
  ];
}

/** Missing features and the variables that enable them. */
function notices(config: Config, localServers: readonly FoundServer[]): string[] {
  const lines: string[] = [];
  const hasCredential = credentialVariables.some((name) => config[name] !== undefined);
  if (localServers.length)
    lines.push(
      `Local models: ${describeServers(localServers)}. ${hasCredential && config.LOCAL_MODELS !== "automatic" ? "Choose one in the model picker." : "Automatic routing asks one of them as soon as it has been tried."}`,
    );
  else if (config.LOCAL_MODEL_URL !== undefined)
    lines.push(`No model server answers at ${hostOf(config.LOCAL_MODEL_URL)} (LOCAL_MODEL_URL). It is offered when it does.`);
  if (!embeddedIdentity(config) && !config.OIDC_ISSUER)
    lines.push("Nobody can sign in: NODE_ENV=production has no demonstration accounts. Set OIDC_ISSUER and OIDC_CLIENT_ID.");
  if (demoModelEnabled(config) && !localServers.length)
    lines.push(
      "Answers come from the demonstration model, which only quotes the course. Set one of P1_API_KEY … P7_API_KEY to use a real model, or start Ollama, LM Studio, llama.cpp or vLLM on this machine.",
    );
  else if (!hasCredential && !demoModelEnabled(config) && !localServers.length)
    lines.push("No model can answer. Set one of P1_API_KEY … P7_API_KEY.");
  return lines.length ? [...lines, ""] : [];
}

/** The host of an address; never its user or password. */
function hostOf(address: string): string {
  return URL.parse(address)?.host || address.replace(/^.*@/, "").replace(/[?#].*$/, "");
}
