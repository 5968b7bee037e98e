import { endOfStream } from "./limits.ts";
import { original, type ResolvedEvent } from "./links.ts";
import type { RecordedEvent } from "./records.ts";
import type { Place } from "./requests.ts";
import { uuidText } from "./uuid.ts";
import { message, number, varint, varintSize, whole, writeVarint } from "./wire.ts";

/** Answers of Streams.Read (`ReadResp`), as bytes. */

export const confirmation = (subscriptionId: string): Buffer => whole(message(2, message(1, subscriptionId)));
export const checkpoint = ({ commit, prepare }: Place): Buffer => whole(message(3, number(1, commit), number(2, prepare)));
export const streamNotFound = (stream: string): Buffer => whole(message(4, message(1, message(3, stream))));
export const firstStreamPosition = (revision: number): Buffer => whole(number(5, revision));
export const lastStreamPosition = (revision: number): Buffer => whole(number(6, revision));
export const caughtUp = (): Buffer => whole(message(8));

const jsonType = Buffer.from("application/json");
const binaryType = Buffer.from("application/octet-stream");
const entry = (key: string, value: Uint8Array): Uint8Array => message(6, message(1, key), message(2, value));
const jsonEntry = entry("content-type", jsonType);
const binaryEntry = entry("content-type", binaryType);
const typeKey = Buffer.from(message(1, "type"));
const createdKey = Buffer.from(message(1, "created"));
const uuidLength = 36;

const sized = (length: number): number => 1 + varintSize(length) + length;

interface Measured {
  event: RecordedEvent;
  streamLength: number;
  typeLength: number;
  created: string;
  contentType: Uint8Array;
  revision: Uint8Array | null;
  length: number;
}

function measure(event: RecordedEvent): Measured {
  // A tombstone stands at the largest revision the protocol has, which no JavaScript number holds.
  const tombstone = event.revision === Number.MAX_SAFE_INTEGER;
  const streamLength = Buffer.byteLength(event.stream);
  const typeLength = Buffer.byteLength(event.type);
  // .NET ticks since 1970: a tenth of a microsecond each.
  const created = `${event.created}0000`;
  const contentType = event.json ? jsonEntry : binaryEntry;
  const revision = tombstone ? varint(endOfStream) : null;
  const length =
    sized(sized(uuidLength)) +
    sized(sized(streamLength)) +
    1 +
    (revision?.length ?? varintSize(event.revision)) +
    2 * (1 + varintSize(event.position)) +
    sized(typeKey.length + sized(typeLength)) +
    contentType.length +
    sized(createdKey.length + sized(created.length)) +
    sized(event.metadata.length) +
    sized(event.data.length);
  return { event, streamLength, typeLength, created, contentType, revision, length };
}

/** Writes a `RecordedEvent` as a field, and returns the offset behind it. */
function writeRecord(buffer: Buffer, tag: number, measured: Measured, from: number): number {
  const { event, streamLength, typeLength, created, contentType, revision, length } = measured;
  let at = from;
  const head = (field: number, value: number): void => {
    buffer[at] = field;
    at = writeVarint(buffer, value, at + 1);
  };
  const bytes = (content: Uint8Array): void => {
    buffer.set(content, at);
    at += content.length;
  };
  head(tag, length);
  head(0x0a, sized(uuidLength));
  head(0x12, uuidLength);
  at += buffer.write(uuidText(event.id), at, "latin1");
  head(0x12, sized(streamLength));
  head(0x1a, streamLength);
  at += buffer.write(event.stream, at);
  if (revision) {
    buffer[at++] = 0x18;
    bytes(revision);
  } else head(0x18, event.revision);
  head(0x20, event.position);
  head(0x28, event.position);
  head(0x32, typeKey.length + sized(typeLength));
  bytes(typeKey);
  head(0x12, typeLength);
  at += buffer.write(event.type, at);
  bytes(contentType);
  head(0x32, createdKey.length + sized(created.length));
  bytes(createdKey);
  head(0x12, created.length);
  at += buffer.write(created, at, "latin1");
  head(0x3a, event.metadata.length);
  bytes(event.metadata);
  head(0x42, event.data.length);
  bytes(event.data);
  return at;
}

/**
 * One event, as `ReadResp { ReadEvent { event, link, commit_position } }`.
 * Sizes are counted first, then everything is written once into one buffer: this runs for every event that anyone reads.
 */
export function encodeEvent(resolved: ResolvedEvent): Buffer {
  const event = resolved.event && measure(resolved.event);
  const link = resolved.link && measure(resolved.link);
  const { position } = original(resolved);
  const readLength = (event ? sized(event.length) : 0) + (link ? sized(link.length) : 0) + 1 + varintSize(position);
  const buffer = Buffer.allocUnsafe(sized(readLength));
  buffer[0] = 0x0a;
  let at = writeVarint(buffer, readLength, 1);
  if (event) at = writeRecord(buffer, 0x0a, event, at);
  if (link) at = writeRecord(buffer, 0x12, link, at);
  buffer[at] = 0x18;
  writeVarint(buffer, position, at + 1);
  return buffer;
}

const encoded = new WeakMap<RecordedEvent, Buffer>();

/** The same, encoded once for all live subscriptions that show this event as it stands. */
export function encodeShared(resolved: ResolvedEvent): Buffer {
  const { event, link } = resolved;
  if (!event || link) return encodeEvent(resolved);
  const known = encoded.get(event) ?? encodeEvent(resolved);
  encoded.set(event, known);
  return known;
}
