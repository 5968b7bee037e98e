/** Bounds of the embedded event store. Where EventStoreDB has a number of its own, it is the same. */

/** Largest append, in bytes over all its events: data, metadata and type (EventStoreDB's default, 1 MiB). */
export const maximumAppendBytes = 1024 * 1024;
/** Largest gRPC message taken in: an append that is too large must arrive to be refused by name (EventStoreDB: 17 MiB). */
export const maximumMessageBytes = 17 * 1024 * 1024;
/** Appends that one connection may have begun and not ended; the official client ends each before it begins the next. */
export const maximumOpenAppends = 1_024;
/** Appends waiting for the disk before a connection is no longer read from. */
export const maximumWaitingAppends = 4_096;

/** One turn of reading: as many events are held at once, so that a slow reader costs no memory and a fast one no fairness. */
export const readBatch = { events: 256, bytes: 256 * 1024, scanned: 4_096 } as const;

/** Events between two checkpoints of a filtered subscription, times the caller's multiplier (EventStoreDB's default window). */
export const checkpointWindow = 32;

/** `$tb` of a deleted stream, and the revision of a tombstone (the largest 64-bit number, as EventStoreDB writes it). */
export const endOfStream = 9_223_372_036_854_775_807n;
