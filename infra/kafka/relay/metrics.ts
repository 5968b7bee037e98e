import { gaugeOnScrape } from "../../telemetry/metrics.ts";
import type { RelayStatus } from "./relay.ts";

/** Registers the relay's metrics, once for each process. */
export function measureRelay(status: () => RelayStatus): void {
  const gauge = (name: string, help: string, value: (status: RelayStatus) => number): void =>
    gaugeOnScrape(`colloquy_relay_${name}`, help, [], () => [{ labels: {}, value: value(status()) }]);
  gauge("position", "Commit position of the last event the brokers acknowledged", ({ position }) => Number(position ?? 0));
  gauge("lag_seconds", "Age of the oldest event that waits to be relayed", ({ lagMs }) => lagMs / 1_000);
  gauge("events_per_second", "Events relayed each second, over the last ten seconds", ({ eventsPerSecond }) => eventsPerSecond);
  gauge("relayed_events", "Events relayed since the process began", ({ relayed }) => relayed);
  gauge("purging_partitions", "Partitions whose files may still hold deleted text", ({ purging }) => purging);
  gaugeOnScrape("colloquy_relay_state", "1 for the state the relay is in", ["state"], () => [
    { labels: { state: status().state }, value: 1 },
  ]);
}
