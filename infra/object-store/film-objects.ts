import { createHash } from "node:crypto";
import type { ObjectStore } from "./store.ts";

/** Prefix of the files of videos. They are named by their content, so that equal files are stored once. */
export const filmObjects = "films/";

export const filmObjectKey = (sha256: string): string => `${filmObjects}${sha256.slice(0, 2)}/${sha256}`;

/** The SHA-256 in a video file's key. */
export const sha256OfKey = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/**
 * Whether an object still has its original bytes. Its length is compared first; then it is read and hashed, because a damaged disk keeps
 * the length.
 * @param expected `bytes`: its length
 */
export async function isWhole(
  objectStore: Pick<ObjectStore, "stream">,
  { sha256, bytes }: { sha256: string; bytes: number },
): Promise<boolean> {
  const found = await objectStore.stream(filmObjectKey(sha256));
  if (!found) return false;
  if (found.size !== bytes) {
    found.stream.destroy();
    return false;
  }
  const hash = createHash("sha256");
  for await (const piece of found.stream) hash.update(piece as Uint8Array);
  return hash.digest("hex") === sha256;
}
