import { endOfStream } from "./limits.ts";
import type { StreamState } from "./records.ts";

/** What the newest event of a metastream says, read as EventStoreDB reads it: one wrong value, and the whole metadata counts as empty. Pure. */

/** A number of JSON text, with its digits: no JavaScript number holds the end of a stream. */
class NumberText {
  readonly digits: string;
  constructor(digits: string) {
    this.digits = digits;
  }
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): object;
};

const byteOrderMark = /^\ufeff/;
const textOf = (data: Uint8Array): string => Buffer.from(data).toString("utf8").replace(byteOrderMark, "");

/** A stream's metadata as an object; `{}` for what is none. */
export function parseMetadata(data: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(textOf(data));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The limits that metadata sets. A `truncateBefore` of `endOfStream` means that the stream was deleted. */
export interface Limits {
  truncateBefore: bigint;
  maxCount: number | null;
  /** Seconds. */
  maxAge: number | null;
}

const none: Limits = { truncateBefore: 0n, maxCount: null, maxAge: null };
/** The longest age that a .NET TimeSpan holds, in seconds. */
const longestAge = 922_337_203_685n;

export function limitsOf(data: Uint8Array, json: boolean): Limits {
  if (!json || data.length === 0) return none;
  try {
    const values = parse(textOf(data), (_key, value, { source }) => (typeof value === "number" ? new NumberText(source ?? "") : value));
    if (!isObject(values)) return none;
    if ("$acl" in values) checkRoles(values.$acl);
    if ("$tmp" in values && typeof values.$tmp !== "boolean") return none;
    const [maxCount, maxAge, truncateBefore, cacheControl] = ["$maxCount", "$maxAge", "$tb", "$cacheControl"].map((key) =>
      key in values ? whole(values[key]) : null,
    );
    if ((maxAge ?? 0n) > longestAge || (cacheControl ?? 0n) > longestAge) return none;
    // Zero means no limit, not an empty stream. No stream is longer or older than what a number holds.
    const limit = (value: bigint | null | undefined): number | null =>
      value && value > 0n ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : null;
    return {
      truncateBefore: truncateBefore && truncateBefore > 0n ? truncateBefore : 0n,
      maxCount: limit(maxCount),
      maxAge: limit(maxAge),
    };
  } catch {
    return none;
  }
}

/** The stream with the limits of its newest metadata. */
export function withLimits(state: StreamState, { truncateBefore, maxCount, maxAge }: Limits): StreamState {
  const isDeleted = truncateBefore >= endOfStream;
  return {
    ...state,
    truncateBefore: isDeleted ? state.next : Math.min(Number(truncateBefore), Number.MAX_SAFE_INTEGER),
    condition: state.condition === "tombstoned" ? "tombstoned" : isDeleted ? "deleted" : "live",
    maxCount,
    maxAge,
  };
}

/** The metadata with another `$tb` and everything else, digits included, as it was; null for what is no object. */
export function withTruncateBefore(data: Uint8Array, before: number): Uint8Array | null {
  try {
    const values = parse(textOf(data), (_key, value, { source }) => (typeof value === "number" && source ? rawJSON(source) : value));
    return isObject(values) ? Buffer.from(JSON.stringify({ ...values, $tb: before })) : null;
  } catch {
    return null;
  }
}

/** What a soft delete writes: it replaces all other metadata. */
export const deletedMetadata = (): Uint8Array => Buffer.from(`{"$tb":${endOfStream}}`);

/** @throws TypeError for what is no 64-bit whole number */
function whole(value: unknown): bigint {
  if (!(value instanceof NumberText) || !/^-?\d+$/.test(value.digits)) throw new TypeError("not a whole number");
  const number = BigInt(value.digits);
  if (number > endOfStream || number < -endOfStream - 1n) throw new TypeError("too large");
  return number;
}

/** @throws TypeError for an access control list that EventStoreDB cannot read */
function checkRoles(acl: unknown): void {
  if (!isObject(acl)) throw new TypeError("not an access control list");
  for (const [name, roles] of Object.entries(acl)) {
    const isRole = (each: unknown): boolean => typeof each === "string";
    if (!["$r", "$w", "$d", "$mr", "$mw"].includes(name) || !(isRole(roles) || (Array.isArray(roles) && roles.every(isRole))))
      throw new TypeError("not an access control list");
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
