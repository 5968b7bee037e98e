import type { ArtifactKind } from "@colloquy/schemas/explainers/film.ts";
import { artifactPath, type ExplainerApi } from "../api/explainer.ts";
import type { FilmMedia } from "./film.ts";

type RenderRef = { jobId: string; renderId: string };

async function areAvailable(api: ExplainerApi, which: RenderRef, kinds: readonly ArtifactKind[], signal: AbortSignal): Promise<boolean> {
  return (await Promise.all(kinds.map((kind) => api.isThere({ ...which, kind }, signal)))).every(Boolean);
}

/** Artifacts read with the session cookie; the browser streams the video in ranges. */
export const ownMedia = (api: ExplainerApi, which: RenderRef): FilmMedia => ({
  address: async (kind) => artifactPath({ ...which, kind }),
  transcript: () => api.transcript(which),
  areAvailable: (kinds, signal) => areAvailable(api, which, kinds, signal),
  release: () => undefined,
});

/** Artifacts in another site's page: it has a token instead of a cookie, so each is fetched whole into memory. */
export function fetchedMedia(api: ExplainerApi, which: RenderRef): FilmMedia {
  const kept = new Map<ArtifactKind, Promise<string>>();
  return {
    address(kind) {
      const known = kept.get(kind) ?? api.artifact({ ...which, kind }).then((blob) => URL.createObjectURL(blob));
      kept.set(kind, known);
      known.catch(() => kept.delete(kind));
      return known;
    },
    transcript: () => api.transcript(which),
    areAvailable: (kinds, signal) => areAvailable(api, which, kinds, signal),
    release() {
      for (const address of kept.values())
        void address.then(
          (known) => URL.revokeObjectURL(known),
          () => undefined,
        );
      kept.clear();
    },
  };
}
