import { gapTex, intervalsOf, modelTex, stabilityTex } from "./forgetting.ts";
import { numberLineFacts } from "./number-line.ts";
import { planeFacts, rounded } from "./plane.ts";
import type { ScreenLine } from "./screen-line.ts";
import type { Scene } from "./storyboard.ts";
import { runOf } from "./trace.ts";

const words = (text: string, label = ""): ScreenLine => ({ as: "words", text, label });

/** The texts below a scene's heading or question, in reading order. Pure. */
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
    case "diagram":
    case "build": {
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
    case "plane":
      return planeFacts(content).flatMap(({ states }) => states.map((text) => ({ as: "formula" as const, text, label: "" })));
    case "number-line":
      return numberLineFacts(content).map((text) => ({ as: "formula", text, label: "" }));
    case "timeline": {
      const { unit, kinds, lanes } = content;
      return lanes.map(({ label, marks }) => {
        const told = marks.map(({ at, kind }) => `${rounded(at)}${kinds[kind] === undefined ? "" : ` ${kinds[kind]}`}`);
        return words(`${label}: ${told.join(", ")}`, unit);
      });
    }
    case "forgetting":
      return [modelTex, ...intervalsOf(content).flatMap((one) => [stabilityTex(one), gapTex(one, content.target)])].map((text) => ({
        as: "formula" as const,
        text,
        label: "",
      }));
    case "table":
      return content.rows.map((row) => words(row.map((cell, index) => `${content.columns[index] ?? ""}: ${cell}`).join(", ")));
    case "figure":
      return [words(content.picture.alt), ...content.callouts.map(({ label }) => words(label))];
    case "trace": {
      const run = runOf(content);
      const code = [content.code, content.start === "" ? content.printed : ""];
      const stages = run.kind === "pipeline" ? run.stages.map(({ lines }) => lines.map(({ text }) => text).join("\n")) : [];
      return [...code, ...stages].map((text) => ({ as: "code" as const, text, label: "" }));
    }
    case "derive":
      return content.steps.map(({ tex, reason }) => ({ as: "formula" as const, text: tex, label: reason }));
    case "question":
      return content.choices.map((choice) => words(choice));
  }
}

/** Whether two scenes differ in content or narration. Quotes do not count, because checks extend them. Pure. */
export const isDifferentScene = (one: Scene, other: Scene | undefined): boolean =>
  other === undefined || canonicalScene(one) !== canonicalScene(other);

/** Equal for equal content, whatever the order of keys. */
function canonicalScene({ layout, content, narration }: Scene): string {
  return JSON.stringify({ layout, content, narration }, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
