import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PictureFile } from "@colloquy/schemas/explainers/render.ts";
import { RenderFailure } from "./failure.ts";

/** The file of a picture in the folder of a job. */
export const pictureName = (sha256: string): string => `picture-${sha256}`;

/**
 * Writes the pictures of a job where its renderer reads them. Nothing decodes them outside of the isolated process.
 * @throws {RenderFailure} if bytes are not those that their name says
 */
export function writePictures(pictures: readonly PictureFile[], folder: string): void {
  for (const { sha256, data } of pictures) {
    const bytes = Buffer.from(data, "base64");
    if (createHash("sha256").update(bytes).digest("hex") !== sha256)
      throw new RenderFailure("renderer_failed", `the picture ${sha256} has other bytes`);
    writeFileSync(join(folder, pictureName(sha256)), bytes);
  }
}
