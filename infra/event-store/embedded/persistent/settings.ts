import { maximumGroupBuffer, maximumMilliseconds } from "../limits.ts";

/** What a persistent subscription is asked to be. Times in milliseconds. */
export interface GroupSettings {
  /** The first event it gives: a revision of its stream, or a position of `$all`. "end" means what is written after it was made. */
  startFrom: number | "start" | "end";
  resolveLinks: boolean;
  /** Measure how long each consumer takes for a message. */
  extraStatistics: boolean;
  /** A message not answered by then goes to somebody again; 0 waits for ever. */
  messageTimeout: number;
  /** How often a message is given again before it is parked. */
  maxRetryCount: number;
  /** A checkpoint is due when so much time has passed and the least count is done, or when the greatest count is done. */
  checkpointAfter: number;
  minCheckpointCount: number;
  maxCheckpointCount: number;
  /** 0 for any number. */
  maxSubscriberCount: number;
  /** Events held while it keeps up with what is written, and while it reads what was written before. */
  liveBufferSize: number;
  historyBufferSize: number;
  readBatchSize: number;
  strategy: StrategyName;
}

export const strategyNames = ["DispatchToSingle", "RoundRobin", "Pinned"] as const;
export type StrategyName = (typeof strategyNames)[number];

/** Why these settings cannot be; null when they can. */
export function settingsProblem(settings: GroupSettings): string | null {
  const { liveBufferSize, historyBufferSize, readBatchSize, minCheckpointCount, maxCheckpointCount } = settings;
  const positive = { liveBufferSize, historyBufferSize, readBatchSize, maxCheckpointCount };
  for (const [name, value] of Object.entries(positive)) if (value < 1) return `${name} must be at least 1.`;
  const { maxRetryCount, maxSubscriberCount, messageTimeout, checkpointAfter } = settings;
  const natural = { maxRetryCount, maxSubscriberCount, minCheckpointCount, messageTimeout, checkpointAfter };
  for (const [name, value] of Object.entries(natural)) if (!(value >= 0)) return `${name} cannot be below 0.`;
  for (const [name, value] of Object.entries({ liveBufferSize, historyBufferSize }))
    if (value > maximumGroupBuffer) return `${name} cannot be above ${maximumGroupBuffer}.`;
  for (const [name, value] of Object.entries({ messageTimeout, checkpointAfter }))
    if (value > maximumMilliseconds) return `${name} cannot be above ${maximumMilliseconds} ms.`;
  if (readBatchSize >= historyBufferSize) return "historyBufferSize must be larger than readBatchSize.";
  if (minCheckpointCount > maxCheckpointCount) return "minCheckpointCount cannot be above maxCheckpointCount.";
  return null;
}
