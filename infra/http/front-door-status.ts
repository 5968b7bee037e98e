import type { Config } from "../config.ts";
import { closeServer, openPort } from "../process/http-server.ts";
import { statusServer } from "../telemetry/status-server.ts";

/**
 * Where the front door tells its figures: a port of its own that the other services and Prometheus reach, and nobody else. The address
 * that people use has nothing of it. Rejects with the system's error when the port cannot be had.
 * @param host the interface of inner ports; loopback unless told otherwise
 */
export async function openFrontDoorStatus(
  config: Pick<Config, "FRONT_DOOR_STATUS_PORT" | "METRICS_TOKEN" | "development">,
  phase: () => string,
  options: { host?: string; onError: (error: Error) => void },
): Promise<{ port: number; close(): Promise<void> }> {
  const server = statusServer(config, () => ({ frontDoor: { phase: phase() } }));
  const port = await openPort(server, config.FRONT_DOOR_STATUS_PORT, options);
  return { port, close: () => closeServer(server, 0) };
}
