import type { Config } from "./config.ts";

type Inner = "COMMAND_API" | "QUERY_API" | "PROJECTIONS" | "RELAY" | "FRONT_DOOR_STATUS";

/** The address of another service of the program, such as `http://127.0.0.1:8101`; null if it is not configured. */
export function serviceAddress(config: Pick<Config, `${Inner}_URL` | `${Inner}_PORT`>, service: Inner): string | null {
  const port = config[`${service}_PORT`];
  return config[`${service}_URL`] ?? (port > 0 ? `http://127.0.0.1:${port}` : null);
}
