import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";

/** SHA-256 over everything that a video's bytes depend on: the content of its scenes, its settings and the renderer. */
export const contentHashOf = (storyboard: Storyboard, settings: RenderSettings, rendererVersion: number): string =>
  sha256(canonicalText({ content: contentOf(storyboard), settings, rendererVersion }));

/** SHA-256 over the content of a storyboard alone: a reported mistake concerns every video of the same content, whatever its settings. */
export const boardHashOf = (storyboard: Storyboard): string => sha256(canonicalText(contentOf(storyboard)));

/** Ids do not change the bytes. */
function contentOf({ storyboardId: _, scenes, ...rest }: Storyboard): object {
  return { ...rest, scenes: scenes.map(({ sceneId: __, ...scene }) => scene) };
}
