let lastTime = 0;
let sequence = 0;

/** A UUIDv7 (RFC 9562): sorts by time; ids of one page keep their order within a millisecond. */
export function uuidv7(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now;
    sequence = Math.floor(Math.random() * 0x800);
  } else if (++sequence > 0xfff) {
    lastTime += 1;
    sequence = 0;
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(lastTime / 0x10000));
  view.setUint16(4, lastTime % 0x10000);
  view.setUint16(6, 0x7000 | sequence);
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
