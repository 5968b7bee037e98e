import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";

/** SHA-256 over everything that decides a film's bytes: what its scenes say and show, how it is made, and by which renderer. */
export const contentHashOf = (storyboard: Storyboard, settings: RenderSettings, rendererVersion: number): string =>
  sha256(canonicalText({ content: contentOf(storyboard), settings, rendererVersion }));

/** SHA-256 over what a film says and shows, however it is made: what is reported of one film is as wrong in the others of it. */
export const boardHashOf = (storyboard: Storyboard): string => sha256(canonicalText(contentOf(storyboard)));

/** Ids of ours decide nothing. */
function contentOf({ storyboardId: _, scenes, ...rest }: Storyboard): object {
  return { ...rest, scenes: scenes.map(({ sceneId: __, ...scene }) => scene) };
}
