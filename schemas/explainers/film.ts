import { z } from "zod";
import { filmBounds } from "../film-bounds.ts";
import { id } from "../payload.ts";
import { screenLine } from "./screen-line.ts";

/** Raised whenever the renderer's output changes for the same storyboard and settings. */
export const rendererVersion = 30;

/** Settings of a render. `height`: of the shorter side in pixels. */
export const renderSettings = z.strictObject({
  aspect: z.enum(["16:9", "9:16"]),
  height: z.union([z.literal(720), z.literal(1080)]),
  theme: z.enum(["light", "dark"]),
  voice: z.enum(["none", "spoken"]),
});
export type RenderSettings = z.infer<typeof renderSettings>;

/** The files of a render with their media types. */
export const artifactTypes = {
  video: "video/mp4",
  captions: "text/vtt",
  chapters: "text/vtt",
  poster: "image/png",
  transcript: "application/json",
} as const;
export const artifactKinds = Object.keys(artifactTypes) as ArtifactKind[];
export const artifactKind = z.enum(Object.keys(artifactTypes) as [ArtifactKind, ...ArtifactKind[]]);
export type ArtifactKind = keyof typeof artifactTypes;

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "expected a SHA-256 in lowercase hexadecimal digits");

export const artifact = z.strictObject({ kind: artifactKind, sha256, bytes: z.int().min(1).max(filmBounds.artifactBytes) });
export type Artifact = z.infer<typeof artifact>;

/** Measurements of a rendered video, at 720p: areas in square pixels, sizes in pixels. */
export const filmMetrics = z.strictObject({
  frames: z.int().min(1),
  framesDrawn: z.int().min(1),
  milliseconds: z.int().min(1),
  overflowArea: z.number().min(0),
  overlapArea: z.number().min(0),
  leastContrast: z.number().min(1).max(21),
  leastTextSize: z.number().min(0),
  wordsPerSecond: z.number().min(0),
  captionCharactersPerSecond: z.number().min(0),
  /** Scenes that were taken from the cache. */
  segmentsReused: z.int().min(0),
  renderMilliseconds: z.int().min(0),
});
export type FilmMetrics = z.infer<typeof filmMetrics>;

/** A film that was made. */
export const film = z.strictObject({
  renderId: id,
  storyboardId: id,
  settings: renderSettings,
  milliseconds: z.int().min(1),
  artifacts: z.array(artifact).min(1).max(artifactKinds.length),
  metrics: filmMetrics,
  /** Taken from the cache instead of being rendered. */
  reused: z.boolean(),
});
export type Film = z.infer<typeof film>;

/** The artifact `transcript`: narration and sources of each scene. */
export const transcript = z.strictObject({
  title: z.string(),
  language: z.string(),
  scenes: z.array(
    z.strictObject({
      sceneId: id,
      heading: z.string(),
      startMs: z.int().min(0),
      endMs: z.int().min(0),
      narration: z.string(),
      /** What is on screen, for people who cannot see it. Strings: transcripts of renderer version 5 and before. */
      shows: z.array(z.union([screenLine, z.string()])),
      sources: z.array(z.strictObject({ sourceId: id, title: z.string(), href: z.string(), quote: z.string() })),
    }),
  ),
});
export type Transcript = z.infer<typeof transcript>;
