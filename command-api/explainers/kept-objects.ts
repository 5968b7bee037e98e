import { filmObjectKey } from "@colloquy/infra/object-store/film-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Artifact } from "@colloquy/schemas/explainer/film.ts";

/** Whether an artifact is where it was put, as long as it was said to be. Its first byte is asked for: the length comes with it. */
export async function isKept(objectStore: Pick<ObjectStore, "stream">, { sha256, bytes }: Artifact): Promise<boolean> {
  const found = await objectStore.stream(filmObjectKey(sha256), { start: 0, end: 0 });
  found?.stream.destroy();
  return found?.size === bytes;
}
