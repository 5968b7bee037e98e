import { readConfig } from "../config.ts";
import { embeddedIdentity } from "../identity/accounts.ts";
import { innerAddress } from "../inner-address.ts";
import { serveAsChild } from "../launch/child.ts";
import { refuseToStart } from "../launch/refusal.ts";
import { createLog } from "../telemetry/log.ts";
import { startTraces } from "../telemetry/traces.ts";
import { createFrontDoor, type Room } from "./front-door.ts";

/** The front door as a process of its own, for services that are started one by one. The embedded identity provider is one of this machine. */

/** How long what runs may go on at a stop. */
const graceMs = 1_500;

const config = readConfig();
const address = (service: "COMMAND_API" | "QUERY_API"): URL =>
  new URL(
    innerAddress(config, service) ?? refuseToStart(`The front door needs ${service}_URL, or ${service}_PORT. See docs/operations.md.`),
  );
const identity = embeddedIdentity(config) && config.IDENTITY_PORT > 0;
const rooms: Record<Room, URL> = {
  command: address("COMMAND_API"),
  query: address("QUERY_API"),
  identity: new URL(`http://127.0.0.1:${config.IDENTITY_PORT || 80}`),
};
const traces = await startTraces(config, "front-door", createLog("front-door", config));
const door = createFrontDoor({
  publicUrl: config.publicUrl,
  addressPerMinute: config.ADDRESS_REQUESTS_PER_MINUTE,
  proxies: config.TRUSTED_PROXIES,
  house: {
    phase: () => "ready",
    doing: () => null,
    runs: (room) => room !== "identity" || identity,
    port: (room) => Number(rooms[room].port) || 80,
    host: (room) => rooms[room].hostname.replace(/^\[|\]$/g, ""),
  },
});
serveAsChild({ port: await door.listen(config.PORT, config.HOST), close: () => door.close(graceMs).then(traces.close) });
