import type { Scene } from "./storyboard.ts";

/** The visible part of a scene. */
export type Shown = Scene extends infer One ? (One extends Scene ? Pick<One, "layout" | "content"> : never) : never;

/** The texts of a scene on screen, without code and formulas. Pure. */
export function labelsOf(scene: Shown): string[] {
  switch (scene.layout) {
    case "title":
      return [scene.content.heading, scene.content.subtitle];
    case "points":
    case "recap":
      return [scene.content.heading, ...scene.content.points];
    case "formula":
      return [scene.content.heading, ...scene.content.terms.map(({ label }) => label)];
    case "diagram":
    case "build":
      return [scene.content.heading, ...scene.content.nodes.map(({ label }) => label), ...scene.content.edges.map(({ label }) => label)];
    case "code":
      return [scene.content.heading, ...scene.content.steps.map(({ label }) => label)];
    case "compare": {
      const { heading, left, right } = scene.content;
      return [heading, left.title, ...left.points, right.title, ...right.points];
    }
    case "plot": {
      const { heading, x, yLabel, functions, marks } = scene.content;
      return [heading, x.label, yLabel, ...functions.map(({ label }) => label), ...marks.map(({ label }) => label)];
    }
    case "plane":
    case "number-line":
      return [scene.content.heading];
    case "timeline": {
      const { heading, unit, kinds, lanes } = scene.content;
      return [heading, unit, ...kinds, ...lanes.map(({ label }) => label)];
    }
    case "table": {
      const { heading, columns, rows } = scene.content;
      return [heading, ...columns, ...rows.flat()];
    }
    case "figure":
      return [scene.content.heading, ...scene.content.callouts.map(({ label }) => label)];
    case "trace":
      return [scene.content.heading];
    case "forgetting":
      return [scene.content.heading, scene.content.unit];
    case "derive":
      return [scene.content.heading, ...scene.content.steps.map(({ reason }) => reason)];
    case "question":
      return [scene.content.question, ...scene.content.choices];
  }
}
