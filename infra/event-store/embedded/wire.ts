/**
 * Protocol Buffers by hand, for what this server sends. The generated setters cost more than everything else on the way of
 * an event, and the messages are few. Field numbers are those of EventStoreDB's protocol (the client's `generated` folder).
 */

const utf8 = new TextEncoder();

/** The bytes of an unsigned number as a varint. */
export function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt(value);
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** A numeric field: written even when zero, because in this protocol presence decides between alternatives. */
export const number = (field: number, value: number | bigint): Uint8Array => Buffer.concat([varint(field << 3), varint(value)]);

/** A field of bytes, text, or a message made of parts. */
export function message(field: number, ...parts: (Uint8Array | string)[]): Uint8Array {
  const bytes = parts.map((part) => (typeof part === "string" ? utf8.encode(part) : part));
  const length = bytes.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([varint((field << 3) | 2), varint(length), ...bytes]);
}

/** A whole message. */
export const whole = (...fields: Uint8Array[]): Buffer => Buffer.concat(fields);

/** How many bytes a varint of this number takes. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** Writes a varint into a buffer and returns the offset behind it. Numbers up to 2^53. */
export function writeVarint(buffer: Buffer, value: number, at: number): number {
  let rest = value;
  let offset = at;
  while (rest > 0x7fffffff) {
    buffer[offset++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  while (rest > 127) {
    buffer[offset++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  buffer[offset++] = rest;
  return offset;
}
