import { z } from "zod";
import { filmBounds } from "../film-bounds.ts";
import { id } from "../payload.ts";
import { renderSettings } from "./film.ts";
import { picture, storyboard } from "./storyboard.ts";

export const renderStages = ["queued", "starting", "drawing", "encoding", "uploading"] as const;
export type RenderStage = (typeof renderStages)[number];
export const progress = z.strictObject({ stage: z.enum(renderStages), done: z.int().min(0), total: z.int().min(1) });
export type Progress = z.infer<typeof progress>;

/** Why a render failed, as shown to people. */
export const failureCodes = [
  "layout_refused",
  "speech_unavailable",
  "encoder_missing",
  "out_of_memory",
  "too_slow",
  "no_space",
  "worker_lost",
  "renderer_failed",
] as const;
export const failureCode = z.enum(failureCodes);
export type FailureCode = z.infer<typeof failureCode>;

/** The file of a picture that a storyboard shows, in base64. */
export const pictureFile = z.strictObject({
  sha256: picture.shape.sha256,
  data: z.base64().max(Math.ceil(filmBounds.figure.bytes / 3) * 4),
});
export type PictureFile = z.infer<typeof pictureFile>;

/** A job for a worker, without its account. */
export const renderJob = z.strictObject({
  jobId: id,
  renderId: id,
  storyboard,
  /** Each picture of the storyboard once; a picture that the store no longer has is missing. */
  pictures: z.array(pictureFile).max(filmBounds.scenes.max).optional(),
  settings: renderSettings,
  rendererVersion: z.int().min(1),
  attempt: z.int().min(1),
});
export type RenderJob = z.infer<typeof renderJob>;
