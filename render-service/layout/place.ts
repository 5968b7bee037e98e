import type { Placed, Refused } from "@colloquy/schemas/explainers/placed.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { silentSpeech } from "@colloquy/schemas/explainers/timing.ts";
import type { PlaceOptions } from "../frames/timeline.ts";
import { attend } from "./attention.ts";
import { joinScenes } from "./join.ts";
import { minContrast, minTextSize } from "./limits.ts";
import { metricsOf } from "./metrics.ts";
import { placeBuild } from "./scenes/build.ts";
import { placeCode } from "./scenes/code.ts";
import { placeCompare } from "./scenes/compare.ts";
import { placeDerive } from "./scenes/derive.ts";
import { placeDiagram } from "./scenes/diagram.ts";
import { placeFigure } from "./scenes/figure.ts";
import { placeForgetting } from "./scenes/forgetting.ts";
import { placeFormula } from "./scenes/formula.ts";
import { placeNumberLine } from "./scenes/number-line.ts";
import { placePlane } from "./scenes/plane.ts";
import { placePlot } from "./scenes/plot.ts";
import { placePoints, placeRecap } from "./scenes/points.ts";
import { placeQuestion } from "./scenes/question.ts";
import { placeTable } from "./scenes/table.ts";
import { placeTimeline } from "./scenes/timeline.ts";
import { placeTitle } from "./scenes/title.ts";
import { placeTrace } from "./scenes/trace.ts";
import { newStage, putFootnote, refuse, type Stage } from "./stage.ts";

/** Places the content of a scene; each layout has its own module. */
function placeContent(stage: Stage, scene: Scene): undefined {
  switch (scene.layout) {
    case "title":
      return placeTitle(stage, scene.content);
    case "points":
      return placePoints(stage, scene.content);
    case "recap":
      return placeRecap(stage, scene.content);
    case "formula":
      return placeFormula(stage, scene.content);
    case "diagram":
      return placeDiagram(stage, scene.content);
    case "build":
      return placeBuild(stage, scene.content);
    case "code":
      return placeCode(stage, scene.content);
    case "compare":
      return placeCompare(stage, scene.content);
    case "plot":
      return placePlot(stage, scene.content);
    case "plane":
      return placePlane(stage, scene.content);
    case "number-line":
      return placeNumberLine(stage, scene.content);
    case "derive":
      return placeDerive(stage, scene.content);
    case "timeline":
      return placeTimeline(stage, scene.content);
    case "forgetting":
      return placeForgetting(stage, scene.content);
    case "table":
      return placeTable(stage, scene.content);
    case "figure":
      return placeFigure(stage, scene.content);
    case "trace":
      return placeTrace(stage, scene.content);
    case "question":
      return placeQuestion(stage, scene.content);
  }
}

/** Places a scene; it begins with the last picture of the scene before it where it goes on with that. Deterministic. */
export function placeScene(scene: Scene, { before, ...place }: PlaceOptions): Placed | Refused {
  const placed = placeAlone(scene, place);
  const earlier = before && placed.kind === "placed" ? placeScene(before.scene, before.place) : undefined;
  if (placed.kind === "refused") return placed;
  const { layout, narration } = scene;
  const withAttention = (one: Placed): Placed => {
    // A question is to be thought about, and a title is read at a glance.
    if (layout === "question" || layout === "title") return one;
    return attend(one, { layout, narration, speech: place.speech ?? silentSpeech(scene, one.durationMs) });
  };
  return earlier?.kind === "placed" ? joinScenes(earlier, placed, withAttention) : withAttention(placed);
}

/**
 * Places a scene: text is measured with the real fonts, wrapped and shrunk within limits; each item appears when it is mentioned. A scene
 * that would not look well is refused before a video is rendered.
 */
function placeAlone(scene: Scene, { aspect, language, seconds, source, speech, colours }: Omit<PlaceOptions, "before">): Placed | Refused {
  const durationMs = Math.round(seconds * 1000);
  const stage = newStage({
    wide: aspect === "16:9",
    language,
    narration: scene.narration,
    durationMs,
    speech: speech ?? silentSpeech(scene, durationMs),
    ...(colours && { colours }),
  });
  placeContent(stage, scene);
  putFootnote(stage, source);
  const { width, height, safe, items, findings } = stage;
  const placed: Placed = { kind: "placed", width, height, safe, durationMs, items };
  if (findings.length === 0) checkPlaced(stage, placed);
  return findings.length > 0 ? { kind: "refused", findings } : placed;
}

/** Refuses a placed scene that breaks the limits which layouts should keep. */
function checkPlaced(stage: Stage, placed: Placed): void {
  const metrics = metricsOf(placed);
  if (metrics.overflowArea > 0) refuse(stage, "Something would stand outside of the picture's margins.");
  if (metrics.overlapArea > 0) refuse(stage, "Things would lie on one another.");
  if (metrics.leastContrast < minContrast) refuse(stage, "Something would be too pale to be read.");
  if (metrics.leastTextSize < minTextSize) refuse(stage, "Something would be too small to be read.");
}
