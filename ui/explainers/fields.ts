import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Scene, SceneLayout } from "@colloquy/schemas/explainers/storyboard.ts";
import { msg } from "../messages/page.ts";
import type { Path } from "./edits.ts";

const limits = bounds.explainer;

/** One thing of a scene that can be written. */
export interface Field {
  kind: "line" | "text" | "code" | "number" | "choice";
  path: Path;
  label: string;
  /** How long it may be; counted where that matters. */
  most?: number;
  /** It may be left empty. */
  optional?: boolean;
  /** Of a `choice`: what there is. */
  options?: readonly { value: string; label: string }[];
}

/** Several of a kind, which can be added and taken away. */
export interface Rows {
  kind: "rows";
  path: Path;
  label: string;
  add: string;
  least: number;
  most: number;
  /** What a new one is. */
  fresh: () => unknown;
  fields: (index: number) => Field[];
}

const line = (path: Path, label: string, most: number = limits.labelLength, more: Partial<Field> = {}): Field => ({
  kind: "line",
  path,
  label,
  most,
  ...more,
});
const heading = (): Field => line(["content", "heading"], msg("Heading"), limits.headingLength);
const points = (path: Path, most: number): Rows => ({
  kind: "rows",
  path,
  label: msg("Points"),
  add: msg("Add a point"),
  least: 1,
  most,
  fresh: () => msg("New point"),
  fields: (index) => [line([...path, index], msg("Point {n}", { n: index + 1 }))],
});

type Parts = readonly (Field | Rows)[];

const forms: { [Layout in SceneLayout]: (scene: Extract<Scene, { layout: Layout }>) => Parts } = {
  title: () => [heading(), line(["content", "subtitle"], msg("Line below"), limits.labelLength, { optional: true })],
  points: () => [heading(), points(["content", "points"], limits.points)],
  recap: () => [heading(), points(["content", "points"], limits.points)],
  formula: () => [
    heading(),
    {
      kind: "rows",
      path: ["content", "terms"],
      label: msg("Terms, built up one after the other"),
      add: msg("Add a term"),
      least: 1,
      most: limits.terms,
      fresh: () => ({ tex: "x", label: "" }),
      fields: (index) => [
        {
          kind: "code",
          path: ["content", "terms", index, "tex"],
          label: msg("Term {n}, in TeX", { n: index + 1 }),
          most: limits.texLength,
        },
        line(["content", "terms", index, "label"], msg("What it is"), limits.labelLength, { optional: true }),
      ],
    },
  ],
  diagram: ({ content }) => [
    heading(),
    {
      kind: "choice",
      path: ["content", "kind"],
      label: msg("Kind"),
      options: [
        { value: "flow", label: msg("Flow") },
        { value: "tree", label: msg("Tree") },
        { value: "state", label: msg("States") },
        { value: "sequence", label: msg("Messages in order") },
      ],
    },
    {
      kind: "rows",
      path: ["content", "nodes"],
      label: msg("Boxes"),
      add: msg("Add a box"),
      least: 2,
      most: limits.nodes,
      fresh: () => ({ key: freeKey(content.nodes.map(({ key }) => key)), label: msg("New box") }),
      fields: (index) => [line(["content", "nodes", index, "label"], msg("Box {n}", { n: index + 1 }))],
    },
    {
      kind: "rows",
      path: ["content", "edges"],
      label: msg("Arrows"),
      add: msg("Add an arrow"),
      least: 1,
      most: limits.edges,
      fresh: () => ({ from: content.nodes[0]?.key ?? "a", to: content.nodes.at(-1)?.key ?? "b", label: "" }),
      fields: (index) => {
        const options = content.nodes.map(({ key, label }) => ({ value: key, label }));
        return [
          { kind: "choice", path: ["content", "edges", index, "from"], label: msg("From"), options },
          { kind: "choice", path: ["content", "edges", index, "to"], label: msg("To"), options },
          line(["content", "edges", index, "label"], msg("Its words"), limits.labelLength, { optional: true }),
        ];
      },
    },
  ],
  code: () => [
    heading(),
    line(["content", "language"], msg("Language, such as bash"), 20, { optional: true }),
    { kind: "code", path: ["content", "code"], label: msg("Code"), most: limits.codeLength },
    {
      kind: "rows",
      path: ["content", "steps"],
      label: msg("Lines that light up, one step after the other"),
      add: msg("Add a step"),
      least: 1,
      most: limits.steps,
      fresh: () => ({ from: 1, to: 1, label: "" }),
      fields: (index) => [
        { kind: "number", path: ["content", "steps", index, "from"], label: msg("From line") },
        { kind: "number", path: ["content", "steps", index, "to"], label: msg("To line") },
        line(["content", "steps", index, "label"], msg("What it shows"), limits.labelLength, { optional: true }),
      ],
    },
  ],
  compare: () => [
    heading(),
    line(["content", "left", "title"], msg("First side"), limits.headingLength),
    points(["content", "left", "points"], limits.sidePoints),
    line(["content", "right", "title"], msg("Second side"), limits.headingLength),
    points(["content", "right", "points"], limits.sidePoints),
  ],
  plot: () => [
    heading(),
    line(["content", "x", "label"], msg("Name of the x axis"), limits.labelLength, { optional: true }),
    { kind: "number", path: ["content", "x", "from"], label: msg("x from") },
    { kind: "number", path: ["content", "x", "to"], label: msg("x to") },
    line(["content", "yLabel"], msg("Name of the y axis"), limits.labelLength, { optional: true }),
    {
      kind: "rows",
      path: ["content", "functions"],
      label: msg("Functions of x"),
      add: msg("Add a function"),
      least: 1,
      most: limits.functions,
      fresh: () => ({ expression: "x", label: "" }),
      fields: (index) => [
        {
          kind: "code",
          path: ["content", "functions", index, "expression"],
          label: msg("Function {n}, such as x^2 - 1", { n: index + 1 }),
          most: limits.expressionLength,
        },
        line(["content", "functions", index, "label"], msg("Its name"), limits.labelLength, { optional: true }),
      ],
    },
    {
      kind: "rows",
      path: ["content", "marks"],
      label: msg("Marked places"),
      add: msg("Mark a place"),
      least: 0,
      most: limits.marks,
      fresh: () => ({ x: 0, label: msg("here") }),
      fields: (index) => [
        { kind: "number", path: ["content", "marks", index, "x"], label: msg("At x") },
        line(["content", "marks", index, "label"], msg("Its name")),
      ],
    },
  ],
  question: () => [
    { kind: "text", path: ["content", "question"], label: msg("Question"), most: limits.questionLength },
    {
      // Which choice is right stays with the service, so their number and order stay, too.
      kind: "rows",
      path: ["content", "choices"],
      label: msg("Choices"),
      add: "",
      least: limits.choices,
      most: 0,
      fresh: () => "",
      fields: (index) => [line(["content", "choices", index], msg("Choice {n}", { n: index + 1 }))],
    },
  ],
};

const freeKey = (taken: readonly string[]): string =>
  Array.from({ length: taken.length + 1 }, (_, index) => `n${index + 1}`).find((key) => !taken.includes(key)) ?? "n";

/** What of a scene can be written, by its layout; what is said comes last, as in every scene. */
export function fieldsOf(scene: Scene): Parts {
  const form = forms[scene.layout] as (of: Scene) => Parts;
  return [...form(scene), { kind: "text", path: ["narration"], label: msg("What is said and captioned"), most: limits.narrationLength }];
}
