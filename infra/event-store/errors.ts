import { notWritable, type WhyNotWritable } from "./not-writable.ts";

/** Errors of the event store. */

export type ExpectedRevision = number | "none" | "any";

/** Another writer appended to the stream: load it and decide again. */
export class WrongExpectedRevision extends Error {
  override name = "WrongExpectedRevision";
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: number | "none";
  constructor(stream: string, expected: ExpectedRevision, actual: number | "none") {
    super(`${stream} is at revision ${actual}, not ${expected}.`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The store could not be reached, or did not answer in time. An append may or may not have been written; repeating it is safe. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
}

/** This process closed its client of the store. */
export class StoreClosed extends StoreUnavailable {
  override name = "StoreClosed";
}

/** The store answers but cannot write: its disk is full or refuses writes. The message may be shown to anybody. Nothing was written. */
export class StoreNotWritable extends StoreUnavailable {
  override name = "StoreNotWritable";
  readonly why: WhyNotWritable;
  constructor(why: WhyNotWritable, options?: ErrorOptions) {
    super(notWritable[why], options);
    this.why = why;
  }
}

/**
 * A reader was beyond the store's last event: the store was restored from a backup older than the reader's checkpoint. Continuing would
 * skip every new event up to that checkpoint.
 */
export class StoreIsOlder extends Error {
  override name = "StoreIsOlder";
  /** `head`: the store's last position; "elsewhere" if it has grown past the reader's position and has another event there. */
  constructor(position: string, head: string | null | "elsewhere") {
    const how =
      head === "elsewhere"
        ? `has another event at position ${position} than the one that was handled`
        : `is older than this reader: it ends at position ${head ?? "0"}, and the reader was at ${position}`;
    super(`The event store ${how}. It was restored from a backup; see "Restore" in docs/run/backup.md.`);
  }
}

/** The stream was tombstoned and takes no more events. */
export class StreamTombstoned extends Error {
  override name = "StreamTombstoned";
  readonly stream: string;
  constructor(stream: string) {
    super(`${stream} was deleted for good.`);
    this.stream = stream;
  }
}

/** One append exceeds the store's limit. */
export class AppendTooLarge extends Error {
  override name = "AppendTooLarge";
  readonly maximumBytes: number;
  constructor(maximumBytes: number) {
    super(`One append may hold ${maximumBytes} bytes.`);
    this.maximumBytes = maximumBytes;
  }
}
