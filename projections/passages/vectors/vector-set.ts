import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Passage, type SearchIndex, type Source, type VectorSetHeader, vectorSetHeader } from "@colloquy/schemas/courses/revision.ts";
import { type QuantizedVector, quantized } from "./vector-table.ts";

/** The vectors of texts, by the texts' digests, all by one model. */
export interface VectorSet {
  dimensions: number;
  vectors: ReadonlyMap<string, QuantizedVector>;
}

/** What is embedded of a passage: where it stands, and its text. Changing the form makes all stored vectors useless. */
function embeddedText({ heading, text }: Passage, { trail, title }: Source): string {
  return `${[...new Set([...trail, title, heading])].filter(Boolean).join(" › ")}\n${text}`;
}

/** Names a text: equal texts have equal digests. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);

/** The texts of one topic, or of what stands above the topics: their vectors are stored together. */
export interface TextGroup {
  /** The topic's id, or `aboveTopics`. */
  topic: string;
  /** Names the content of its vectors. */
  name: string;
  /** Each text once, by its digest, with the passages that have it. */
  texts: ReadonlyMap<string, { text: string; passageIds: readonly string[] }>;
}
const aboveTopics = "course";
/** Texts hashed before the event loop gets a turn. */
const hashedAtOnce = 200;

/** The texts to embed of a search index, by topic. */
export async function textGroups({ passages, sources }: SearchIndex): Promise<TextGroup[]> {
  const bySourceId = new Map(sources.map((source) => [source.sourceId, source]));
  const groups = new Map<string, Map<string, { text: string; passageIds: string[] }>>();
  for (const [at, passage] of passages.entries()) {
    if (at % hashedAtOnce === hashedAtOnce - 1) await setImmediate();
    const source = bySourceId.get(passage.sourceId);
    if (!source) continue;
    const topic = source.topicId ?? aboveTopics;
    const texts = groups.get(topic) ?? new Map<string, { text: string; passageIds: string[] }>();
    groups.set(topic, texts);
    const text = embeddedText(passage, source);
    const digest = digestOf(text);
    const known = texts.get(digest);
    if (known) known.passageIds.push(passage.passageId);
    else texts.set(digest, { text, passageIds: [passage.passageId] });
  }
  return [...groups].map(([topic, texts]) => ({ topic, texts, name: contentName(texts.keys()) }));
}

/** Names the content of a set: the same texts have the same name, in any order. */
function contentName(digests: Iterable<string>): string {
  return createHash("sha256")
    .update([...digests].sort().join("\n"))
    .digest("hex");
}

const newline = 0x0a;

/** A set as bytes: a line of JSON, then a 32-bit scale (little-endian) and the codes for each digest. */
export function encodeVectorSet({ dimensions, vectors }: VectorSet): Uint8Array {
  const head = Buffer.from(`${JSON.stringify({ schemaVersion: 1, dimensions, digests: [...vectors.keys()] } satisfies VectorSetHeader)}\n`);
  const size = 4 + dimensions;
  const bytes = Buffer.alloc(head.length + vectors.size * size);
  head.copy(bytes);
  let at = head.length;
  for (const { codes, scale } of vectors.values()) {
    bytes.writeFloatLE(scale, at);
    bytes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength), at + 4);
    at += size;
  }
  return bytes;
}

/** @throws if the bytes are no whole set */
export function decodeVectorSet(bytes: Uint8Array): VectorSet {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = data.indexOf(newline);
  const { dimensions, digests } = vectorSetHeader.parse(JSON.parse(data.toString("utf8", 0, Math.max(end, 0))));
  const size = 4 + dimensions;
  if (data.length !== end + 1 + digests.length * size) throw new Error("a set of vectors is cut");
  const vectors = new Map(
    digests.map((digest, place): [string, QuantizedVector] => {
      const at = end + 1 + place * size;
      return [digest, { scale: data.readFloatLE(at), codes: new Int8Array(data.buffer, data.byteOffset + at + 4, dimensions) }];
    }),
  );
  return { dimensions, vectors };
}

/** The vectors of a group's texts by the passages that have the texts. */
export function vectorsByPassage(texts: TextGroup["texts"], { vectors }: VectorSet): Map<string, QuantizedVector> {
  const byPassage = new Map<string, QuantizedVector>();
  for (const [digest, { passageIds }] of texts) {
    const vector = vectors.get(digest);
    if (vector) for (const passageId of passageIds) byPassage.set(passageId, vector);
  }
  return byPassage;
}

/** Adds vectors as a model gives them. @throws if their dimensions differ from the set's */
export function extended(set: VectorSet | null, digests: readonly string[], vectors: readonly Float32Array[]): VectorSet {
  const dimensions = set?.dimensions ?? vectors[0]?.length ?? 0;
  const added = new Map(set?.vectors);
  for (const [at, vector] of vectors.entries()) {
    const digest = digests[at];
    if (vector.length !== dimensions || digest === undefined) throw new Error(`expected vectors of ${dimensions} components`);
    added.set(digest, quantized(vector));
  }
  return { dimensions, vectors: added };
}
