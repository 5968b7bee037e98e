import type { Transcript } from "@colloquy/schemas/explainer/film.ts";
import { sceneTitle } from "@colloquy/schemas/explainer/scene-title.ts";
import type { Scene, Storyboard } from "@colloquy/schemas/explainer/storyboard.ts";
import { type TimedScene, timeOf } from "./timeline.ts";

/** What is said and shown in a film, scene by scene, with where it comes from. Pure. */
export function transcriptOf({ title, language, sources }: Storyboard, scenes: readonly TimedScene[]): Transcript {
  return {
    title,
    language,
    scenes: scenes.map(({ scene, start, frames }) => ({
      sceneId: scene.sceneId,
      heading: sceneTitle(scene),
      startMs: Math.round(timeOf(start)),
      endMs: Math.round(timeOf(start + frames)),
      narration: scene.narration,
      shows: shown(scene).filter(Boolean),
      sources: scene.quotes.flatMap(({ sourceId, quote }) => {
        const source = sources.find((one) => one.sourceId === sourceId);
        return source ? [{ sourceId, title: source.title, href: source.href, quote }] : [];
      }),
    })),
  };
}

/** What stands on screen below the heading, in reading order. */
function shown(scene: Scene): string[] {
  switch (scene.layout) {
    case "title":
      return [scene.content.subtitle];
    case "points":
    case "recap":
      return scene.content.points;
    case "formula":
      return scene.content.terms.map(({ tex, label }) => (label ? `${tex} (${label})` : tex));
    case "diagram": {
      const names = new Map(scene.content.nodes.map(({ key, label }) => [key, label]));
      const lone = scene.content.nodes.filter(({ key }) => scene.content.edges.every(({ from, to }) => from !== key && to !== key));
      return [
        ...scene.content.edges.map(
          ({ from, to, label }) => `${names.get(from) ?? from} → ${names.get(to) ?? to}${label ? ` (${label})` : ""}`,
        ),
        ...lone.map(({ label }) => label),
      ];
    }
    case "code":
      return [scene.content.code, ...scene.content.steps.map(({ label }) => label)];
    case "compare":
      return [scene.content.left, scene.content.right].flatMap(({ title, points }) => points.map((point) => `${title}: ${point}`));
    case "plot":
      return [
        ...scene.content.functions.map(({ expression, label }) => (label ? `${expression} (${label})` : expression)),
        ...scene.content.marks.map(({ x, label }) => `${scene.content.x.label || "x"} = ${x}: ${label}`),
      ];
    case "question":
      return scene.content.choices;
  }
}
