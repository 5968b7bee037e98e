/** What every event carries beside its data. */
export interface EventMetadata {
  /** A pseudonym. */
  accountId: string;
  /** Of the command: the same again is the same command. */
  requestId: string;
  /** Of the browser's request that brought the command; the command's own where there was none. */
  correlationId: string;
  /** When the person did it, by their own device (RFC 3339); the store's own time says when it was written. */
  at?: string;
  deviceId?: string;
  /** The span that appended it, as W3C writes it, where its trace is kept (docs/run/monitoring.md). */
  traceparent?: string;
}

const fields = [
  "accountId",
  "requestId",
  "correlationId",
  "at",
  "deviceId",
  "traceparent",
] as const satisfies readonly (keyof EventMetadata)[];

/** What of an event's metadata is ours, whoever wrote it: fields that are missing, or no text, are left out. */
export function readEventMetadata(stored: unknown): Partial<EventMetadata> {
  const metadata: Partial<EventMetadata> = {};
  if (typeof stored !== "object" || stored === null) return metadata;
  const given = stored as Record<string, unknown>;
  for (const field of fields) {
    const value = given[field];
    if (typeof value === "string") metadata[field] = value;
  }
  return metadata;
}
