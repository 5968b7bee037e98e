import { z } from "zod";
import { bounds } from "../bounds.ts";
import type { Scene } from "./storyboard.ts";

/** One thing that stands on screen. `as`: how it is to be read, so that a dollar sign in code or words is no formula's. `label`: what names it there. */
export const screenLine = z.strictObject({ as: z.enum(["words", "formula", "code"]), text: z.string(), label: z.string() });
export type ScreenLine = z.infer<typeof screenLine>;

/** As many as the layout that shows most has: a diagram's arrows, and boxes that no arrow touches. */
export const screenLines = z.array(screenLine).max(bounds.explainer.edges + bounds.explainer.nodes);

const words = (text: string, label = ""): ScreenLine => ({ as: "words", text, label });

/** What stands on screen below a scene's heading or question, in reading order. Pure. */
export const onScreen = (scene: Scene): ScreenLine[] => linesOf(scene).filter(({ text }) => text !== "");

function linesOf({ layout, content }: Scene): ScreenLine[] {
  switch (layout) {
    case "title":
      return [words(content.subtitle)];
    case "points":
    case "recap":
      return content.points.map((point) => words(point));
    case "formula":
      return content.terms.map(({ tex, label }) => ({ as: "formula", text: tex, label }));
    case "diagram": {
      const { nodes, edges } = content;
      const names = new Map(nodes.map(({ key, label }) => [key, label]));
      const lone = nodes.filter(({ key }) => edges.every(({ from, to }) => from !== key && to !== key));
      return [
        ...edges.map(({ from, to, label }) => words(`${names.get(from) ?? from} → ${names.get(to) ?? to}`, label)),
        ...lone.map(({ label }) => words(label)),
      ];
    }
    case "code":
      return [{ as: "code", text: content.code, label: "" }, ...content.steps.map(({ label }) => words(label))];
    case "compare":
      return [content.left, content.right].flatMap(({ title, points }) => points.map((point) => words(`${title}: ${point}`)));
    case "plot":
      return [
        ...content.functions.map(({ expression, label }) => words(expression, label)),
        ...content.marks.map(({ x, label }) => words(`${content.x.label || "x"} = ${x}: ${label}`)),
        ...[content.x.label, content.yLabel].map((label) => words(label)),
      ];
    case "question":
      return content.choices.map((choice) => words(choice));
  }
}

/** Whether a scene shows or says something else than another. Its quotes do not count: checks lengthen them. Pure. */
export const differs = (one: Scene, other: Scene | undefined): boolean => other === undefined || essence(one) !== essence(other);

/** The same text whatever the order of keys is: a model and a form write them in orders of their own. */
function essence({ layout, content, narration }: Scene): string {
  return JSON.stringify({ layout, content, narration }, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
