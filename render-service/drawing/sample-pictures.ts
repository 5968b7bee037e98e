import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { picturesOf } from "@colloquy/schemas/explainers/picture.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { widthOf } from "../frames/picture-width.ts";
import { loadPicture } from "./pictures.ts";

/** Loads the pictures of scenes from a folder, whatever their files are called: for contact sheets and tests. */
export async function loadPictures(scenes: readonly Scene[], folder: string): Promise<void> {
  const files = new Map<string, Uint8Array>();
  for (const name of await readdir(folder).catch(() => [])) {
    const bytes = await readFile(join(folder, name));
    files.set(createHash("sha256").update(bytes).digest("hex"), bytes);
  }
  for (const picture of picturesOf(scenes)) {
    const bytes = files.get(picture.sha256);
    if (!bytes) continue;
    for (const theme of ["light", "dark"] as const) await loadPicture(picture, bytes, { width: widthOf(scenes, picture), theme });
  }
}
