import type { Scene, SceneLayout } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { msg } from "../messages/page.ts";
import type { Path } from "./edits.ts";

const limits = filmBounds;

/** An editable field of a scene. */
export interface Field {
  kind: "line" | "text" | "code" | "number" | "choice";
  path: Path;
  label: string;
  /** Maximum length. */
  most?: number;
  /** May be empty. */
  optional?: boolean;
  /** The options of a `choice`. */
  options?: readonly { value: string; label: string }[];
}

/** A list of fields that can grow and shrink. */
export interface Rows {
  kind: "rows";
  path: Path;
  label: string;
  add: string;
  least: number;
  most: number;
  /** Creates a new row's value. */
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
const heading = (): Field => line(["content", "heading"], msg("editor.heading"), limits.headingLength);
const points = (path: Path, most: number): Rows => ({
  kind: "rows",
  path,
  label: msg("explainer.points"),
  add: msg("explainer.addAPoint"),
  least: 1,
  most,
  fresh: () => msg("explainer.newPoint"),
  fields: (index) => [line([...path, index], msg("explainer.point", { n: index + 1 }))],
});

type Parts = readonly (Field | Rows)[];

const forms: { [Layout in SceneLayout]: (scene: Extract<Scene, { layout: Layout }>) => Parts } = {
  title: () => [heading(), line(["content", "subtitle"], msg("explainer.lineBelow"), limits.labelLength, { optional: true })],
  // Its numbers are computed together: only its heading can be changed by itself.
  build: () => [heading()],
  plane: () => [heading()],
  "number-line": () => [heading()],
  derive: () => [heading()],
  timeline: () => [heading()],
  forgetting: () => [heading()],
  trace: () => [heading()],
  table: () => [heading()],
  figure: () => [heading()],
  points: () => [heading(), points(["content", "points"], limits.points)],
  recap: () => [heading(), points(["content", "points"], limits.points)],
  formula: () => [
    heading(),
    {
      kind: "rows",
      path: ["content", "terms"],
      label: msg("explainer.termsBuiltUpOne"),
      add: msg("explainer.addATerm"),
      least: 1,
      most: limits.terms,
      fresh: () => ({ tex: "x", label: "" }),
      fields: (index) => [
        {
          kind: "code",
          path: ["content", "terms", index, "tex"],
          label: msg("explainer.termInTex", { n: index + 1 }),
          most: limits.texLength,
        },
        line(["content", "terms", index, "label"], msg("explainer.whatItIs"), limits.labelLength, { optional: true }),
      ],
    },
  ],
  diagram: ({ content }) => [
    heading(),
    {
      kind: "choice",
      path: ["content", "kind"],
      label: msg("audit.kind"),
      options: [
        { value: "flow", label: msg("explainer.flow") },
        { value: "tree", label: msg("audit.tree") },
        { value: "state", label: msg("explainer.states") },
        { value: "sequence", label: msg("explainer.messagesInOrder") },
      ],
    },
    {
      kind: "rows",
      path: ["content", "nodes"],
      label: msg("explainer.boxes"),
      add: msg("explainer.addABox"),
      least: 2,
      most: limits.nodes,
      fresh: () => ({ key: freeKey(content.nodes.map(({ key }) => key)), label: msg("explainer.newBox") }),
      fields: (index) => [line(["content", "nodes", index, "label"], msg("explainer.box", { n: index + 1 }))],
    },
    {
      kind: "rows",
      path: ["content", "edges"],
      label: msg("explainer.arrows"),
      add: msg("explainer.addAnArrow"),
      least: 1,
      most: limits.edges,
      fresh: () => ({ from: content.nodes[0]?.key ?? "a", to: content.nodes.at(-1)?.key ?? "b", label: "" }),
      fields: (index) => {
        const options = content.nodes.map(({ key, label }) => ({ value: key, label }));
        return [
          { kind: "choice", path: ["content", "edges", index, "from"], label: msg("explainer.from"), options },
          { kind: "choice", path: ["content", "edges", index, "to"], label: msg("explainer.to"), options },
          line(["content", "edges", index, "label"], msg("explainer.text"), limits.labelLength, { optional: true }),
        ];
      },
    },
  ],
  code: () => [
    heading(),
    line(["content", "language"], msg("explainer.languageSuchAsBash"), 20, { optional: true }),
    { kind: "code", path: ["content", "code"], label: msg("editor.code"), most: limits.codeLength },
    {
      kind: "rows",
      path: ["content", "steps"],
      label: msg("explainer.linesHighlightedStepStep"),
      add: msg("explainer.addAStep"),
      least: 1,
      most: limits.steps,
      fresh: () => ({ from: 1, to: 1, label: "" }),
      fields: (index) => [
        { kind: "number", path: ["content", "steps", index, "from"], label: msg("explainer.fromLine") },
        { kind: "number", path: ["content", "steps", index, "to"], label: msg("explainer.toLine") },
        line(["content", "steps", index, "label"], msg("explainer.whatItShows"), limits.labelLength, { optional: true }),
      ],
    },
  ],
  compare: () => [
    heading(),
    line(["content", "left", "title"], msg("explainer.firstSide"), limits.headingLength),
    points(["content", "left", "points"], limits.sidePoints),
    line(["content", "right", "title"], msg("explainer.secondSide"), limits.headingLength),
    points(["content", "right", "points"], limits.sidePoints),
  ],
  plot: () => [
    heading(),
    line(["content", "x", "label"], msg("explainer.nameXAxis"), limits.labelLength, { optional: true }),
    { kind: "number", path: ["content", "x", "from"], label: msg("explainer.xFrom") },
    { kind: "number", path: ["content", "x", "to"], label: msg("explainer.xTo") },
    line(["content", "yLabel"], msg("explainer.nameYAxis"), limits.labelLength, { optional: true }),
    {
      kind: "rows",
      path: ["content", "functions"],
      label: msg("explainer.functionsOfX"),
      add: msg("explainer.addAFunction"),
      least: 1,
      most: limits.functions,
      fresh: () => ({ expression: "x", label: "" }),
      fields: (index) => [
        {
          kind: "code",
          path: ["content", "functions", index, "expression"],
          label: msg("explainer.functionSuchX2", { n: index + 1 }),
          most: limits.expressionLength,
        },
        line(["content", "functions", index, "label"], msg("explainer.itsName"), limits.labelLength, { optional: true }),
      ],
    },
    {
      kind: "rows",
      path: ["content", "marks"],
      label: msg("explainer.markedPlaces"),
      add: msg("explainer.markAPlace"),
      least: 0,
      most: limits.marks,
      fresh: () => ({ x: 0, label: msg("explainer.here") }),
      fields: (index) => [
        { kind: "number", path: ["content", "marks", index, "x"], label: msg("explainer.atX") },
        line(["content", "marks", index, "label"], msg("explainer.itsName")),
      ],
    },
  ],
  question: () => [
    { kind: "text", path: ["content", "question"], label: msg("common.question"), most: limits.questionLength },
    {
      // Only the service knows the right choice, so the choices keep their number and order.
      kind: "rows",
      path: ["content", "choices"],
      label: msg("explainer.choices"),
      add: "",
      least: limits.choices,
      most: 0,
      fresh: () => "",
      fields: (index) => [line(["content", "choices", index], msg("explainer.choice", { n: index + 1 }))],
    },
  ],
};

const freeKey = (taken: readonly string[]): string =>
  Array.from({ length: taken.length + 1 }, (_, index) => `n${index + 1}`).find((key) => !taken.includes(key)) ?? "n";

/** The editable fields of a scene by layout, with the narration last. */
export function fieldsOf(scene: Scene): Parts {
  const form = forms[scene.layout] as (of: Scene) => Parts;
  return [...form(scene), { kind: "text", path: ["narration"], label: msg("explainer.narrationCaptions"), most: limits.narrationLength }];
}
