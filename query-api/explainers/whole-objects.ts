import { isWhole } from "@colloquy/infra/object-store/film-objects.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Artifact } from "@colloquy/schemas/explainers/film.ts";

/** A player asks for a film in many ranges: what was found whole counts as whole for so long, in milliseconds. */
const rememberedMs = 60_000;
const mostRemembered = 1_000;

/** Whether an artifact is there with every byte as it was; what is not is looked at again each time, for it may be mended by now. */
export function wholeObjects(objectStore: Pick<ObjectStore, "stream">, now: () => number): (artifact: Artifact) => Promise<boolean> {
  const seen = new Map<string, number>();
  return async (artifact) => {
    const { sha256 } = artifact;
    const at = seen.get(sha256);
    if (at !== undefined && now() - at < rememberedMs) return true;
    seen.delete(sha256);
    if (!(await isWhole(objectStore, artifact))) return false;
    seen.set(sha256, now());
    if (seen.size > mostRemembered) seen.delete(seen.keys().next().value ?? "");
    return true;
  };
}
