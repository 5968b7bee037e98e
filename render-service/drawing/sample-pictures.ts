import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { picturesOf } from "@colloquy/schemas/explainers/picture.ts";
import type { Picture, Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { widthOf } from "../frames/picture-width.ts";
import { loadPicture } from "./pictures.ts";

/**
 * Loads the pictures of scenes from a folder, whatever their files are called: for contact sheets and tests.
 * @returns those that were found, with the width that SVG are drawn at
 */
export async function loadPictures(
  scenes: readonly Scene[],
  folder: string,
): Promise<{ picture: Picture; bytes: Uint8Array; width: number }[]> {
  const files = new Map<string, Uint8Array>();
  for (const name of await readdir(folder).catch(() => [])) {
    const bytes = await readFile(join(folder, name));
    files.set(createHash("sha256").update(bytes).digest("hex"), bytes);
  }
  const found = [];
  for (const picture of picturesOf(scenes)) {
    const bytes = files.get(picture.sha256);
    if (!bytes) continue;
    const width = widthOf(scenes, picture);
    found.push({ picture, bytes, width });
    for (const theme of ["light", "dark"] as const) await loadPicture(picture, bytes, { width, theme });
  }
  return found;
}
