import type { Scene } from "./storyboard.ts";

/** A scene as far as its picture goes. */
export type Shown = Scene extends infer One ? (One extends Scene ? Pick<One, "layout" | "content"> : never) : never;

/** Every text of a scene that is read on screen as words: no code, no formulas. Pure. */
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
    case "question":
      return [scene.content.question, ...scene.content.choices];
  }
}
