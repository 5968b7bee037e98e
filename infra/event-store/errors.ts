import { notWritable, type WhyNotWritable } from "./not-writable.ts";

/** What can go wrong with the event store, as the rest of the program knows it. */

export type ExpectedRevision = number | "none" | "any";

/** Somebody else wrote to the stream: load it again and decide anew. */
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

/** The store could not be reached, or did not answer in time. An append may or may not have been written: the same again is safe. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
}

/** The store answers and cannot write: its disk is full, or takes nothing. The message says so in words for anybody. Nothing was written. */
export class StoreNotWritable extends StoreUnavailable {
  override name = "StoreNotWritable";
  readonly why: WhyNotWritable;
  constructor(why: WhyNotWritable, options?: ErrorOptions) {
    super(notWritable[why], options);
    this.why = why;
  }
}

/**
 * A reader has been beyond the store's last event: the store was restored from a backup older than what the reader keeps. Going on
 * would leave out every new event up to where the reader had been.
 */
export class StoreIsOlder extends Error {
  override name = "StoreIsOlder";
  /** `head`: where the store ends; "elsewhere" when it has grown past the place since and has another event there. */
  constructor(position: string, head: string | null | "elsewhere") {
    const how =
      head === "elsewhere"
        ? `has another event at position ${position} than the one that was handled from there`
        : `is older than what is kept here: it ends at position ${head ?? "0"}, this had reached ${position}`;
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

/** More in one append than the store takes. */
export class AppendTooLarge extends Error {
  override name = "AppendTooLarge";
  readonly maximumBytes: number;
  constructor(maximumBytes: number) {
    super(`One append may hold ${maximumBytes} bytes.`);
    this.maximumBytes = maximumBytes;
  }
}
