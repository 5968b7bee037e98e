import type { ArtifactKind } from "@colloquy/schemas/explainers/film.ts";
import { artifactPath, type ExplainerApi } from "../api/explainer.ts";
import type { FilmMedia } from "./film.ts";

type RenderRef = { jobId: string; renderId: string };

async function areAvailable(api: ExplainerApi, which: RenderRef, kinds: readonly ArtifactKind[], signal: AbortSignal): Promise<boolean> {
  return (await Promise.all(kinds.map((kind) => api.isThere({ ...which, kind }, signal)))).every(Boolean);
}

/** The parts of a film where their owner's own cookie reads them: a video is fetched piece by piece, as far as it is watched. */
export const ownMedia = (api: ExplainerApi, which: RenderRef): FilmMedia => ({
  address: async (kind) => artifactPath({ ...which, kind }),
  transcript: () => api.transcript(which),
  areAvailable: (kinds, signal) => areAvailable(api, which, kinds, signal),
  release: () => undefined,
});

/** The same in a page of another site, which has no cookie but a token: each is fetched whole and kept in memory. */
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
