import { embeddedIdentity, readConfig } from "../config.ts";
import { refuseToStart } from "../process/refuse-to-start.ts";
import { serveAsChild } from "../process/serve-as-child.ts";
import { serviceAddress } from "../service-address.ts";
import { createLog } from "../telemetry/log.ts";
import { measureProcess } from "../telemetry/metrics.ts";
import { startTraces } from "../telemetry/traces.ts";
import { createFrontDoor, type Service } from "./front-door.ts";
import { openFrontDoorStatus } from "./front-door-status.ts";

/** The front door as a process of its own, for services that are started one by one. The embedded identity provider is one of this machine. */

/**
 * How long what runs may go on at a stop: most answers of a model end by themselves meanwhile. The services behind it go on serving, unlike
 * where one program stops as a whole; what ends processes waits ten seconds or longer for them, unless told otherwise.
 */
const graceMs = 8_000;

const config = readConfig();
const address = (service: "COMMAND_API" | "QUERY_API"): URL =>
  new URL(
    serviceAddress(config, service) ?? refuseToStart(`The front door needs ${service}_URL, or ${service}_PORT. See docs/run/install.md.`),
  );
const identity = embeddedIdentity(config) && config.IDENTITY_PORT > 0;
const rooms: Record<Service, URL> = {
  command: address("COMMAND_API"),
  query: address("QUERY_API"),
  identity: new URL(`http://127.0.0.1:${config.IDENTITY_PORT || 80}`),
};
const log = createLog("front-door", config);
measureProcess("front-door");
const traces = await startTraces(config, "front-door", log);
const status = await openFrontDoorStatus(config, () => "ready", {
  host: config.SERVICE_HOST,
  onError: (error) => log.error({ err: error }, "a connection could not be accepted"),
});
const door = createFrontDoor({
  publicUrl: config.publicUrl,
  addressPerMinute: config.ADDRESS_REQUESTS_PER_MINUTE,
  proxies: config.TRUSTED_PROXIES,
  backends: {
    phase: () => "ready",
    doing: () => null,
    runs: (room) => room !== "identity" || identity,
    port: (room) => Number(rooms[room].port) || 80,
    host: (room) => rooms[room].hostname.replace(/^\[|\]$/g, ""),
  },
});
serveAsChild({
  port: await door.listen(config.PORT, config.HOST),
  withinMs: graceMs + 1_500,
  async close() {
    await door.close(graceMs);
    await status.close();
    await traces.close();
  },
});
