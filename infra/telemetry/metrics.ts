import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * What a process tells of itself, in Prometheus' terms. One registry for the process; every sample
 * carries the service's name. Durations are in seconds, as Prometheus wants them.
 */
export const registry = new Registry();

/** Begins to measure this process: memory, processor time, garbage collection, delay of the event loop. Once for each process. */
export function measureProcess(service: string): void {
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
}

const registers = [registry];

export const httpDuration = new Histogram({
  name: "colloquy_http_request_duration_seconds",
  help: "From the head of a request to the end of its answer; of streams, how long they stood",
  labelNames: ["method", "route", "status"],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
  registers,
});

export const appendDuration = new Histogram({
  name: "colloquy_event_store_append_duration_seconds",
  help: "From the call of append to the store's answer, with every repetition",
  labelNames: ["outcome"],
  buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
  registers,
});

export const appendedEvents = new Counter({
  name: "colloquy_event_store_appended_events_total",
  help: "Events that were acknowledged",
  registers,
});

/** Events a reader met and did not know; they are kept and skipped. */
export const unknownEvents = new Counter({
  name: "colloquy_unknown_events_total",
  help: "Events of a type the reader does not know; they are kept by the store and skipped",
  labelNames: ["reader", "type"],
  registers,
});

export const changesInProgress = new Gauge({
  name: "colloquy_push_changes_in_hand",
  help: "Changes from browsers' outboxes that were received and are not decided yet",
  registers,
});

export const changesDecided = new Counter({
  name: "colloquy_push_changes_total",
  help: "Changes from browsers' outboxes by what became of them",
  labelNames: ["outcome"],
  registers,
});

/** `claimed`, `completed`, `failed` with its code, `lost` with its worker; `given_up`: a film that no worker could be found for, or that was lost too often. */
export const renderAttempts = new Counter({
  name: "colloquy_render_tries_total",
  help: "Tries of render workers to make a film, by what became of them",
  labelNames: ["outcome", "code"],
  registers,
});

export const renderDuration = new Histogram({
  name: "colloquy_render_duration_seconds",
  help: "How long workers took for the films they made",
  buckets: [1, 2, 5, 10, 20, 40, 80, 160, 300],
  registers,
});

/** Of everybody: which account asked is not told. */
export const modelRequests = new Counter({
  name: "colloquy_model_requests_total",
  help: "Requests to model services, by slot",
  labelNames: ["slot"],
  registers,
});
export const modelTokens = new Counter({
  name: "colloquy_model_tokens_total",
  help: "Tokens read and written by models, by slot, as the services report them or else estimated",
  labelNames: ["slot"],
  registers,
});

/** What a search had to do with: `meaning`, or `words` alone. */
export const passageSearches = new Histogram({
  name: "colloquy_passage_search_duration_seconds",
  help: "From a search for passages to its results, with embedding the question, by what it was done with",
  labelNames: ["by"],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1],
  registers,
});

export const liveStreamsOpen = new Gauge({ name: "colloquy_live_streams_open", help: "Browsers that listen", registers });

export const liveUpdatesWaiting = new Gauge({
  name: "colloquy_live_news_waiting",
  help: "Changes that are not announced to listeners yet, because the feed does not hold them",
  registers,
});

/** A gauge whose values are computed at each scrape. */
export function gaugeOnScrape<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  look: () => Iterable<{ labels: Record<Label, string>; value: number }>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers,
    collect() {
      this.reset();
      for (const { labels, value } of look()) this.labels(labels).set(value);
    },
  });
}

export interface SubscriptionProgress {
  name: string;
  position: string | null;
  events: number;
  /** When the last delivered event was written, RFC 3339. */
  created: string | null;
  caughtUp: boolean;
  /** Why it is interrupted, for people; null while it runs. */
  failure: string | null;
}
const subscriptions = new Set<SubscriptionProgress>();

/** The subscriptions of this process. */
export const observedSubscriptions = (): readonly SubscriptionProgress[] => [...subscriptions];

/** Age of the last event delivered while a subscription catches up, in milliseconds; 0 once it is live. */
export const subscriptionLagMs = ({ caughtUp, created }: SubscriptionProgress): number =>
  caughtUp || created === null ? 0 : Math.max(0, Date.now() - Date.parse(created));

/** Counts a subscription for as long as it lives; the owner keeps the record up to date. */
export function observeSubscription(progress: SubscriptionProgress): () => void {
  subscriptions.add(progress);
  return () => void subscriptions.delete(progress);
}

const bySubscription = (value: (progress: SubscriptionProgress) => number) => () =>
  [...subscriptions].map((progress) => ({ labels: { subscription: progress.name }, value: value(progress) }));

gaugeOnScrape(
  "colloquy_subscription_position",
  "Commit position of the last event delivered",
  ["subscription"],
  bySubscription(({ position }) => Number(position ?? 0)),
);
gaugeOnScrape(
  "colloquy_subscription_events",
  "Events delivered since the process began",
  ["subscription"],
  bySubscription(({ events }) => events),
);
gaugeOnScrape(
  "colloquy_subscription_lag_seconds",
  "Age of the last event delivered while a subscription catches up; 0 once it is live",
  ["subscription"],
  bySubscription((progress) => subscriptionLagMs(progress) / 1_000),
);
gaugeOnScrape(
  "colloquy_subscription_interrupted",
  "1 while a subscription waits for the event store to answer it again",
  ["subscription"],
  bySubscription(({ failure }) => (failure === null ? 0 : 1)),
);
