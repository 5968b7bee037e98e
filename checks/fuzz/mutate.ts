import { gzipSync } from "node:zlib";
import { bounds } from "@colloquy/schemas/bounds.ts";
import fc from "fast-check";
import { unicodeEdgeCases } from "./values.ts";

/** A body as it goes over the wire, and the headers it asks for. */
export interface Body {
  bytes: Buffer;
  headers?: Record<string, string>;
  /** What was done to it, for the report. */
  how: string;
}

type Json = unknown;
const isObject = (value: Json): value is Record<string, Json> => typeof value === "object" && value !== null && !Array.isArray(value);

/** Every place in a value, from the whole to the leaves. */
function places(value: Json, at: (string | number)[] = []): (string | number)[][] {
  const inner = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : isObject(value) ? Object.entries(value) : [];
  return [at, ...inner.flatMap(([key, item]) => places(item, [...at, key]))];
}

/** The value with what stands at a place made anew; undefined takes it away. */
function changed(value: Json, at: readonly (string | number)[], make: (old: Json) => Json): Json {
  const [key, ...rest] = at;
  if (key === undefined) return make(value);
  if (Array.isArray(value)) {
    const made = changed(value[key as number], rest, make);
    return made === undefined ? value.toSpliced(key as number, 1) : value.with(key as number, made);
  }
  if (!isObject(value)) return value;
  const { [key]: old, ...others } = value;
  const made = changed(old, rest, make);
  return made === undefined ? others : { ...others, [key]: made };
}

const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

/** A value that is nearly valid: one or two of its places hold what they should not. */
function almostValid(valid: fc.Arbitrary<Json>): fc.Arbitrary<{ value: Json; how: string }> {
  const spoil = fc.oneof(
    fc.constantFrom<[string, (old: Json) => Json]>(
      ["taken away", () => undefined],
      ["null", () => null],
      ["another type", (old) => (typeof old === "string" ? 7 : typeof old === "number" ? "7" : Array.isArray(old) ? {} : [])],
      ["unknown field", (old) => (isObject(old) ? { ...old, unheardOf: true } : old)],
      [
        "__proto__",
        (old) =>
          isObject(old) ? JSON.parse(`{"__proto__":{"admin":true},${JSON.stringify(old).slice(1)}`.replace(",}", "}")) : "__proto__",
      ],
      ["constructor", (old) => (isObject(old) ? { ...old, constructor: { prototype: { admin: true } } } : "constructor")],
      ["far too long", (old) => (Array.isArray(old) ? Array(5_000).fill(old[0] ?? 0) : "x".repeat(200_000))],
      ["twice", (old) => (Array.isArray(old) ? [...old, ...old] : typeof old === "string" ? old + old : old)],
      ["a huge number", () => 1e308],
      ["below nothing", () => -1],
      ["half a number", () => 0.5],
      ["beyond whole numbers", () => 2 ** 53 + 2],
      ["deep", () => JSON.parse(nested(500, '{"a":[', "]}"))],
      ["another version", (old) => (isObject(old) ? { ...old, schemaVersion: 99 } : old)],
    ),
    unicodeEdgeCases.map((text): [string, (old: Json) => Json] => ["edges of Unicode", () => text]),
    fc.jsonValue({ maxDepth: 3 }).map((value): [string, (old: Json) => Json] => ["anything", () => value]),
  );
  return fc.tuple(valid, fc.array(fc.tuple(fc.nat(10_000), spoil), { minLength: 1, maxLength: 2 })).map(([value, spoils]) => ({
    how: spoils.map(([, [how]]) => how).join(", "),
    value: spoils.reduce((whole, [where, [, make]]) => {
      const all = places(whole);
      return changed(whole, all[where % all.length] ?? [], make) ?? null;
    }, value),
  }));
}

const json = (value: Json): Buffer => Buffer.from(JSON.stringify(value) ?? "null");
const typed = { "content-type": "application/json" };

/** A body of JSON: as it should be, nearly so, or broken where bytes are read. */
export function bodies(valid: fc.Arbitrary<Json>): fc.Arbitrary<Body> {
  return fc.oneof(
    { weight: 3, arbitrary: valid.map((value) => ({ bytes: json(value), headers: typed, how: "valid" })) },
    { weight: 5, arbitrary: almostValid(valid).map(({ value, how }) => ({ bytes: json(value), headers: typed, how })) },
    { weight: 2, arbitrary: fc.tuple(valid, broken).map(([value, breaks]) => ({ headers: typed, ...breaks(json(value)) })) },
  );
}

type Break = (bytes: Buffer) => Body;
const text =
  (how: string, make: (text: string) => string | Buffer): Break =>
  (bytes) => ({ how, bytes: Buffer.from(make(bytes.toString())) });
/** Ways in which bytes are no JSON, no UTF-8, or far more than they seem. */
const broken: fc.Arbitrary<Break> = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }).map((part) => text("cut off", (body) => body.slice(0, Math.floor(body.length * part)))),
  fc.uint8Array({ maxLength: 200 }).map(
    (bytes): Break =>
      () => ({ how: "any bytes", bytes: Buffer.from(bytes) }),
  ),
  fc.constantFrom<Break>(
    text("empty", () => ""),
    text("with a byte order mark", (body) => `\ufeff${body}`),
    text("with something behind", (body) => `${body}}`),
    text("a field twice", (body) => body.replace("{", '{"schemaVersion":1,"schemaVersion":2,')),
    text("not a number", (body) => body.replace(/\d+/, "NaN")),
    text("a number beyond all", (body) => body.replace(/\d+/, "1e999999")),
    text("half a letter", (body) => Buffer.concat([Buffer.from(body.slice(0, -1)), Buffer.from([0xc3, 0x28, 0xff])])),
    text("lists without end", () => nested(100_000, "[", "]")),
    text("objects without end", () => `${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}`),
    text("beyond the bound", () => JSON.stringify({ schemaVersion: 1, more: "x".repeat(bounds.json.bodyBytes + 10) })),
    text("a text", () => '"only a text"'),
    text("a thousand fields", () =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, index]))),
    ),
    (bytes) => ({ how: "packed", bytes: gzipSync(bytes), headers: { ...typed, "content-encoding": "gzip" } }),
    () => ({ how: "a bomb when unpacked", bytes: bomb, headers: { ...typed, "content-encoding": "gzip" } }),
    (bytes) => ({ how: "said to be packed", bytes, headers: { ...typed, "content-encoding": "gzip" } }),
    (bytes) => ({ how: "packed in no known way", bytes, headers: { ...typed, "content-encoding": "lzma" } }),
    (bytes) => ({ how: "a form", bytes, headers: { "content-type": "application/x-www-form-urlencoded" } }),
    (bytes) => ({ how: "plain text", bytes, headers: { "content-type": "text/plain" } }),
    (bytes) => ({ how: "another alphabet", bytes, headers: { "content-type": "application/json; charset=utf-16le" } }),
    (bytes) => ({ how: "no known alphabet", bytes, headers: { "content-type": "application/json; charset=klingon" } }),
    (bytes) => ({ how: "of no type", bytes, headers: {} }),
  ),
);
/** 40 MiB of zeros in 40 kB. */
const bomb = gzipSync(Buffer.alloc(40 * 1_048_576), { level: 9 });
