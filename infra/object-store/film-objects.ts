import { createHash } from "node:crypto";
import type { ObjectStore } from "./store.ts";

/** Where what renders leave behind is kept: named by its content, so that the same bytes stand there once. */
export const filmObjects = "films/";

export const filmObjectKey = (sha256: string): string => `${filmObjects}${sha256.slice(0, 2)}/${sha256}`;

/** The SHA-256 in such a key. */
export const sha256OfKey = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/**
 * Whether the bytes that were put under a name are still there, every one as it was: the whole object is read and hashed, for a disk that
 * changed one of them keeps the length. Its length is looked at first.
 * @param expected `bytes`: how many it has
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
