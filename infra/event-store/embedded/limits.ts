/** Bounds of the embedded event store. Where EventStoreDB has a number of its own, it is the same. */

/** Largest append, in bytes of data over all its events (EventStoreDB's default, 1 MiB). */
export const maximumAppendBytes = 1024 * 1024;
/** Largest gRPC message: an append that is too large must arrive to be rejected with the right error (EventStoreDB: 17 MiB). */
export const maximumMessageBytes = 17 * 1024 * 1024;
/** Appends that one connection may have begun and not ended; the official client ends each before it begins the next. */
export const maximumOpenAppends = 1_024;
/** Waiting appends from which on connections are paused. */
export const maximumWaitingAppends = 4_096;

/** Limits of one read batch, so that a slow reader costs little memory and a fast one does not starve others. */
export const readBatch = { events: 256, bytes: 256 * 1024, scanned: 4_096 } as const;

/** Events that a page of a filtered read looks at (EventStoreDB's default window), and wanted events of a page. */
export const checkpointWindow = 32;
export const pageEvents = 32;
/** How long an append may stay open or wait, in milliseconds (EventStoreDB's default). */
export const writeTimeoutMs = 2_000;
/** Pause before a subscription looks again for a stream that does not exist (EventStoreDB's). */
export const absentStreamPauseMs = 50;
/** Events behind which a live subscriber may fall before it is dropped, in strict mode. */
export const slowConsumerEvents = 600;

/** `$tb` of a deleted stream, and the revision of a tombstone (the largest 64-bit number, as EventStoreDB writes it). */
export const endOfStream = 9_223_372_036_854_775_807n;
/** The expected revision that means that there is no stream (-1 as an unsigned number). */
export const noStreamRevision = 18_446_744_073_709_551_615n;
