import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import { placeForPreview, type SceneToPlace, scenesToPlace } from "@colloquy/render-service/layout/preview.ts";
import { type RenderSettings, rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import type { PreviewScene } from "@colloquy/schemas/explainers/preview.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { LRUCache } from "lru-cache";
import type { ExplainerHandlers } from "../handlers.ts";
import type { JobRequest } from "../jobs.ts";
import { refuseUnknownScenes } from "./known-scenes.ts";

type PlaceScenes = (scenes: readonly SceneToPlace[]) => ReturnType<typeof placeForPreview>;
type Answer = Awaited<ReturnType<PlaceScenes>>[number];

/** Scenes of a storyboard of the account's own as its silent film shows them. @throws {ProblemError} `not_found`, `invalid_request` */
export type PreviewStoryboard = (
  request: JobRequest,
  jobId: string,
  asked: { aspect: RenderSettings["aspect"]; scenes: readonly Scene[]; wanted?: readonly string[] | undefined },
) => Promise<PreviewScene[]>;

/** Previews, cached by what they show and the renderer's version, whoever asks. */
export function storyboardPreview(jobs: Pick<ExplainerHandlers, "own">, placeScenes: PlaceScenes = placeForPreview): PreviewStoryboard {
  const cache = new LRUCache<string, Answer>({
    maxSize: filmBounds.preview.cacheLength,
    sizeCalculation: (answer) => (answer.kind === "placed" ? answer.length : 1),
  });

  return async (request, jobId, { aspect, scenes, wanted }) => {
    const { storyboard } = await jobs.own(request, jobId);
    if (!storyboard) throw new ProblemError("not_found");
    refuseUnknownScenes(scenes, storyboard);
    const { language, sources } = storyboard;
    const asked = scenesToPlace(scenes, { language, sources, aspect })
      .filter(({ scene }) => wanted === undefined || wanted.includes(scene.sceneId))
      .map((one) => ({ ...one, key: keyOf(one) }));
    const known = new Map(asked.map(({ key }) => [key, cache.get(key)]));
    const missing = asked.filter(({ key }) => !known.get(key));
    const answers = missing.length > 0 ? await placeScenes(missing) : [];
    missing.forEach(({ key }, index) => {
      const answer = answers[index];
      known.set(key, answer);
      // Another time it may not take too long.
      if (answer?.kind === "placed") cache.set(key, answer);
    });
    return asked.flatMap(({ scene: { sceneId }, key }): PreviewScene[] => {
      const answer = known.get(key);
      return answer ? [{ sceneId, shown: shownOf(answer) }] : [];
    });
  };
}

const shownOf = (answer: Answer): PreviewScene["shown"] =>
  answer.kind === "placed" ? { kind: "placed", placed: answer.placed, fonts: answer.fonts } : answer;

const keyOf = ({ scene: { sceneId: _, ...shown }, place }: SceneToPlace): string =>
  sha256(canonicalText({ shown, place, rendererVersion }));
