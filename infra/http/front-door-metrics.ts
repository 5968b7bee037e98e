import { Counter, Gauge } from "prom-client";
import { registry } from "../telemetry/metrics.ts";

/** What the front door tells Prometheus, beside its process. Loaded where a front door is, so that no other service tells of one. */
const registers = [registry];

/** By the first digit of the status; `none` where whoever asked was gone before there was one. */
export const doorRequests = new Counter({
  name: "colloquy_front_door_requests_total",
  help: "Requests by the class of their status, once they are answered or broken off",
  labelNames: ["status"],
  registers,
});

/** `limit`: too many of one address; `name`: a host that is none of ours; `unavailable`: a service does not answer; `busy`: too many wait for it. */
export const doorRefusals = new Counter({
  name: "colloquy_front_door_refused_total",
  help: "Requests that the front door answered itself with a refusal",
  labelNames: ["reason"],
  registers,
});

export const doorStreamsOpen = new Gauge({
  name: "colloquy_front_door_streams_open",
  help: "Server-sent streams that are passed on",
  registers,
});

// Told before the first of them comes: a rate begins at 0.
for (const status of ["2xx", "3xx", "4xx", "5xx", "none"]) doorRequests.inc({ status }, 0);
for (const reason of ["limit", "name", "unavailable", "busy", "malformed"]) doorRefusals.inc({ reason }, 0);
