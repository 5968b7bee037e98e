import { uuidBytes } from "./uuid.ts";
import { message, number } from "./wire.ts";

/** Ids on the wire, in the two forms that the protocol has (`UUID`). */

export const textId = (text: string): Uint8Array => message(2, text);

/** A UUID as two signed halves. */
export function structuredId(text: string): Uint8Array {
  const bytes = Buffer.from(uuidBytes(text) ?? Buffer.alloc(16));
  return message(1, number(1, bytes.readBigUInt64BE(0)), number(2, bytes.readBigUInt64BE(8)));
}
