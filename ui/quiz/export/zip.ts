/** A file of an archive; its path without a leading slash. */
export interface ZipEntry {
  path: string;
  text: string;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** 1980-01-01, the earliest date the format knows: the same files are the same archive. */
const date = 0x21;
/** Bit 11: names are UTF-8. */
const flags = 0x0800;
const version = 20;

/** A zip archive of small files, stored as they are (APPNOTE.TXT 4.3). Pure. */
export function zip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, text } of entries) {
    const name = encoder.encode(path);
    const bytes = encoder.encode(text);
    const common = [
      u16(version),
      u16(flags),
      u16(0),
      u16(0),
      u16(date),
      u32(crc32(bytes)),
      u32(bytes.length),
      u32(bytes.length),
      u16(name.length),
    ];
    const local = joined([u32(0x04034b50), ...common, u16(0), name, bytes]);
    directory.push(joined([u32(0x02014b50), u16(version), ...common, u16(0), u16(0), u16(0), u16(0), u32(0), u32(offset), name]));
    parts.push(local);
    offset += local.length;
  }
  const list = joined(directory);
  const count = u16(entries.length);
  return joined([...parts, list, u32(0x06054b50), u16(0), u16(0), count, count, u32(list.length), u32(offset), u16(0)]);
}

const u16 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, (value >>> 8) & 0xff);
const u32 = (value: number): Uint8Array => Uint8Array.of(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, (value >>> 24) & 0xff);

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
