import { brotliDecompressSync } from "node:zlib";

/** Tags of tables that WOFF2 names by number, up to the one we look for (`cmap` is the first). */
const cmapIndex = 0;
const arbitraryTag = 63;
/** Tables that WOFF2 may store otherwise than the font has them: `glyf` and `loca` always unless said, others never. */
const glyf = 10;
const loca = 11;

/**
 * Which characters a font file has: reads the `cmap` table of a WOFF2 file (W3C, WOFF File Format 2.0). What a font does not have must be
 * known before anything is drawn: a canvas would take it silently from whatever the machine has.
 */
export function charactersOf(file: Buffer): Set<number> {
  if (file.toString("latin1", 0, 4) !== "wOF2") throw new Error("expected a WOFF2 file");
  const tables = file.readUInt16BE(12);
  const compressed = file.readUInt32BE(20);
  let at = 48;
  const base128 = (): number => {
    let value = 0;
    for (let count = 0; count < 5; count++) {
      const byte = file[at++] ?? 0;
      value = value * 128 + (byte & 127);
      if (!(byte & 128)) return value;
    }
    throw new Error("a length in the WOFF2 file does not end");
  };
  let offset = 0;
  let cmap: { from: number; length: number } | undefined;
  for (let table = 0; table < tables; table++) {
    const flags = file[at++] ?? 0;
    const index = flags & 63;
    const version = flags >> 6;
    let tag = "";
    if (index === arbitraryTag) {
      tag = file.toString("latin1", at, at + 4);
      at += 4;
    }
    const original = base128();
    const transformed = index === glyf || index === loca ? version !== 3 : version !== 0;
    const length = transformed ? base128() : original;
    if (index === cmapIndex || tag === "cmap") cmap = { from: offset, length };
    offset += length;
  }
  if (!cmap) throw new Error("the font has no cmap table");
  return charactersOfTable(brotliDecompressSync(file.subarray(at, at + compressed)).subarray(cmap.from, cmap.from + cmap.length));
}

/** Reads the subtables of formats 4 and 12: all that current fonts have for Unicode. */
function charactersOfTable(table: Buffer): Set<number> {
  const characters = new Set<number>();
  for (let record = 0; record < table.readUInt16BE(2); record++) {
    const start = table.readUInt32BE(4 + record * 8 + 4);
    const format = table.readUInt16BE(start);
    if (format === 4) readSegments(table.subarray(start), characters);
    if (format === 12) readGroups(table.subarray(start), characters);
  }
  return characters;
}

function readSegments(table: Buffer, characters: Set<number>): void {
  const doubled = table.readUInt16BE(6);
  for (let segment = 0; segment < doubled; segment += 2) {
    const end = table.readUInt16BE(14 + segment);
    const start = table.readUInt16BE(16 + doubled + segment);
    const delta = table.readUInt16BE(16 + 2 * doubled + segment);
    const place = 16 + 3 * doubled + segment;
    const range = table.readUInt16BE(place);
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const glyph = range === 0 ? (code + delta) & 0xffff : table.readUInt16BE(place + range + 2 * (code - start));
      if (glyph !== 0) characters.add(code);
    }
  }
}

function readGroups(table: Buffer, characters: Set<number>): void {
  for (let group = 0; group < table.readUInt32BE(12); group++) {
    const from = table.readUInt32BE(16 + group * 12);
    const to = table.readUInt32BE(20 + group * 12);
    for (let code = from; code <= to; code++) characters.add(code);
  }
}
