import { endOfStream } from "./limits.ts";
import type { RecordedEvent } from "./records.ts";
import { uuidText } from "./uuid.ts";
import { message, number, varint, varintSize, whole, writeVarint } from "./wire.ts";

/** Answers of Streams.Read (`ReadResp`), as bytes. */

export const confirmation = (subscriptionId: string): Buffer => whole(message(2, message(1, subscriptionId)));
export const checkpoint = (position: number): Buffer => whole(message(3, number(1, position), number(2, position)));
export const streamNotFound = (stream: string): Buffer => whole(message(4, message(1, message(3, stream))));
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

/**
 * One event, as `ReadResp { ReadEvent { RecordedEvent } }`. Sizes are counted first, then everything is written once into one
 * buffer: this runs for every event that anyone reads.
 */
export function encodeEvent(event: RecordedEvent): Buffer {
  // A tombstone stands at the largest revision the protocol has, which no JavaScript number holds.
  const tombstone = event.revision === Number.MAX_SAFE_INTEGER;
  const streamLength = Buffer.byteLength(event.stream);
  const typeLength = Buffer.byteLength(event.type);
  // .NET ticks since 1970: a tenth of a microsecond each.
  const created = `${event.created}0000`;
  const contentType = event.json ? jsonEntry : binaryEntry;
  const typeEntryLength = typeKey.length + sized(typeLength);
  const createdEntryLength = createdKey.length + sized(created.length);
  const positionSize = varintSize(event.position);
  const revision = tombstone ? varint(endOfStream) : null;
  const recordLength =
    sized(sized(uuidLength)) +
    sized(sized(streamLength)) +
    1 +
    (revision?.length ?? varintSize(event.revision)) +
    2 * (1 + positionSize) +
    sized(typeEntryLength) +
    contentType.length +
    sized(createdEntryLength) +
    sized(event.metadata.length) +
    sized(event.data.length);
  const readLength = sized(recordLength) + 1 + positionSize;

  const buffer = Buffer.allocUnsafe(sized(readLength));
  let at = 0;
  const head = (tag: number, length: number): void => {
    buffer[at] = tag;
    at = writeVarint(buffer, length, at + 1);
  };
  const bytes = (from: Uint8Array): void => {
    buffer.set(from, at);
    at += from.length;
  };
  head(0x0a, readLength);
  head(0x0a, recordLength);
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
  head(0x32, typeEntryLength);
  bytes(typeKey);
  head(0x12, typeLength);
  at += buffer.write(event.type, at);
  bytes(contentType);
  head(0x32, createdEntryLength);
  bytes(createdKey);
  head(0x12, created.length);
  at += buffer.write(created, at, "latin1");
  head(0x3a, event.metadata.length);
  bytes(event.metadata);
  head(0x42, event.data.length);
  bytes(event.data);
  head(0x18, event.position);
  return buffer;
}
