import { credentialVariables } from "@colloquy/schemas/provider-catalog.ts";
import type { Config } from "../../config.ts";

/**
 * Whether the demonstration model runs: never in production; otherwise as `DEMO_MODEL` says, and when it says nothing,
 * as long as no provider credential is set. With `DEMO_MODEL=on` beside credentials it runs, and stands in for slot P1
 * only when P1 itself has no credential.
 */
export function demoModelEnabled(config: Pick<Config, "NODE_ENV" | "DEMO_MODEL" | (typeof credentialVariables)[number]>): boolean {
  if (config.NODE_ENV === "production") return false;
  if (config.DEMO_MODEL) return config.DEMO_MODEL === "on";
  return credentialVariables.every((name) => config[name] === undefined);
}
