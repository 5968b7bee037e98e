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
