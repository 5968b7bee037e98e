import { createHash } from "node:crypto";
import { type RenderSettings, rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import type { PlaceOptions } from "../frames/timeline.ts";
import type { Picture } from "./encoder.ts";

/** The encoded pictures of one scene. */
export interface Segment {
  pictures: Picture[];
}

/** Raised when encoding or file format change. */
const encodingVersion = 2;
const begin = Buffer.from("CQSEG1\n");
/** Of one picture: frame and key flag, length. */
const headBytes = 8;
const sumBytes = 32;

/** A hash of everything that a segment's bytes depend on. */
export function segmentKey(scene: Scene, place: PlaceOptions, { aspect, height, theme }: RenderSettings, encoder: string): string {
  const { sceneId: _, ...shown } = scene;
  return createHash("sha256")
    .update(JSON.stringify([rendererVersion, encodingVersion, encoder, shown, place, aspect, height, theme], sortKeys))
    .digest("hex");
}

/** Sorts keys, so that equal content is equal text. */
const sortKeys = (_: string, value: unknown): unknown =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** A segment as a file: its pictures one after another, and a hash over all of it, so that a damaged file is drawn anew instead of shown. */
export function writeSegment({ pictures }: Segment): Buffer {
  const parts: Uint8Array[] = [begin];
  for (const { frame, key, data } of pictures) {
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(frame * 2 + (key ? 1 : 0), 0);
    head.writeUInt32BE(data.length, 4);
    parts.push(head, data);
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash("sha256").update(body).digest()]);
}

/** @returns null for what is no whole segment */
export function readSegment(file: Buffer): Segment | null {
  const end = file.length - sumBytes;
  if (end < begin.length || !file.subarray(0, begin.length).equals(begin)) return null;
  if (!createHash("sha256").update(file.subarray(0, end)).digest().equals(file.subarray(end))) return null;
  const pictures: Picture[] = [];
  for (let at = begin.length; at < end; ) {
    const [framed, length] = [file.readUInt32BE(at), file.readUInt32BE(at + 4)];
    at += headBytes;
    pictures.push({ frame: framed >>> 1, key: (framed & 1) === 1, data: file.subarray(at, at + length) });
    at += length;
  }
  return { pictures };
}
