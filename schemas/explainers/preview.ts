import { z } from "zod";
import { filmBounds } from "../film-bounds.ts";
import { id, payload } from "../payload.ts";
import { renderSettings } from "./film.ts";
import { placed, refused } from "./placed.ts";
import { scene } from "./storyboard.ts";

/**
 * `POST …/preview`: scenes of the job's storyboard as they are now, checked or not, in their order, because some go on with the one before;
 * times are reckoned anew. `wanted`: the scenes to answer with, if not all.
 */
export const previewRequest = payload({
  aspect: renderSettings.shape.aspect,
  scenes: z.array(scene).min(1).max(filmBounds.scenes.max),
  wanted: z.array(id).min(1).max(filmBounds.scenes.max).optional(),
});

export type PreviewRequest = z.infer<typeof previewRequest>;

/** A scene as the silent film shows it, with the aliases of its fonts (`render-service/frames/faces.ts`), or why it cannot. */
const previewScene = z.strictObject({
  sceneId: id,
  shown: z.discriminatedUnion("kind", [z.strictObject({ kind: z.literal("placed"), placed, fonts: z.array(z.string()) }), refused]),
});
export type PreviewScene = z.infer<typeof previewScene>;

export const previewResponse = payload({ scenes: z.array(previewScene) });
