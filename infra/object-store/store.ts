import type { Readable } from "node:stream";

/** When a write may happen: only if nothing stands there, or only if what stands there is still what was read. */
export type WriteCondition = { ifNoneMatch: true } | { ifMatch: string };

/** Bytes `start` to `end`, both included; without `end`, to the end of the object. */
export interface ByteRange {
  start: number;
  end?: number;
}

export interface ObjectStream {
  stream: Readable;
  /** Of the whole object, in bytes. */
  size: number;
  start: number;
  /** Of the last byte sent; `start - 1` for an empty object. */
  end: number;
}

/**
 * Named objects that are replaced whole. A reader sees an old object or a new one, never half of one; of several
 * conditional writers exactly one wins, whichever process they are in.
 */
export interface ObjectStore {
  get(key: string): Promise<{ bytes: Uint8Array; etag: string } | null>;
  /** `ok: false` when the condition does not hold (also `ifMatch` where nothing stands): the race is lost, nothing was written. */
  put(key: string, bytes: Uint8Array, condition?: WriteCondition): Promise<{ ok: true; etag: string } | { ok: false }>;
  /** Keys that begin with the prefix, in order. */
  list(prefix: string): AsyncIterable<string>;
  /** Null when there is no such object. @throws {RangeNotSatisfiable} for a range that begins behind the object's end. */
  stream(key: string, range?: ByteRange): Promise<ObjectStream | null>;
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>;
}

export class RangeNotSatisfiable extends Error {
  override name = "RangeNotSatisfiable";
  readonly size: number;
  constructor(size: number) {
    super(`The range begins behind the end of an object of ${size} bytes`);
    this.size = size;
  }
}

/** The store does not keep what it promises, so publishing through it could lose somebody's work. */
export class UnsafeObjectStore extends Error {
  override name = "UnsafeObjectStore";
}

/** The store cannot be reached, or does not answer as it should. Trying again later may help; what a write did is not known. */
export class ObjectStoreUnavailable extends Error {
  override name: string = "ObjectStoreUnavailable";
}

/** A conditional write whose answer was lost, and nobody can say any more whether it was carried out. */
export class OutcomeUnknown extends ObjectStoreUnavailable {
  override name = "OutcomeUnknown";
}

/** The store understood and said no: wrong credentials, no such bucket, not allowed. Trying again does not help. */
export class ObjectStoreRefused extends Error {
  override name = "ObjectStoreRefused";
  readonly status: number;
  /** S3's word for it; empty when it gave none. */
  readonly code: string;
  constructor(message: string, { status, code }: { status: number; code: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const longestKey = 900;
const segment = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/;

/** Whether a key is made of plain segments parted by "/". */
export const isKey = (key: string): boolean => key.length <= longestKey && key.split("/").every((part) => segment.test(part));

/** @throws {TypeError} for a key that is not made of plain segments parted by "/". */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new TypeError(`Not an object key: ${JSON.stringify(key.slice(0, 100))}`);
}

/** The whole segments a prefix begins with, with their "/". @throws {TypeError} when no key could have them. */
export function folderOfPrefix(prefix: string): string {
  const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  if (folder) checkKey(folder.slice(0, -1));
  return folder;
}

/** The bytes from and to which a range reaches in an object of a size. @throws {RangeNotSatisfiable} */
export function resolveRange(size: number, range: ByteRange | undefined): { start: number; end: number } {
  if (!range) return { start: 0, end: size - 1 };
  const end = Math.min(range.end ?? size - 1, size - 1);
  if (range.start < 0 || range.start >= size || end < range.start) throw new RangeNotSatisfiable(size);
  return { start: range.start, end };
}
