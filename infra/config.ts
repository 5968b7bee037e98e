import { credentialVariables } from "@colloquy/schemas/provider-catalog.ts";
import type { z } from "zod";
import { addressError, missingProtection } from "./event-store/address.ts";
import type { Variable } from "./variable.ts";
import { variables } from "./variables.ts";

type Variables = typeof variables;
type Values = { [Name in keyof Variables]: z.output<Variables[Name]["schema"]> };

/** The checked table plus what follows from it. */
export interface Config extends Values {
  /** The address people type, without a trailing slash. */
  publicUrl: string;
  development: boolean;
}

/** Thrown for a table that cannot be used; the message names every wrong variable and what it expects. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

/**
 * Reads the table of variables from an environment. An empty value counts as not set.
 * @throws {ConfigurationError} naming each wrong variable.
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const wrong: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema, secret }] of Object.entries<Variable>(variables)) {
    const given = environment[name]?.trim() || undefined;
    const result = schema.safeParse(given);
    if (result.success) values[name] = result.data;
    else
      wrong.push(`${name}${secret ? "" : ` is ${JSON.stringify(given)}`}: ${result.error.issues.map((issue) => issue.message).join("; ")}`);
  }
  const read = values as Values;
  if (read.OIDC_ISSUER && !read.OIDC_CLIENT_ID) wrong.push("OIDC_CLIENT_ID: needed because OIDC_ISSUER is set");
  if (read.EMBEDDINGS_URL && !read.EMBEDDINGS_MODEL) wrong.push("EMBEDDINGS_MODEL: needed because EMBEDDINGS_URL is set");
  if (!read.EMBEDDINGS_URL)
    for (const name of ["EMBEDDINGS_MODEL", "EMBEDDINGS_API_KEY"] as const)
      if (read[name] !== undefined) wrong.push(`EMBEDDINGS_URL: needed because ${name} is set`);
  if (read.LOCAL_MODEL_API_KEY && !read.LOCAL_MODEL_URL) wrong.push("LOCAL_MODEL_URL: needed because LOCAL_MODEL_API_KEY is set");
  wrong.push(...wrongS3(read));
  if (read.NODE_ENV === "production") wrong.push(...openEventStore(read));
  if (read.KAFKA_SASL_MECHANISM)
    for (const name of ["KAFKA_SASL_USERNAME", "KAFKA_SASL_PASSWORD"] as const)
      if (read[name] === undefined) wrong.push(`${name}: needed because KAFKA_SASL_MECHANISM is set`);
  if (wrong.length)
    throw new ConfigurationError(
      `The configuration has ${wrong.length === 1 ? "an error" : `${wrong.length} errors`}:\n${wrong.map((line) => `  ${line}`).join("\n")}\nSee docs/reports/configuration.md.`,
    );
  return {
    ...read,
    publicUrl: (read.PUBLIC_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, ""),
    development: read.NODE_ENV !== "production",
  };
}

/** In production, everybody who reaches an event store without TLS and credentials could forge events. */
function openEventStore({ EVENTSTORE_URL: address, EVENTSTORE_EMBEDDED_INSECURE: insecure }: Values): string[] {
  if (address === undefined)
    return insecure === "on"
      ? ["EVENTSTORE_EMBEDDED_INSECURE: refused in production. Unset it; the event store creates what it needs"]
      : [];
  const missing = addressError(address) === null ? missingProtection(address) : null;
  return missing === null
    ? []
    : [
        `EVENTSTORE_URL: ${missing}, which production refuses. Enable TLS and users at the event store and write esdb://user:password@host:2113?tls=true (docs/run/stores.md)`,
      ];
}

/** All required S3 variables must be set or none: with some missing, objects would silently go to the folder. */
function wrongS3(read: Values): string[] {
  const needed = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
  const given = [...needed, "S3_REGION", "S3_PREFIX", "S3_ADDRESSING"].filter((name) => read[name as keyof Values] !== undefined);
  const first = given[0];
  return first === undefined
    ? []
    : needed.filter((name) => read[name] === undefined).map((name) => `${name}: needed because ${first} is set`);
}

/** Whether people sign in at the embedded provider. It is for demonstrations only, so never in production. */
export function embeddedIdentity(config: Pick<Config, "OIDC_ISSUER" | "development">): boolean {
  return config.OIDC_ISSUER === undefined && config.development;
}

/**
 * Whether the demonstration model runs: never in production. `DEMO_MODEL` decides; unset, it runs while no provider credential is set.
 * Beside credentials it takes slot P1 only if P1 has none.
 */
export function demoModelEnabled(config: Pick<Config, "NODE_ENV" | "DEMO_MODEL" | (typeof credentialVariables)[number]>): boolean {
  if (config.NODE_ENV === "production") return false;
  if (config.DEMO_MODEL) return config.DEMO_MODEL === "on";
  return credentialVariables.every((name) => config[name] === undefined);
}

/** Whether videos are made of a course. */
export const offersExplainers = ({ EXPLAINER_COURSE_IDS: list }: Pick<Config, "EXPLAINER_COURSE_IDS">, courseId: string): boolean =>
  list.includes("*") || list.includes(courseId);
